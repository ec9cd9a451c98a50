"""Counterexamples by evaluating calls at a few chosen values."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.evaluation import Evaluation
from sorrel.engines.options import EvaluationOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Unknown, Unsafe, Verdict
from sorrel.model.budget import Budget

FIBONACCI = """(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (a Int)) (=> (and (fib n a) {wrong}) false)))
(check-sat)
"""
SUM_BROUGHT_BACK = """(set-logic HORN)
(declare-fun f ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (forall ((n (_ BitVec 16))) (=> (bvsle n #x0000) (f n #x0000))))
(assert (forall ((n (_ BitVec 16)) (r (_ BitVec 16)) (s (_ BitVec 16)))
  (=> (and (f (bvsub n #x0001) r) (bvsgt n #x0000) (= s (bvadd r n)))
      (f n (ite (bvsge s #x0020) (bvsub s #x0020) s)))))
(assert (forall ((n (_ BitVec 16)) (r (_ BitVec 16))) (=> (and (f n r) (bvsge r #x0020)) false)))
(check-sat)
"""
FOR_EVER = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (p (+ n 1) r) (p n r))))
(assert (forall ((n Int) (r Int)) (=> (p n r) false)))
(check-sat)
"""
LETTERS = """(set-logic HORN)
(declare-fun twice (Int Bool Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (twice n true 0))))
(assert (forall ((n Int) (b Bool) (r Int)) (=> (and (twice (- n 1) b r) (> n 0)) (twice n (not b) (+ r 2)))))
(assert (forall ((n Int) (b Bool) (r Int)) (=> (and (twice n b r) (not b) (> r 100)) false)))
(check-sat)
"""


def asked(text: str, seconds: float = 20.0, depth: int = 2_000) -> tuple[HornSystem, Verdict]:
    system = read_text(text)
    run = Circumstances(Budget(seconds=seconds).start())
    return system, Evaluation(EvaluationOptions(depth)).solve(system, run, {})


@pytest.mark.parametrize(
    "text",
    [FIBONACCI.format(wrong="(> a 1000)"), SUM_BROUGHT_BACK, pytest.param(LETTERS, marks=pytest.mark.long)],
    ids=["calls", "bits", "truth values"],
)
def test_a_violation_that_takes_many_calls_is_found_from_the_value_at_the_query(text: str) -> None:
    system, verdict = asked(text)
    assert isinstance(verdict, Unsafe)
    assert len(verdict.derivation.steps) > 15
    assert isinstance(check(system, verdict), Accepted)


def test_nothing_is_claimed_of_what_holds() -> None:
    _, verdict = asked(FIBONACCI.format(wrong="(< a n)").replace("(> n 1)", "(> n 1) (< n 8)"), seconds=2)
    assert isinstance(verdict, Unknown)


def test_calls_that_never_return_are_given_up() -> None:
    _, verdict = asked(FOR_EVER, seconds=2, depth=50)
    assert isinstance(verdict, Unknown)
