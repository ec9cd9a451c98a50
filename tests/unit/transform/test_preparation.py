"""Arrays as one cell, bit-vectors as integers: solved there, accepted on the clauses that were read."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SlicesOptions, SpacerOptions
from sorrel.engines.slices import Slices
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.logic import walk
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.smt.solver import Oracle
from sorrel.transform.cells import one_cell
from sorrel.transform.integers import bits_as_integers
from sorrel.transform.preparation import FITTING, chosen

FILLED = """(set-logic HORN)
(declare-fun P (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (P 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P i n a) (< i n) (= b (store a i {value}))) (P (+ i 1) n b))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (j Int))
  (=> (and (P i n a) (>= i n) (<= 0 j) (< j n) (not (= (select a j) {claimed}))) false)))
(check-sat)
"""
COPIED = """(set-logic HORN)
(declare-fun P (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (P 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (g Bool))
  (=> (and (P i n a b) (< i n) g (or (not g) (= c (store b i (select a i))))) (P (+ i 1) n a c))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (j Int))
  (=> (and (P i n a b) (>= i n) (<= 0 j) (< j n) (not (= (select a j) (select b j)))) false)))
(check-sat)
"""
ROWS = """(set-logic HORN)
(declare-fun P (Int Int (Array Int (Array Int Int))) Bool)
(assert (forall ((n Int) (m (Array Int (Array Int Int)))) (P 0 n m)))
(assert (forall ((i Int) (n Int) (m (Array Int (Array Int Int))))
  (=> (and (P i n m) (< i n)) (P (+ i 1) n (store m i (store (select m i) 2 7))))))
(assert (forall ((i Int) (n Int) (m (Array Int (Array Int Int))) (j Int))
  (=> (and (P i n m) (>= i n) (<= 0 j) (< j n) (not (= (select (select m j) 2) 7))) false)))
(check-sat)
"""
COUNTED = """(set-logic HORN)
(declare-fun P ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (P #x0000 #x0000))
(assert (forall ((x (_ BitVec 16)) (y (_ BitVec 16)))
  (=> (and (P x y) (bvslt x #x03e8)) (P (bvadd x #x0001) (bvadd y {step})))))
(assert (forall ((x (_ BitVec 16)) (y (_ BitVec 16))) (=> (and (P x y) {wrong}) false)))
(check-sat)
"""


def solve(text: str, **options: object) -> Verdict:
    """By Spacer on prepared clauses; whatever it answers must be accepted on those that were read."""
    system = read_text(text)
    chosen_options = SpacerOptions(guidance=True, restarts=True, inlining=False, **options)  # type: ignore[arg-type]
    verdict = Spacer(chosen_options).solve(system, Circumstances(Budget(seconds=60).start()), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


@pytest.mark.parametrize("text", [FILLED.format(value="7", claimed="7"), COPIED, ROWS], ids=["fill", "copy", "rows"])
def test_claims_about_all_cells_are_proved_with_one(text: str) -> None:
    verdict = solve(text, passes="cell")
    assert isinstance(verdict, Safe)
    assert walk.has_quantifier(verdict.summaries["P"])


def test_a_refutation_over_cells_says_nothing() -> None:
    assert isinstance(solve(FILLED.format(value="7", claimed="8"), passes="cell"), Unknown)


def test_what_is_wrong_about_arrays_is_still_refuted_in_slices() -> None:
    system = read_text(FILLED.format(value="7", claimed="8"))
    verdict = Slices(SlicesOptions()).solve(system, Circumstances(Budget(seconds=60).start()), {})
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)


def test_no_array_is_left_in_clauses_about_cells() -> None:
    found = one_cell(read_text(COPIED), Oracle())
    assert found is not None
    sorts = {str(v.sort()) for clause in found.system.clauses for v in clause.variables}
    assert sorts == {"Int"}


@pytest.mark.parametrize(
    ("step", "wrong", "kind"),
    [
        ("#x0001", "(bvsgt y #x03e8)", Safe),
        ("#x0002", "(bvsgt y #x07d0)", Safe),
        pytest.param("#x0002", "(= y #x0010)", Unsafe, marks=pytest.mark.long),
        ("#x7000", "(= y #xe000)", Unsafe),  # which is negative: the sum has wrapped round
    ],
)
def test_bit_vectors_are_solved_as_integers_that_wrap_round(step: str, wrong: str, kind: type) -> None:
    assert isinstance(solve(COUNTED.format(step=step, wrong=wrong), passes="integers"), kind)


def test_operators_on_bits_that_are_none_on_numbers_are_left_alone() -> None:
    assert bits_as_integers(read_text(COUNTED.format(step="(bvxor x y)", wrong="false")), Oracle()) is None


def test_passes_are_named_in_any_order_and_run_in_theirs() -> None:
    assert chosen("cell+control") == ("control", "cell")
    assert chosen("fit") == FITTING
    with pytest.raises(UsageError, match="there is no pass sell"):
        chosen("sell")
