"""Programs by predicate abstraction alone, with the proof rules of its paper and nothing that runs the program first.

Invariance of the program as one procedure, where bodies can stand in place of calls; then summaries of procedures.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.evidence.effort import Effort
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.safety import by_contracts, without_calls
from sorrel.model.outcome import Answer, Outcome

INVARIANCE_SHARE = 0.6
"""Of the time, for an invariant at each loop of the program as a whole: abstraction likes one call a clause."""


def of_programs(question: ProgramQuestion, effort: Effort) -> Outcome:
    if question.whole is not None:
        found = without_calls(question, replace(effort, clock=effort.clock.share(INVARIANCE_SHARE)))
        if found.answer is not Answer.UNKNOWN or effort.clock.expired():
            return found
    return by_contracts(question, effort)
