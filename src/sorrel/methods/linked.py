"""Programs whose objects have no bound, by what is the same of every object (docs/linked.md).

Memory is left out of the program in several ways, each coarser than the memory itself: a proof about any of them is a
proof, and a derivation is nothing but the end of that attempt. Errors are for those who run the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.linked.abstraction import Plan, abstraction
from sorrel.linked.plans import plans
from sorrel.methods.clauses import decide
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.safety import arithmetics
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.program.flattening import flattened
from sorrel.program.program import Program

FIRST_SECONDS, LONGER = 1.0, 2.0
"""How long the first round of attempts has for each plan, and how much longer each round is than the one before."""
_ENGINES: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("spacer", {"guidance": "true", "inlining": "false"}),
    ("clover", {}),
    ("slices", {}),
)
NOTE = "proved by what is the same of every object, without its memory"


@dataclass(frozen=True, slots=True)
class _Attempt:
    plan: Plan
    system: HornSystem


def by_objects(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Every plan with a little time, then those that were not refuted with more."""
    arithmetic = arithmetics(question.task)[0]
    waiting = list(_attempts(question.whole or question.checked, arithmetic))
    if not waiting:
        return unknown(Cause.UNSUPPORTED, "there are no objects that could be described together")
    seconds = FIRST_SECONDS
    while waiting and not effort.clock.expired():
        for attempt in list(waiting):
            for engine, options in _ENGINES if seconds > FIRST_SECONDS else _ENGINES[:1]:
                own = _with_engine(effort, engine, dict(options), seconds)
                verdict = decide(attempt.system, own, {}, all_evidence=True)
                outcome = _accepted(attempt, verdict, question, arithmetic, effort)
                if outcome is not None:
                    return outcome
                if isinstance(verdict, Unsafe):
                    waiting.remove(attempt)
                    break
        seconds *= LONGER
    return unknown(Cause.INCOMPLETE, "what is the same of every object does not suffice, or was not found")


def _attempts(program: Program, arithmetic: Arithmetic) -> Iterator[_Attempt]:
    for plan in plans(program):
        system = _clauses(program, plan, arithmetic)
        if system is not None:
            yield _Attempt(plan, system)


def _clauses(program: Program, plan: Plan, arithmetic: Arithmetic) -> HornSystem | None:
    made = abstraction(program, plan)
    return None if made is None else encode(made.program, arithmetic, relations=made.relations).system


def _with_engine(effort: Effort, engine: str, options: dict[str, str], seconds: float) -> Effort:
    clock = effort.clock.share(0.5, seconds)
    return replace(effort, options=replace(effort.options, engine=engine, engine_options=options), clock=clock)


def _accepted(
    attempt: _Attempt, verdict: Verdict, question: ProgramQuestion, arithmetic: Arithmetic, effort: Effort
) -> Outcome | None:
    """The outcome if the clauses have a solution: all else says nothing about the program."""
    if not isinstance(verdict, Safe):
        return None
    outcome = accept(Solution(attempt.system, verdict), effort)
    if outcome.answer is not Answer.SAFE:
        return None

    def clauses(program: Program, numbers: Arithmetic) -> Reread | None:
        system = _clauses(flattened(program) or program, attempt.plan, numbers)
        return None if system is None else Reread(system)

    def again(reading: Reading) -> Reread | None:
        return clauses(question.read(reading), reading.arithmetic)

    effort.proofs.append(Proof(attempt.system, verdict, arithmetic, again, clauses))
    return replace(outcome, arithmetic=str(arithmetic), notes=(*outcome.notes, NOTE), decided_by="linked")
