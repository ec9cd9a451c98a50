"""All runs of a program at once, if there is an end to their loops and calls: over bit-vectors, by one question."""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort, Reading
from sorrel.methods.loop_facts import kept_facts
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.program.cutting import Cut, cut_at, endless_loops
from sorrel.program.program import Program
from sorrel.program.statement import Kind

EVERYTHING = frozenset({Kind.BOUNDS, Kind.DIVISION, Kind.LIFETIME, Kind.FREE, Kind.OVERFLOW})
"""What is looked at beside what was asked for: a proof of all of it takes nothing for granted."""
STRICT_SHARE, FACTS_SHARE = 0.5, 0.6
"""Of the time, for a proof of everything; and of that with a loop that is not written out, for facts about it."""


def all_runs(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Safe, a run that fails, or that there are more runs than could be followed."""
    if question.task.arithmetic not in ("auto", "exact"):
        raise UsageError(f"unrolling is over bit-vectors: --arith {question.task.arithmetic} does not go with it")
    strict = question.read(Reading(EVERYTHING, Arithmetic.EXACT))
    outcome = _of_everything(strict, question, _part(effort, STRICT_SHARE))
    if outcome.answer is Answer.SAFE:
        # In no run anything of this goes wrong, so that it is one and the same run in any such reading.
        effort.exhausted.append(lambda reading, clock: reading.kinds <= EVERYTHING)
        return outcome
    outcome = accept(AllRuns(question.checked, question.task, Arithmetic.EXACT), effort)
    if outcome.answer is Answer.SAFE:

        def holds(reading: Reading, clock: Clock) -> bool:
            own = replace(effort, clock=clock, progress=lambda _: None)
            again = AllRuns(question.read(reading), question.task, reading.arithmetic)
            return accept(again, own).answer is Answer.SAFE

        effort.exhausted.append(holds)
    return outcome


def _of_everything(program: Program, question: ProgramQuestion, effort: Effort) -> Outcome:
    """Loops that go on as long as an input says so are not written out, and then the one that took too long."""
    labels = endless_loops(program)
    if not labels:
        outcome = accept(AllRuns(program, question.task, Arithmetic.EXACT), _part(effort, STRICT_SHARE))
        last = effort.sizes.get("loop", "")
        if outcome.answer is not Answer.UNKNOWN or not last:
            return outcome
        labels = (last,)
    cuts: tuple[Cut, ...] = tuple(cut for label in labels if (cut := cut_at(program, label)) is not None)
    for label in labels:
        others = tuple(cut for cut in cuts if cut.label != label)
        found = kept_facts(program, label, others, effort.clock.share(FACTS_SHARE), effort.options.seed)
        if found is None:
            return unknown(Cause.TIME, "no facts about a loop that has no end were found in time")
        cuts = (*others, found)
    return accept(AllRuns(program, question.task, Arithmetic.EXACT, cuts), effort)


def _part(effort: Effort, share: float) -> Effort:
    return replace(effort, clock=effort.clock.share(share))
