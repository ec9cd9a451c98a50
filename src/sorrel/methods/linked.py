"""Programs whose objects have no bound, by what is the same of every object (docs/linked.md).

Memory is left out of the program in several ways, each coarser than the memory itself: a proof about any of them is a
proof, and a derivation is nothing but the end of that attempt. Errors are for those who run the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.guess.counts import COUNTING, counted
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.linked.abstraction import Plan, abstraction
from sorrel.linked.plans import plans
from sorrel.methods.clauses import decide
from sorrel.methods.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.safety import arithmetics
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.values import dataclass
from sorrel.program.flattening import flattened
from sorrel.program.program import Program
from sorrel.program.statement import Kind
from sorrel.smt.solver import Oracle

GUIDED = ("spacer", {"guidance": "true", "inlining": "false"})
ROUNDS: tuple[tuple[str, Mapping[str, str], float], ...] = (
    (*GUIDED, 1.0),
    (*GUIDED, 3.0),
    ("clover", {}, 8.0),
    (*GUIDED, 10.0),
    ("slices", {}, 20.0),
    ("clover", {}, 60.0),
    (*GUIDED, 300.0),
)
"""Who is asked about each way of leaving memory out, and for how many planned seconds; what is refuted is left out."""
LIKELY_ROUNDS = 3
"""So many rounds are for the likely ways alone."""
HAZARDS = frozenset({Kind.BOUNDS, Kind.LIFETIME, Kind.FREE})
NOTE = "proved by what is the same of every object, without its memory"


@dataclass(frozen=True, slots=True, eq=False)
class _Attempt:
    plan: Plan
    system: HornSystem


def by_objects(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Likely ways of leaving memory out have some rounds, then all that were not refuted."""
    arithmetic = arithmetics(question.task)[0]
    program = question.whole or question.checked
    ways = plans(program)
    search = _Search(question, arithmetic, effort)
    waiting = search.after(ROUNDS[:1], list(_attempts(program, ways.likely, arithmetic)))
    if search.outcome is None:
        search.by_counting(waiting)
    if search.outcome is None:
        waiting = search.after(ROUNDS[1:LIKELY_ROUNDS], waiting)
    if search.outcome is None:
        waiting += search.after(ROUNDS[:1], list(_attempts(program, ways.others, arithmetic)))
    if search.outcome is None:
        search.after(ROUNDS[1:], waiting)
    if search.outcome is not None:
        return search.outcome
    return unknown(Cause.INCOMPLETE, "no invariant of all objects was found that suffices")


@dataclass(slots=True)
class _Search:
    question: ProgramQuestion
    arithmetic: Arithmetic
    effort: Effort
    outcome: Outcome | None = None

    def after(self, rounds: Sequence[tuple[str, Mapping[str, str], float]], waiting: list[_Attempt]) -> list[_Attempt]:
        """The attempts that nothing is known about when all rounds are over; `outcome` is set if one succeeds."""
        for engine, options, seconds in rounds:
            for attempt in list(waiting):
                if self.effort.clock.expired():
                    return waiting
                own = _with_engine(self.effort, engine, dict(options), seconds)
                verdict = decide(attempt.system, own, {}, all_evidence=True)
                self.outcome = self._accepted(attempt, verdict)
                if self.outcome is not None:
                    return waiting
                if isinstance(verdict, Unsafe):
                    waiting.remove(attempt)
        return waiting

    def by_counting(self, waiting: Sequence[_Attempt]) -> None:
        """By relations of lengths and counters: sums that Spacer does not come upon by itself."""
        for attempt in waiting:
            clock = PLAN.linked_counting.of(self.effort.clock)
            verdict = counted(attempt.system, Oracle(clock, self.effort.statistics))
            self.outcome = self._accepted(attempt, verdict) if verdict is not None else None
            if self.outcome is not None or self.effort.clock.expired():
                return

    def _accepted(self, attempt: _Attempt, verdict: Verdict) -> Outcome | None:
        """The outcome if the clauses have a solution: all else says nothing about the program."""
        if not isinstance(verdict, Safe):
            return None
        outcome = self._outcome(attempt, verdict)
        if outcome is None:
            return None
        self.question.report(outcome, self.effort)
        stronger = self._without_hazards(attempt, verdict)
        better = self._outcome(*stronger) if stronger is not None else None
        self.effort.proofs.append(self._proof(*(stronger if better and stronger else (attempt, verdict))))
        return better or outcome

    def _outcome(self, attempt: _Attempt, verdict: Safe) -> Outcome | None:
        outcome = accept(Solution(attempt.system, verdict), self.effort)
        if outcome.answer is not Answer.SAFE:
            return None
        told = (*outcome.notes, NOTE)
        return replace(outcome, arithmetic=str(self.arithmetic), notes=told, decided_by="")

    def _without_hazards(self, attempt: _Attempt, known: Safe) -> tuple[_Attempt, Safe] | None:
        """A proof of the same that does not take for granted that pointers are followed and freed rightly."""
        made = self._clauses_of(attempt.plan, self.question.read(Reading(HAZARDS, self.arithmetic)), self.arithmetic)
        if made is None:
            return None
        if known.by == COUNTING:
            clock = PLAN.linked_counting.of(self.effort.clock)
            again = counted(made.system, Oracle(clock, self.effort.statistics))
            return None if again is None else (_Attempt(attempt.plan, made.system), again)
        engine, options = GUIDED
        own = _with_engine(self.effort, engine, dict(options), PLAN.linked_hazard)
        verdict = decide(made.system, own, {}, all_evidence=True)
        return (_Attempt(attempt.plan, made.system), verdict) if isinstance(verdict, Safe) else None

    def _proof(self, attempt: _Attempt, verdict: Safe) -> Proof:
        def clauses(program: Program, numbers: Arithmetic) -> Reread | None:
            return self._clauses_of(attempt.plan, program, numbers)

        def again(reading: Reading) -> Reread | None:
            return clauses(self.question.read(reading), reading.arithmetic)

        return Proof(attempt.system, verdict, self.arithmetic, again, clauses)

    def _clauses_of(self, plan: Plan, program: Program, numbers: Arithmetic) -> Reread | None:
        system = _clauses(flattened(program) or program, plan, numbers)
        return None if system is None else Reread(system)


def _attempts(program: Program, ways: Sequence[Plan], arithmetic: Arithmetic) -> Iterator[_Attempt]:
    for plan in ways:
        system = _clauses(program, plan, arithmetic)
        if system is not None:
            yield _Attempt(plan, system)


def _clauses(program: Program, plan: Plan, arithmetic: Arithmetic) -> HornSystem | None:
    made = abstraction(program, plan)
    return None if made is None else encode(made.program, arithmetic, relations=made.relations).system


def _with_engine(effort: Effort, engine: str, options: dict[str, str], seconds: float) -> Effort:
    clock = effort.clock.share(PLAN.linked, seconds)
    return replace(effort, options=replace(effort.options, engine=engine, engine_options=options), clock=clock)
