"""Ranks put into the program: an assertion at the head of a loop that every round brings the rank down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.contracts.checks import entered
from sorrel.model.errors import Span
from sorrel.program.construction import binary, every
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.loops import loops
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Event, Wrote
from sorrel.program.statement import Assert, Assign, Block, Goto, Kind, Statement
from sorrel.program.traversal import retarget
from sorrel.program.types import BOOLEAN, UNBOUNDED

_KEPT = "rank.."
_AGAIN = Variable("rank..again", BOOLEAN)
_BEGIN = "rank..begin"
GOES_DOWN = "the rank goes down in every round"
"""What is asserted, by which it is known."""


def with_rank(program: Program, procedure: str, header: str, components: Sequence[Expression], span: Span) -> Program:
    """The program that asserts the descent of a rank, lexicographically, at each visit of a loop but the first."""
    changed = _watched(program.procedure[procedure], header, components, span)
    return replace(program, procedures=tuple(changed if p.name == procedure else p for p in program.procedures))


def first_visit(events: Sequence[Event], size: int) -> tuple[tuple[int, ...], ...]:
    """The values of the rank in the rounds of a recorded run, from where the loop is come to first until it is left."""
    found: list[tuple[int, ...]] = []
    current: list[int] = []
    for event in events:
        if not isinstance(event, Wrote) or event.choice is not None:
            continue  # what variables hold before they are written is no value of the rank
        if event.variable == _AGAIN:
            if not event.value and found:
                break
            found += [tuple(current)] if event.value and len(current) == size else []
            current = []
        elif event.variable.name.startswith(_KEPT) and isinstance(event.value, int):
            current.append(int(event.value))
    return tuple(found)


def _watched(procedure: Procedure, header: str, components: Sequence[Expression], span: Span) -> Procedure:
    body = next(loop.body for loop in loops(procedure) if loop.header == header)
    kept = [Variable(f"{_KEPT}{position}", UNBOUNDED) for position in range(len(components))]
    watching: tuple[Statement, ...] = (
        Assert(_or(_not(_AGAIN), _descends(kept, components)), Kind.ASSERTION, GOES_DOWN, span),
        *(Assign(each, component) for each, component in zip(kept, components, strict=True)),
        Assign(_AGAIN, Constant(True, BOOLEAN)),
    )
    blocks = [
        replace(block, statements=(*watching, *block.statements)) if block.label == header else block
        for block in procedure.blocks
    ]
    # Whoever comes from outside begins anew.
    blocks = [
        block
        if block.label in body
        else replace(block, terminator=retarget(block.terminator, lambda to: _BEGIN if to == header else to))
        for block in blocks
    ]
    begin = Block(_BEGIN, (Assign(_AGAIN, Constant(False, BOOLEAN)),), Goto(header))
    first = Block(entered(procedure), (), Goto(_BEGIN if procedure.entry == header else procedure.entry))
    return replace(
        procedure, locals=(*procedure.locals, *kept, _AGAIN), blocks=(first, begin, *blocks), entry=first.label
    )


def _descends(before: Sequence[Variable], now: Sequence[Expression]) -> Expression:
    """Some component is not negative and goes down, and none in front of it goes up."""
    cases: list[Expression] = []
    level: list[Expression] = []
    for old, new in zip(before, now, strict=True):
        bounded = binary(Operator.AT_LEAST, old, Constant(0, UNBOUNDED))
        cases.append(every([*level, bounded, binary(Operator.LESS, new, old)]))
        level.append(binary(Operator.AT_MOST, new, old))
    result = cases[0]
    for case in cases[1:]:
        result = _or(result, case)
    return result


def _or(left: Expression, right: Expression) -> Expression:
    return binary(Operator.OR, left, right)


def _not(condition: Expression) -> Expression:
    return binary(Operator.EQUAL, condition, Constant(False, BOOLEAN))
