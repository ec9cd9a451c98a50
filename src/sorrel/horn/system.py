"""A system of Horn clauses, its call graph, and finite unfoldings of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sorrel.horn.clause import Atom, Clause, Predicate, WellFounded
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.components import reached, strongly_connected
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass


@dataclass(frozen=True, eq=False)
class HornSystem:
    """Is there an interpretation of `predicates` that makes every clause valid (and every obligation hold)?

    `script` is the SMT-LIB text that the clauses were read from, if they were and if it is in the HORN
    dialect: what another solver would be given. A system made from another one has none.
    """

    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]
    obligations: tuple[WellFounded, ...] = ()
    script: str = ""

    def __post_init__(self) -> None:
        if len({p.name for p in self.predicates}) != len(self.predicates):
            raise InternalError("two predicates of a system have the same name")
        if len({c.name for c in self.clauses}) != len(self.clauses):
            raise InternalError("two clauses of a system have the same name")

    @cached_property
    def predicate(self) -> Mapping[str, Predicate]:
        return {p.name: p for p in self.predicates}

    @cached_property
    def clause(self) -> Mapping[str, Clause]:
        return {c.name: c for c in self.clauses}

    @property
    def queries(self) -> tuple[Clause, ...]:
        return tuple(c for c in self.clauses if c.is_query)

    @cached_property
    def defining(self) -> Mapping[str, tuple[Clause, ...]]:
        """The clauses with each predicate as head, by name."""
        found: dict[str, list[Clause]] = {p.name: [] for p in self.predicates}
        for clause in self.clauses:
            if clause.head:
                found[clause.head.predicate.name].append(clause)
        return {name: tuple(clauses) for name, clauses in found.items()}

    @cached_property
    def using(self) -> Mapping[str, tuple[Clause, ...]]:
        """The clauses with each predicate in the body, by name."""
        found: dict[str, dict[str, Clause]] = {p.name: {} for p in self.predicates}
        for clause in self.clauses:
            for atom in clause.body:
                found[atom.predicate.name][clause.name] = clause
        return {name: tuple(clauses.values()) for name, clauses in found.items()}

    @cached_property
    def call_graph(self) -> CallGraph:
        edges: dict[str, dict[str, None]] = {p.name: {} for p in self.predicates}
        for clause in self.clauses:
            if clause.head:
                edges[clause.head.predicate.name].update((a.predicate.name, None) for a in clause.body)
        return CallGraph({name: tuple(callees) for name, callees in edges.items()})

    def with_clauses(self, clauses: Iterable[Clause]) -> HornSystem:
        return replace(self, clauses=tuple(clauses), script="")

    def statistics(self) -> dict[str, int]:
        return {
            "predicates": len(self.predicates),
            "clauses": len(self.clauses),
            "queries": len(self.queries),
            "recursive": len(self.call_graph.recursive),
        }


@dataclass(frozen=True, eq=False)
class CallGraph:
    """Who calls whom: from the head of a clause to the predicates of its body."""

    callees: Mapping[str, tuple[str, ...]]

    @cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """Strongly connected components, callees first."""
        return strongly_connected(self.callees)

    @cached_property
    def recursive(self) -> frozenset[str]:
        """Predicates that can reach themselves."""
        return frozenset(
            name for group in self.components for name in group if len(group) > 1 or name in self.callees[name]
        )

    def reached(self, start: str) -> tuple[str, ...]:
        """The predicate and all that it depends on."""
        return reached([start], self.callees.__getitem__)

    @cached_property
    def callers(self) -> Mapping[str, tuple[str, ...]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for caller, callees in self.callees.items():
            for callee in callees:
                found[callee].append(caller)
        return {name: tuple(found[name]) for name in self.callees}


@dataclass(frozen=True, slots=True, eq=False)
class Unfolding:
    """A clause whose body atoms were replaced by bodies of their clauses: `calls` are the atoms left."""

    head: Atom | None
    constraint: Term
    calls: tuple[Atom, ...]

    def approximate(self, interpretation: Mapping[str, Term]) -> Term:
        """The constraint, and for every remaining call a formula over the formals of its predicate."""
        known = (terms.substitute(interpretation[c.predicate.name], c.bind()) for c in self.calls)
        return terms.conjunction([self.constraint, *known])


def open_clause(clause: Clause, names: Names) -> Unfolding:
    """The clause itself, over fresh variables, as an unfolding of depth 0."""
    fresh, _ = clause.rename_apart(names)
    return Unfolding(fresh.head, fresh.constraint, fresh.body)


def unfold(unfolding: Unfolding, position: int, clause: Clause, names: Names) -> Unfolding:
    """Replace the call at `position` by the body of `clause`, which must define its predicate."""
    call = unfolding.calls[position]
    if clause.head is None or clause.head.predicate is not call.predicate:
        raise InternalError(f"clause {clause.name} does not define {call.predicate.name}")
    fresh, _ = clause.rename_apart(names)
    if fresh.head is None:
        raise InternalError("renaming lost the head of a clause")
    equations = [terms.equal(a, b) for a, b in zip(call.arguments, fresh.head.arguments, strict=True)]
    return Unfolding(
        unfolding.head,
        terms.conjunction([unfolding.constraint, fresh.constraint, *equations]),
        (*unfolding.calls[:position], *fresh.body, *unfolding.calls[position + 1 :]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """What surrounds one call on a path of calls from a query: `target` is the call, over fresh variables.

    Replacing `calls` by over-approximations of their predicates over-approximates every situation in which
    the target is called on this path.
    """

    target: Atom
    constraint: Term
    calls: tuple[Atom, ...]

    def approximate(self, interpretation: Mapping[str, Term]) -> Term:
        return Unfolding(None, self.constraint, self.calls).approximate(interpretation)


def environment(path: Sequence[tuple[Clause, int]]) -> Environment:
    """The environment of the call reached by `path`: in each clause, the position of the call to enter next.

    With a path that starts below the query, the head of its first clause is left free: a bounded environment.
    """
    if not path:
        raise InternalError("an environment needs a call to look at")
    for step, step_position in path:
        if not 0 <= step_position < len(step.body):
            raise InternalError(f"clause {step.name} has no call {step_position}")
    names = Names()
    clause, position = path[0]
    current = open_clause(clause, names)
    for step, next_position in path[1:]:
        current = unfold(current, position, step, names)
        position += next_position
    target = current.calls[position]
    others = (*current.calls[:position], *current.calls[position + 1 :])
    return Environment(target, current.constraint, others)
