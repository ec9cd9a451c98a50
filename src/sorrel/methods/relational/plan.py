"""What methods about several runs may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    looking: Part
    """Several runs are looked at for longer than one: a leak needs two that agree in most of what they read."""
    dependences: Part
    """On what results depend, where that is all that is asked for."""
    dependences_question: float
    overflowing: Part
    """After a proof about runs that do not overflow."""
    few_rounds: Part
    """In lockstep, loops that are followed for a few rounds, which soon shows if there are more."""
    exploring: Part
    """In lockstep, other loops."""
    inductive: Part
    """What is inductive of what was explored."""
    inductive_question: float
    kept_back: Part
    """Kept back from Spacer on what was explored."""
    accepting: float
    """A share of the real time left, for checking what was explored."""
    contracts: Part
    """What holds of loops side by side."""
    contracts_question: float


PLAN = Plan(
    looking=Part(0.1, 6.0),
    dependences=Part(0.8, 30.0),
    dependences_question=2.0,
    overflowing=Part(0.5, 10.0),
    few_rounds=Part(0.7),
    exploring=Part(0.6),
    inductive=Part(0.5),
    inductive_question=10.0,
    kept_back=Part(0.1, 1.0),
    accepting=0.4,
    contracts=Part(0.5, 5.0),
    contracts_question=1.0,
)
