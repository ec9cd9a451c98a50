"""What methods about termination may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    lasso: Part
    """By running."""
    recurrence: Part
    """A loop that need not be left."""
    recurrence_question: float
    question: float
    facts: Part
    """Facts from templates."""
    facts_question: float
    sampling: Part
    """Of the time for facts, for points."""
    distances: Part
    """Of the time for facts, for one set of bounds: it must leave some for the others."""
    distances_question: float
    kept_back: Part
    """Kept back from an engine so that its answer can still be lifted and checked."""


PLAN = Plan(
    lasso=Part(0.2, 3.0),
    recurrence=Part(0.1, 5.0),
    recurrence_question=2.0,
    question=2.0,
    facts=Part(0.7),
    facts_question=1.0,
    sampling=Part(0.3, 2.0),
    distances=Part(0.3),
    distances_question=1.0,
    kept_back=Part(0.1, 1.0),
)
