"""What ranges may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    query: float
    """Whether a query is possible, or a clause goes beyond its limits."""
    limit: float
    """One limit, where that is not clear of all at once."""
    linear: Part
    """Clauses in which bounded variables stand for products."""
    wraps: Part
    """Clauses in which bounded variables stand for numbers that are cut off."""


PLAN = Plan(query=2.0, limit=0.5, linear=Part(0.5), wraps=Part(0.7))
