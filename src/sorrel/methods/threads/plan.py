"""What methods about threads may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    exploring: Part
    """Configurations with the smallest values."""
    more_values: Part
    """The same with numbers that the program mentions."""
    invariant_question: float
    """For an invariant of what was seen."""
    plain_comparisons: Part
    """Comparisons without guards. What is left is the engine's."""
    guarded_comparisons: Part
    comparisons_question: float


PLAN = Plan(
    exploring=Part(0.2),
    more_values=Part(0.05),
    invariant_question=5.0,
    plain_comparisons=Part(0.35),
    guarded_comparisons=Part(0.45),
    comparisons_question=5.0,
)
