"""What a run may use, and a clock that says how much of it is left."""

from __future__ import annotations

import time
from dataclasses import replace

from sorrel.model.values import dataclass
from sorrel.model.work import METER, ROUND, SECOND

LONGEST = 1e7
"""The longest time limit, in seconds: four months, and still a number that every timer takes."""
SLOWEST_COUNTED, LEAST_VALVE = 3.0, 2.0
"""How many times as long as planned a part may take on the processor, and seconds that it has at least: a machine of
half the speed loads the modules of a method in one of them, and is not to end a search elsewhere for that."""
WITHOUT_LIMIT = 3600.0
"""What is planned for if there is no limit of time, in planned seconds."""
LEAST = 0.1
"""Seconds that a run has even if its limit has passed while it was started."""
AFTERWARDS = 0.1
"""What is shared once all that was planned for is done and time is still left: that part of it, again and again."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None means no limit.

    `seconds` is wall-clock time, `memory` is in MiB, `rlimit` bounds every single solver query in the
    solver's own deterministic units, so that the same input gives the same answer on a slower machine.
    `gone` are seconds that have passed already: the deadline is earlier for it, but the plan is the same.
    """

    seconds: float | None = None
    memory: int | None = None
    rlimit: int | None = None
    gone: float = 0.0

    def shared(self, runs: int, gone: float) -> Budget:
        """For the next of so many runs that have to share it: as much as each has of what is left."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(min(LEAST, self.seconds), (self.seconds - gone) / runs))

    def start(self) -> Clock:
        """The border: beyond it the search counts work, and looks at the wall's clock only to see that it is over."""
        planned = int((WITHOUT_LIMIT if self.seconds is None else self.seconds) * SECOND)
        end = METER.settled() + planned
        if self.seconds is None:
            return Clock(self, None, end, planned)
        left = max(min(LEAST, self.seconds), self.seconds - self.gone)
        return Clock(self, time.monotonic() + left, end, planned)


@dataclass(frozen=True, slots=True)
class Clock:
    """A budget that is running: `deadline` is on the wall's clock, `end` and `limit` are on the meter of work.

    What is planned, `whole` units of it, is done at `end`. A part of it stops at its `limit`; the whole goes on until
    the deadline, since a fast machine does more than was planned. `valve` is a last resort, in seconds of this process
    on a processor, for work that takes far longer than what was counted of it.
    """

    budget: Budget
    deadline: float | None
    end: int
    whole: int
    limit: int | None = None
    valve: float | None = None

    def remaining(self, at_most: float = WITHOUT_LIMIT) -> float:
        """Planned seconds left, never more than `at_most` and never negative; none after the deadline."""
        return 0.0 if self.late() else min(at_most, self._left() / SECOND)

    def allowed(self, at_most: float) -> float:
        """Planned seconds for one question: what is no part of a plan may go on until the deadline."""
        return self.remaining(at_most) if self.limit is not None or self.late() else at_most

    def until_deadline(self, at_most: float = WITHOUT_LIMIT) -> float:
        """Seconds left on the wall's clock, for whatever is no part of the search."""
        return at_most if self.deadline is None else max(0.0, min(at_most, self.deadline - time.monotonic()))

    def late(self) -> bool:
        if self.valve is not None and time.process_time() >= self.valve:
            return True
        return self.deadline is not None and time.monotonic() >= self.deadline

    def expired(self) -> bool:
        """Whoever asks has come round again, which counts as work: a loop that asks comes to its end."""
        METER.add(ROUND)
        return (self.limit is not None and METER.done >= self.limit) or self.late()

    def reserve(self, seconds: float, fraction: float) -> Clock:
        """A clock that stops earlier, by so many seconds or by that part of what is left if that is less."""
        limit = self.limit
        if limit is not None:
            limit -= int(min(seconds * SECOND, max(0, limit - METER.done) * fraction))
        if self.deadline is None:
            return replace(self, limit=limit)
        return replace(self, deadline=self.deadline - min(seconds, self.until_deadline() * fraction), limit=limit)

    def share(self, fraction: float, at_most: float = WITHOUT_LIMIT) -> Clock:
        """A clock for a part of the work that is planned for, which never outlives this one."""
        start = METER.settled()
        units = int(min(at_most * SECOND, self._left() * fraction))
        valve = time.process_time() + SLOWEST_COUNTED * units / SECOND + LEAST_VALVE
        if self.valve is not None:
            valve = min(valve, self.valve)
        return replace(self, limit=start + units, valve=valve)

    def _left(self) -> int:
        """Units; beyond the plan, while the deadline has not come, always some more."""
        if self.limit is not None:
            return max(0, self.limit - METER.done)
        return max(self.end - METER.done, int(self.whole * AFTERWARDS))

    def within(self, seconds: float) -> Clock:
        """A clock that stops after so many seconds on the wall's, if it does not stop before."""
        return replace(self, deadline=time.monotonic() + self.until_deadline(seconds))

    def at_pace(self, pace: float) -> Clock:
        """For one of several processes that take turns: which part of what is planned is its own."""
        left = max(0, self.end - METER.done)
        return replace(self, end=METER.done + int(left * pace), whole=int(self.whole * pace))
