"""What whale may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    kept_back: Part
    """For finding out which contracts are inductive, to hand over as facts."""
    facts: Part
    facts_question: float
    walk: Part
    explore: Part
    round: Part
    """For one round of guesses: what a round that is cut short has found is lost."""
    round_question: float


PLAN = Plan(
    question=30.0,
    kept_back=Part(0.1, 2.0),
    facts=Part(0.5, 2.0),
    facts_question=0.5,
    walk=Part(0.3, 15.0),
    explore=Part(0.1, 8.0),
    round=Part(0.7),
    round_question=10.0,
)
