"""Runs of functional programs as evidence: into an error, into a call of itself, or the only one that there is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.evidence.effort import Effort
from sorrel.evidence.seconds import REPLAY
from sorrel.functional.execution import Event, Execution, Kind, Used, Violated
from sorrel.functional.exploration import only_run, repeated
from sorrel.functional.lasso import Lasso
from sorrel.functional.lasso import repeated as repeated_lasso
from sorrel.functional.program import Program
from sorrel.functional.value import shown
from sorrel.model.outcome import (
    Answer,
    Cause,
    ChosenValue,
    Confirmation,
    EventKind,
    Outcome,
    Reason,
    Replay,
    ReplayResult,
    RunEvent,
    ValueOrigin,
    Violation,
    unknown,
)
from sorrel.replay.ocaml import NoProgram, harness, replay


def accept_execution(
    program: Program,
    found: Execution,
    forbidden: frozenset[Kind],
    outcome: Outcome,
    texts: Sequence[tuple[str, str]],
    effort: Effort,
) -> Outcome:
    """Unsafe if the interpreter, and the compiled program if it is asked, come to the error with the same values."""
    started = time.monotonic()
    again = repeated(program, [used.value for used in found.used], forbidden)
    seconds = time.monotonic() - started
    if not isinstance(again.end, Violated):
        return replace(
            outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, "the run could not be repeated")
        )
    found, end = again, again.end
    calls = [event.function for event in found.events if not event.is_return]
    violation = Violation(end.kind, end.message, end.span, calls[-1] if calls else "")
    confirmation = Confirmation("the interpreter", True, seconds, f"the run violates the property at {end.span}")
    told = replace(
        outcome,
        answer=Answer.UNSAFE,
        reason=None,
        confirmations=(*outcome.confirmations, confirmation),
        violation=violation,
        run=tuple(_events(program, found.events, end)),
        choices=tuple(_choice(program, used) for used in found.used),
    )
    try:
        text = harness(program, texts, found.used, Kind(end.kind))
    except NoProgram as problem:
        return replace(told, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    told = replace(told, harness=text)
    if not effort.options.replay:
        return told
    effort.progress({"phase": "replay"})
    tried = replay(text, violation, effort.clock.until_deadline(REPLAY))
    told = replace(told, replay=tried)
    if tried.result is ReplayResult.REACHED:
        confirmed = Confirmation("the compiled program", True, tried.seconds, tried.detail)
        return replace(told, confirmations=(*told.confirmations, confirmed))
    if tried.result is ReplayResult.MISSED:
        why = f"the interpreter finds the error, but {tried.detail}"
        return replace(told, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why))
    return told


def harmed(program: Program, found: Execution) -> str:
    """What goes wrong in a run whose numbers wrap around."""
    if not isinstance(found.end, Violated):
        return ""
    chosen = [_choice(program, used) for used in found.used]
    values = ", ".join(f"{each.variable or each.source} = {each.value}" for each in chosen)
    return f"otherwise, {f'with {values}, ' if values else ''}{found.end.message} at {found.end.span}"


def accept_endless_calls(program: Program, lasso: Lasso) -> Outcome:
    """Unsafe if the run with the same values comes to the same call again."""
    started = time.monotonic()
    again = repeated_lasso(program, [used.value for used in lasso.run.used])
    if again is None:
        return unknown(Cause.UNCONFIRMED, "the infinite run could not be repeated")
    parameters = again.function.parameters
    pairs = zip(again.arguments, parameters, strict=True)
    values = " ".join(shown(value, parameter.type, dict(program.data)) for value, parameter in pairs)
    label = again.function.label or "a function"
    call = f"{label} {values}"
    same = "everything that it looks at" if again.hidden else "everything"
    said = f"{call} is called again, within a call of itself in which {same} was the same: so it goes on forever"
    end = Violated(Kind.ASSERTION, said, again.function.span)
    detail = f"the run comes to {call} within {call}"
    return Outcome(
        Answer.UNSAFE,
        violation=Violation("termination", f"the program does not terminate: {said}", again.function.span, label),
        confirmations=(Confirmation("the interpreter", True, time.monotonic() - started, detail),),
        run=tuple(_events(program, again.run.events, end)),
        choices=tuple(_choice(program, used) for used in again.run.used),
    )


def accept_only_execution(program: Program, forbidden: frozenset[Kind]) -> Outcome:
    """A program that asks for nothing has one run, which settles what no proof did."""
    started = time.monotonic()
    if only_run(program, forbidden) is None:
        return unknown(Cause.UNCONFIRMED, "the program does not end by itself without an error")
    detail = "the program has no inputs; its only run ends without an error"
    confirmation = Confirmation("the interpreter", True, time.monotonic() - started, detail)
    return Outcome(Answer.SAFE, confirmations=(confirmation,), notes=(detail,))


def _events(program: Program, events: Sequence[Event], end: Violated) -> Iterator[RunEvent]:
    data = dict(program.data)
    depth = 0
    for event in events:
        depth = event.depth
        values = [shown(value, type, data) for value, type in zip(event.values, event.types, strict=True)]
        if event.is_return:
            text = f"{event.function} returns {values[0]}"
            yield RunEvent(EventKind.RETURN, event.span, event.function, depth, text, value=values[0])
        else:
            yield RunEvent(EventKind.CALL, event.span, event.function, depth, " ".join([event.function, *values]))
    yield RunEvent(EventKind.VIOLATION, end.span, "", depth, end.message)


def _choice(program: Program, used: Used) -> ChosenValue:
    value = shown(used.value, used.type, dict(program.data))
    source, variable = (used.source, used.source) if used.span.line else ("", used.source)
    return ChosenValue(ValueOrigin.INPUT, source, variable, "", value, used.span)
