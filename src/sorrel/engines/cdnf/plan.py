"""What cdnf may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    functional: float
    """Whether the clauses are functions at all, before the search."""
    functional_question: float
    guesses: Part
    """What is inductive among guesses, each time that there are some."""
    tidying: Part
    """What of a summary is needed."""
    in_arithmetic: Part
    """Formulas in the place of what was learned."""


PLAN = Plan(
    functional=5.0,
    functional_question=2.0,
    guesses=Part(0.5, 60.0),
    tidying=Part(0.3, 20.0),
    in_arithmetic=Part(0.3, 10.0),
)
