"""What questions to solvers may use where nobody says otherwise, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    redundant: float
    """Whether a conjunct follows from the others."""
    cube: float
    """One cube of a formula."""
    projection: float
    """An equivalent formula without some variables."""
    projection_over: float
    """The same, where a weaker one will do."""
    covering: float
    """A part of the time of a projection, for cubes; then come other ways."""
    interpolation: float
    interpolation_parts: int
    """One of so many parts of the time that is left is for the weakest interpolant."""
    interpolation_by_spacer: float
    highest: float
    """The largest value of a sum in a cube."""
    multipliers: float
    """For adding up inequalities to a contradiction."""
    rank: float
    exact_clause: float
    """What one clause derives, exactly."""
    recursion_free: float
    """For a solution of a system that has one, by Spacer."""
    quick: float
    """For a first attempt at a clause: most are seen to be valid in a hundredth of that."""
    strongest: float
    """What one clause derives at most, without its own variables."""
    weakest: float
    """What a call must not return, without other variables."""
    refinement: float
    """For each method of refinement."""


PLAN = Plan(
    question=10.0,
    redundant=1.0,
    cube=2.0,
    projection=2.0,
    projection_over=2.0,
    covering=0.5,
    interpolation=2.0,
    interpolation_parts=3,
    interpolation_by_spacer=0.2,
    highest=0.5,
    multipliers=1.0,
    rank=2.0,
    exact_clause=1.0,
    recursion_free=5.0,
    quick=0.1,
    strongest=1.0,
    weakest=1.0,
    refinement=2.0,
)
