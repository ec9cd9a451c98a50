"""The least and the greatest value that a number has where a formula holds."""

from __future__ import annotations

import z3

from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat

FARTHEST = 1 << 20
"""Bounds that are farther from zero than this are not looked for."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """None: there is none, or none was found in time."""

    low: int | None
    high: int | None


def bounds(oracle: Oracle, formula: Term, term: Term) -> Bounds:
    """Proved: the formula implies them. By halving, since that needs no more than questions of satisfiability."""
    return Bounds(_negated(_greatest(oracle, formula, -term)), _greatest(oracle, formula, term))


def _negated(value: int | None) -> int | None:
    return None if value is None else -value


def _greatest(oracle: Oracle, formula: Term, term: Term) -> int | None:
    session = oracle.session("bounds")
    session.add(formula)
    session.push()
    session.add(term > FARTHEST)
    if not isinstance(session.check(), Unsat):
        return None
    session.pop()
    low, high = -FARTHEST, FARTHEST
    while low < high:
        middle = (low + high + 1) // 2
        session.push()
        session.add(term >= middle)
        match session.check():
            case Sat(model):
                value = model.eval(term, model_completion=True)
                low = value.as_long() if z3.is_int_value(value) else middle
            case Unsat():
                high = middle - 1
            case _:
                break
        session.pop()
    return high if terms.is_integer(term) else None
