"""What telling contracts may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    slimming: Part
    """A proof without what it does not need."""
    slimming_question: float
    slimming_check: float
    """Whether a slimmed proof passes."""
    missing: Part
    """A fact that would be enough."""
    missing_question: float
    contracts: Part
    """What is told of a program."""
    contracts_question: float
    shorter: Part
    """Facts in the place of long contracts."""
    needs: Part
    """Bounds and cases of what is told, and what callers rely on."""
    needs_question: float
    inference: Part
    """Facts from templates for every predicate."""
    inference_question: float
    forward: Part
    """A few levels of facts, for points."""
    points_question: float
    plain_question: float
    """For facts without conditions."""
    running: float
    """Runs that may contradict what is told: all conditions of a program together."""
    ranks_running: float
    """The same for a rank."""
    drawing: float
    """The values of ranks in a run."""


PLAN = Plan(
    slimming=Part(0.2, 2.0),
    slimming_question=1.0,
    slimming_check=2.0,
    missing=Part(0.5, 3.0),
    missing_question=1.0,
    contracts=Part(0.5, 5.0),
    contracts_question=1.0,
    shorter=Part(0.2, 5.0),
    needs=Part(0.5, 5.0),
    needs_question=0.5,
    inference=Part(0.8, 10.0),
    inference_question=2.0,
    forward=Part(0.3, 2.0),
    points_question=1.0,
    plain_question=1.0,
    running=0.3,
    ranks_running=0.3,
    drawing=0.2,
)
