"""Concrete derivable points of predicates, as plain numbers: they refute a wrong guess without a solver."""

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
"""One value for each argument; None where the sort is not numeric."""


def sample(formula: Term, formals: Sequence[Term], oracle: Oracle, most: int = 4) -> Iterator[Point]:
    """Points of a formula that lie apart: each differs from the ones before in a direction of its own."""
    session = oracle.session("sample")
    session.add(formula)
    for direction in range(most):
        match session.check(seconds=0.5):
            case Sat(model):
                values = assignment_from(model, formals)
            case _:
                return
        yield tuple(terms.as_number(values[formal]) for formal in formals)
        apart = [_away(formal, values[formal], direction) for formal in formals]
        session.add(terms.disjunction(part for part in apart if part is not None))


def _away(formal: Term, value: Term, direction: int) -> Term | None:
    if not terms.is_arithmetic(formal):
        return terms.distinct(formal, value) if not terms.is_array(formal) else None
    return formal > value + direction if direction % 2 == 0 else formal < value - direction
