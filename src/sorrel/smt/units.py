"""What the solver has done, in its own units, and limits of questions in them."""

from __future__ import annotations

import os
import time
from functools import cache

import z3

from sorrel.model.budget import Clock
from sorrel.model.work import METER, SECOND

SLOWEST = 10.0
"""How many times as long as planned a question may take on the wall's clock, on a machine that is as busy as it is."""
_WRAPS = 2**32
"""The count has so many bits where it can be read."""


class Counter:
    """Reads z3's count of its units in one context, and adds to the meter what was done since it was read before."""

    def __init__(self, context: z3.Context | None = None) -> None:
        self._solver = z3.Solver(ctx=context)  # never asked: its statistics have the context's count
        self._seen = self._read()

    def charge(self) -> None:
        count = self._read()
        done = (count - self._seen) % _WRAPS
        # z3 takes back what it counted beyond a limit: less than before is not nearly as much as there can be.
        METER.add(done if done < _WRAPS // 2 else 0)
        self._seen = count

    def _read(self) -> int:
        return int(self._solver.statistics().get_key_value("rlimit count"))


@cache
def counter() -> Counter:
    """That of the context in which all terms live. What is done there without a question of ours counts as well."""
    own = Counter()
    METER.read(own.charge)
    return own


def units(seconds: float) -> int:
    """For so many planned seconds."""
    return max(1, min(int(seconds * SECOND), _WRAPS - 1))


def limits(seconds: float, clock: Clock) -> dict[str, int]:
    """Of a question for so many planned seconds, by z3's names: its own units, and milliseconds as the last resort."""
    own = units(seconds)
    return {"rlimit": min(own, clock.budget.rlimit or own), "timeout": patience(seconds, clock)}


def patience(seconds: float, clock: Clock, slowest: float = SLOWEST) -> int:
    """Milliseconds for a question of so many planned seconds: a last resort, for what z3 does without counting it.

    Measured by how busy the machine has been: what others do to it must not change the answer.
    """
    milliseconds = int(clock.until_deadline(seconds * slowest * _PRESENCE.busy()) * 1000)
    return max(1, min(milliseconds, _WRAPS - 1))


_LOOKING_SECONDS = 0.2
"""Real seconds between two looks at how busy the machine is."""


class _Presence:
    """How much of the time this process has had a processor. A process that is forked starts anew."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self._moment, self._used = time.monotonic(), time.process_time()
        self._next, self._busy = self._moment, 1.0

    def busy(self) -> float:
        now = time.monotonic()
        if now >= self._next:
            used = max(0.01, time.process_time() - self._used)
            self._busy = max(1.0, (now - self._moment) / used)
            # The system's count takes longer to read than many questions take to answer.
            self._next = now + _LOOKING_SECONDS
        return self._busy


_PRESENCE = _Presence()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PRESENCE.start)
