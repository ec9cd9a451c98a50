"""What contracts and their clauses may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    contracts: float
    """Making contracts shorter, where nobody else says how long that may take."""
    contracts_question: float
    tidying: float
    """A share of the time for contracts: what is short but was not read back is not told."""
    enumeration_question: float
    """Whether values that were listed are all."""


PLAN = Plan(
    contracts=5.0,
    contracts_question=0.5,
    tidying=0.6,
    enumeration_question=5.0,
)
