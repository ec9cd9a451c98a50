"""Procedures as the algorithm sees them: a predicate with its inputs, and its clauses as the paths of its body."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.horn.clause import Argument, Atom, Clause, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A path from entry to exit of an acyclic body; `calls` are its call edges, in order.

    `constraint` is what its simple statements say, and what is known of its calls beforehand.
    """

    clause: Clause
    constraint: Term

    @property
    def name(self) -> str:
        return self.clause.name

    @property
    def calls(self) -> tuple[Atom, ...]:
        return self.clause.body

    def at_exit(self, formula: Term) -> Term:
        """A formula over the formals of the function, about this path."""
        return terms.substitute(formula, self.clause.head.bind()) if self.clause.head else formula


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """F: `inputs` are its parameters 𝒫, the other arguments its return variables ℛ; paths with fewest calls first.

    `group` numbers the strongly connected component of the call graph: calls within it are recursive. A function is
    transparent if no recursion can happen below it: an ARG of it is complete from the start.
    """

    name: str
    arguments: tuple[Argument, ...]
    paths: tuple[Path, ...]
    group: int
    is_transparent: bool

    @property
    def inputs(self) -> tuple[Argument, ...]:
        """Without roles every argument is an output."""
        return tuple(argument for argument in self.arguments if argument.role is Role.INPUT)

    @property
    def path(self) -> Mapping[str, Path]:
        return {path.name: path for path in self.paths}


@dataclass(frozen=True, slots=True, eq=False)
class Procedures:
    """All functions by name. The queries are the paths of the main function, which has no arguments."""

    functions: Mapping[str, Function]
    main: Function


def procedures(system: HornSystem, known: Summaries) -> Procedures:
    """Known summaries are assumed at calls: every fact satisfies them."""
    group: dict[str, int] = {}
    transparent: set[str] = set()
    for number, names in enumerate(system.call_graph.components):
        group.update((name, number) for name in names)
        callees = {callee for name in names for callee in system.call_graph.callees[name]}
        if callees <= transparent:
            transparent.update(names)
    functions = {
        p.name: Function(
            p.name, p.arguments, _paths(system.defining[p.name], known), group[p.name], p.name in transparent
        )
        for p in system.predicates
    }
    main = Function(Names(system.predicate).fresh("main"), (), _paths(system.queries, known), len(group), False)
    return Procedures(functions, main)


def _paths(clauses: tuple[Clause, ...], known: Summaries) -> tuple[Path, ...]:
    found = []
    for clause in sorted(clauses, key=lambda clause: len(clause.body)):
        assumed = [
            terms.substitute(known[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in known
        ]
        constraint = terms.conjunction([clause.constraint, *assumed])
        if not terms.is_false(constraint):
            found.append(Path(clause, constraint))
    return tuple(found)
