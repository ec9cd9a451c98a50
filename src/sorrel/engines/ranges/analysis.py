"""The least limits that no clause exceeds, from the facts on.

Nothing is reached at first. A clause whose calls are reached has a model in which the head exceeds its limits, or has
none; each model raises the limits to the next ones that allow for it. There are finitely many limits, so that this
ends, and what it ends with is inductive: template polyhedra with thresholds (Sankaranarayanan, Sipma and Manna, VMCAI
2005), where a solver computes what a clause does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.engines.ranges.forms import INDEX, Form, Template
from sorrel.engines.ranges.levels import Levels
from sorrel.engines.ranges.names import formulas
from sorrel.engines.ranges.order import Rank, ranks
from sorrel.engines.ranges.transfer import Raising, Transfer
from sorrel.guess.bench import Benches, session_of
from sorrel.guess.fixpoint import settle
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

MOST_INDICES = 12


class Ranges:
    """Limits of all predicates."""

    def __init__(self, system: HornSystem, made: Mapping[str, Template], oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._oracle = oracle
        self._known = known
        self._levels = {name: Levels(each) for name, each in made.items()}
        self._benches = Benches(self._set_up)
        self._lower: set[str] = set()

    def settle(self) -> bool:
        """Raise limits until no clause exceeds them; False if that takes too long."""
        placed = ranks(self._system)

        def rank(clause: Clause) -> Rank:
            return placed[clause.head.predicate.name] if clause.head else (0, 0)

        clauses = (clause for clause in self._system.clauses if not clause.is_query)
        return settle(clauses, self._visit, self._oracle.clock, rank)

    def lower(self) -> bool:
        """Lower limits to what the clauses need if the others are kept, which are inductive then, too; was any?

        Where nothing was raised too far, limits are the least ones already, unless those of a call are lower now.
        """
        changed: set[str] = set()
        for predicate in self._system.predicates:
            old = self._levels[predicate.name]
            if old.reached and (old.loose or predicate.name in self._lower) and self._lowered(predicate.name, old):
                changed.add(predicate.name)
        self._lower = {user for name in changed for user in self._defined_by(name)}
        return bool(changed)

    def _defined_by(self, name: str) -> Iterator[str]:
        """Predicates with a clause that calls this one."""
        return (clause.head.predicate.name for clause in self._system.using[name] if clause.head is not None)

    def _lowered(self, name: str, old: Levels) -> bool:
        new = Levels(old.template, hull=old.hull)
        for clause in self._system.defining[name]:
            self._admit(clause, new, old.level)
            if self._oracle.clock.expired():
                return False
        self._levels[name] = new
        return new.level != old.level

    def possible(self) -> list[Clause]:
        """Queries that the limits do not exclude."""
        return [query for query in self._system.queries if not self._excluded(query)]

    def _excluded(self, query: Clause) -> bool:
        bench = self._benches.of(query)
        switches = bench.assumed(self._levels)
        return switches is None or isinstance(bench.session.check(switches), Unsat)

    def bounded(self) -> set[Form]:
        """Forms that have a limit."""
        return {levels.forms[number] for levels in self._levels.values() for number in levels.bounded}

    def summaries(self) -> Summaries:
        return {name: _summary(levels) for name, levels in self._levels.items()}

    # One clause

    def _set_up(self, clause: Clause) -> Transfer:
        session = session_of(clause, self._oracle, self._known, "ranges")
        read = walk.array_indices(*formulas(clause))[:MOST_INDICES]
        return Transfer(clause, session, indices=[INDEX, *(i for i in read if terms.is_integer(i))])

    def _visit(self, clause: Clause) -> list[Clause]:
        if clause.head is None:
            return []
        name = clause.head.predicate.name
        levels = self._levels[name]
        raising = self._admit(clause, levels, list(map(levels.top, range(len(levels.forms)))))
        if raising is None:
            return []
        levels.widen(raising)
        return list(self._system.using[name])

    def _admit(self, clause: Clause, levels: Levels, most: list[int]) -> set[int] | None:
        """Raise these levels of the head to what the clause needs; which were, or None if nothing has changed."""
        bench = self._benches.of(clause)
        switches = bench.assumed(self._levels)
        if switches is None or clause.head is None:
            return None
        raising = Raising(bench, clause.head, levels, most)
        return raising.raised if raising.run(switches, self._oracle.clock.expired) else None


def _summary(levels: Levels) -> Term:
    if not levels.reached:
        return terms.FALSE
    claims: dict[bool, list[Term]] = {True: [], False: []}
    for number in levels.bounded:
        claims[levels.forms[number].of_elements].append(levels.claim(number))
    elements = [terms.forall([INDEX], claim) for claim in claims[True]]
    return terms.conjunction([*levels.equations(), *claims[False], *elements])
