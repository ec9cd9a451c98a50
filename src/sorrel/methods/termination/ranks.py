"""Lexicographic ranks for nested calls, loops being calls, with facts about procedures from templates.

A proof has inductive facts about procedures and their inputs, and for each group of procedures that call each other
one lexicographic rank that every nested call descends. Such a rank is a transitive relation, so that it is a solution
for the closed relation of the rule, and disjunctively well-founded by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.encode.descent import Descent, Group
from sorrel.engines.clover.template_invariants import samples
from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.termination import descent as descent_of
from sorrel.engines.options import UnwindOptions
from sorrel.engines.unwind import ForwardSearch, GaveUp
from sorrel.evidence.effort import Effort
from sorrel.guess.differences import differences
from sorrel.guess.houdini import Houdini
from sorrel.guess.pool import Candidates, Samples, harvests
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Rank, Summaries, Terminating, Unknown
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.methods.termination.obligations import FACTS, EndingQuestion, concluded, simplified, told_procedure
from sorrel.methods.termination.plan import PLAN
from sorrel.model.outcome import (
    Cause,
    Outcome,
    Reason,
)
from sorrel.model.values import dataclass
from sorrel.smt.cubes import cubes
from sorrel.smt.exact import exact_summaries
from sorrel.smt.linearise import linearised
from sorrel.smt.ranking import Transition, lexicographic_rank, longest_rank
from sorrel.smt.solver import Oracle

MOST_CASES = 96
"""Cases of one step of the descent; a step with more is ranked as if it were less precise."""
_SAMPLING_LEVELS = 10


def ranked(question: EndingQuestion, effort: Effort) -> Outcome:
    """Facts and ranks for the groups of calls that nest; unknown with the group that has none."""
    simpler = simplified(question.descent)
    search = Search(question.descent, simpler.system, effort)
    verdict = search.run()
    question.known[FACTS] = search.facts
    return concluded(question, simpler, verdict, effort)


@dataclass(slots=True, eq=False)
class Search:
    """Facts of growing strength, and with each a rank for every group. `system` is the simplified one."""

    made: Descent
    system: HornSystem
    effort: Effort
    problem: str = ""
    facts: Summaries = field(default_factory=dict)
    """The strongest that were proved: inductive, whatever becomes of the ranks."""
    found: dict[str, Rank] = field(default_factory=dict)
    """The rank of each obligation that has one: with more facts it is one still."""

    def run(self) -> Terminating | Unknown:
        for facts in self._facts():
            self.facts = facts
            if self._all_ranked(facts):
                return self._verdict(facts)
            if self.effort.clock.expired():
                return Unknown(Reason(Cause.TIME, self.problem or "time ran out"))
        return Unknown(Reason(Cause.INCOMPLETE, self.problem or "no ranks were found"))

    def _facts(self) -> Iterator[Summaries]:
        """None, then those that templates give: each time what was known and more."""
        system = self._without_relations()
        exact = exact_summaries(system, self._oracle())
        known = {p.name: {exact[p.name].get_id(): exact[p.name]} if p.name in exact else {} for p in system.predicates}
        yield _joined(known)
        clock = PLAN.facts.of(self.effort.clock)
        oracle = Oracle(clock, self.effort.statistics, query_seconds=PLAN.facts_question, seed=self.effort.options.seed)
        points = self._samples(system, oracle)
        for facts in self._rounds(system, points, exact, oracle):
            before = sum(map(len, known.values()))
            for name, parts in facts.items():
                known[name].update((part.get_id(), part) for part in parts)
            if sum(map(len, known.values())) > before:
                slim = {name: oracle.without_redundant(list(parts.values())) for name, parts in known.items()}
                yield {name: terms.conjunction(parts) for name, parts in slim.items()}

    def _samples(self, system: HornSystem, oracle: Oracle) -> dict[str, list[dict[Term, Term]]]:
        run = Circumstances(oracle.clock, self.effort.statistics, self.effort.progress, self.effort.options.seed)
        forward = ForwardSearch(system, run, UnwindOptions())
        sampling = PLAN.sampling.of(oracle.clock)
        try:
            while forward.level < _SAMPLING_LEVELS and not forward.complete and not sampling.expired():
                forward.advance()
        except GaveUp:
            pass
        return samples(forward, oracle)

    def _distances(
        self, system: HornSystem, points: Samples, exact: Summaries, oracle: Oracle, *, guarded: bool
    ) -> Candidates:
        """How far numbers are apart."""
        clock = PLAN.distances.of(oracle.clock)
        patient = Oracle(clock, oracle.statistics, query_seconds=PLAN.distances_question, seed=oracle.seed)
        return Houdini(system, differences(system, points, guarded=guarded), patient, exact).run()

    def _about_returns(self, points: Samples, exact: Summaries, oracle: Oracle) -> Iterator[Candidates]:
        """For each group without a rank, how far what its calls return is from what they are given.

        Whatever is true of returns is so wherever the calls come from, so that a small system tells.
        """
        for group in self.made.groups:
            if group.obligation.name not in self.found:
                yield self._distances(self._cone(group), points, exact, oracle, guarded=True)

    def _rounds(self, system: HornSystem, points: Samples, exact: Summaries, oracle: Oracle) -> Iterator[Candidates]:
        """The cheapest first."""
        yield self._distances(system, points, exact, oracle, guarded=False)
        yield from self._about_returns(points, exact, oracle)
        for harvest in harvests(system, points, oracle, exact):
            yield harvest.facts

    def _cone(self, group: Group) -> HornSystem:
        """The summaries that the steps of the group use, with all that they use in turn."""
        waiting = [atom.predicate for clause in self._first_steps(group) for atom in clause.body]
        found: dict[str, Predicate] = {}
        while waiting:
            predicate = waiting.pop()
            if predicate.name not in found and predicate.name not in self.made.reached:
                found[predicate.name] = predicate
                waiting += [a.predicate for clause in self.system.defining[predicate.name] for a in clause.body]
        return HornSystem(
            tuple(found.values()), tuple(clause for name in found for clause in self.system.defining[name])
        )

    def _without_relations(self) -> HornSystem:
        own = {group.relation.name for group in self.made.groups}
        clauses = [c for c in self.system.clauses if not (c.head and c.head.predicate.name in own)]
        return HornSystem(tuple(p for p in self.system.predicates if p.name not in own), tuple(clauses))

    def _first_steps(self, group: Group) -> list[Clause]:
        """The clauses of the group's relation that are not there to close it."""
        name = group.relation.name
        return [c for c in self.system.defining.get(name, ()) if not any(a.predicate.name == name for a in c.body)]

    def _all_ranked(self, facts: Summaries) -> bool:
        """Ranks with these facts for the groups that have none yet; the first without one is told."""
        self.problem = ""
        for group in self.made.groups:
            if group.obligation.name not in self.found:
                rank = self._rank(group, facts)
                if rank is not None:
                    self.found[group.obligation.name] = rank
                else:
                    what = f"no lexicographic ranking function was found for {self._told(group)}"
                    self.problem = self.problem or what
        return not self.problem

    def _rank(self, group: Group, facts: Summaries) -> Rank | None:
        oracle = self._oracle()
        steps = self._steps(group, facts, oracle)
        if not steps:
            return Rank(())
        components = lexicographic_rank(oracle, steps)
        return None if components is None else Rank(components)

    def part(self, group: Group) -> Rank:
        """A rank for some steps of a group that has none for all of them, by the facts that were proved."""
        oracle = self._oracle()
        return Rank(longest_rank(oracle, self._steps(group, self.facts, oracle)))

    def _steps(self, group: Group, facts: Summaries, oracle: Oracle) -> list[Transition]:
        return [s for clause in self._first_steps(group) for s in self._transitions(group, clause, facts, oracle)]

    def _transitions(self, group: Group, clause: Clause, facts: Summaries, oracle: Oracle) -> Iterator[Transition]:
        head = clause.head
        if head is None:
            return
        obligation = group.obligation
        known = [terms.substitute(facts[atom.predicate.name], atom.bind()) for atom in clause.body]
        apart = _renamed_apart(clause, [*obligation.before, *obligation.after])
        places = zip((*obligation.before, *obligation.after), head.arguments, strict=True)
        equations = [terms.equal(formal, terms.substitute(value, apart)) for formal, value in places]
        premise = terms.substitute(terms.conjunction([clause.constraint, *known]), apart)
        whole = linearised(terms.conjunction([premise, *equations]))
        for cube in cubes(whole, oracle, MOST_CASES):
            yield Transition(obligation.before, obligation.after, cube)

    def _verdict(self, facts: Summaries) -> Terminating:
        relations = {
            group.relation.name: descent_of(group.obligation, self.found[group.obligation.name])
            for group in self.made.groups
        }
        kept = {name: (rank,) if rank.components else () for name, rank in self.found.items()}
        return Terminating({**facts, **relations}, kept)

    def _oracle(self) -> Oracle:
        return Oracle(
            self.effort.clock, self.effort.statistics, query_seconds=PLAN.question, seed=self.effort.options.seed
        )

    def _told(self, group: Group) -> str:
        return " and ".join(told_procedure(self.made, procedure) for procedure in group.procedures)


def _joined(facts: Mapping[str, Mapping[int, Term]]) -> Summaries:
    return {name: terms.conjunction(parts.values()) for name, parts in facts.items()}


def _renamed_apart(clause: Clause, taken: Sequence[Term]) -> list[tuple[Term, Term]]:
    names = {terms.name_of(v) for v in taken}
    return [
        (v, terms.variable(f"{terms.name_of(v)} here", v.sort())) for v in clause.variables if terms.name_of(v) in names
    ]
