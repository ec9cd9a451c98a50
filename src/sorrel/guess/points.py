"""Concrete derivable points of predicates: they refute a wrong guess without a solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from sorrel.logic import terms
from sorrel.logic.cubes import only_point
from sorrel.logic.evaluate import assignment_from
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Result, Sat, Session, Undecided

Number: TypeAlias = int | bool | Fraction
Point: TypeAlias = tuple[Number | None, ...]
"""One value for each view; None where it is not numeric."""

STEPS = (0, 0, 2, 7)
"""How far apart samples are: near ones for congruences, far ones for bounds."""


def sample(
    formula: Term, formals: Sequence[Term], oracle: Oracle, most: int = 4, views: Sequence[Term] = ()
) -> Iterator[dict[Term, Term]]:
    """Values of the formals that differ, some of them far apart.

    `views` are terms over the formals that shall differ too, such as elements of arrays.
    """
    alone = only_point(formula, formals)
    if alone is not None:
        yield alone
        return
    session = oracle.session("sample")
    session.add(formula)
    told_apart = views or formals
    seen: dict[Term, Term] = {}
    for step in STEPS[:most]:
        result = _far(session, told_apart, seen, step) if seen else session.check(seconds=0.5)
        match result:
            case Sat(model):
                pass
            case _:
                return
        seen = assignment_from(model, told_apart)
        yield assignment_from(model, formals)
        session.add(terms.disjunction(terms.distinct(v, seen[v]) for v in told_apart if not terms.is_array(v)))


def _far(session: Session, views: Sequence[Term], seen: dict[Term, Term], step: int) -> Result:
    """A point at some distance from the last one if there is one, or else any other."""
    numeric = [view for view in views if terms.is_arithmetic(view)]
    session.push()
    session.add(terms.disjunction(p for v in numeric for p in (v > seen[v] + step, v < seen[v] - step)))
    result = session.check(seconds=0.5) if numeric else Undecided("no numbers")
    session.pop()
    return result if isinstance(result, Sat) else session.check(seconds=0.5)
