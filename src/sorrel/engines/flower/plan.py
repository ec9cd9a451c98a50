"""What flower may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    guesses: Part
    """Before the rules of clover get the rest."""
    question: float
    roles: float
    """Whether results agree where arguments do, for one clause."""
    directed: Part
    """Guesses that the rules ask for, each time."""
    directed_question: float


PLAN = Plan(
    guesses=Part(0.6),
    question=10.0,
    roles=0.5,
    directed=Part(0.2, 5.0),
    directed_question=1.0,
)
