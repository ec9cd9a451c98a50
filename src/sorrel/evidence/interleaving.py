"""A schedule of threads into an error, replayed step by step: evidence that a program with threads is unsafe."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial

from sorrel.model.outcome import (
    Answer,
    Cause,
    ChosenValue,
    Confirmation,
    EventKind,
    Outcome,
    RunEvent,
    ValueOrigin,
    Violation,
    unknown,
)
from sorrel.program.interleaving import Decided, Failed, Replayed, Schedule, WroteInThread, replay
from sorrel.program.statement import Kind
from sorrel.program.threads import Threads
from sorrel.replay.telling import violated


def accept_interleaving(threads: Threads, schedule: Schedule) -> Outcome:
    """Unsafe if the interpreter replays the schedule into an error."""
    started = time.monotonic()
    replayed = replay(threads, schedule)
    seconds = time.monotonic() - started
    if not isinstance(replayed.end, Failed):
        return unknown(Cause.UNCONFIRMED, "the interleaving could not be replayed")
    assertion = replayed.end.assertion
    if assertion.kind is Kind.POSSIBLE_RACE:
        return unknown(Cause.UNCONFIRMED, f"there may be a {violated(assertion)}")
    violation = Violation(
        str(assertion.kind), violated(assertion), assertion.span, threads.threads[replayed.end.thread].name
    )
    return told(threads, schedule, replayed, violation, replayed.end.thread, seconds)


def told(
    threads: Threads, schedule: Schedule, replayed: Replayed, violation: Violation, thread: int, seconds: float
) -> Outcome:
    """That the schedule leads to what is wrong, with what happens on the way."""
    said = f"thread {thread} ({violation.procedure}): {violation.message}"
    last = RunEvent(EventKind.VIOLATION, violation.span, violation.procedure, 0, said, thread=thread)
    order = ", ".join(f"{count} of thread {number}" for number, count in _runs(schedule))
    detail = f"{len(schedule)} steps: {order}"
    return Outcome(
        Answer.UNSAFE,
        confirmations=(Confirmation("the interpreter", True, seconds, detail),),
        notes=(f"schedule of {detail}",),
        violation=violation,
        run=(*_told(threads, replayed.events), last),
        choices=_choices(threads, replayed),
    )


def _runs(schedule: Schedule) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for move in schedule:
        if found and found[-1][0] == move.thread:
            found[-1] = (move.thread, found[-1][1] + 1)
        else:
            found.append((move.thread, 1))
    return found


def _name(threads: Threads, event: WroteInThread) -> str:
    shown = threads.threads[event.thread].procedure.source_names
    return shown.get(event.variable.name, event.variable.name)


def _told(threads: Threads, events: Sequence[WroteInThread | Decided]) -> Iterator[RunEvent]:
    """What a user can follow: variables of their own, and conditions that stand in the text."""
    for event in events:
        thread = threads.threads[event.thread]
        told = partial(RunEvent, span=event.span, procedure=thread.name, depth=0, thread=thread.number)
        whose = f"thread {thread.number} ({thread.name}): "
        if isinstance(event, Decided):
            if event.span.line:
                value = "true" if event.taken else "false"
                yield told(EventKind.BRANCH, text=f"{whose}the condition is {value}", value=value)
        elif "." not in (name := _name(threads, event)):
            kind = EventKind.CHOOSE if event.choice is not None else EventKind.ASSIGN
            yield told(kind, text=f"{whose}{name} = {event.value}", variable=name, value=str(event.value))


def _choices(threads: Threads, replayed: Replayed) -> tuple[ChosenValue, ...]:
    return tuple(
        ChosenValue(
            ValueOrigin(event.choice.value),
            _name(threads, event),
            _name(threads, event),
            str(event.variable.type),
            str(event.value),
            event.span,
        )
        for event in replayed.events
        if isinstance(event, WroteInThread) and event.choice is not None
    )
