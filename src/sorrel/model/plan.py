"""A part of a plan: of the work that is left a share, and at most so many planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.budget import WITHOUT_LIMIT, Clock
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    share: float
    seconds: float = WITHOUT_LIMIT

    def of(self, clock: Clock) -> Clock:
        return clock.share(self.share, self.seconds)

    def reserved(self, clock: Clock) -> Clock:
        """The clock for all the rest, if this part is kept back."""
        return clock.reserve(self.seconds, self.share)
