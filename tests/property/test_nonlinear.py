"""Clauses without nonlinear operations allow whatever the clauses themselves allow."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.smt.nonlinear import is_nonlinear, linear, without_nonlinear

X, Y, Z, R = z3.Ints("x y z r")
NUMBERS = st.integers(min_value=-6, max_value=6)
VALUES = ["(* x y)", "(* x x)", "(* x y z)", "(* 3 x (+ y z))", "(div x y)", "(mod x y)", "(* (mod x y) (div z y))"]
VALUES += ["(+ (* x y) (* z y))", "(- (* x y) (* y z) (* x z))", "(ite (and (<= x 3) (>= y (- 2))) (* x y) (* y z))"]


def system_with(value: str) -> HornSystem:
    return read_text(f"""(set-logic HORN)
        (declare-fun p (Int Int Int Int) Bool)
        (assert (forall ((x Int) (y Int) (z Int) (r Int)) (=> (= r {value}) (p x y z r))))
        (assert (forall ((x Int) (y Int) (z Int) (r Int)) (=> (p x y z r) false)))""")


@pytest.mark.parametrize("value", VALUES)
@given(x=NUMBERS, y=NUMBERS, z=NUMBERS)
def test_every_step_of_the_system_is_a_step_of_the_linear_one(value: str, x: int, y: int, z: int) -> None:
    system = system_with(value)
    weaker = linear(system)
    assert not is_nonlinear(weaker)
    solver = z3.Solver()
    inputs = [variable == number for variable, number in ((X, x), (Y, y), (Z, z))]
    solver.add(system.clauses[0].constraint, *inputs)
    assert solver.check() == z3.sat
    result = solver.model().eval(R, model_completion=True)
    solver = z3.Solver()
    solver.add(weaker.clauses[0].constraint, *inputs, result == R)
    assert solver.check() == z3.sat, f"{value} = {result} is excluded"


def test_linear_bounds_know_signs() -> None:
    clause = linear(system_with("(* x y)")).clauses[0]
    solver = z3.Solver()
    solver.add(clause.constraint, X >= 2, Y >= 3, R < 3)
    assert solver.check() == z3.unsat


def test_linear_bounds_know_which_of_two_products_is_larger_and_what_a_bounded_factor_makes_of_one() -> None:
    clause = linear(system_with("(- (* x y) (* z y))")).clauses[0]
    solver = z3.Solver()
    solver.add(clause.constraint, X < Z, Y >= 5, R > -5)
    assert solver.check() == z3.unsat
    clause = linear(system_with("(ite (<= x 50) (* x y) 0)")).clauses[0]
    solver = z3.Solver()
    solver.add(clause.constraint, X >= 0, Y >= 0, Y <= 7, R > 350)
    assert solver.check() == z3.unsat


def test_equal_operands_give_equal_results_whatever_their_order() -> None:
    both = read_text("""(set-logic HORN)
        (declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (distinct (* x y) (* y x)) (p x y))))""")
    for weaker in (linear(both), without_nonlinear(both)):
        solver = z3.Solver()
        solver.add(weaker.clauses[0].constraint)
        assert solver.check() == z3.unsat
