"""Small numbers in place of large ones: relations between them are kept, and terms find their way back."""

from __future__ import annotations

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.frontends.smtlib import read_text
from sorrel.guess.shrinking import shrink
from sorrel.horn.verdict import Safe
from sorrel.logic import terms, walk
from sorrel.model.budget import Budget

FILLED = """(set-logic HORN)
(declare-fun fill (Int (Array Int Int)) Bool)
(declare-fun look (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (fill 0 a)))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (< i SIZE)) (fill (+ i 1) (store a i 7)))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (>= i SIZE)) (look 0 a))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (look i a) (< i SIZE)) (look (+ i 1) a))))
(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (look i a) (<= 0 i) (< i SIZE) (distinct (select a i) 7)) false)))
(check-sat)
"""


def test_multiples_stay_multiples_and_neighbours_neighbours() -> None:
    system = read_text(FILLED.replace("(look 0 a)", "(look (ite (< i 3000) 2999 3001) a)").replace("SIZE", "1000"))
    smaller = shrink(system)
    assert smaller is not None
    back = {terms.as_number(image): terms.as_number(number) for image, number in smaller.pairs}
    (unit,) = [image for image, number in back.items() if number == 1000]
    assert isinstance(unit, int)
    assert [back[3 * unit + near] for near in (-1, 0, 1)] == [2999, 3000, 3001]
    assert max(n for clause in smaller.system.clauses for n in walk.numerals(clause.constraint)) < 100


def test_a_term_about_the_smaller_system_becomes_one_about_the_first() -> None:
    system = read_text(FILLED.replace("SIZE", "1000"))
    smaller = shrink(system)
    assert smaller is not None
    i = terms.variable("i", terms.INT)
    image, number = smaller.pairs[0]
    assert terms.same(smaller.grow(i < image), i < number)


def test_small_numbers_and_limits_of_types_stay_as_they_are() -> None:
    assert shrink(read_text(FILLED.replace("SIZE", "12"))) is None
    assert shrink(read_text(FILLED.replace("SIZE", "2147483647"))) is None


def test_elements_are_known_behind_a_loop_that_runs_for_long() -> None:
    system = read_text(FILLED.replace("SIZE", "100000"))
    verdict = Clover(CloverOptions(scans=False)).solve(system, Circumstances(Budget(seconds=120).start()), {})
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("decided by the pool",)
