"""A program on a smaller machine: no integer type has more than so many bits."""

from __future__ import annotations

from dataclasses import replace

from sorrel.model.errors import InputError, Span
from sorrel.program.expression import Constant, Expression, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Block, Statement, Stop, Terminator
from sorrel.program.traversal import rename, rewrite, rewrite_statement, rewrite_terminator, written
from sorrel.program.types import Array, Machine, Type


def narrowed(program: Program, bits: int) -> Program:
    """The program with every wider machine integer cut down to so many bits; a constant must fit."""
    return replace(
        program,
        procedures=tuple(_procedure(procedure, bits) for procedure in program.procedures),
        globals=tuple(_variable(each, bits) for each in program.globals),
        initial={name: _expression(value, bits, Span()) for name, value in program.initial.items()},
    )


def _type(type: Type, bits: int) -> Type:
    match type:
        case Machine(wide, signed) if wide > bits:
            return Machine(bits, signed)
        case Array(element):
            return Array(_type(element, bits))
        case _:
            return type


def _variable(variable: Variable, bits: int) -> Variable:
    return replace(variable, type=_type(variable.type, bits))


def _procedure(procedure: Procedure, bits: int) -> Procedure:
    return replace(
        procedure,
        parameters=tuple(_variable(each, bits) for each in procedure.parameters),
        outputs=tuple(_variable(each, bits) for each in procedure.outputs),
        locals=tuple(_variable(each, bits) for each in procedure.locals),
        blocks=tuple(_block(block, bits) for block in procedure.blocks),
    )


def _block(block: Block, bits: int) -> Block:
    statements = tuple(_statement(statement, bits) for statement in block.statements)
    return replace(block, statements=statements, terminator=_terminator(block.terminator, bits))


def _statement(statement: Statement, bits: int) -> Statement:
    changed = rewrite_statement(statement, lambda expression: _expression(expression, bits, statement.span))
    return rename(changed, {each: _variable(each, bits) for each in written(changed)})


def _terminator(terminator: Terminator, bits: int) -> Terminator:
    if isinstance(terminator, Stop):
        return replace(terminator, status=None)  # a status is for the environment, whose numbers are as they are
    return rewrite_terminator(terminator, lambda condition: _expression(condition, bits, terminator.span))


def _expression(expression: Expression, bits: int, span: Span) -> Expression:
    def change(node: Expression) -> Expression:
        type = _type(node.type, bits)
        if isinstance(node, Constant) and isinstance(type, Machine) and not type.contains(int(node.value)):
            kind = "signed" if type.signed else "unsigned"
            raise InputError(
                f"{node.value} does not fit into {bits} bits ({kind})", span, hint="Choose a larger width."
            )
        return replace(node, type=type)

    return rewrite(expression, change)
