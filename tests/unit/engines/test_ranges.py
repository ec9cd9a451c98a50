"""Ranges: limits from the facts on, of numbers, sums and elements."""

from __future__ import annotations

import pytest

from asking import verified
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import NoOptions
from sorrel.engines.ranges.engine import RangesEngine
from sorrel.engines.ranges.forms import compared_sums, ends_of_ranges
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown
from sorrel.model.budget import Budget
from sorrel.model.outcome import Answer

# Elements are written up to i, between 0 and 7; each says which one is read next.
TABLE = """(set-logic HORN)
(declare-fun fill ((Array Int Int) Int) Bool)
(declare-fun walk ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int))) (fill a 0)))
(assert (forall ((a (Array Int Int)) (i Int) (v Int))
  (=> (and (fill a i) (< i 16) (<= 0 v) (<= v 7)) (fill (store a i v) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (>= i 16)) (walk a 0 0))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (s Int))
  (=> (and (walk a i n) (= s (select a i))) (walk a s (+ n 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (walk a i n) (or (< i 0) (> i {most}))) false)))
(check-sat)
"""
# Used is what was put in without what was taken out.
COUNTS = """(set-logic HORN)
(declare-fun table (Int Int Int) Bool)
(assert (table 0 0 0))
(assert (forall ((used Int) (puts Int) (gone Int)) (=> (table used puts gone) (table (+ used 1) (+ puts 1) gone))))
(assert (forall ((used Int) (puts Int) (gone Int)) (=> (table used puts gone) (table (- used 1) puts (+ gone 1)))))
(assert (forall ((used Int) (puts Int) (gone Int))
  (=> (and (table used puts gone) (not (= used (- puts gone)))) false)))
(check-sat)
"""
RING = """
extern int __VERIFIER_nondet_int(void);
static int data[16], head;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        data[head] = 1;
        head++;
        if (head == 16) head = 0;
    }
    return 0;
}
"""


@pytest.mark.parametrize("text", [TABLE.format(most=7), COUNTS], ids=["elements", "sums"])
def test_what_ranges_prove_is_accepted_as_a_certificate(text: str) -> None:
    system = read_text(text)
    verdict = RangesEngine(NoOptions()).solve(system, Circumstances(Budget(seconds=20).start()), {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)


def test_what_does_not_follow_from_ranges_is_not_known() -> None:
    system = read_text(TABLE.format(most=6))
    verdict = RangesEngine(NoOptions()).solve(system, Circumstances(Budget(seconds=20).start()), {})
    assert isinstance(verdict, Unknown)


def test_sums_are_those_that_clauses_compare() -> None:
    (sums,) = compared_sums(read_text(COUNTS)).values()
    assert [[factor for _, factor in sum] for sum in sums] == [[1, -1, 1]]


def test_ranges_of_indices_end_at_indices_and_at_what_these_are_compared_with() -> None:
    ends = ends_of_ranges(read_text(TABLE.format(most=7)))
    assert all(16 in each and any(isinstance(end, str) for end in each) for each in ends.values())


def test_accesses_of_a_ring_buffer_are_within_it_for_any_number_of_rounds() -> None:
    outcome = verified(RING, goal="valid-deref", engine="ranges")
    assert outcome.answer is Answer.SAFE


def test_ranges_prove_no_ring_buffer_whose_index_grows_too_far() -> None:
    wrong = RING.replace("head == 16", "head == 17")
    assert verified(wrong, goal="valid-deref", engine="ranges", timeout=5).answer is not Answer.SAFE
