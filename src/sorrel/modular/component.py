"""The clauses of a program, taken apart by who owns them: one component for procedures that call each other in circles.

A clause belongs to the procedure whose predicate, or one of whose loops, stands in its head; a query belongs to the
procedure that runs start in. So every clause has exactly one owner, which is all that the theorem of
docs/modular-evidence.md needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Place, Point
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.model.components import strongly_connected
from sorrel.model.errors import InternalError
from sorrel.program.graph import called

RUNS = "runs of "
"""Begins the names of components that have queries."""


@dataclass(frozen=True, eq=False)
class Component:
    """`system` has the component's own clauses, over its own predicates and those of `callees`, and no others.

    `is_start`: runs start here, and the queries of the program are among the clauses.
    """

    name: str
    procedures: tuple[str, ...]
    points: Mapping[str, Point]
    system: HornSystem
    is_start: bool

    @cached_property
    def own(self) -> tuple[Predicate, ...]:
        return tuple(each for each in self.system.predicates if each.name in self.points)

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

    encoding: Encoding
    components: tuple[Component, ...]

    @cached_property
    def owner(self) -> Mapping[str, Component]:
        """The component of each predicate, by the predicate's name."""
        return {name: component for component in self.components for name in component.points}

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
        found = {self.owner[callee.name].name: self.owner[callee.name] for callee in component.callees}
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


def split(encoding: Encoding, starts: Mapping[str, str] | None = None) -> Parts:
    """The components of an encoded program. Together they have all clauses, and each clause once.

    `starts` names the components that have queries, by the procedure that runs start with if they start with one of
    several; the queries about different ones are then different components.
    """
    program, points = encoding.program, encoding.points
    owned: dict[str, list[Clause]] = {}
    for clause in encoding.system.clauses:
        owner = points[clause.head.predicate.name].procedure if clause.head else program.main
        owned.setdefault(owner, []).append(clause)
    predicates: dict[str, list[Predicate]] = {}
    for predicate in encoding.system.predicates:
        predicates.setdefault(points[predicate.name].procedure, []).append(predicate)
    found = []
    for group in strongly_connected({name: program.procedure[name].callees for name in called(program)}):
        clauses = [clause for name in group for clause in owned.pop(name, ())]
        own = {each.name: each for name in group for each in predicates.get(name, ())}
        used = {atom.predicate.name: atom.predicate for clause in clauses for atom in clause.body}
        system = HornSystem(tuple({**own, **used}.values()), tuple(clauses))
        mine = {name: points[name] for name in own}
        if program.main not in group:
            found.append(Component("+".join(sorted(group)), group, mine, system, is_start=False))
        elif not starts:
            found.append(Component(f"{RUNS}{program.main}", group, mine, system, is_start=True))
        else:
            found += _by_start(encoding, group, system, starts)
    if owned:
        raise InternalError(f"clauses of {', '.join(owned)} belong to no component")
    return Parts(encoding, tuple(found))


def _by_start(
    encoding: Encoding, group: tuple[str, ...], system: HornSystem, starts: Mapping[str, str]
) -> Iterator[Component]:
    """A component for the queries about each procedure that runs may start with."""
    about: dict[str, list[Clause]] = {name: [] for name in starts}
    for clause in system.clauses:
        (atom,) = clause.body if clause.is_query and len(clause.body) == 1 else (None,)
        name = encoding.points[atom.predicate.name].procedure if atom else ""
        if name not in about:
            raise InternalError("a choice between procedures does more than call one")
        about[name].append(clause)
    for name, clauses in about.items():
        used = {atom.predicate.name: atom.predicate for clause in clauses for atom in clause.body}
        own = HornSystem(tuple(used.values()), tuple(clauses))
        yield Component(f"{RUNS}{starts[name]}", group, {}, own, is_start=True)
