"""What is reached is told as weakly as errors a few steps away allow, and is inductive then."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.interpolation import Interpolation
from sorrel.engines.options import BackwardOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.model.budget import Budget

COUNTER = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x 1) (+ y {more})))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) {wrong}) false)))
"""
PLACES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(assert (forall ((x Int)) (=> (< x 3) (P x))))
(assert (forall ((x Int)) (=> (P x) (Q (- x 1)))))
(assert (forall ((x Int)) (=> (Q x) (P x))))
(assert (forall ((x Int)) (=> (and (Q x) (> x 9)) false)))
"""


def asked(text: str) -> Verdict:
    system = read_text(text)
    verdict = Interpolation(BackwardOptions(10)).solve(system, Circumstances(Budget(seconds=20).start()), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize(
    "text", [COUNTER.format(more=2, wrong="(< y 0)"), PLACES], ids=["a bound behind which nothing is", "two places"]
)
def test_what_goes_on_forever_is_closed_by_what_lies_between(text: str) -> None:
    assert isinstance(asked(text), Safe)


def test_an_error_is_told_with_its_path() -> None:
    verdict = asked(COUNTER.format(more=2, wrong="(= (+ x y) 9)"))
    assert isinstance(verdict, Unsafe)
    assert len(verdict.derivation.steps) == 5
