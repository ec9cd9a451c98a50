"""The largest inductive part of a set of candidates (Flanagan and Leino's Houdini, on Horn clauses)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

Candidates = Mapping[str, Sequence[Term]]
"""For each predicate, by name, formulas over its formals."""


@dataclass
class _Bench:
    """One clause in a solver: its calls' candidates under switches, its head's candidates under denials."""

    clause: Clause
    session: Session
    switches: list[tuple[str, int, Term]] = field(default_factory=list)  # predicate, candidate, switch
    denials: dict[int, tuple[Term, Term]] = field(default_factory=dict)  # candidate: its denial, itself at the head


class Houdini:
    """Candidates of each predicate, thinned out until what is left is inductive together with `known`."""

    def __init__(self, system: HornSystem, candidates: Candidates, oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._oracle = oracle
        self._known = known
        self._candidates = {p.name: list(candidates.get(p.name, ())) for p in system.predicates}
        self._active = {name: set(range(len(found))) for name, found in self._candidates.items()}
        self._benches = {c.name: self._bench(c) for c in system.clauses}

    def run(self) -> dict[str, list[Term]]:
        """The largest inductive subset; what cannot be decided is dropped."""
        work = {c.name: c for c in self._system.clauses if c.head}
        while work and not self._oracle.clock.expired():
            name, clause = next(iter(work.items()))
            del work[name]
            if clause.head and self._thin(self._benches[name]):
                callers = self._system.using[clause.head.predicate.name]
                work.update((c.name, c) for c in callers if c.head)
        if work:
            self._active = {name: set() for name in self._active}
        return self.survivors()

    def survivors(self) -> dict[str, list[Term]]:
        return {name: [self._candidates[name][i] for i in sorted(kept)] for name, kept in self._active.items()}

    def settles(self, query: Clause) -> bool:
        """Do the survivors contradict the body of the query?"""
        bench = self._benches[query.name]
        return isinstance(bench.session.check(self._switched_on(bench)), Unsat)

    def support(self) -> dict[str, list[Term]] | None:
        """A part of the survivors that is inductive by itself and settles every query; None if they do not."""
        needed: dict[str, set[int]] = {name: set() for name in self._active}
        work: list[tuple[str, int]] = []
        for query in self._system.queries:
            used = self._used(self._benches[query.name])
            if used is None:
                return None
            work += used
        while work:
            name, index = work.pop()
            if index in needed[name]:
                continue
            needed[name].add(index)
            for clause in self._system.defining[name]:
                used = self._used(self._benches[clause.name], index)
                if used is None:
                    return None
                work += used
        return {name: [self._candidates[name][i] for i in sorted(kept)] for name, kept in needed.items()}

    def relied_on(self, clause: Clause) -> list[tuple[str, int]] | None:
        """Which candidates at its calls make the clause valid, as predicates and indices; None if not known."""
        bench = self._benches[clause.name]
        if clause.head is None:
            return self._used(bench)
        found: list[tuple[str, int]] = []
        for index in bench.denials:
            used = self._used(bench, index)
            if used is None:
                return None
            found += used
        return found

    def _bench(self, clause: Clause) -> _Bench:
        bench = _Bench(clause, self._oracle.session("houdini"))
        bench.session.minimize_cores()
        bench.session.add(clause.constraint)
        for position, atom in enumerate(clause.body):
            name = atom.predicate.name
            if name in self._known:
                bench.session.add(terms.substitute(self._known[name], atom.bind()))
            for index, at_call in enumerate(terms.substitute_all(self._candidates[name], atom.bind())):
                switch = terms.variable(f"on!{position}!{index}", terms.BOOL)
                bench.session.add(terms.implication(switch, at_call))
                bench.switches.append((name, index, switch))
        if clause.head:
            candidates = self._candidates[clause.head.predicate.name]
            for index, at_head in enumerate(terms.substitute_all(candidates, clause.head.bind())):
                denial = terms.variable(f"deny!{index}", terms.BOOL)
                bench.session.add(terms.implication(denial, terms.negation(at_head)))
                bench.denials[index] = (denial, at_head)
        return bench

    def _switched_on(self, bench: _Bench) -> list[Term]:
        return [switch for name, index, switch in bench.switches if index in self._active[name]]

    def _thin(self, bench: _Bench) -> bool:
        """Drop the head's candidates that this clause does not preserve; was any dropped?"""
        if bench.clause.head is None:
            return False
        active = self._active[bench.clause.head.predicate.name]
        dropped = False
        while active:
            bench.session.push()
            bench.session.add(terms.disjunction(bench.denials[i][0] for i in sorted(active)))
            result = bench.session.check(self._switched_on(bench))
            bench.session.pop()
            if isinstance(result, Unsat):
                break
            dropped = True
            false = [i for i in active if self._is_false(bench, i, result)] if isinstance(result, Sat) else []
            active.difference_update(false or self._not_proved(bench, active))
        return dropped

    @staticmethod
    def _is_false(bench: _Bench, index: int, result: Sat) -> bool:
        return terms.is_false(value_in(result.model, bench.denials[index][1]))

    def _not_proved(self, bench: _Bench, active: set[int]) -> set[int]:
        """One by one, where the solver could not decide them together."""
        failed = set()
        for index in sorted(active):
            if not isinstance(bench.session.check([*self._switched_on(bench), bench.denials[index][0]], 0.1), Unsat):
                failed.add(index)
        return failed or set(active)

    def _used(self, bench: _Bench, head: int | None = None) -> list[tuple[str, int]] | None:
        """Which survivors at the calls prove the clause, for one candidate of the head or for a query."""
        asked = [bench.denials[head][0]] if head is not None else []
        match bench.session.check([*self._switched_on(bench), *asked]):
            case Unsat(core):
                names = {literal.decl().name() for literal in core}
                return [(n, i) for n, i, switch in bench.switches if switch.decl().name() in names]
        return None
