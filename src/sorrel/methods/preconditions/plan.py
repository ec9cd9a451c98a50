"""What preconditions may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    attempts: Part
    """All attempts together."""
    attempt: Part
    """The first engine on a program that forgets something."""
    whole: Part
    """The second one, and either on a program that forgets nothing."""
    guessing: Part
    """Guesses among atoms."""
    sampling: float
    """Seconds of the processor, for calls with many small inputs."""


PLAN = Plan(
    attempts=Part(0.5, 60.0),
    attempt=Part(0.5, 8.0),
    whole=Part(0.5, 12.0),
    guessing=Part(0.5, 12.0),
    sampling=1.5,
)
