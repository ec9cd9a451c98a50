"""What the post between lanes may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    checking: Part
    """Facts that another lane has told."""
    checking_question: float


PLAN = Plan(
    checking=Part(0.1, 2.0),
    checking_question=1.0,
)
