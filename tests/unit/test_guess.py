"""Guess and check: what survives is inductive, and what points refute is never built."""

from __future__ import annotations

from sorrel.budget import Budget
from sorrel.checking.result import Accepted
from sorrel.checking.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.guess.houdini import Houdini
from sorrel.guess.points import sample
from sorrel.guess.pool import pool
from sorrel.guess.templates import guarded, guesses, vocabulary
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.smt.solver import Oracle

LOOP = """(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((i Int) (s Int)) (=> (and (= i 0) (= s 0)) (loop i s))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 10)) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (not (= s (* 2 i)))) false)))
(check-sat)
"""
PARITY = """(set-logic HORN)
(declare-fun even (Int Bool) Bool)
(declare-fun odd (Int Bool) Bool)
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) r) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) (not r)) (odd x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (odd (- x 1) r)) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (even (- x 1) r)) (odd x r))))
(assert (forall ((x Int)) (=> (and (even x true) (odd x true)) false)))
(check-sat)
"""


def oracle() -> Oracle:
    return Oracle(Budget(seconds=30).start())


def without_queries(system: HornSystem) -> HornSystem:
    return system.with_clauses(c for c in system.clauses if not c.is_query)


def test_houdini_keeps_the_largest_inductive_subset() -> None:
    system = read_text(LOOP)
    i, s = system.predicate["loop"].formals
    good = [i >= 0, i <= 10, s == 2 * i]
    bad = [i <= 9, s >= 5, i < s]
    survivors = Houdini(system, {"loop": [*bad, *good]}, oracle(), {}).run()
    assert [str(term) for term in survivors["loop"]] == [str(term) for term in good]


def test_survivors_are_accepted_as_summaries() -> None:
    system = read_text(PARITY)
    x, r = system.predicate["even"].formals
    y, t = system.predicate["odd"].formals
    candidates = {
        "even": [terms.implication(r, x % 2 == 0), x >= 0, x >= 1],
        "odd": [terms.implication(t, y % 2 == 1), y >= 0, terms.negation(t)],
    }
    survivors = Houdini(system, candidates, oracle(), {}).run()
    summaries = {name: terms.conjunction(kept) for name, kept in survivors.items()}
    assert {name: len(kept) for name, kept in survivors.items()} == {"even": 2, "odd": 2}
    assert isinstance(check_summaries(without_queries(system), summaries), Accepted)


def test_support_is_a_solution_by_itself() -> None:
    system = read_text(LOOP)
    i, s = system.predicate["loop"].formals
    houdini = Houdini(system, {"loop": [i >= 0, i <= 10, s == 2 * i, s >= 0]}, oracle(), {})
    houdini.run()
    support = houdini.support()
    assert support is not None
    assert [str(term) for term in support["loop"]] == [str(s == 2 * i)]


def test_no_time_leaves_no_survivors() -> None:
    system = read_text(LOOP)
    i, _ = system.predicate["loop"].formals
    survivors = Houdini(system, {"loop": [i >= 0]}, Oracle(Budget(seconds=0).start()), {}).run()
    assert survivors == {"loop": []}


def test_points_refute_guesses() -> None:
    system = read_text(PARITY)
    predicate = system.predicate["even"]
    words = vocabulary(system)
    points = [(0, True), (1, False), (2, True), (7, False)]
    kept = {guess.text for guess in guesses(predicate, points, words)}
    assert "1*x >= 0" in kept
    assert "1*x <= 2" not in kept
    assert "r" not in kept
    implied = {guess.text for guess in guarded(predicate, points, words, [])}
    assert "r => 1*x = 0 mod 2" in implied
    assert "r => 1*x = 1 mod 2" not in implied


def test_affine_equations_are_found_from_points() -> None:
    system = read_text(LOOP)
    points = [(0, 0), (1, 2), (2, 4), (5, 10)]
    texts = [guess.text for guess in guesses(system.predicate["loop"], points, vocabulary(system))]
    assert "-2*i + 1*s == 0" in texts or "2*i + -1*s == 0" in texts


def test_samples_satisfy_their_formula_and_differ() -> None:
    x = terms.variable("x", terms.INT)
    points = list(sample(terms.conjunction([x >= 3, x <= 9]), [x], oracle()))
    assert len(set(points)) == len(points) >= 2
    assert all(3 <= (point[0] or 0) <= 9 for point in points)


def test_the_pool_relates_two_calls() -> None:
    system = read_text(PARITY)
    points = {"even": [(0, True), (1, False), (2, True)], "odd": [(0, False), (1, True), (2, False)]}
    harvest = pool(system, points, oracle())
    assert harvest.solution is not None
    assert isinstance(check_summaries(system, harvest.solution), Accepted)


def test_facts_of_the_pool_are_inductive_even_if_they_settle_nothing() -> None:
    system = read_text(PARITY.replace("(odd x true)", "(odd (+ x 1) true)"))
    points = {"even": [(0, True), (1, False), (2, True)], "odd": [(0, False), (1, True), (2, False)]}
    harvest = pool(system, points, oracle())
    assert harvest.solution is None
    facts = {name: terms.conjunction(found) for name, found in harvest.facts.items()}
    assert isinstance(check_summaries(without_queries(system), facts), Accepted)
