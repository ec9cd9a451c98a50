"""What synonym may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    together: Part
    """Loops that go together until the first exit; then come loops that end together."""


PLAN = Plan(
    question=20.0,
    together=Part(0.6),
)
