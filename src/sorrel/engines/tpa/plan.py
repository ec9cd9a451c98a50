"""What tpa may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    inlined: float
    """A step of the loop without the variables that its clauses use in between."""
    interpolation: float
    """For each way to an interpolant."""
    closed: float
    """Whether a relation holds of any number of steps, or a set of states is kept."""
    image: float
    """What steps lead to, without other variables."""


PLAN = Plan(inlined=0.5, interpolation=2.0, closed=2.0, image=2.0)
