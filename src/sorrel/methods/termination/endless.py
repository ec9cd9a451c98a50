"""Runs that do not end: one that comes back to where it was, or one that never has to leave a set of states."""

from __future__ import annotations

from sorrel.evidence.door import ComingBack, NeverLeaving, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.smt.solver import Oracle
from sorrel.testing.lasso import find_lasso
from sorrel.testing.recurrence import find_recurrence

LASSO_SHARE, LASSO_SECONDS = 0.2, 3.0
RECURRENCE_SHARE, RECURRENCE_SECONDS = 0.1, 5.0


def lasso(question: ProgramQuestion, effort: Effort) -> Outcome:
    found = find_lasso(question.checked, effort.clock.share(LASSO_SHARE, at_most=LASSO_SECONDS), effort.options.seed)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no run was found that returns to an earlier state")
    return accept(ComingBack(question.checked, found), effort)


def recurrent_set(question: ProgramQuestion, effort: Effort) -> Outcome:
    clock = effort.clock.share(RECURRENCE_SHARE, at_most=RECURRENCE_SECONDS)
    oracle = Oracle(clock, effort.statistics, query_seconds=2.0, seed=effort.options.seed)
    found = find_recurrence(question.checked, oracle)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no loop was found that need not be left")
    return accept(NeverLeaving(question.checked, found), effort)
