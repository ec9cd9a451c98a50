"""The clauses of a program, taken apart by who owns them: one component for procedures that call each other in circles.

A clause belongs to the procedure whose predicate, or one of whose loops, stands in its head; a query belongs to the
procedure that runs start in. So every clause has exactly one owner, which is all that the theorem of
docs/modular-evidence.md needs. The clauses of a component are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from sorrel.encode.pieces import Piece, Pieces
from sorrel.encode.points import Place, Point
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.model.components import strongly_connected
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.program.graph import called

RUNS = "runs of "
"""Begins the names of components that have queries."""


@dataclass(frozen=True, eq=False)
class Component:
    """`calls` are procedures of other components that are called here; `make` makes the clauses.

    `is_start`: runs start here, and the queries of the program are among the clauses.
    """

    name: str
    procedures: tuple[str, ...]
    calls: tuple[str, ...]
    is_start: bool
    make: Callable[[], Piece]

    @cached_property
    def _piece(self) -> Piece:
        return self.make()

    @property
    def points(self) -> Mapping[str, Point]:
        return self._piece.points

    @cached_property
    def system(self) -> HornSystem:
        """The component's own clauses, over its own predicates and those of `callees`, and no others."""
        clauses = self._piece.clauses
        own = {name: point.predicate for name, point in self.points.items()}
        used = {atom.predicate.name: atom.predicate for clause in clauses for atom in clause.body}
        return HornSystem(tuple({**own, **used}.values()), clauses)

    @cached_property
    def own(self) -> tuple[Predicate, ...]:
        return tuple(point.predicate for point in self.points.values())

    @cached_property
    def callees(self) -> tuple[Predicate, ...]:
        """The predicates of procedures of other components that are called here."""
        return tuple(each for each in self.system.predicates if each.name not in self.points)

    @cached_property
    def functions(self) -> Mapping[str, Predicate]:
        """The summaries of its procedures, by the procedure's name; none for one where runs start and nothing else."""
        return {p.procedure: p.predicate for p in self.points.values() if p.place is Place.FUNCTION}


@dataclass(frozen=True, eq=False)
class Parts:
    """All components of a program, callees first."""

    pieces: Pieces
    components: tuple[Component, ...]

    @cached_property
    def owner(self) -> Mapping[str, Component]:
        """The component of each procedure, by the procedure's name."""
        return {name: component for component in self.components for name in component.procedures}

    def owner_of(self, predicate: str) -> Component:
        """The component that a predicate belongs to."""
        return self.owner[self.pieces.procedure_of(predicate)]

    @cached_property
    def callers(self) -> Mapping[str, tuple[Component, ...]]:
        """Who calls a component, by its name."""
        found: dict[str, list[Component]] = {component.name: [] for component in self.components}
        for component in self.components:
            for callee in self.below(component):
                found[callee.name].append(component)
        return {name: tuple(callers) for name, callers in found.items()}

    def below(self, component: Component) -> tuple[Component, ...]:
        """The components that are called directly, each once."""
        found = {self.owner[name].name: self.owner[name] for name in component.calls}
        return tuple(found.values())

    def closure(self, component: Component, depth: int | None = None) -> tuple[Component, ...]:
        """The component and all that it calls, through so many levels of calls if a depth is given; callees first."""
        found = {component.name: component}
        level = [component]
        while level and (depth is None or depth > 0):
            level = [each for caller in level for each in self.below(caller) if each.name not in found]
            found.update((each.name, each) for each in level)
            depth = None if depth is None else depth - 1
        return tuple(each for each in self.components if each.name in found)


def split(pieces: Pieces, starts: Mapping[str, str] | None = None) -> Parts:
    """The components of a program. Together they have all clauses, and each clause once.

    `starts` names the components that have queries, by the procedure that runs start with if they start with one of
    several; the queries about different ones are then different components.
    """
    program = pieces.program
    calls = {name: program.procedure[name].callees for name in called(program)}
    found: list[Component] = []
    for group in strongly_connected(calls):
        outside = tuple(dict.fromkeys(callee for name in group for callee in calls[name] if callee not in group))
        if program.main not in group:
            name = "+".join(sorted(group))
            found.append(Component(name, group, outside, is_start=False, make=_maker(pieces, group)))
        elif not starts:
            name = f"{RUNS}{program.main}"
            found.append(Component(name, group, outside, is_start=True, make=_maker(pieces, group, start=True)))
        else:
            found += _by_start(pieces, group, starts)
    return Parts(pieces, tuple(found))


def _maker(pieces: Pieces, group: Sequence[str], *, start: bool = False) -> Callable[[], Piece]:
    """What makes the clauses of procedures that belong together."""

    def make() -> Piece:
        made = [*map(pieces.procedure, group), *([pieces.start] if start else [])]
        points = {name: point for piece in made for name, point in piece.points.items()}
        clauses = tuple(clause for piece in made for clause in piece.clauses)
        for clause in clauses:
            if (clause.head.predicate.name not in points) if clause.head else not start:
                raise InternalError(f"clause {clause.name} does not belong to {', '.join(group)}")
        return Piece(points, clauses)

    return make


def _by_start(pieces: Pieces, group: tuple[str, ...], starts: Mapping[str, str]) -> Iterator[Component]:
    """A component for the queries about each procedure that runs may start with."""
    shared: dict[str, list[Clause]] = {}

    def made(name: str) -> Piece:
        if not shared:
            shared.update(_queries(pieces, starts))
        return Piece({}, tuple(shared[name]))

    for name, told in starts.items():
        yield Component(f"{RUNS}{told}", group, (name,), is_start=True, make=partial(made, name))


def _queries(pieces: Pieces, starts: Mapping[str, str]) -> Mapping[str, list[Clause]]:
    """The queries by the procedure that they are about."""
    found: dict[str, list[Clause]] = {name: [] for name in starts}
    for clause in pieces.start.clauses:
        (atom,) = clause.body if clause.is_query and len(clause.body) == 1 else (None,)
        name = pieces.procedure_of(atom.predicate.name) if atom else ""
        if name not in found:
            raise InternalError("a choice between procedures does more than call one")
        found[name].append(clause)
    return found
