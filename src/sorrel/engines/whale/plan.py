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
    whole: float
    """One formula of a whole under-approximation; then Spacer is asked."""
    reuse: float
    """Whether contracts that are there already say what is asked for."""
    cover: float
    """Whether smaller contracts say what one says."""
    guard: float
    """Which parts of a guard are needed, for one path."""
    inductive: float
    interpolation: tuple[float, ...]
    """For each way to an interpolant: first a short time, and a longer one if none of them led to one."""
    blocking: float
    """Excluding violations cube by cube makes progress all the time: it may take this part of the time left."""
    step: float
    """A step of a walk."""
    compose: float
    """An execution made of others."""
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
    whole=5.0,
    reuse=5.0,
    cover=5.0,
    guard=5.0,
    inductive=1.0,
    interpolation=(10.0, 60.0),
    blocking=0.3,
    step=1.0,
    compose=1.0,
    walk=Part(0.3, 15.0),
    explore=Part(0.1, 8.0),
    round=Part(0.7),
    round_question=10.0,
)
