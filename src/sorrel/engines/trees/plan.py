"""What trees may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    states: Part
    """Runs of the clauses that give points to begin with."""


PLAN = Plan(
    question=2.0,
    states=Part(0.2),
)
