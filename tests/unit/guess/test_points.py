"""Points of facts: what a fact leaves open does not look as if it were written."""

from __future__ import annotations

from sorrel.guess.points import sample, with_open_elements
from sorrel.logic import operations, terms
from sorrel.logic.evaluate import evaluate
from sorrel.smt.solver import Oracle

ARRAY = terms.variable("a", terms.array_sort(terms.INT, terms.INT))
SIZE = terms.variable("n", terms.INT)
WRITTEN = terms.conjunction(
    [SIZE == 2, terms.select(ARRAY, terms.integer(0)) == -1, terms.select(ARRAY, terms.integer(1)) == -1]
)


def element(point: dict[terms.Term, terms.Term], index: int) -> int | None:
    value = terms.as_number(evaluate(terms.select(point[ARRAY], terms.integer(index)), {}))
    return int(value) if value is not None else None


def test_elements_that_a_fact_leaves_open_differ_from_those_that_it_tells() -> None:
    same = {SIZE: terms.integer(2), ARRAY: operations.filled(terms.INT, terms.integer(-1))}
    found = with_open_elements(WRITTEN, same)
    assert terms.is_true(evaluate(WRITTEN, found))
    assert [element(found, index) for index in (0, 1)] == [-1, -1]
    assert -1 not in [element(found, index) for index in (-2, -1, 2, 3, 50)]


def test_an_array_that_is_told_as_a_whole_stays_as_it_is() -> None:
    whole = operations.filled(terms.INT, terms.integer(7))
    point = {SIZE: terms.integer(2), ARRAY: whole}
    assert with_open_elements(terms.equal(ARRAY, whole), point) == point


def test_samples_of_a_fact_are_points_of_it() -> None:
    found = list(sample(WRITTEN, [SIZE, ARRAY], Oracle()))
    assert len(found) > 1
    assert all(terms.is_true(evaluate(WRITTEN, point)) for point in found)
