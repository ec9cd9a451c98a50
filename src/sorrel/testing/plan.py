"""What looking for counterexamples by runs may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    recurrence_question: float
    """Whether states that a round should come back to can be left."""


PLAN = Plan(
    recurrence_question=5.0,
)
