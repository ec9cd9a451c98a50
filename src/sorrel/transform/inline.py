"""Inline predicates that do not call themselves.

Non-recursive predicates go first, callees before callers; then, unless told not to, predicates on a cycle of
calls as long as another one of the cycle stays. So what was inlined is never recursive by itself.

A call is replaced by the body of each defining clause. The derivation lift splits such a step again; the
summary lift solves for the inlined predicates between their definitions and their uses (docs/decisions/0004).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.recursion_free import solve_recursion_free
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed, complete, ground

MOST_NODES = 20_000
"""No clause grows beyond this many distinct nodes."""


@dataclass(frozen=True, slots=True, eq=False)
class _Expansion:
    """How a clause came about: `outer` with the call at each position of `inner` replaced by a defining clause.

    For each inlined clause the terms, over the new clause's variables, that its own variables stand for.
    """

    outer: Clause
    inner: tuple[tuple[int, Clause, tuple[tuple[Term, Term], ...]], ...]


def inline(system: HornSystem, *, cut_cycles: bool = True) -> Transformed:
    """Inline while the number of clauses does not grow."""
    clauses = _Clauses(system.clauses)
    history: list[dict[str, _Expansion]] = []
    inlined: list[Predicate] = []
    names = Names(system.clause)
    for predicate in _candidates(system, cut_cycles):
        expansions = _eliminate(predicate, clauses, names)
        if expansions is not None:
            history.append(expansions)
            inlined.append(predicate)
    gone = {p.name for p in inlined}
    simpler = HornSystem(
        tuple(p for p in system.predicates if p.name not in gone), tuple(clauses.by_name.values()), system.obligations
    )

    def summaries(found: Summaries, oracle: Oracle) -> Summaries:
        if not inlined:
            return found
        return {**found, **solve_recursion_free(_between(system, found, inlined), oracle)}

    def derivation(found: Derivation) -> Derivation:
        for expansions in reversed(history):
            found = _split_steps(found, expansions)
        return found

    return Transformed(simpler, summaries, derivation)


def _candidates(system: HornSystem, cut_cycles: bool) -> list[Predicate]:
    """Non-recursive predicates, callees first, then those on cycles, the last of each component first."""
    kept_by_obligation = {a.predicate.name for o in system.obligations for a in o.relation}
    recursive = system.call_graph.recursive
    ordered = [name for group in system.call_graph.components for name in group if name not in recursive]
    if cut_cycles:
        ordered += [name for group in system.call_graph.components if len(group) > 1 for name in group[1:]]
    return [system.predicate[name] for name in ordered if name not in kept_by_obligation]


class _Clauses:
    """Clauses that come and go, found by the predicates they define and use."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self.by_name: dict[str, Clause] = {}
        self._defining: dict[str, dict[str, Clause]] = {}
        self._using: dict[str, dict[str, Clause]] = {}
        for clause in clauses:
            self.add(clause)

    def add(self, clause: Clause) -> None:
        self.by_name[clause.name] = clause
        if clause.head:
            self._defining.setdefault(clause.head.predicate.name, {})[clause.name] = clause
        for atom in clause.body:
            self._using.setdefault(atom.predicate.name, {})[clause.name] = clause

    def remove(self, clause: Clause) -> None:
        del self.by_name[clause.name]
        if clause.head:
            del self._defining[clause.head.predicate.name][clause.name]
        for atom in clause.body:
            self._using[atom.predicate.name].pop(clause.name, None)

    def defining(self, predicate: Predicate) -> list[Clause]:
        return list(self._defining.get(predicate.name, {}).values())

    def using(self, predicate: Predicate) -> list[Clause]:
        return list(self._using.get(predicate.name, {}).values())


def _eliminate(predicate: Predicate, clauses: _Clauses, names: Names) -> dict[str, _Expansion] | None:
    """Replace every use of the predicate in place, or return None and leave everything if it does not pay."""
    defining = clauses.defining(predicate)
    using = clauses.using(predicate)
    if any(a.predicate is predicate for c in defining for a in c.body):
        return None  # by now it calls itself
    combinations = [len(defining) ** sum(a.predicate is predicate for a in c.body) for c in using]
    if sum(combinations) > len(defining) + len(using):
        return None
    expansions: dict[str, _Expansion] = {}
    fresh: list[Clause] = []
    for clause in using:
        for choice in _choices(clause, predicate, defining):
            expanded, expansion = _expand(clause, choice, names.fresh(clause.name))
            if terms.is_false(expanded.constraint):
                continue
            if walk.size(expanded.formula) > MOST_NODES:
                return None
            fresh.append(expanded)
            expansions[expanded.name] = expansion
    for clause in (*defining, *using):
        clauses.remove(clause)
    for clause in fresh:
        clauses.add(clause)
    return expansions


def _choices(clause: Clause, predicate: Predicate, defining: Sequence[Clause]) -> list[list[tuple[int, Clause]]]:
    positions = [i for i, atom in enumerate(clause.body) if atom.predicate is predicate]
    return [list(zip(positions, choice, strict=True)) for choice in product(defining, repeat=len(positions))]


def _expand(clause: Clause, choice: Sequence[tuple[int, Clause]], name: str) -> tuple[Clause, _Expansion]:
    names = Names(v.decl().name() for v in clause.variables)
    bodies: dict[int, tuple[Atom, ...]] = {}
    constraint = [clause.constraint]
    inner = []
    for position, definition in choice:
        stands_for, equations = _unify(definition, clause.body[position], names)
        instance = definition.substitute(stands_for)
        bodies[position] = instance.body
        constraint += [*equations, instance.constraint]
        inner.append((position, definition, tuple(stands_for)))
    body = tuple(atom for i, original in enumerate(clause.body) for atom in bodies.get(i, (original,)))
    expanded = Clause(name, clause.head, body, _tidy(terms.conjunction(constraint)), clause.origin)
    return expanded, _Expansion(clause, tuple(inner))


def _tidy(constraint: Term) -> Term:
    return terms.FALSE if terms.is_false(terms.simplify(constraint)) else constraint


def _unify(definition: Clause, call: Atom, names: Names) -> tuple[list[tuple[Term, Term]], list[Term]]:
    """What each variable of the definition stands for, and what must hold for its head to be the call."""
    if definition.head is None:
        raise InternalError("a query defines nothing")
    bound: dict[int, tuple[Term, Term]] = {}
    open_pairs: list[tuple[Term, Term]] = []
    for formal, actual in zip(definition.head.arguments, call.arguments, strict=True):
        if terms.is_variable(formal) and formal.get_id() not in bound:
            bound[formal.get_id()] = (formal, actual)
        else:
            open_pairs.append((formal, actual))
    others = [v for v in definition.variables if v.get_id() not in bound]
    stands_for = [*bound.values(), *names.variables_like(others)]
    return stands_for, [terms.equal(terms.substitute(f, stands_for), a) for f, a in open_pairs]


def _split_steps(derivation: Derivation, expansions: Mapping[str, _Expansion]) -> Derivation:
    steps: list[Step] = []
    place: list[int] = []  # where each old step ended up
    for step in derivation.steps:
        premises = [place[p] for p in step.premises]
        expansion = expansions.get(step.clause)
        if expansion is None:
            place.append(len(steps))
            steps.append(Step(step.clause, step.values, tuple(premises)))
            continue
        outer_values = complete(expansion.outer, step.values)
        inner = {position: (clause, pairs) for position, clause, pairs in expansion.inner}
        outer_premises: list[int] = []
        rest = iter(premises)
        for position in range(len(expansion.outer.body)):
            if position not in inner:
                outer_premises.append(next(rest))
                continue
            clause, pairs = inner[position]
            values = {variable: ground(term, [*step.values.items(), *outer_values.items()]) for variable, term in pairs}
            own = tuple(next(rest) for _ in clause.body)
            outer_premises.append(len(steps))
            steps.append(Step(clause.name, values, own))
        place.append(len(steps))
        steps.append(Step(expansion.outer.name, outer_values, tuple(outer_premises)))
    return Derivation(tuple(steps))


def _between(system: HornSystem, found: Summaries, inlined: Sequence[Predicate]) -> HornSystem:
    """The clauses that mention inlined predicates, the others replaced by their summaries: no recursion is left."""
    gone = {p.name for p in inlined}
    clauses: list[Clause] = []
    for clause in system.clauses:
        if not any(p.name in gone for p in clause.predicates):
            continue
        calls = [a for a in clause.body if a.predicate.name not in gone]
        constraint = [clause.constraint, *(terms.substitute(found[a.predicate.name], a.bind()) for a in calls)]
        head = clause.head
        if head and head.predicate.name not in gone:
            constraint.append(terms.negation(terms.substitute(found[head.predicate.name], head.bind())))
            head = None
        body = tuple(a for a in clause.body if a.predicate.name in gone)
        clauses.append(Clause(clause.name, head, body, terms.conjunction(constraint), clause.origin))
    return HornSystem(tuple(inlined), tuple(clauses))
