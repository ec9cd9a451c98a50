"""Clauses in which numbers that wrap around are any of their type allow whatever the clauses themselves allow."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.frontends.smtlib import read_text
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.smt.wraps import has_wraps, without_wraps

X, Y, R = z3.Ints("x y r")
NUMBERS = st.integers(min_value=-(1 << 34), max_value=1 << 34)
WORD = 1 << 32
VALUES = [
    f"(mod (* 33 x) {WORD})",
    f"(mod (+ (mod (* 33 x) {WORD}) y) {WORD})",
    f"(- (mod x {WORD}) (mod x {WORD}))",
    f"(ite (<= (mod y {WORD}) 7) (mod (- x y) {WORD}) (mod x 65536))",
]


def system_with(value: str) -> HornSystem:
    return read_text(f"""(set-logic HORN)
        (declare-fun p (Int Int Int) Bool)
        (assert (forall ((x Int) (y Int) (r Int)) (=> (= r {value}) (p x y r))))
        (assert (forall ((x Int) (y Int) (r Int)) (=> (p x y r) false)))""")


def can_be(clause: Clause, *conditions: z3.ExprRef | bool) -> bool:
    solver = z3.Solver()
    solver.add(clause.constraint, *conditions)
    return solver.check() == z3.sat


@pytest.mark.parametrize("value", VALUES)
@given(x=NUMBERS, y=NUMBERS)
def test_every_step_of_the_system_is_a_step_of_the_weaker_one(value: str, x: int, y: int) -> None:
    system = system_with(value)
    weaker = without_wraps(system)
    assert has_wraps(system)
    assert not has_wraps(weaker)
    solver = z3.Solver()
    solver.add(system.clauses[0].constraint, x == X, y == Y)
    assert solver.check() == z3.sat
    result = solver.model().eval(R, model_completion=True)
    assert can_be(weaker.clauses[0], x == X, y == Y, result == R)


def test_a_number_is_exact_where_it_fits_and_within_its_type_where_it_does_not() -> None:
    clause = without_wraps(system_with(f"(mod (* 33 x) {WORD})")).clauses[0]
    assert not can_be(clause, X >= 0, X <= 1000, R != 33 * X)
    assert not can_be(clause, R >= WORD)
    assert not can_be(clause, R < 0)
    assert can_be(clause, X > WORD, R == 5)


def test_the_same_remainder_is_the_same_number() -> None:
    clause = without_wraps(system_with(f"(- (mod x {WORD}) (mod x {WORD}))")).clauses[0]
    assert not can_be(clause, R != 0)


def test_remainders_of_small_numbers_stay() -> None:
    assert not has_wraps(system_with("(mod x 256)"))
