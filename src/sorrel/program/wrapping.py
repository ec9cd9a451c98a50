"""Signed arithmetic that wraps around, as conversions that say so: what compilers make that are asked to (-fwrapv).

Every run of a program that has a meaning in C is a run of this one. Others, in which a signed result leaves its type,
have a meaning here that C does not give them.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.program.checks import own_guards
from sorrel.program.construction import unbounded
from sorrel.program.expression import Binary, Convert, Expression, Operator, Unary
from sorrel.program.program import Procedure, Program
from sorrel.program.traversal import rewrite, rewrite_statement, rewrite_terminator
from sorrel.program.types import UNBOUNDED, Machine


def wrapping(program: Program) -> Program:
    """The program in which signed results are brought back into their types."""
    initial = {name: _brought_back(value) for name, value in program.initial.items()}
    return replace(program, initial=initial, procedures=tuple(map(_procedure, program.procedures)))


def _procedure(procedure: Procedure) -> Procedure:
    blocks = (
        replace(
            block,
            statements=tuple(rewrite_statement(each, _brought_back) for each in block.statements),
            terminator=rewrite_terminator(block.terminator, _brought_back),
        )
        for block in procedure.blocks
    )
    return replace(procedure, blocks=tuple(blocks))


def _brought_back(expression: Expression) -> Expression:
    return rewrite(expression, _operation)


def _operation(node: Expression) -> Expression:
    """An operation whose result may leave its type; one that has no value even then stays as it is."""
    if not any(guard.wraps for guard in own_guards(node)):
        return node
    match node:
        case Unary(operator, operand, type):
            return Convert(Unary(operator, unbounded(operand), UNBOUNDED), type)
        case Binary(Operator.SHIFT_LEFT, left, amount, Machine() as type):
            unsigned = Machine(type.bits, False)
            return Convert(Binary(Operator.SHIFT_LEFT, Convert(left, unsigned), amount, unsigned), type)
        case Binary(operator, left, right, type):
            return Convert(Binary(operator, unbounded(left), unbounded(right), UNBOUNDED), type)
        case _:
            return node
