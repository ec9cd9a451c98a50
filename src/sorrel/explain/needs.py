"""What callers rely on is part of what is told: a contract that is short and of no use to its callers is too short.

Each fact that is told of a function is traced back through its clauses, callers first. Where what is told of a callee
does not suffice for it, the facts that do, of those that are proved, are told as well; where there are too many, those
that no caller relies on are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

MOST_FACTS, MOST_ROUNDS, MOST_SINGLE = 3, 3, 12
"""Facts that are told of a function, rounds of facts about a loop that rest on each other, facts tried one by one."""


def with_needs(
    system: HornSystem, functions: Collection[str], proved: Summaries, told: Summaries, oracle: Oracle
) -> Summaries:
    """What is told, with what callers need to know for what is told of them; `proved` is inductive."""
    needs = _Needs(system, functions, proved, told, oracle)
    for group in reversed(system.call_graph.components):
        for _ in range(MOST_ROUNDS):
            added = [needs.traced(clause) for name in group for clause in system.defining[name]]
            if not any(added):
                break
    return needs.told()


class _Needs:
    def __init__(
        self, system: HornSystem, functions: Collection[str], proved: Summaries, told: Summaries, oracle: Oracle
    ) -> None:
        self._functions = functions
        self._proved = {name: terms.conjuncts(summary) for name, summary in proved.items()}
        self._given = told
        self._said = {name: terms.conjuncts(told[name]) if name in functions else [] for name in proved}
        self._added: dict[str, list[Term]] = {name: [] for name in proved}
        self._relied: dict[str, set[int]] = {name: set() for name in proved}
        self._oracle = oracle

    def traced(self, clause: Clause) -> bool:
        """Whether more was added to what is to be known of the calls of a clause, for what is said of its head."""
        assert clause.head is not None
        wanted = self._known(clause.head.predicate.name)
        if not wanted or not clause.body or self._oracle.clock.expired():
            return False
        denied = terms.negation(terms.substitute(terms.conjunction(wanted), clause.head.bind()))
        background = [clause.constraint, denied]
        said = [(atom, fact) for atom in clause.body for fact in self._known(atom.predicate.name)]
        used = self._oracle.core(background, _bound(said), "needs")
        if used is not None:
            self._rely(said[index] for index in used)
            return False
        more = [(atom, fact) for atom in clause.body for fact in self._proved[atom.predicate.name]]
        more.sort(key=lambda each: (not terms.is_equation(each[1]), walk.size(each[1])))
        found = self._enough([*background, *_bound(said)], more)
        for atom, fact in found:
            self._added[atom.predicate.name].append(fact)
        self._rely(found)
        return bool(found)

    def _enough(self, background: Sequence[Term], more: Sequence[tuple[Atom, Term]]) -> Sequence[tuple[Atom, Term]]:
        """One fact if that is enough, else several that are; none if it is not known that there are such."""
        for each in more[:MOST_SINGLE]:
            if isinstance(self._oracle.check(*background, *_bound([each]), kind="needs"), Unsat):
                return [each]
        core = self._oracle.core(background, _bound(more), "needs")
        return [more[index] for index in core] if core is not None else []

    def _known(self, name: str) -> list[Term]:
        return [*self._said[name], *self._added[name]]

    def _rely(self, facts: Iterable[tuple[Atom, Term]]) -> None:
        for atom, fact in facts:
            self._relied[atom.predicate.name].add(terms.identity(fact))

    def told(self) -> Summaries:
        found = dict(self._given)
        for name in self._functions:
            if self._added[name]:
                found[name] = terms.conjunction(self._kept(name))
        return found

    def _kept(self, name: str) -> list[Term]:
        """What callers rely on first."""
        own = self._said[name]
        relied = [fact for fact in own if terms.identity(fact) in self._relied[name]]
        rest = [fact for fact in own if terms.identity(fact) not in self._relied[name]]
        needed = [*relied, *self._added[name]]
        return [*needed, *rest[: max(0, MOST_FACTS - len(needed))]]


def _bound(facts: Sequence[tuple[Atom, Term]]) -> list[Term]:
    return [terms.substitute(fact, atom.bind()) for atom, fact in facts]
