"""Whether a run uses an object that has ended, or frees what it must not: then a compiled program may do anything.

A run watches one object (`memory.$watch`), and runs that are compared watch none. So this is asked where a difference
was found, by the same run again and again, with another object watched each time.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.model.budget import Clock
from sorrel.program.checks import WATCHED, watching
from sorrel.program.expression import Binary, Constant, Variable
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated, Wrote
from sorrel.program.statement import Kind
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import UNBOUNDED

_MISUSES = (Kind.LIFETIME, Kind.FREE)


def misused(program: Program, found: Run, clock: Clock) -> bool | None:
    """Of a run that was recorded; None: there was no time to watch every object."""
    values = [used.value for used in found.used]
    for number in dict.fromkeys((*_named(program), *_made(found))):
        if clock.expired():
            return None
        again = run(watching(program, number), values, steps=found.steps + 1, indeterminate=NOBODYS)
        if isinstance(again.end, Violated) and again.end.assertion.kind in _MISUSES:
            return True
    return False


def _named(program: Program) -> Iterator[int]:
    """Numbers of objects that the program compares with the one that is watched."""
    for procedure in program.procedures:
        for block in procedure.blocks:
            for step in steps(block):
                for whole in expressions(step):
                    for part in subexpressions(whole):
                        match part:
                            case Binary(_, Variable(name), Constant(value)) if name == WATCHED:
                                yield int(value)


def _made(found: Run) -> Iterator[int]:
    """Those that a run gave to objects while it went on, among other numbers without a type of the machine's."""
    written = (event for event in found.events if isinstance(event, Wrote) and event.variable.type == UNBOUNDED)
    yield from (event.value for event in written if isinstance(event.value, int) and event.value > 0)
