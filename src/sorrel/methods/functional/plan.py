"""What methods about functional programs may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    probe: float
    """Running a program before anything else."""
    lasso: float
    """A call that comes to itself, by running."""
    near: float
    """Runs with the numbers of a derivation."""
    facts_check: float
    """Whether facts are a proof already."""
    measures: Part
    """Types that tell what data measures, for each group of measures."""
    overflow: Part
    """Whether numbers stay within their type."""
    types: Part
    """Types that a proof gives, for reading."""
    types_question: float
    offered: Part
    """Types where they are all that is asked for."""
    offered_question: float
    runs: float
    """Runs of one function that may contradict its type."""


PLAN = Plan(
    probe=1.0,
    lasso=1.0,
    near=1.0,
    facts_check=5.0,
    measures=Part(0.3, 4.0),
    overflow=Part(0.3, 0.6),
    types=Part(0.5, 3.0),
    types_question=0.5,
    offered=Part(0.5, 20.0),
    offered_question=0.5,
    runs=0.2,
)
