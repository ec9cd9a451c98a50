"""Concrete derivable points of predicates: they refute a wrong guess without a solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from sorrel.guess.plan import PLAN
from sorrel.logic import operations, terms
from sorrel.logic.cubes import only_point
from sorrel.logic.evaluate import assignment_from, evaluate
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Result, Sat, Session, Undecided

Number: TypeAlias = int | bool | Fraction
Point: TypeAlias = tuple[Number | None, ...]
"""One value for each view; None where it is not numeric."""

STEPS = (0, 0, 2, 7)
"""How far apart samples are: near ones for congruences, far ones for bounds."""


MOST_LOOSE, UNLIKELY, SCATTER = 16, 4_711, 7_919
"""Elements of an array that are looked at one by one, where the values of those that are left open begin, and a prime
number modulo which powers of three have no simple relation to each other."""


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
    is_first = True
    for step in STEPS[:most]:
        result = _far(session, told_apart, seen, step) if seen else session.check(seconds=PLAN.point)
        match result:
            case Sat(model):
                pass
            case _:
                return
        seen = assignment_from(model, told_apart)
        found = assignment_from(model, formals)
        yield found
        if is_first and any(map(terms.is_integer_indexed, formals)):
            yield with_open_elements(formula, found)
        is_first = False
        session.add(terms.disjunction(terms.distinct(v, seen[v]) for v in told_apart if not terms.is_array(v)))


def with_open_elements(formula: Term, point: Mapping[Term, Term]) -> dict[Term, Term]:
    """The point with elements that the formula leaves open as they hardly are by chance.

    A solver likes to give all elements the same value; what a loop has not written yet would look as if it had.
    """
    found = dict(point)
    numbers = [terms.as_number(value) for formal, value in point.items() if terms.is_integer(formal)]
    near = [int(n) + step for n in numbers if n is not None for step in (-1, 0, 1)]
    indices = list(dict.fromkeys([*near, *range(-2, 6)]))[:MOST_LOOSE]
    for formal in point:
        if not terms.is_integer_indexed(formal) or not terms.is_integer(terms.select(formal, terms.integer(0))):
            continue
        loose = operations.filled(terms.INT, terms.integer(UNLIKELY))
        for index in map(terms.integer, indices):
            loose = operations.store(loose, index, evaluate(terms.select(point[formal], index), {}))
        if terms.is_true(evaluate(formula, {**found, formal: loose})):
            found[formal] = _loosened(formula, found, formal, loose, indices)
    return found


def _loosened(formula: Term, point: Mapping[Term, Term], formal: Term, array: Term, indices: Sequence[int]) -> Term:
    """The array with other elements at those of the indices where the formula allows for it."""
    for number, index in enumerate(indices):
        other = operations.store(array, terms.integer(index), terms.integer(UNLIKELY + pow(3, number + 5, SCATTER)))
        if terms.is_true(evaluate(formula, {**point, formal: other})):
            array = other
    return array


def _far(session: Session, views: Sequence[Term], seen: dict[Term, Term], step: int) -> Result:
    """A point at some distance from the last one if there is one, or else any other."""
    numeric = [view for view in views if terms.is_arithmetic(view)]
    session.push()
    session.add(terms.disjunction(p for v in numeric for p in (v > seen[v] + step, v < seen[v] - step)))
    result = session.check(seconds=PLAN.point) if numeric else Undecided("no numbers")
    session.pop()
    return result if isinstance(result, Sat) else session.check(seconds=PLAN.point)
