"""What hsf may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    refinements: tuple[float, ...]
    """For each method of refinement: first a little, and more if none of them came to an end."""
    kept_back: Part
    """For finding out which predicates are inductive, to hand over as facts."""
    facts: Part
    facts_question: float


PLAN = Plan(
    question=30.0,
    refinements=(2.0, 20.0),
    kept_back=Part(0.1, 2.0),
    facts=Part(0.5, 2.0),
    facts_question=0.5,
)
