"""What k rounds without an error exclude in the next is proved, with an invariant of one round as its certificate."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.induction import Induction
from sorrel.engines.one_call import SEVERAL_CALLS
from sorrel.engines.options import BackwardOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.budget import Budget

ROTATION = """(set-logic HORN)
(declare-fun P (Int Int Int) Bool)
(assert (P 1 2 3))
(assert (forall ((a Int) (b Int) (c Int)) (=> (P a b c) (P b c a))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (P a b c) (= a b)) false)))
"""
BY_TWO = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int) (d Int)) (=> (and (P x) (< 1 d 3)) (P (+ x d)))))
(assert (forall ((x Int)) (=> (and (P x) (= x {wrong})) false)))
"""
TWO_PLACES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Bool) Bool)
(assert (P 5))
(assert (forall ((x Int) (b Bool)) (=> (and (P x) (= b (> x 0))) (Q (- 0 x) b))))
(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) b) (P (- 0 x)))))
(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) (not b)) false)))
"""
CALLS = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y 2)))))
(assert (forall ((x Int)) (=> (and (P x) (= x 1)) false)))
"""


def asked(text: str, seeds: Summaries | None = None, levels: int = 10) -> Verdict:
    system = read_text(text)
    run = Circumstances(Budget(seconds=20).start())
    verdict = Induction(BackwardOptions(levels)).solve(system, run, seeds or {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize("text", [ROTATION, TWO_PLACES], ids=["three rounds", "two places"])
def test_what_is_not_inductive_in_one_round_is_proved_in_several(text: str) -> None:
    assert isinstance(asked(text), Safe)


def test_a_fact_that_others_know_ends_what_would_go_on() -> None:
    (formal,) = read_text(BY_TWO.format(wrong=7)).predicate["P"].formals
    assert isinstance(asked(BY_TWO.format(wrong=7)), Unknown)
    assert isinstance(asked(BY_TWO.format(wrong=7), {"P": formal >= terms.integer(0)}), Safe)


def test_an_error_is_told_with_its_path() -> None:
    verdict = asked(BY_TWO.format(wrong=8))
    assert isinstance(verdict, Unsafe)
    assert len(verdict.derivation.steps) == 6


def test_clauses_with_several_calls_are_refused() -> None:
    verdict = asked(CALLS)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.message == SEVERAL_CALLS
