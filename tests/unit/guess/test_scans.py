"""Loops over arrays: runs on concrete values show which elements have been gone over, and what holds of them."""

from __future__ import annotations

import pytest

from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.guess.asked import asked_of_elements
from sorrel.guess.runs import states
from sorrel.guess.scans import scan
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.logic.compiled import Cells, rule
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics

FILL = """(set-logic HORN)
(declare-fun P (Int Int (Array Int Int)) Bool)
(declare-fun Q (Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (> n 0) (P 0 n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (x Int))
  (=> (and (P i n a) (< i n) {written}) (P (+ i 1) n (store a i x)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (P i n a) (>= i n)) (Q 0 0 n a))))
(assert (forall ((i Int) (s Int) (n Int) (a (Array Int Int)))
  (=> (and (Q i s n a) (< i n)) (Q (+ i 1) {next} n a))))
(assert (forall ((i Int) (s Int) (n Int) (a (Array Int Int)) (j Int))
  (=> (and (Q i s n a) (>= i n) (<= 0 j) (< j n) (not {claimed})) false)))
(check-sat)
"""
SUM = "(+ s (select a i))"
PLACE = "(ite (< (select a i) (select a s)) i s)"


def scanned(written: str, after: str, claimed: str) -> bool:
    """Is it proved, by a certificate that the checker takes?"""
    system = read_text(FILL.format(written=written, next=after, claimed=claimed))
    found = scan(system, Oracle(Budget(seconds=20).start(), Statistics(), query_seconds=2.0), {})
    if found is None:
        return False
    assert isinstance(check(system, Safe(found)), Accepted)
    return True


@pytest.mark.parametrize(
    ("written", "after", "claimed"),
    [
        ("(<= 2 x 5)", SUM, "(<= (* 2 n) s (* 5 n))"),
        ("true", PLACE, "(<= (select a s) (select a j))"),
    ],
    ids=["bounds of a sum by those of its elements", "the element at another variable compared with all"],
)
def test_what_holds_of_all_elements_is_proved(written: str, after: str, claimed: str) -> None:
    assert scanned(written, after, claimed)


def test_a_sum_is_not_smaller_than_it_can_be() -> None:
    assert not scanned("(<= 2 x 5)", SUM, "(<= s (* 4 n))")


def test_runs_are_derivable_states() -> None:
    system = read_text(FILL.format(written="(<= 2 x 5)", next=SUM, claimed="true"))
    found = states(system, Budget(seconds=5).start())
    assert found is not None
    assert found["Q"]
    for done, total, length, array in found["Q"]:
        assert isinstance(done, int)
        assert isinstance(length, int)
        assert isinstance(array, Cells)
        assert all(2 <= array.at(index) <= 5 for index in range(length))
        assert total == sum(map(array.at, range(done)))


def test_what_a_query_asks_of_one_element_is_a_guess_about_all() -> None:
    index = terms.variable("index!", terms.INT)
    system = read_text(FILL.format(written="true", next=SUM, claimed="(< (select a j) 7)"))
    assert [str(asked) for asked in asked_of_elements(system, index)["Q"]] == ["Not(7 <= a[index!])"]


def test_arrays_are_calculated_as_what_was_written() -> None:
    array = terms.variable("a", terms.array_sort(terms.INT, terms.INT))
    i = terms.variable("i", terms.INT)
    stored = terms.select(array, i) + 1
    run = rule([array, i], i >= 0, [stored])
    assert run([Cells({3: 4}), 3]) == (5,)
    assert run([Cells({}, rest=9), 0]) == (10,)
    assert run([Cells({}, rest=9), -1]) is None
