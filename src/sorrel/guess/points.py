"""Concrete derivable points of predicates: they refute a wrong guess without a solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat

Number: TypeAlias = int | bool | Fraction
Point: TypeAlias = tuple[Number | None, ...]
"""One value for each view; None where it is not numeric."""

STEPS = (0, 1, 7, 30)
"""How far apart samples are: near ones for congruences, far ones for bounds."""


def sample(
    formula: Term, formals: Sequence[Term], oracle: Oracle, most: int = 4, views: Sequence[Term] = ()
) -> Iterator[dict[Term, Term]]:
    """Values of the formals that lie apart: each differs from the ones before in a direction of its own.

    `views` are terms over the formals that shall differ too, such as elements of arrays.
    """
    session = oracle.session("sample")
    session.add(formula)
    told_apart = views or formals
    for direction in range(most):
        match session.check(seconds=0.5):
            case Sat(model):
                values = assignment_from(model, formals)
                seen = assignment_from(model, told_apart)
            case _:
                return
        yield values
        apart = [_away(view, seen[view], direction, STEPS[direction % len(STEPS)]) for view in told_apart]
        session.add(terms.disjunction(part for part in apart if part is not None))


def _away(view: Term, value: Term, direction: int, step: int) -> Term | None:
    if not terms.is_arithmetic(view):
        return terms.distinct(view, value) if not terms.is_array(view) else None
    return view > value + step if direction % 2 == 0 else view < value - step
