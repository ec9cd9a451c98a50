"""Counterexamples as models of one formula, and only as long as they have to be."""

from __future__ import annotations

import pytest

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import SEVERAL_CALLS
from sorrel.engines.options import PathsOptions
from sorrel.engines.paths import Paths
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.model.budget import Budget

TWO_PLACES = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(declare-fun Q (Int Int) Bool)
(assert (forall ((x Int)) (=> (<= 0 x) (P x 0))))
(assert (forall ((x Int) (n Int) (y Int)) (=> (and (P x n) (= y (+ x x)) (< n 5)) (Q y (+ n 1)))))
(assert (forall ((x Int) (n Int)) (=> (and (Q x n) (> x 3)) (P (- x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (P x n) (= n {rounds}) (= x 33)) false)))
(check-sat)
"""
MARKED = """(set-logic HORN)
(declare-fun P ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((f (_ BitVec 32))) (P f #x00000000 #x00000000)))
(assert (forall ((f (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)))
  (=> (and (P f x y) (bvslt x #x00000064) (= z (ite (= f #x00000000) y (bvadd y #x00000001))))
      (P f (bvadd x #x00000001) z))))
(assert (forall ((f (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)))
  (=> (and (P f x y) (bvsge x #x00000064) (not (= f #x00000000)) (not (= y #x00000064))) false)))
(check-sat)
"""


def asked(text: str, levels: int = 50) -> tuple[HornSystem, Verdict]:
    system = read_text(text)
    return system, Paths(PathsOptions(levels)).solve(system, Circumstances(Budget(seconds=20).start()), {})


def test_a_path_through_several_predicates_is_found_with_its_values() -> None:
    system, verdict = asked(TWO_PLACES.format(rounds=4))
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)
    assert len(verdict.derivation.steps) == 2 * 4 + 2


def test_where_no_path_is_long_enough_nothing_is_claimed() -> None:
    _, verdict = asked(TWO_PLACES.format(rounds=4), levels=3)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.message == "there is no counterexample of at most 3 steps"


def test_a_query_that_needs_no_call_is_a_path_of_one_step() -> None:
    query = "(assert (forall ((x Int)) (=> (and (= (* 2 x) 6) (> x 1)) false)))\n(check-sat)"
    system, verdict = asked(TWO_PLACES.format(rounds=4).replace("(check-sat)", query))
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)
    assert len(verdict.derivation.steps) == 1


def test_clauses_with_several_calls_are_refused() -> None:
    text = TWO_PLACES.format(rounds=4).replace("(Q x n) (> x 3)", "(Q x n) (P x 1) (> x 3)")
    _, verdict = asked(text)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.message == SEVERAL_CALLS


@pytest.mark.parametrize("passes", ["integers", pytest.param("fit", marks=pytest.mark.long)])
def test_guesses_about_numbers_settle_clauses_over_bit_vectors(passes: str) -> None:
    system = read_text(MARKED)
    run = Circumstances(Budget(seconds=30).start())
    verdict = Clover(CloverOptions(passes=passes)).solve(system, run, {})
    assert isinstance(verdict, Safe)
    assert verdict.by == "pool of clover on prepared clauses"
    assert isinstance(check(system, verdict), Accepted)
