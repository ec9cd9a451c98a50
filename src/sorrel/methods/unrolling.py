"""All runs of a program at once, if there is an end to their loops and calls: over bit-vectors, by one question."""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort, Reading
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer, Outcome


def all_runs(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Safe, a run that fails, or that there are more runs than could be followed."""
    if question.task.arithmetic not in ("auto", "exact"):
        raise UsageError(f"unrolling is over bit-vectors: --arith {question.task.arithmetic} does not go with it")
    outcome = accept(AllRuns(question.checked, question.task, Arithmetic.EXACT), effort)
    if outcome.answer is Answer.SAFE:

        def holds(reading: Reading, clock: Clock) -> bool:
            own = replace(effort, clock=clock, progress=lambda _: None)
            again = AllRuns(question.read(reading), question.task, reading.arithmetic)
            return accept(again, own).answer is Answer.SAFE

        effort.exhausted.append(holds)
    return outcome
