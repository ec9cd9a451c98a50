"""How far a run was from violating the assertions that it passed, which leads runs on where all places are known.

Of each comparison that an assertion rests on the difference of its sides is observed in front of it (Korel, *Automated
software test data generation*, IEEE Transactions on Software Engineering, 1990): an index that is nearer to the end of
its buffer than all before is progress, though nothing new was entered.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from itertools import islice

from sorrel.program.construction import binary, every, negation, unbounded
from sorrel.program.expression import (
    OPPOSITE,
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Block, Observe, Purpose, Statement
from sorrel.program.types import UNBOUNDED, is_integer

FAR = 2**200
"""The distance of what is not compared in this run, since something before it decides."""
MOST_COMPARISONS = 6
"""Of one assertion."""
_FAR, _ONE = Constant(FAR, UNBOUNDED), Constant(1, UNBOUNDED)


def measured(program: Program, settled: Container[str] = ()) -> Program:
    """The program that observes in front of each assertion how much is missing until it is violated.

    Each observation has a message of its own; those in `settled` are left out.
    """
    return replace(program, procedures=tuple(_procedure(each, settled) for each in program.procedures))


def _procedure(procedure: Procedure, settled: Container[str]) -> Procedure:
    return replace(procedure, blocks=tuple(_block(procedure.name, block, settled) for block in procedure.blocks))


def _block(procedure: str, block: Block, settled: Container[str]) -> Block:
    statements: list[Statement] = []
    for position, statement in enumerate(block.statements):
        if isinstance(statement, Assert):
            for number, missing in enumerate(islice(_missing(statement.condition), MOST_COMPARISONS)):
                message = f"{procedure} {block.label} {position} {number}"
                if message not in settled:
                    statements.append(Observe(missing, Purpose.COMPARED, message, statement.span))
        statements.append(statement)
    return replace(block, statements=tuple(statements))


def _missing(condition: Expression) -> Iterator[Expression]:
    """What is missing until it is false, of each comparison where this one decides; FAR where it does not."""
    work: list[tuple[Expression, bool, tuple[Expression, ...]]] = [(condition, True, ())]
    while work:
        part, holds, given = work.pop()
        match part:
            case Unary(UnaryOperator.NOT, operand):
                work.append((operand, not holds, given))
            case Binary(Operator.AND | Operator.OR | Operator.IMPLIES as operator, left, right):
                before = negation(left) if operator is Operator.OR else left
                work += [
                    (right, holds, (*given, before)),
                    (left, holds is not (operator is Operator.IMPLIES), given),
                ]
            case Binary(operator, left, right) if operator in OPPOSITE and is_integer(left.type):
                distance = _distance(operator if holds else OPPOSITE[operator], unbounded(left), unbounded(right))
                if distance is not None:
                    yield Conditional(every(given), distance, _FAR, UNBOUNDED) if given else distance
            case _:
                pass


def _distance(operator: Operator, left: Expression, right: Expression) -> Expression | None:
    """The difference of the sides; one more where equal sides violate nothing."""
    match operator:
        case Operator.LESS:
            return binary(Operator.SUBTRACT, right, left)
        case Operator.MORE:
            return binary(Operator.SUBTRACT, left, right)
        case Operator.AT_MOST:
            return binary(Operator.SUBTRACT, binary(Operator.ADD, right, _ONE), left)
        case Operator.AT_LEAST:
            return binary(Operator.SUBTRACT, binary(Operator.ADD, left, _ONE), right)
        case Operator.DIFFERENT:
            return binary(Operator.SUBTRACT, left, right)
        case _:
            return None  # sides that are equal differ by one step in any direction
