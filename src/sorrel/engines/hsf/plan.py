"""What hsf may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    refinements: tuple[float, ...]
    """For each method of refinement: first a little, and more if none of them came to an end."""
    abstraction: float
    """What follows from facts in predicates, many at once."""
    abstraction_each: float
    """A single predicate, where the solver could not decide them together."""
    dropping: float
    """Whether a counterexample is one without some of its parts."""
    graph: float
    """A part of the time left, for a graph that stands for many derivations."""
    superfluous_rank: float
    kept_back: Part
    """For finding out which predicates are inductive, to hand over as facts."""
    facts: Part
    facts_question: float


PLAN = Plan(
    question=30.0,
    refinements=(2.0, 20.0),
    abstraction=2.0,
    abstraction_each=0.2,
    dropping=0.1,
    graph=0.5,
    superfluous_rank=1.0,
    kept_back=Part(0.1, 2.0),
    facts=Part(0.5, 2.0),
    facts_question=0.5,
)
