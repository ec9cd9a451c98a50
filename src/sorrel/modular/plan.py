"""What the search for contracts of components may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    exact: Part
    """Exact summaries."""
    exact_question: float
    facts: Part
    """Facts from templates, for components with recursion."""
    ranges: Part
    """Ranges of results, for components without."""
    ranges_question: float
    excluded_question: float
    """Whether facts exclude an error already."""
    plain: float
    """Summaries without quantifiers, where the first had some."""
    plain_question: float
    slimming: float
    """On a clock of its own: a long contract costs everyone who checks it, time after time."""
    slimming_question: float
    standing: float
    """How an assertion stands under contracts."""
    standing_projection: float
    """What a caller has to grant."""
    probe: float
    """Running a program."""
    exploring: float
    """From state to state."""
    lasso: float
    """Runs that come back."""
    packing: float
    """The contract of one function in C."""
    packing_question: float
    compared_probe: float
    """Running two versions of a function."""
    compared_exploring: Part
    """Both from state to state."""
    compared_loops: Part
    """Both loop by loop."""
    compared_whole: Part
    """One after the other."""
    shown: float
    """The contract of one function in a report."""
    shown_question: float
    shown_together: float
    """Those of all: functions that come later have none."""
    told: float
    """The words of a contract that has changed."""
    told_question: float
    strength: float
    """Which of two contracts says more."""
    strength_question: float


PLAN = Plan(
    exact=Part(0.5, 3.0),
    exact_question=1.0,
    facts=Part(0.5, 4.0),
    ranges=Part(0.5, 4.0),
    ranges_question=1.0,
    excluded_question=1.0,
    plain=10.0,
    plain_question=2.0,
    slimming=2.0,
    slimming_question=1.0,
    standing=2.0,
    standing_projection=2.0,
    probe=0.25,
    exploring=2.0,
    lasso=2.0,
    packing=20.0,
    packing_question=4.0,
    compared_probe=1.0,
    compared_exploring=Part(0.2, 2.0),
    compared_loops=Part(0.2),
    compared_whole=Part(0.3),
    shown=2.0,
    shown_question=0.5,
    shown_together=20.0,
    told=3.0,
    told_question=0.5,
    strength=3.0,
    strength_question=1.0,
)
