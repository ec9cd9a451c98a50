"""Ranges of elements end where loops write: at multiples of a counter, and at both ends of an array."""

from __future__ import annotations

import pytest

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.guess.tiles import index_terms, offsets, strides
from sorrel.horn.verdict import Safe
from sorrel.model.budget import Budget

LOOP = """(set-logic HORN)
(declare-fun P (Int Int Int (Array Int Int)) Bool)
(declare-fun Q (Int Int) Bool)
(assert (forall ((n Int) (v Int) (a (Array Int Int))) (P 0 n v a)))
(assert (forall ((i Int) (n Int) (v Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i n v a) (< i n) (= b {written})) (P (+ i 1) n v b))))
(assert (forall ((i Int) (n Int) (v Int) (a (Array Int Int))) (=> (and (P i n v a) (< n i)) (Q i n))))
(assert (forall ((i Int) (n Int) (v Int) (a (Array Int Int)) (j Int))
  (=> (and (P i n v a) (>= i n) (<= 0 j) (< j n) (not {claimed})) false)))
(check-sat)
"""
COPY = """(set-logic HORN)
(declare-fun P (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (P 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i n a b) (< i n)) (P (+ i 1) n a (store b (+ i 1) (select a i))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (j Int))
  (=> (and (P i n a b) (>= i n) (<= 1 j) (<= j n) (not (= (select b j) (select a (- j 1))))) false)))
(check-sat)
"""
PAIRS = "(store (store a (* 2 i) 3) (+ (* 2 i) 1) 5)"
BACKWARDS = "(store a (- (- n 1) i) v)"
OFFSET = "(store a (+ i 2) v)"
THIRDS = "(store (store a (+ (* 3 i) 2) v) (* 3 i) 1)"
BOTH_ENDS = "(store (store a i v) (- (- (* 2 n) 1) i) v)"


def test_ends_of_ranges_are_sums_that_are_indices_without_what_is_added() -> None:
    found = index_terms(read_text(LOOP.format(written=BACKWARDS, claimed="true")))
    assert [str(term) for term in found["P"]] == ["n - i"]
    assert [str(term) for term in found["Q"]] == ["n - i"]  # its formals have the same names


def test_what_is_written_a_few_places_ahead_ends_there() -> None:
    system = read_text(LOOP.format(written=OFFSET, claimed="true"))
    assert [str(term) for term in index_terms(system)["P"]] == ["i + 2", "n + 2", "v + 2"]
    assert offsets(system) == (2,)
    assert strides(system) == ()


@pytest.mark.long
def test_an_element_is_that_of_another_array_some_places_before() -> None:
    system = read_text(COPY)
    verdict = Clover(CloverOptions()).solve(system, Circumstances(Budget(seconds=90).start()), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)


def test_strides_are_factors_of_counters() -> None:
    assert strides(read_text(LOOP.format(written=THIRDS, claimed="true"))) == (3,)


@pytest.mark.parametrize(
    ("written", "claimed"),
    [
        (PAIRS, "(= (+ (select a (* 2 j)) (select a (+ (* 2 j) 1))) 8)"),
        pytest.param(BACKWARDS, "(= (select a j) v)", marks=pytest.mark.long),
        pytest.param(THIRDS, "(= (select a (+ (* 3 j) 2)) v)", marks=pytest.mark.long),
        pytest.param(BOTH_ENDS, "(= (select a j) (select a (- (- (* 2 n) 1) j)))", marks=pytest.mark.long),
        pytest.param(OFFSET, "(= (select a (+ j 2)) v)", marks=pytest.mark.long),
        pytest.param("(store a i (+ (* 2 i) v))", "(= (select a j) (+ j j v))", marks=pytest.mark.long),
        pytest.param("(store a (* 2 i) (+ i v))", "(= (- (select a (* 2 j)) v) j)", marks=pytest.mark.long),
    ],
    ids=["pairs", "backwards", "thirds", "both ends", "offset", "sums", "halves"],
)
def test_what_a_loop_writes_in_tiles_is_proved_of_all_elements(written: str, claimed: str) -> None:
    system = read_text(LOOP.format(written=written, claimed=claimed))
    verdict = Clover(CloverOptions()).solve(system, Circumstances(Budget(seconds=600).start()), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)
