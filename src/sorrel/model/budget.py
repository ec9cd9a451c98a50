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
    """A budget that is running: `deadline` is on the monotonic clock, `work` on that of the processor's time."""

    budget: Budget
    deadline: float | None
    work: float | None = None

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
        """A clock for a part of the work, which never outlives this one."""
        left = self.remaining(at_most / fraction) * fraction
        return replace(self, deadline=time.monotonic() + left)

    def processor_share(self, fraction: float, at_most: float = 3600.0) -> Clock:
        """The same in the processor's time: others who keep the machine busy do not make the part smaller."""
        left = self.remaining(at_most / fraction) * fraction
        return replace(self, work=time.process_time() + left)
