"""How much has been done in this process, counted in a way that does not depend on how busy the machine is.

Plans are in *planned seconds*: one is `SECOND` units of work, which a quiet machine does in about a second. What counts
is the table below, measured once (docs/plans.md): the solver's own units, something for every question and for every
round of a loop that looks at its clock, the steps of programs that are run. Real seconds are known at the outer border
alone, where a limit of time becomes a deadline and a plan (`model/budget.py`).
"""

from __future__ import annotations

from collections.abc import Callable

SECOND = 3_000_000
"""Units in a planned second. One is what z3 counts as one (its `rlimit`), in Spacer as in other questions."""
QUESTION = 4_000
"""For making a solver and telling it what is asked, beside what it counts itself."""
ROUND = 100
"""For a round of a loop, which looks at its clock once."""
STEP, FUNCTIONAL_STEP = 4, 10
"""For a step of a program that is run by an interpreter; and of a functional one."""


NEVER = 2**62


class Meter:
    """Units of work done so far. A process that is forked goes on from where its parent was."""

    __slots__ = ("_gauges", "_interval", "_mark", "_tell", "done")

    def __init__(self) -> None:
        self.done = 0
        self._gauges: list[Callable[[], None]] = []
        self._mark = NEVER
        self._interval = NEVER
        self._tell: Callable[[], None] = lambda: None

    def add(self, units: int) -> None:
        self.done += units
        if self.done >= self._mark:
            self._mark = self.done + self._interval
            self._tell()

    def read(self, gauge: Callable[[], None]) -> None:
        """Somebody else counts as well, and adds what was done since when asked."""
        self._gauges.append(gauge)

    def settled(self) -> int:
        """Units done so far, with all that others have counted: where a part of the work begins."""
        for gauge in self._gauges:
            gauge()
        return self.done

    def report(self, interval: int, tell: Callable[[], None]) -> None:
        """From now on, tell whenever so much more has been done."""
        self._interval, self._mark, self._tell = interval, self.done + interval, tell

    def now(self) -> float:
        """Planned seconds so far: a clock that stands still while others use the processor."""
        return self.done / SECOND


METER = Meter()
"""That of this process, as there is one clock of the processor's time."""
