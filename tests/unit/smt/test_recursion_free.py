"""Systems without recursion: solutions by each method, and Farkas' lemma behind one of them."""

from __future__ import annotations

import pytest
import z3

from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.smt.linear import combination, inequalities, linear_form, refutation
from sorrel.smt.recursion_free import METHODS, Method, refinement
from sorrel.smt.solver import Oracle

# f(p) for p > 100, called by f(p + 11) and that by f again: McCarthy's function unrolled, and its claim r >= 91.
MCCARTHY = """(set-logic HORN)
(declare-fun inner (Int Int) Bool)
(declare-fun middle (Int Int) Bool)
(declare-fun outer (Int Int) Bool)
(assert (forall ((p Int) (r Int)) (=> (and (> p 100) (= r (- p 10))) (inner p r))))
(assert (forall ((p Int) (r Int)) (=> (and (> p 100) (= r (- p 10))) (middle p r))))
(assert (forall ((p Int) (q Int) (r Int)) (=> (and (<= p 100) (inner (+ p 11) q) (middle q r)) (outer p r))))
(assert (forall ((p Int) (r Int)) (=> (and (outer p r) (< r 91)) false)))
(check-sat)
"""
# One predicate with two clauses and two uses: a DAG that is not a tree.
SHARED = """(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int)) (=> (= x 3) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x) (p y) (> (+ x y) 9)) false)))
(check-sat)
"""
PARITY = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (k Int)) (=> (= x (* 2 k)) (p x))))
(assert (forall ((x Int) (k Int)) (=> (and (p x) (= x (+ 1 (* 2 k)))) false)))
(check-sat)
"""


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_a_derivation_tree(method: Method, oracle: Oracle) -> None:
    system = read_text(MCCARTHY)
    found = refinement(system, oracle, methods=[method])
    assert found is not None
    assert found.method is method
    assert isinstance(check_summaries(system, found.summaries), Accepted)
    assert not any(walk.has_quantifier(body) for body in found.summaries.values())


@pytest.mark.parametrize("method", [Method.SPACER, Method.STRONGEST])
def test_predicates_with_several_clauses_and_uses_are_solved_too(method: Method, oracle: Oracle) -> None:
    system = read_text(SHARED)
    found = refinement(system, oracle, methods=[method])
    assert found is not None
    assert isinstance(check_summaries(system, found.summaries), Accepted)


def test_farkas_speaks_of_one_inequality_for_each_node(oracle: Oracle) -> None:
    found = refinement(read_text(MCCARTHY), oracle, methods=[Method.FARKAS])
    assert found is not None
    assert all(len(terms.conjuncts(body)) <= 1 for body in found.summaries.values())


def test_farkas_leaves_other_shapes_and_integrality_to_the_next_method(oracle: Oracle) -> None:
    for text in (SHARED, PARITY):
        assert refinement(read_text(text), oracle, methods=[Method.FARKAS]) is None
        found = refinement(read_text(text), oracle, methods=[Method.FARKAS, Method.SPACER])
        assert found is not None
        assert found.method is Method.SPACER


def test_a_wrong_answer_of_a_method_does_not_leave(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    from sorrel.smt import recursion_free

    def lie(system: HornSystem, *_: object) -> dict[str, terms.Term]:
        return {p.name: terms.TRUE for p in system.predicates}

    monkeypatch.setattr(recursion_free, "_SOLVE", {Method.SPACER: lie})
    assert refinement(read_text(MCCARTHY), oracle, methods=[Method.SPACER]) is None


def test_there_is_no_refinement_of_a_derivation_that_is_feasible(oracle: Oracle) -> None:
    assert refinement(read_text(MCCARTHY.replace("(< r 91)", "(< r 92)")), oracle) is None


# Linear forms


X, Y = z3.Int("x"), z3.Int("y")
R = z3.Real("r")


def test_a_form_is_the_term_it_was_made_from() -> None:
    term = 3 * (X - 2 * Y) - (Y + 4) * 2 + X * Y
    solver = z3.Solver()
    solver.add(linear_form(term).term() != term)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize(
    "literal", [X < Y, X <= 2 * Y, X == Y + 3, z3.Not(X <= Y), z3.Not(X > 4 * Y), 2 * X >= 2 * Y + 1, z3.Not(X < 3)]
)
def test_inequalities_say_what_their_literal_says(literal: terms.Term) -> None:
    found = inequalities(literal)
    assert found is not None
    assert not any(i.strict for i in found)
    solver = z3.Solver()
    solver.add(z3.And([i.form.at_least_zero() for i in found]) != literal)
    assert solver.check() == z3.unsat


def test_strictness_is_kept_over_the_reals_and_differences_are_no_inequalities() -> None:
    found = inequalities(R < 1)
    assert found is not None
    assert [inequality.strict for inequality in found] == [True]
    assert inequalities(X != Y) is None
    assert inequalities(z3.Bool("b")) is None


def test_the_multipliers_of_a_refutation_add_up_to_a_contradiction_and_are_few(oracle: Oracle) -> None:
    literals = [X >= 0, Y >= X + 1, Y <= 7, 2 * Y <= X, X <= 5]
    rows = [row for literal in literals for row in inequalities(literal) or ()]
    multipliers = refutation(oracle, rows)
    assert multipliers is not None
    assert all(m >= 0 for m in multipliers)
    total = combination(rows, multipliers)
    assert not total.coefficients
    assert total.constant < 0
    assert sum(m > 0 for m in multipliers) == 3
    assert refutation(oracle, rows[:2]) is None
