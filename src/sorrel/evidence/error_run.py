"""A run that violates the property, and what the compiled program makes of it: evidence that a program is unsafe."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from sorrel.contracts.doubts import UNREAD
from sorrel.evidence.effort import Effort
from sorrel.evidence.run import REPEATED_STEPS, how_it_ended, needs_abstractions, recorded, unordered_in
from sorrel.evidence.seconds import REPLAY
from sorrel.model.errors import Span
from sorrel.model.outcome import (
    Answer,
    Cause,
    ChosenValue,
    Confirmation,
    Outcome,
    Reason,
    Replay,
    ReplayResult,
    ValueOrigin,
    Violation,
)
from sorrel.model.task import Task
from sorrel.program.floating import has_floats
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import READS
from sorrel.program.value import Value
from sorrel.replay.allocations import linker_flags
from sorrel.replay.calling import prepared
from sorrel.replay.compiler import command_line, file_name, replay, texts
from sorrel.replay.entry import Entry, NoHarness, own_choices
from sorrel.replay.feeding import unfed
from sorrel.replay.harness import standard_input, write_harness
from sorrel.replay.instrumenting import NotInstrumented, parameters_of
from sorrel.replay.telling import chosen, tell, violation


def repeated(about: Outcome, seconds: float, detail: str) -> Outcome:
    """The outcome of a claim that runs of the interpreter confirm."""
    confirmation = Confirmation("the interpreter", True, seconds, detail)
    return replace(about, answer=Answer.UNSAFE, reason=None, confirmations=(*about.confirmations, confirmation))


def not_repeated(about: Outcome, why: str) -> Outcome:
    """The outcome of a claim that the interpreter does not confirm."""
    reason = Reason(Cause.UNCONFIRMED, f"the counterexample is not one in machine arithmetic: {why}")
    return replace(about, answer=Answer.UNKNOWN, reason=reason, certificate="", trace=())


def accept_error_run(checked: Program, values: Sequence[Value], about: Outcome, task: Task, effort: Effort) -> Outcome:
    """Unsafe if the run with these values, and the compiler if it is asked, find an error."""
    started = time.monotonic()
    result = recorded(checked, values, REPEATED_STEPS)
    seconds = time.monotonic() - started
    if not isinstance(result.end, Violated):
        return not_repeated(about, how_it_ended(result, REPEATED_STEPS))
    detail = f"the run violates the assertion at {result.end.span}"
    told = replace(
        repeated(about, seconds, detail),
        violation=violation(result.end),
        run=tell(checked, result),
        choices=chosen(checked, result),
    )
    return _replayed(told, checked, result, task, effort)


def _replayed(outcome: Outcome, checked: Program, result: Run, task: Task, effort: Effort) -> Outcome:
    """With a harness; with the compiler's word if it was asked for. An abstraction alone proves nothing."""
    found = outcome.violation
    if found is None:
        return outcome
    try:
        if task.is_program_text:
            raise NoHarness("a program in text form is not compiled")
        entry = entry_for(checked, result, task)
        harness = harness_for(found, outcome.choices, checked, result, task, entry, flags=linker_flags(outcome.choices))
        outcome = replace(outcome, harness=harness)
        # Of rounding nobody is believed but the machine itself, whether or not the compiler is to be asked.
        if effort.options.replay or has_floats(checked):
            effort.progress({"phase": "replay"})
            included = entry.file if entry else ""
            seconds = effort.clock.until_deadline(REPLAY)
            given = standard_input(outcome.choices)
            flags = linker_flags(outcome.choices)
            tried = replay(task, found, harness, seconds, included=included, flags=flags, given=given)
            tried = _as_fed(tried, outcome.choices, result)
            outcome = replace(outcome, replay=tried)
    except NoHarness as problem:
        outcome = replace(outcome, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    choices = outcome.choices
    if not needs_abstractions(checked, result):
        choices = tuple(choice for choice in choices if choice.origin is not ValueOrigin.ABSTRACTION)
    return weighed_by_replay(outcome, choices, task, unordered_in(checked, result))


def weighed_by_replay(
    outcome: Outcome, choices: Sequence[ChosenValue], task: Task, unordered: Span | None = None
) -> Outcome:
    """What the compiled program did counts if it was compiled for the data model that the question is about.

    `unordered`: where the run depends on an order of evaluation that compilers choose.
    """
    unread = next((choice for choice in choices if choice.source.startswith(UNREAD)), None)
    if unread is not None:
        return _doubtful(outcome, f"{_needed(unread)} ({unread.span})")
    tried = outcome.replay if outcome.replay and outcome.replay.data_model == task.data_model else None
    if tried is not None and tried.result is ReplayResult.REACHED:
        confirmed = Confirmation("the compiled program", True, tried.seconds, tried.detail)
        return replace(outcome, confirmations=(*outcome.confirmations, confirmed))
    abstract = [choice for choice in choices if choice.origin is ValueOrigin.ABSTRACTION]
    if abstract:
        missed = f", but {tried.detail}" if tried is not None else ""
        return _doubtful(outcome, f"{_needed(abstract[0])} ({abstract[0].span}){missed}")
    if unordered is not None:
        missed = f", and {tried.detail}" if tried is not None else ": --replay asks the compiler"
        return _doubtful(outcome, f"the run evaluates {unordered} from left to right, which C leaves open{missed}")
    if tried is not None and tried.result is ReplayResult.MISSED:
        return _doubtful(outcome, f"the interpreter finds the error, but {tried.detail}")
    return outcome


def _as_fed(tried: Replay, choices: Sequence[ChosenValue], result: Run) -> Replay:
    """A harness supplies no files but the standard input, and numbers: who misses the error may have had others."""
    beyond = next((choice.source for choice in choices if choice.source.startswith(READS)), "") or unfed(result.used)
    if tried.result is not ReplayResult.MISSED or not beyond:
        return tried
    why = f"the run depends on {beyond}, which a harness does not supply"
    return replace(tried, result=ReplayResult.IMPOSSIBLE, detail=why)


def _needed(choice: ChosenValue) -> str:
    if choice.source.isidentifier():
        return f"the run needs {choice.source}(…) = {choice.value}, and what the library returns is not modelled"
    return f"the run depends on {choice.source}, which is not modelled"


def _doubtful(outcome: Outcome, why: str) -> Outcome:
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why))


def entry_for(checked: Program, result: Run, task: Task) -> Entry | None:
    """How a function that is verified in place of main is called."""
    if task.function == "main":
        return None
    span = checked.procedure[checked.main].span
    files = [file_name(i, source) for i, source in enumerate(task.sources) if source.name == span.file]
    file = files[0] if files else span.file
    whole = dict(zip((source.name for source in task.sources), texts(task), strict=True))
    try:
        parameters = parameters_of(whole.get(span.file, ""), task.function, span)
    except NotInstrumented as problem:
        raise NoHarness(str(problem)) from None
    names = tuple(name for name, _ in parameters)
    return Entry(task.function, file, names, tuple(prepared(checked, result, parameters)))


def harness_for(
    found: Violation,
    choices: Sequence[ChosenValue],
    checked: Program,
    result: Run,
    task: Task,
    entry: Entry | None,
    watching: str = "",
    flags: Sequence[str] = (),
) -> str:
    names = [file_name(index, source) for index, source in enumerate(task.sources)]
    if entry is not None:
        own = own_choices(checked, result)
        choices = [choice for choice, is_own in zip(choices, own, strict=True) if not is_own]
        names = [name for name in names if name != entry.file]
    command = " ".join(command_line(task, found.kind, "harness.c", names, "harness", flags))
    given = standard_input(choices)
    octal = "".join(f"\\{byte:03o}" for byte in given)
    fed = f"printf '{octal}' | " if given else ""
    return write_harness(found, choices, list(texts(task)), f"{command} && {fed}./harness", entry, watching)
