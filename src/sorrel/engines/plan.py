"""What engines of one module may use for what, in planned seconds (docs/plans.md).

The table of slices is in `slices.py`.
"""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    question: float
    """Where an engine does not say how long a question may take."""
    preparation: Part
    """Passes before the search; most take far less."""
    evaluation_question: float
    lines_question: float
    unwind_question: float
    """Whether there is a fact that somebody asks for, or a query that fails, among the facts that are known."""
    backward_step: float
    """For one clause at one level: what leads there, without its other variables."""
    backward_question: float
    """For one clause at one level: whether that is new."""
    evidence_slices: float
    """A variant and its evidence, once it says what the answer is, may take so many slices: what has no evidence by
    then has another turn, and does not keep the others from theirs."""
    evidence_least: float
    """So much may they take at least."""
    facts: float
    """Spacer with what others have proved, each time that they have proved more, for slices of length 1."""


PLAN = Plan(
    question=10.0,
    preparation=Part(0.5),
    evaluation_question=1.0,
    lines_question=2.0,
    unwind_question=2.0,
    backward_step=2.0,
    backward_question=2.0,
    evidence_slices=3.0,
    evidence_least=5.0,
    facts=3.0,
)
