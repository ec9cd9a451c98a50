"""Finite functions: runs, and Horn clauses read as functions."""

from __future__ import annotations

import pytest

from sorrel.finite.function import FiniteProgram
from sorrel.finite.functional import NotFunctional, functions, nondeterministic
from sorrel.finite.horn import horn_system
from sorrel.finite.simulate import NoReturn, OutOfSteps, Returned, Simulator
from sorrel.frontends import smtlib
from sorrel.frontends.boolean import read_program
from sorrel.horn.text import write_system
from sorrel.smt.solver import Oracle

COUNT = "count(n: word) returns (r: word) { var a: word; if n = 0 then return 0; fi a := count(n - 1); return a + 1; }"


def script(*clauses: str, roles: str = "(x input) (y output)") -> FiniteProgram:
    lines = ["(declare-fun f ((_ BitVec 4) (_ BitVec 4)) Bool)", f'(set-info :sorrel-predicate "f {roles}")']
    lines += [f"(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)) (z (_ BitVec 4))) {c}))" for c in clauses]
    return functions(smtlib.read_text("\n".join(["(set-logic HORN)", *lines, "(check-sat)"])))


def test_a_run_has_a_budget_and_unknown_is_not_remembered() -> None:
    simulator = Simulator(read_program(COUNT, width=8))
    assert isinstance(simulator.run("count", (50,), 20), OutOfSteps)
    assert simulator.run("count", (50,), 100) == Returned((50,), 1)
    assert simulator.run("count", (50,), 0) == Returned((50,), 1)


def test_a_call_that_repeats_itself_does_not_return() -> None:
    program = read_program("f(x) { x := g(x); return x; } g(x) { x := f(x); return x; }")
    assert isinstance(Simulator(program).run("f", (1,), 100), NoReturn)


def test_a_failure_that_rests_on_a_call_below_is_not_remembered() -> None:
    """g(0) fails only while f(0) is under way: f(0) returns by another clause, and then g(0) does too."""
    lines = [
        "(set-logic HORN)",
        "(declare-fun f (Bool Bool) Bool)",
        "(declare-fun g (Bool Bool) Bool)",
        '(set-info :sorrel-predicate "f (x input) (y output)")',
        '(set-info :sorrel-predicate "g (x input) (y output)")',
        "(assert (forall ((x Bool) (y Bool)) (=> (g x y) (f x y))))",
        "(assert (forall ((x Bool)) (f x true)))",
        "(assert (forall ((x Bool) (y Bool)) (=> (f x y) (g x y))))",
        "(check-sat)",
    ]
    program = functions(smtlib.read_text("\n".join(lines)))
    simulator = Simulator(program)
    assert simulator.run("f", (0,), 10) == Returned((1,), 1)
    assert simulator.run("g", (0,), 10) == Returned((1,), 0)


def test_the_trace_of_a_run_has_premises_first() -> None:
    simulator = Simulator(read_program(COUNT, width=8))
    simulator.run("count", (3,), 10)
    steps = simulator.trace("count", (3,))
    assert [step.values for step in steps] == [(0,), (1, 0), (2, 1), (3, 2)]
    assert [step.premises for step in steps] == [(), (0,), (1,), (2,)]


def test_clauses_written_and_read_again_are_the_same_functions() -> None:
    program = read_program("swap(x: word[3], y: word[3]) { r := ~(x < y); return r; } property ~r | x >= y;")
    again = functions(smtlib.read_text(write_system(horn_system(program))))
    first, second = Simulator(program), Simulator(again)
    for x in range(8):
        for y in range(8):
            assert first.run("swap", (x, y), 9) == second.run("swap", (x, y), 9)


def test_equations_are_solved_in_whatever_order_they_stand() -> None:
    program = script("(=> (and (= y (bvadd z z)) (f (bvsub x #x1) z) (distinct x #x0)) (f x y))", "(f #x0 #x1)")
    assert Simulator(program).run("f", (3,), 9) == Returned((8,), 0)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("(=> (bvult y x) (f x y))", "do not determine y"),
        ("(=> (f z y) (f x y))", "do not determine"),
        ("(=> (= (bvadd y #x1) x) (f x y))", "do not determine y"),
    ],
)
def test_clauses_that_cannot_be_run_are_refused(clause: str, why: str) -> None:
    with pytest.raises(NotFunctional, match=why):
        script(clause)


def test_arguments_without_a_role_are_refused() -> None:
    with pytest.raises(NotFunctional, match="input or output"):
        script("(f x x)", roles="(x unknown) (y unknown)")


def test_results_are_unique_if_clauses_exclude_each_other_or_agree() -> None:
    apart = script("(=> (bvult x #x4) (f x #x0))", "(=> (bvuge x #x4) (f x #x1))")
    agree = script("(=> (bvult x #x4) (f x (bvadd x x)))", "(f x (bvshl x #x1))")
    by_induction = script("(=> (f x z) (f x z))", "(f x #x0)")
    assert [nondeterministic(p, Oracle()) for p in (apart, agree)] == ["", ""]
    # The first clause returns what a call returns; that this is 0 too would need a summary.
    assert "may be nondeterministic" in nondeterministic(by_induction, Oracle())
    assert "may be nondeterministic" in nondeterministic(script("(f x #x0)", "(f x x)"), Oracle())
