"""All interleavings of threads, followed one by one: evidence that a program with few configurations is safe."""

from __future__ import annotations

import time

from sorrel.evidence.effort import Effort
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.program.relevance import without_irrelevant
from sorrel.program.schedules import explore
from sorrel.program.threads import Threads

MOST_CONFIGURATIONS = 20_000


def accept_all_interleavings(threads: Threads, effort: Effort) -> Outcome:
    """Safe if every step of every interleaving was taken, for all values, and no assertion fails on the way."""
    started = time.monotonic()
    found = explore(without_irrelevant(threads), most=MOST_CONFIGURATIONS, go_on=lambda: not effort.clock.expired())
    if found.error is not None or not found.complete:
        return unknown(Cause.UNCONFIRMED, "there are more interleavings than were followed")
    detail = f"all interleavings were followed, through {len(found.reached)} configurations, and nothing fails"
    confirmation = Confirmation("the interpreter", True, time.monotonic() - started, detail)
    return Outcome(Answer.SAFE, confirmations=(confirmation,), notes=(detail,))
