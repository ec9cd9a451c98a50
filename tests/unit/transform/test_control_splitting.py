"""Places of a program that are encoded in truth values and counters become predicates of their own."""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unsafe
from sorrel.logic.terms import INT
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle
from sorrel.transform.control import MOST_PLACES, split_by_control
from sorrel.transform.counters import counter_positions
from sorrel.transform.lift import Transformed

# Place (false, false) counts up, place (true, false) counts down, place (true, true) is the end.
TWO_PHASES = """(set-logic HORN)
(declare-fun P (Bool Bool Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P false false x))))
(assert (forall ((a Bool) (b Bool) (x Int) (c Bool) (d Bool) (y Int))
  (=> (and (P a b x)
           (or (and (not a) (not b) (= y (+ x 1)) (not c) (not d))
               (and (not a) (not b) (= y x) c (not d))
               (and a (not b) (> x 0) (= y (- x 1)) c (not d))
               (and a (not b) (<= x 0) (= y x) c d)))
      (P c d y))))
(assert (forall ((x Int)) (=> (and (P true true x) {wrong}) false)))
(check-sat)
"""
COUNTER = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 1 0))
(assert (forall ((p Int) (x Int) (q Int)) (=> (and (P p x) (= q (ite (= p 1) 2 (ite (= p 2) 5 p)))) (P q (+ x 1)))))
(assert (forall ((p Int) (x Int)) (=> (and (P p x) (= p {place}) (< x 2)) false)))
(check-sat)
"""


def split(text: str) -> tuple[HornSystem, Transformed]:
    system = read_text(text)
    found = split_by_control(system, Oracle(Budget(seconds=20).start()))
    assert found is not None
    return system, found


def solved(text: str) -> Safe | Unsafe:
    """The verdict on the split clauses, lifted, and accepted on those that were read."""
    system, found = split(text)
    verdict = Spacer(SpacerOptions()).solve(found.system, Circumstances(Budget(seconds=20).start()), {})
    lifted = found.lift(verdict, Oracle(Budget(seconds=20).start()))
    assert isinstance(lifted, Safe | Unsafe)
    assert isinstance(check(system, lifted), Accepted)
    return lifted


def test_each_reachable_valuation_is_a_predicate_without_truth_values() -> None:
    _, found = split(TWO_PHASES.format(wrong="(< x 0)"))
    assert [p.sorts for p in found.system.predicates] == [(INT,)] * 3


def test_solution_and_refutation_of_the_split_clauses_are_accepted_on_the_given_ones() -> None:
    assert isinstance(solved(TWO_PHASES.format(wrong="(< x 0)")), Safe)
    assert isinstance(solved(TWO_PHASES.format(wrong="(= x 0)")), Unsafe)


def test_a_counter_with_few_constants_is_control_and_a_sum_is_not() -> None:
    assert counter_positions(read_text(COUNTER.format(place=5))) == {("P", 0)}
    assert isinstance(solved(COUNTER.format(place=5)), Safe)
    assert isinstance(solved(COUNTER.format(place=2)), Unsafe)


def test_a_place_that_nothing_reaches_makes_the_summary_false_there() -> None:
    system, found = split(COUNTER.format(place=4))
    assert len(found.system.predicates) == 3
    assert isinstance(solved(COUNTER.format(place=4)), Safe)
    assert not any(c.is_query for c in found.system.clauses)
    assert system.predicate.keys() == found.lift(Safe({}), Oracle()).summaries.keys()  # type: ignore[union-attr]


def test_data_in_disguise_is_left_alone() -> None:
    bits = 10
    sorts = " ".join(["Bool"] * bits)
    names = [f"b{i}" for i in range(bits)]
    binders = " ".join(f"({n} Bool)" for n in names)
    text = f"""(set-logic HORN)
(declare-fun P ({sorts}) Bool)
(assert (forall ({binders}) (P {" ".join(names)})))
(assert (forall ({binders}) (=> (and (P {" ".join(names)}) b0 (not b0)) false)))
"""
    assert 2**bits > MOST_PLACES
    assert split_by_control(read_text(text), Oracle(Budget(seconds=20).start())) is None


def test_systems_without_control_are_left_alone() -> None:
    text = "(declare-fun P (Int) Bool)(assert (P 1))(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))"
    assert split_by_control(read_text(text), Oracle()) is None
