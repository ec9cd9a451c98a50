"""What guesses and their filters may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    pool_round: Part
    """One round of the pool: one that is too large must not take the chance of the next."""
    scans_round: Part
    calls_round: Part
    """One round of bounds of calls."""
    facts_question: float
    """For facts of parts of a system."""
    group: float
    """Whether guesses that a solver did not decide together hold, half of them at a time."""
    sum: float
    """What a solver does not decide about all sums at once it is asked about each of them, for so long."""
    literal: float
    """The same of literals in contexts."""
    body: float
    """A body without its own variables, by clause."""
    point: float
    """A point of a fact, for samples."""
    missing_question: float
    """Whether a query fails with what is known."""
    missing_projection: float
    """What is missing, over the arguments of a call."""
    scout: Part
    """Samples of procedures, before tables."""
    scout_question: float
    pieces: Part
    """Which pieces of functions hold."""
    pieces_question: float
    table_question: float
    """For one entry of a table, and whether more are asked for."""


PLAN = Plan(
    pool_round=Part(0.6),
    scans_round=Part(0.6),
    calls_round=Part(0.75),
    facts_question=1.0,
    group=0.3,
    sum=1.0,
    literal=2.0,
    body=0.5,
    point=0.5,
    missing_question=1.0,
    missing_projection=2.0,
    scout=Part(0.3),
    scout_question=1.0,
    pieces=Part(0.4),
    pieces_question=1.0,
    table_question=2.0,
)
