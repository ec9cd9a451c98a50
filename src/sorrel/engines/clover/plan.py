"""What clover may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    calls: Part
    """Bounds of calls."""
    calls_question: float
    scans: Part
    """Loops over arrays, by runs."""
    linear: Part
    """Where there are nonlinear terms, for clauses without them."""
    warm_up: Part
    warm_up_enough: float
    """Forward search stops warming up after so much, if it has seen a few levels."""
    tables: Part
    pool: Part
    """A share: where templates do not fit, the rules and the forward search get the rest."""
    pool_each: float
    """More for the pool, for each predicate."""
    smaller: Part
    """Of the pool, for the system with smaller numbers."""
    smaller_forward: Part
    templates: Part
    """For the rules, each time that they ask."""
    question: float
    rules_question: float
    """For the search by rules."""
    templates_question: float
    """Whether templates say more than is known."""
    redundant: float
    """Whether what is known of a procedure follows from what is new."""
    implied: float
    """Whether a fact follows from those before it."""
    weaker: float
    """Whether a cube implies a congruence."""
    interpolation: float
    """Between a body and its environment."""
    body: float
    """A body without its own variables, by rule."""
    samples: Part
    """Points of facts that are known, for guesses."""
    forward: float
    """Forward search gets so much of what the rules take, beyond its start."""
    forward_of_values: float
    """The same where queries ask for values."""


PLAN = Plan(
    calls=Part(0.6, 120.0),
    calls_question=5.0,
    scans=Part(0.3, 15.0),
    linear=Part(0.4, 120.0),
    warm_up=Part(0.2),
    warm_up_enough=1.5,
    tables=Part(0.3, 20.0),
    pool=Part(0.5, 30.0),
    pool_each=0.5,
    smaller=Part(0.6),
    smaller_forward=Part(0.5),
    templates=Part(0.3, 6.0),
    question=2.0,
    rules_question=3.0,
    templates_question=0.5,
    redundant=0.5,
    implied=0.2,
    weaker=0.2,
    interpolation=1.0,
    body=0.3,
    samples=Part(1.0),
    forward=0.5,
    forward_of_values=4.0,
)
