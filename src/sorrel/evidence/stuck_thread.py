"""A schedule after which a thread waits forever, replayed; and all that can come after it, followed."""

from __future__ import annotations

import time
from dataclasses import replace

from sorrel.evidence.interleaving import told
from sorrel.model.assumption import Premise
from sorrel.model.outcome import Assumption, Cause, Outcome, Standing, Violation, unknown
from sorrel.program.interleaving import Moved, replay
from sorrel.program.relevance import without_irrelevant
from sorrel.program.statement import Kind
from sorrel.program.threads import Threads
from sorrel.program.waiting import WaitingForever, Waits, nobody_waits_forever, stays_waiting

MOST_AFTER = 20_000


def accept_stuck_thread(threads: Threads, forever: WaitingForever) -> Outcome:
    """Unsafe if the thread waits after the schedule, and in all configurations that can come then."""
    started = time.monotonic()
    if not 0 <= forever.thread < len(threads.blocked):
        return unknown(Cause.UNCONFIRMED, "there is no such thread")
    replayed = replay(threads, forever.schedule)
    if not isinstance(replayed.end, Moved):
        return unknown(Cause.UNCONFIRMED, "the interleaving could not be replayed")
    place = Waits(threads).place(forever.thread, replayed.end.configuration)
    followed = None if place is None else _followed(without_irrelevant(threads), forever)
    if place is None or followed is None:
        return unknown(Cause.UNCONFIRMED, "the thread does not wait forever when the interleaving is repeated")
    name = threads.threads[forever.thread].name
    message = f"thread {forever.thread} ({name}) waits here forever, whatever the others do"
    violation = Violation(str(Kind.DEADLOCK), message, place, name)
    outcome = told(threads, forever.schedule, replayed, violation, forever.thread, time.monotonic() - started)
    after = f"all that can come from there on was followed: it waits in each of the configurations, {followed} in all"
    return replace(outcome, notes=(*outcome.notes, after))


def _followed(threads: Threads, forever: WaitingForever) -> int | None:
    """How many configurations come after the schedule, if the thread waits in all of them."""
    end = replay(threads, forever.schedule).end
    return stays_waiting(threads, end.configuration, forever.thread, MOST_AFTER) if isinstance(end, Moved) else None


def each_goes_on(threads: Threads, premise: Premise) -> Assumption:
    """The premise that no thread waits forever while others go on, proved if all configurations can be looked at."""
    assumption = Assumption.of(premise)
    seen = nobody_waits_forever(without_irrelevant(threads), MOST_AFTER)
    if seen is None:
        return assumption
    detail = (
        f"in each of {seen} reachable configurations every waiting thread can still proceed, or the program can end"
    )
    return replace(assumption, standing=Standing.PROVED, detail=detail)
