"""What elements of arrays are: functions of their index, of arguments and of other elements at the same index.

A loop writes elements one after the other, and what it writes is mostly a sum with few terms: the index, an argument,
an element of another array, a square of the index. Which one is read off points: the equation that fits all of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import chain, combinations

from sorrel.guess.affine import affine_combinations
from sorrel.guess.atoms import MOST_RELATED, Guess, Views, scalar_views
from sorrel.guess.points import Number, Point
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.work import METER

LEAST_POINTS, MOST_FITTED = 4, 12
"""Fewer points fit equations that mean nothing; more are only looked at, not fitted."""
MOST_FEATURES = 8
FITTING = 500
"""Units of work for trying to fit an equation."""
Factors = tuple[int, ...]
"""The positions of views that are multiplied; of one view, the view itself."""


def element_atoms(
    views: Views, points: Sequence[Point], squares: bool, without: Container[int] = ()
) -> Iterator[Guess]:
    """Equations for elements with one further term besides the index, or with two; those with fewer come first.

    With `squares` also products of the index with itself and with arguments; none for elements `without`.
    """
    if len(points) < LEAST_POINTS:
        return
    for position, view in enumerate(views):
        if view.index is None or view.near or position in without or not _are_numbers(points, position):
            continue
        found = _equation(views, points, position, _features(views, points, position, squares))
        if found is not None:
            yield found


def _features(views: Views, points: Sequence[Point], element: int, squares: bool) -> list[Factors]:
    """What an element may depend on: its index, elements of other arrays there or near, arguments, and products."""
    index = views[element].index or 0
    beside = [i for i, view in enumerate(views) if i != element and view.index == index]
    scalars = [i for i in scalar_views(views)[:MOST_RELATED] if i != index]
    usable = [i for i in (index, *beside, *scalars) if _are_numbers(points, i)]
    alike = [(i,) for i in usable if terms.same_sort(views[i].term, views[element].term)]
    products = [(index, index), *((index, i) for i in scalars if _are_numbers(points, i))] if squares else []
    varying = [factors for factors in [*alike, *products] if len({_product(p, factors) for p in points}) > 1]
    return varying[:MOST_FEATURES]


def _equation(views: Views, points: Sequence[Point], element: int, features: Sequence[Factors]) -> Guess | None:
    """The first that fits all points, with no more terms than needed."""
    fitted = points[:: -(-len(points) // MOST_FITTED)]
    for chosen in chain(((f,) for f in features), combinations(features, 2)):
        METER.add(FITTING)
        columns = [*chosen, (element,)]
        rows = ([_product(point, factors) for factors in columns] for point in fitted)
        solutions = [solution for solution in affine_combinations(rows, len(columns)) if solution[len(chosen)]]
        if len(solutions) != 1:
            continue
        *weights, constant = solutions[0]
        found = _atom(views, dict(zip(columns, weights, strict=True)), -constant)
        if all(map(found.holds, points)):
            return found
    return None


def _atom(views: Views, weights: dict[Factors, int], constant: int) -> Guess:
    used = {factors: weight for factors, weight in weights.items() if weight}
    shown = " + ".join(f"{w}*{'*'.join(views[i].label for i in factors)}" for factors, w in used.items())
    return Guess(
        lambda point: sum(w * _product(point, factors) for factors, w in used.items()) == constant,
        lambda there: terms.total([w * _term(there, factors) for factors, w in used.items()]) == constant,
        f"{shown} == {constant}",
        shown,
        "==",
        about=frozenset(i for factors in used for i in factors),
    )


def _product(point: Point, factors: Factors) -> Number:
    result: Number = 1
    for i in factors:
        result = result * (point[i] or 0)
    return result


def _term(views: Sequence[Term], factors: Factors) -> Term:
    result = views[factors[0]]
    for i in factors[1:]:
        result = result * views[i]
    return result


def _are_numbers(points: Sequence[Point], position: int) -> bool:
    return all(type(point[position]) is int for point in points)
