"""FLOWER on product programs: contracts about information flow, checked."""

from __future__ import annotations

import pytest

from sorrel import solve
from sorrel.engines.flower.product import product_of, products_of
from sorrel.frontends import smtlib
from sorrel.horn.clause import Argument, Predicate, Role
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.outcome import Answer
from sorrel.smt.solver import Oracle

# A loop whose running time depends on the length alone; the secret is passed along.
TIMING = """
(declare-rel fail ())
(declare-rel loop (Bool Bool Int Int Int Int Int Int Int Int))
(declare-var p1 Bool) (declare-var p2 Bool) (declare-var q1 Bool) (declare-var q2 Bool)
(declare-var i1 Int) (declare-var i2 Int) (declare-var n1 Int) (declare-var n2 Int)
(declare-var s1 Int) (declare-var s2 Int) (declare-var t1 Int) (declare-var t2 Int)
(declare-var u1 Int) (declare-var u2 Int)
(rule (=> (and (not (and p1 (< i1 n1))) (not (and p2 (< i2 n2))) (=> p1 (= t1 0)) (=> p2 (= t2 0)))
  (loop p1 p2 i1 i2 n1 n2 s1 s2 t1 t2)))
(rule (=> (and (or (and p1 (< i1 n1)) (and p2 (< i2 n2)))
  (= q1 (and p1 (< i1 n1))) (= q2 (and p2 (< i2 n2)))
  (loop q1 q2 (+ i1 1) (+ i2 1) n1 n2 s1 s2 u1 u2)
  (=> q1 (= t1 (+ u1 {cost1}))) (=> q2 (= t2 (+ u2 {cost2})))
  (=> (and p1 (not q1)) (= t1 0)) (=> (and p2 (not q2)) (= t2 0)))
  (loop p1 p2 i1 i2 n1 n2 s1 s2 t1 t2)))
(rule (=> (and p1 p2 (loop p1 p2 0 0 n1 n2 s1 s2 t1 t2) (= n1 n2) (distinct t1 t2)) fail))
(query fail)
"""

# A secret array is public where the precondition says so, and only there it is looked at.
CELLS = """
(declare-rel fail ())
(declare-rel agree (Bool Bool Int Int (Array Int Int) (Array Int Int)))
(declare-rel scan (Bool Bool Int Int (Array Int Int) (Array Int Int) Int Int))
(declare-var p1 Bool) (declare-var p2 Bool)
(declare-var i1 Int) (declare-var i2 Int) (declare-var r1 Int) (declare-var r2 Int)
(declare-var a1 (Array Int Int)) (declare-var a2 (Array Int Int))
(rule (=> (and p1 p2 (< i1 9) (< i2 9) (=> (and p1 p2) (= (> (select a1 i1) 7) (> (select a2 i2) 7)))
  (agree p1 p2 (+ i1 1) (+ i2 1) a1 a2)) (agree p1 p2 i1 i2 a1 a2)))
(rule (=> (not (or (and p1 (< i1 9)) (and p2 (< i2 9)))) (agree p1 p2 i1 i2 a1 a2)))
(rule (=> (and p1 p2 (< i1 9) (< i2 9) (scan p1 p2 (+ i1 1) (+ i2 1) a1 a2 r1 r2))
  (scan p1 p2 i1 i2 a1 a2 (ite (> (select a1 i1) 7) i1 r1) (ite (> (select a2 i2) 7) i2 r2))))
(rule (=> (and (not (or (and p1 (< i1 9)) (and p2 (< i2 9)))) (= r1 9) (= r2 9)) (scan p1 p2 i1 i2 a1 a2 r1 r2)))
(rule (=> (and p1 p2 (agree p1 p2 {start} {start} a1 a2) (scan p1 p2 0 0 a1 a2 r1 r2) (distinct r1 r2)) fail))
(query fail)
"""


def test_a_public_running_time_is_proved_from_what_it_depends_on() -> None:
    outcome = solve(TIMING.format(cost1="2", cost2="2"), engine="flower", timeout=60, options={"rules": "off"})
    assert outcome.answer is Answer.SAFE
    assert outcome.notes == ("decided by guesses about information flow",)


def test_a_running_time_that_tells_the_secret_is_refuted() -> None:
    leaking = TIMING.format(cost1="(ite (> s1 0) 2 1)", cost2="(ite (> s2 0) 2 1)")
    assert solve(leaking, engine="flower", timeout=60).answer is Answer.UNSAFE


def test_facts_about_all_cells_of_a_range_carry_a_precondition_to_its_use() -> None:
    outcome = solve(CELLS.format(start=0), engine="flower", timeout=60, options={"rules": "off"})
    assert outcome.answer is Answer.SAFE
    assert any("forall" in contract.smtlib for contract in outcome.contracts)


@pytest.mark.long
def test_a_precondition_that_starts_too_late_proves_nothing() -> None:
    outcome = solve(CELLS.format(start=1), engine="flower", timeout=20, options={"rules": "off"})
    assert outcome.answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("sorts", "pairs"),
    [
        ((terms.BOOL, terms.BOOL, terms.INT, terms.INT, terms.BOOL), 1),
        ((terms.BOOL, terms.BOOL, terms.INT, terms.INT, terms.BOOL, terms.BOOL), 2),
        ((terms.BOOL, terms.INT, terms.INT), None),
        ((terms.BOOL, terms.BOOL, terms.INT, terms.BOOL), None),
        ((), None),
    ],
)
def test_positions_tell_the_copies(sorts: tuple[terms.Sort, ...], pairs: int | None) -> None:
    predicate = Predicate("p", tuple(Argument(f"x{i}", sort) for i, sort in enumerate(sorts)))
    product = product_of(predicate)
    assert (None if product is None else len(product.pairs)) == pairs


def test_metadata_tells_the_copies_in_any_order() -> None:
    arguments = (
        Argument("r2", terms.INT, Role.OUTPUT, 2, "r"),
        Argument("on1", terms.BOOL, Role.ACTIVATION, 1),
        Argument("x1", terms.INT, Role.INPUT, 1, "x"),
        Argument("r1", terms.INT, Role.OUTPUT, 1, "r"),
        Argument("on2", terms.BOOL, Role.ACTIVATION, 2),
        Argument("x2", terms.INT, Role.INPUT, 2, "x"),
        Argument("ok", terms.BOOL, Role.OK),
    )
    product = product_of(Predicate("f", arguments))
    assert product is not None
    assert [(str(p.first), str(p.other), p.role) for p in product.pairs] == [
        ("r1", "r2", Role.OUTPUT),
        ("x1", "x2", Role.INPUT),
    ]
    assert str(product.ok) == "ok"


def test_results_of_raw_files_are_told_from_inputs() -> None:
    system = smtlib.read_text(TIMING.format(cost1="2", cost2="2"), "timing")
    product = products_of(system, Oracle(Budget(20).start()))["loop"]
    assert [p.role for p in product.pairs] == [Role.INPUT, Role.INPUT, Role.INPUT, Role.OUTPUT]
