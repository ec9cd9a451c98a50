"""Runs that do not end: one that comes back to where it was, or one that never has to leave a set of states."""

from __future__ import annotations

from sorrel.evidence.door import ComingBack, NeverLeaving, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.termination.plan import PLAN
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.smt.solver import Oracle
from sorrel.testing.lasso import find_lasso
from sorrel.testing.recurrence import find_recurrence


def lasso(question: ProgramQuestion, effort: Effort) -> Outcome:
    found = find_lasso(question.checked, PLAN.lasso.of(effort.clock), effort.options.seed)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no run was found that returns to an earlier state")
    return accept(ComingBack(question.checked, found), effort)


def recurrent_set(question: ProgramQuestion, effort: Effort) -> Outcome:
    clock = PLAN.recurrence.of(effort.clock)
    oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.recurrence_question, seed=effort.options.seed)
    found = find_recurrence(question.checked, oracle)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no loop was found that a run can stay in forever")
    return accept(NeverLeaving(question.checked, found), effort)
