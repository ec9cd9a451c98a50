"""Which pointers may be numbers that no object has: what was never set, and what is copied from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sorrel.linked.regions import Region
from sorrel.program.expression import Conditional, Expression, Select, Store, Variable
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Havoc


def wild_places(program: Program, found: Sequence[Region], unset: Iterable[Variable]) -> frozenset[Variable]:
    """Pointers, and fields by their arrays, that may have any value; `unset` are fields that may be read unset.

    All other pointers are null or another fixed number, or lead to an object that the program has made.
    """
    main = program.procedure[program.main]
    places = {place for region in found for place in (*region.pointers, *region.links)}
    wild = {v for region in found for v in region.pointers if v in program.globals and v.name not in program.initial}
    wild |= {statement.target for statement in _statements(main) if isinstance(statement, Havoc)} & places
    wild |= {variable for variable in open_starts(main) if variable in places} | set(unset)
    flows = [(target, source) for target, source in _flows(main) if target in places and source in places]
    changed = True
    while changed:
        reached = {target for target, source in flows if source in wild} - wild
        wild |= reached
        changed = bool(reached)
    return frozenset(wild)


def _statements(main: Procedure) -> Iterator[Assign | Havoc]:
    for block in main.blocks:
        for statement in block.statements:
            if isinstance(statement, Assign | Havoc):
                yield statement


def _flows(main: Procedure) -> Iterator[tuple[Variable, Variable]]:
    """Where a value goes, and where it comes from; arrays stand for their elements."""
    for statement in _statements(main):
        if isinstance(statement, Assign):
            value = statement.value.value if isinstance(statement.value, Store) else statement.value
            for source in _sources(value):
                yield statement.target, source


def _sources(value: Expression) -> Iterator[Variable]:
    match value:
        case Variable():
            yield value
        case Select(Variable() as array):
            yield array
        case Conditional(_, then, otherwise):
            yield from _sources(then)
            yield from _sources(otherwise)
        case _:
            pass  # no pointer
