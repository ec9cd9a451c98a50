"""Looking before thinking: a few runs, runs from state to state or with changed inputs, and the only run there is."""

from __future__ import annotations

from itertools import islice

from sorrel.evidence.door import ErrorRun, OnlyRun, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.only_run import MOST_STEPS
from sorrel.evidence.run import values_of
from sorrel.methods.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.work import SECOND, STEP
from sorrel.program.run import Run
from sorrel.testing.mutation import mutated_violations
from sorrel.testing.probe import explored_violation, probe

MOST_JUDGED = 20
"""Errors that are looked at, of which each may take a second of a compiler."""
FOUND = Outcome(Answer.UNKNOWN, notes=("found by running the program",))


def probed(question: ProgramQuestion, effort: Effort) -> Outcome:
    """With values that often make trouble. What the only run of a program shows is kept for those who come later."""
    clock = effort.clock
    most = min(MOST_STEPS, int(clock.remaining() * PLAN.alone * SECOND) // STEP)
    question.looked = probe(question.checked, clock.remaining(PLAN.probe), most=most)
    return _judged(question, question.looked.violated, effort)


def explored(question: ProgramQuestion, effort: Effort) -> Outcome:
    """From state to state; a program with one run has been looked at."""
    if question.looked is not None and question.looked.only is not None:
        return _nothing_found()
    clock = PLAN.exploring.of(effort.clock)
    return _judged(question, explored_violation(question.checked, clock), effort)


def mutated(question: ProgramQuestion, effort: Effort) -> Outcome:
    """From the inputs of one run to those of the next; the time that it has is all used, unless an error is found.

    After one that is not confirmed others are looked for: the compiled program may pass by what goes wrong there, as it
    does where a member is written behind the end of the one in front of it.
    """
    last = _nothing_found()
    for found in islice(mutated_violations(question.checked, effort.clock), MOST_JUDGED):
        last = _judged(question, found, effort)
        if last.answer is Answer.UNSAFE:
            break
    return last


def _judged(question: ProgramQuestion, found: Run | None, effort: Effort) -> Outcome:
    if found is None:
        return _nothing_found()
    return accept(ErrorRun(question.checked, question.task, values_of(found), FOUND), effort)


def _nothing_found() -> Outcome:
    return unknown(Cause.INCOMPLETE, "no run into an error was found")


def only_run(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Everything that the program can do, done."""
    return accept(OnlyRun(question.checked), effort)
