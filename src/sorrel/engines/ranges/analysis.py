"""The least limits that no clause exceeds, from the facts on.

Nothing is reached at first. A clause whose calls are reached has a model in which the head exceeds its limits, or has
none; each model raises the limits to the next ones that allow for it. There are finitely many limits, so that this
ends, and what it ends with is inductive: template polyhedra with thresholds (Sankaranarayanan, Sipma and Manna, VMCAI
2005), where a solver computes what a clause does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sorrel.engines.ranges.forms import INDEX, Form, Forms, formulas
from sorrel.guess.bench import Bench, Benches, session_of
from sorrel.guess.fixpoint import settle
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_INDICES = 12
PATIENCE = 12
"""So many times a limit is raised by no more than it has to be."""
SLOW_SECONDS = 0.5
"""What a solver does not decide about all limits at once it is asked about each of them, for so long."""


@dataclass
class _Limits:
    """For each form of a predicate the number of its limit, or how many there are if it has none.

    With `hurried` a limit that was raised before is raised further each time, to be lowered again in the end.
    """

    forms: Sequence[Form]
    hurried: bool = True
    reached: bool = False
    level: list[int] = field(init=False)
    times: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.level = [0] * len(self.forms)
        self.times = [0] * len(self.forms)

    @property
    def bounded(self) -> list[int]:
        return [number for number, level in enumerate(self.level) if level < len(self.forms[number].limits)]

    def limit(self, number: int) -> int:
        return self.forms[number].limits[self.level[number]]

    def claim(self, number: int) -> Term:
        return self.forms[number].bounded(self.limit(number))

    def raised(self, number: int, value: int) -> bool:
        limits = self.forms[number].limits
        level = bisect_left(limits, value)
        if level <= self.level[number]:
            return False
        self.times[number] += 1
        if self.hurried and self.times[number] > PATIENCE:
            level = min(level + 2 ** (self.times[number] - PATIENCE), len(limits))
        self.level[number] = level
        return True

    def drop(self, number: int) -> None:
        self.level[number] = len(self.forms[number].limits)


@dataclass
class _Bounds(Bench):
    """One clause in a solver, the terms at which it reads and writes arrays, and forms at its calls and its head."""

    indices: list[Term] = field(default_factory=list)
    made: dict[tuple[int, int, int], Form] = field(default_factory=dict)

    def form(self, position: int, atom: Atom, number: int, form: Form, index: int = 0) -> Form:
        """The form at an atom, and at one of the indices; made once."""
        key = (position, number, index)
        if key not in self.made:
            pairs = [*atom.bind(), (INDEX, self.indices[index])]
            body, guard = (terms.substitute(term, pairs) for term in (form.body, form.guard))
            self.made[key] = replace(form, body=body, guard=guard)
        return self.made[key]


class Ranges:
    """Limits of all predicates."""

    def __init__(self, system: HornSystem, forms: Forms, oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._oracle = oracle
        self._known = known
        self._limits = {name: _Limits(each) for name, each in forms.items()}
        self._benches = Benches(self._set_up)

    def settle(self) -> bool:
        """Raise limits until no clause exceeds them; False if that takes too long."""
        return settle((c for c in self._system.clauses if not c.is_query), self._visit, self._oracle.clock)

    def lower(self) -> bool:
        """Lower each limit to what the clauses need if the others are kept, which are inductive then, too; was any?"""
        changed = False
        for predicate in self._system.predicates:
            old = self._limits[predicate.name]
            if old.reached:
                changed |= self._lowered(predicate.name, old)
        return changed

    def _lowered(self, name: str, old: _Limits) -> bool:
        new = _Limits(old.forms, hurried=False)
        for clause in self._system.defining[name]:
            if clause.head is None or any(not self._limits[atom.predicate.name].reached for atom in clause.body):
                continue
            bench = self._benches.of(clause)
            bench.session.push()
            bench.session.add(*self._assumed(bench))
            self._admitted(bench, clause.head, new)
            bench.session.pop()
            if self._oracle.clock.expired():
                return False
        new.level = [min(levels) for levels in zip(old.level, new.level, strict=True)]
        self._limits[name] = new
        return new.level != old.level

    def possible(self) -> Clause | None:
        """A query that the limits do not exclude."""
        for query in self._system.queries:
            bench = self._benches.of(query)
            if not isinstance(bench.session.check_with(self._assumed(bench)), Unsat):
                return query
        return None

    def summaries(self) -> Summaries:
        return {name: self._summary(limits) for name, limits in self._limits.items()}

    def _summary(self, limits: _Limits) -> Term:
        if not limits.reached:
            return terms.FALSE
        claims: dict[bool, list[Term]] = {True: [], False: []}
        for number in limits.bounded:
            claims[limits.forms[number].of_elements].append(limits.claim(number))
        elements = [terms.forall([INDEX], claim) for claim in claims[True]]
        return terms.conjunction([*claims[False], *elements])

    # One clause

    def _set_up(self, clause: Clause) -> _Bounds:
        session = session_of(clause, self._oracle, self._known, "ranges")
        read = walk.array_indices(*formulas(clause))[:MOST_INDICES]
        return _Bounds(clause, session, indices=[INDEX, *(i for i in read if terms.is_integer(i))])

    def _visit(self, clause: Clause) -> list[Clause]:
        head = clause.head
        if head is None or any(not self._limits[atom.predicate.name].reached for atom in clause.body):
            return []
        bench = self._benches.of(clause)
        bench.session.push()
        bench.session.add(*self._assumed(bench))
        changed = self._admitted(bench, head, self._limits[head.predicate.name])
        bench.session.pop()
        return list(self._system.using[head.predicate.name]) if changed else []

    def _assumed(self, bench: _Bounds) -> list[Term]:
        """What the limits say of the calls; of elements, at the indices that the clause looks at."""
        found: list[Term] = []
        for position, atom in enumerate(bench.clause.body):
            limits = self._limits[atom.predicate.name]
            if not limits.reached:
                return [terms.FALSE]
            for number in limits.bounded:
                form = limits.forms[number]
                indices = range(len(bench.indices) if form.of_elements else 1)
                there = (bench.form(position, atom, number, form, index) for index in indices)
                found += (form.bounded(limits.limit(number)) for form in there)
        return found

    def _admitted(self, bench: _Bounds, head: Atom, limits: _Limits) -> bool:
        """Raise these limits of the head until no model of the clause exceeds them; had any to be?"""
        changed = False
        while not self._oracle.clock.expired():
            claims = [_at_head(bench, head, limits, number).bounded(limits.limit(number)) for number in limits.bounded]
            denied = [terms.negation(terms.conjunction(claims))] if limits.reached else []
            result = bench.session.check_with(denied)
            if isinstance(result, Unsat):
                return changed
            if not isinstance(result, Sat):
                return self._one_by_one(bench, head, limits) or changed
            fresh, limits.reached = not limits.reached, True
            if not _raised(bench, head, limits, result.model) and not fresh:
                return self._one_by_one(bench, head, limits) or changed
            changed = True
        return changed

    def _one_by_one(self, bench: _Bounds, head: Atom, limits: _Limits) -> bool:
        """Each limit by itself; what is not decided is given up."""
        before, limits.reached = (limits.reached, list(limits.level)), True
        for number in list(limits.bounded):
            while limits.level[number] < len(limits.forms[number].limits) and not self._oracle.clock.expired():
                claim = _at_head(bench, head, limits, number).bounded(limits.limit(number))
                result = bench.session.check_with([terms.negation(claim)], seconds=SLOW_SECONDS)
                if isinstance(result, Unsat):
                    break
                if not (isinstance(result, Sat) and _raised(bench, head, limits, result.model)):
                    limits.drop(number)
        return before != (True, limits.level)


def _at_head(bench: _Bounds, head: Atom, limits: _Limits, number: int) -> Form:
    return bench.form(len(bench.clause.body), head, number, limits.forms[number])


def _raised(bench: _Bounds, head: Atom, limits: _Limits, model: Model) -> bool:
    """Allow for what the model makes of the head."""
    changed = False
    for number in limits.bounded:
        form = _at_head(bench, head, limits, number)
        if not terms.is_true(form.guard) and not terms.is_true(value_in(model, form.guard)):
            continue
        value = terms.as_number(value_in(model, form.body))
        if value is None:
            limits.drop(number)
            changed = True
        else:
            changed |= limits.raised(number, int(value))
    return changed
