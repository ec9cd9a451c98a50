"""What is written into arrays is read off points: sums of the index, arguments, other elements and squares."""

from __future__ import annotations

import pytest

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.guess.elements import element_atoms
from sorrel.guess.views import View
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.model.budget import Budget

ARRAY = terms.variable("a", terms.array_sort(terms.INT, terms.INT))
INDEX, ARGUMENT = terms.variable("k", terms.INT), terms.variable("v", terms.INT)
VIEWS = [View(INDEX, "k"), View(ARGUMENT, "v"), View(terms.select(ARRAY, INDEX), "a[k]", 0)]
SQUARES = """(set-logic HORN)
(declare-fun P (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (> n 1) (P 0 n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (P i n a) (< i n)) (P (+ i 1) n (store a i (* (- i 1) (+ i 1)))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (j Int))
  (=> (and (P i n a) (>= i n) (<= 0 j) (< j n) (not (= (select a j) (- (* j j) 1)))) false)))
(check-sat)
"""


def told(values: dict[tuple[int, int], int], *, squares: bool = False) -> list[str]:
    points = [(k, v, element) for (k, v), element in values.items()]
    found = list(element_atoms(VIEWS, points, squares))
    assert all(guess.holds(point) for guess in found for point in points)
    return [str(terms.simplify(guess.build([view.term for view in VIEWS]))) for guess in found]


POSITIONS = [(0, 5), (1, 5), (2, 7), (4, -1), (7, 3)]


def test_an_element_is_its_index_and_an_argument() -> None:
    (equation,) = told({(k, v): 2 * k + v + 3 for k, v in POSITIONS})
    assert "a[k]" in equation


def test_an_equation_has_no_more_terms_than_it_needs() -> None:
    (equation,) = told({(k, v): 3 * k for k, v in POSITIONS})
    assert "v" not in equation


def test_squares_are_tried_where_clauses_multiply() -> None:
    values = {(k, v): k * k - 1 for k, v in POSITIONS}
    assert told(values) == []
    (equation,) = told(values, squares=True)
    assert "v" not in equation


@pytest.mark.parametrize("values", [{(0, 1): 5, (1, 1): 9, (2, 1): 2, (3, 4): 7, (5, 2): 1}, {(0, 1): 5, (1, 2): 6}])
def test_points_that_nothing_fits_and_too_few_points_tell_nothing(values: dict[tuple[int, int], int]) -> None:
    assert told(values) == []


def test_squares_of_indices_are_proved_of_all_elements() -> None:
    system = read_text(SQUARES)
    verdict = Clover(CloverOptions()).solve(system, Circumstances(Budget(seconds=600).start()), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)
