"""Relations for 2^n steps find errors that are many steps away, and become relations for any number of steps."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.tpa.engine import Tpa
from sorrel.engines.tpa.options import TpaOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.model.budget import Budget
from sorrel.model.outcome import Cause

COUNTER = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< x 20)) (P (+ x 1) (ite (< x 10) (+ y 1) (- y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) {wrong}) false)))
"""
PLACES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (< x 3) (P x))))
(assert (forall ((x Int)) (=> (P x) (Q (- x 1) true))))
(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) b) (Q x false))))
(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) (not b)) (P x))))
(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) {wrong}) false)))
"""
CALLS = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 1))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
"""


def asked(text: str, *, split: bool = True) -> Verdict:
    system = read_text(text)
    run = Circumstances(Budget(seconds=20).start(), all_evidence=True)
    verdict = Tpa(TpaOptions(split=split)).solve(system, run, {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize("split", [pytest.param(True, marks=pytest.mark.long), False])
def test_an_error_after_two_phases_is_told_with_all_its_steps(split: bool) -> None:
    verdict = asked(COUNTER.format(wrong="(and (= x 20) (= y 0))"), split=split)
    assert isinstance(verdict, Unsafe)
    assert len(verdict.derivation.steps) == 22


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("text", [COUNTER.format(wrong="(> x 25)"), PLACES.format(wrong="(> x 9)")])
def test_a_relation_that_one_more_step_keeps_is_an_invariant(text: str, split: bool) -> None:
    assert isinstance(asked(text, split=split), Safe)


def test_a_path_through_several_predicates_has_the_clauses_of_each() -> None:
    verdict = asked(PLACES.format(wrong="(and b (= x 0))"))
    assert isinstance(verdict, Unsafe)


def test_what_is_wrong_nowhere_is_safe_at_once() -> None:
    assert isinstance(asked(COUNTER.format(wrong="(and (> x 9) (< x 3))")), Safe)


def test_clauses_with_several_calls_are_left_to_others() -> None:
    verdict = asked(CALLS)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.cause is Cause.UNSUPPORTED
