"""What becomes of an attempt's outcome: what it takes for granted is looked at, and what was asked for is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.evidence.effort import Effort, Reading
from sorrel.evidence.worth import judged
from sorrel.explain.outline import outlined
from sorrel.methods.assumptions import ALL_RUNS, ProvedProgram, settled, unsettled
from sorrel.methods.vacuity import compared, counted
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, Reason, Standing
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.program.program import Program
from sorrel.program.statement import Kind
from sorrel.program.threads import has_threads
from sorrel.testing.probe import prints_what_is_there


def finished(
    outcome: Outcome, program: Program, checked: Program, task: Task, read: Callable[[Reading], Program], effort: Effort
) -> Outcome:
    """The answer with what it takes for granted, and worth as much as that; the program as a reader sees it."""
    return outlined(_weighed(outcome, program, checked, task, read, effort), checked, task.goal)


def so_far(
    outcome: Outcome, program: Program, checked: Program, task: Task, read: Callable[[Reading], Program], effort: Effort
) -> Outcome:
    """What a proof is worth as long as nobody has looked at what it takes for granted."""
    given = (*outcome.assumptions, *map(Assumption.of, program.assumptions))
    proved = ProvedProgram.of(checked, task, read)
    known = judged(replace(outcome, assumptions=(*given, *unsettled(proved))), effort.options)
    return outlined(_in_part(known, program, task), checked, task.goal)


def _weighed(
    outcome: Outcome, program: Program, checked: Program, task: Task, read: Callable[[Reading], Program], effort: Effort
) -> Outcome:
    given = (*outcome.assumptions, *map(Assumption.of, program.assumptions))
    if effort.only_run and prints_what_is_there(program):
        given = tuple(_shown(each) if each.kind is AssumptionKind.PRINTING else each for each in given)
    if task.is_program_text:  # where threads interleave step by step by definition
        given = tuple(each for each in given if each.kind is not AssumptionKind.THREADS)
    if outcome.answer is not Answer.SAFE:
        return replace(outcome, assumptions=given)
    proved = ProvedProgram.of(checked, task, read)
    # Should time run out while we look, this is what is known.
    known = judged(replace(outcome, assumptions=(*given, *unsettled(proved))), effort.options)
    effort.report(outlined(_in_part(known, program, task), checked, task.goal))
    outcome = judged(replace(outcome, assumptions=(*given, *settled(proved, effort))), effort.options)
    if task.goal.is_about_checks and outcome.answer.is_proof and not has_threads(checked):
        outcome = counted(outcome, checked, effort)
    if task.goal is Property.NONINTERFERENCE and outcome.answer.is_proof:
        outcome = compared(outcome, program)
    return _in_part(outcome, program, task)


def _shown(assumption: Assumption) -> Assumption:
    return replace(assumption, standing=Standing.PROVED, detail=ALL_RUNS)


def _in_part(outcome: Outcome, program: Program, task: Task) -> Outcome:
    """A proof of a part of what was asked for is none of the whole."""
    missing = task.unchecked
    if not outcome.answer.is_proof:
        return outcome
    blocks = [each.text for each in program.assumptions if each.kind is AssumptionKind.LIFETIME]
    if blocks and Kind.LIFETIME in task.goal.kinds:
        why = f"the rest is proved, but use after the end of a block is not checked: {blocks[0]}"
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why))
    if not missing:
        return outcome
    rest = " and ".join(missing)
    why = f"the rest is proved, but {rest} {'is' if len(missing) == 1 else 'are'} not checked"
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why))
