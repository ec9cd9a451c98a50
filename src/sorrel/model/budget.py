"""What a run may use, and a clock that says how much of it is left."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

LONGEST = 1e7
"""The longest time limit, in seconds: four months, and still a number that every timer takes."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None means no limit.

    `seconds` is wall-clock time, `memory` is in MiB, `rlimit` bounds every single solver query in the
    solver's own deterministic units, so that the same input gives the same answer on a slower machine.
    """

    seconds: float | None = None
    memory: int | None = None
    rlimit: int | None = None

    def start(self) -> Clock:
        return Clock(self, None if self.seconds is None else time.monotonic() + self.seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """A budget that is running: `deadline` is on the monotonic clock, `work` on that of the processor's time.

    `pace` is the part of the time that a process has if others take turns with it.
    """

    budget: Budget
    deadline: float | None
    work: float | None = None
    pace: float = 1.0

    def remaining(self, at_most: float = 3600.0) -> float:
        """Seconds left, never more than `at_most` and never negative."""
        left = at_most if self.deadline is None else min(at_most, self.deadline - time.monotonic())
        return max(0.0, left if self.work is None else min(left, self.work - time.process_time()))

    def until_deadline(self, at_most: float = 3600.0) -> float:
        """Seconds left on the wall's clock alone, whatever the processor's time says."""
        return at_most if self.deadline is None else max(0.0, min(at_most, self.deadline - time.monotonic()))

    def expired(self) -> bool:
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or (self.work is not None and time.process_time() >= self.work)

    def reserve(self, seconds: float, fraction: float) -> Clock:
        """A clock that stops earlier, by so many seconds or by that part of the time left if that is less."""
        if self.deadline is None:
            return self
        left = max(0.0, self.deadline - time.monotonic())
        return replace(self, deadline=self.deadline - min(seconds, left * fraction))

    def share(self, fraction: float, at_most: float = 3600.0) -> Clock:
        """A clock for a part of the work, which never outlives this one.

        The part is in the processor's time, so that others who keep the machine busy do not make it smaller.
        """
        return replace(self, work=time.process_time() + self._work_left(at_most / fraction) * fraction)

    def _work_left(self, at_most: float) -> float:
        """Of the processor's time, as far as one can tell: of what is left on the wall, what `pace` lets us have."""
        left = self.until_deadline(at_most / self.pace) * self.pace
        return max(0.0, left if self.work is None else min(left, self.work - time.process_time()))

    def within(self, seconds: float) -> Clock:
        """A clock that stops after so many seconds on the wall's, if it does not stop before."""
        return replace(self, deadline=time.monotonic() + self.until_deadline(seconds))

    def at_pace(self, pace: float) -> Clock:
        """For one of several processes that take turns: which part of the time is its own."""
        return replace(self, pace=pace, work=None)
