"""Evaluation, values in models, implicants."""

from __future__ import annotations

from collections.abc import Callable

import z3

from sorrel.logic import terms, walk
from sorrel.logic.evaluate import assignment_from, evaluate, implicant, value_in
from sorrel.logic.terms import INT, Term

X, Y, Z = (terms.variable(name, INT) for name in "xyz")
P = terms.variable("p", terms.BOOL)


def holds_in(values: dict[Term, int]) -> Callable[[Term], bool]:
    pairs = [(variable, terms.integer(value)) for variable, value in values.items()]
    return lambda term: terms.is_true(evaluate(term, [*pairs, (P, terms.TRUE)]))


def test_a_total_assignment_gives_a_value() -> None:
    assert terms.same(evaluate(X * 2 + Y, {X: terms.integer(3), Y: terms.integer(-1)}), terms.integer(5))


def test_division_by_zero_does_not_look_fixed() -> None:
    assert not terms.is_value(evaluate(X / Y, {X: terms.integer(1), Y: terms.integer(0)}))


DEEP = 1_500
"""More levels than Python's stack has."""


def test_evaluation_of_shared_and_deep_terms() -> None:
    shared = X
    for _ in range(50):
        shared = shared + shared
    assert terms.same(evaluate(shared, {X: terms.integer(1)}), terms.integer(2**50))
    deep = X
    for number in range(DEEP):
        deep = terms.ite(deep > number, deep - 1, Y + number)
    assert terms.is_value(evaluate(deep, {X: terms.integer(1), Y: terms.integer(2)}))


def test_models_give_values_to_what_they_leave_open() -> None:
    solver = z3.Solver()
    solver.add(X > 3)
    assert solver.check() == z3.sat
    found = assignment_from(solver.model(), [X, Y, P])
    assert all(terms.is_value(value) for value in found.values())


def test_arrays_of_models_are_values() -> None:
    a, b = z3.Array("a", INT, INT), z3.Array("b", INT, INT)
    solver = z3.Solver()
    solver.add(a[0] == 1, a[7] == 2, b == z3.Store(a, 3, 4), a != b)
    assert solver.check() == z3.sat
    model = solver.model()
    value = value_in(model, a)
    assert terms.is_value(value)
    assert terms.same(evaluate(a[7], {a: value}), terms.integer(2))
    assert terms.is_true(evaluate(b == z3.Store(a, 3, 4), {a: value, b: value_in(model, b)}))


def test_an_implicant_holds_and_implies_the_formula() -> None:
    formula = z3.And(z3.Or(X > 5, Y > 5), z3.Implies(X > 5, Z == X), z3.If(P, Z > 0, Z < 0))
    literals = implicant(formula, holds_in({X: 7, Y: 0, Z: 7}))
    assert all(holds_in({X: 7, Y: 0, Z: 7})(literal) for literal in literals)
    solver = z3.Solver()
    solver.add(*literals, z3.Not(formula))
    assert solver.check() == z3.unsat
    assert not any(terms.is_or(literal) or terms.is_and(literal) for literal in literals)


def test_an_implicant_takes_the_branches_that_the_model_takes() -> None:
    formula = terms.ite(terms.ite(X > 0, Y, Z) > 2, X, Y) > terms.ite(Z > 0, terms.integer(1), terms.integer(2))
    literals = implicant(formula, holds_in({X: 4, Y: 3, Z: -1}))
    assert not any(walk.any_node(literal, terms.is_ite) for literal in literals)
    solver = z3.Solver()
    solver.add(*literals, z3.Not(formula))
    assert solver.check() == z3.unsat


def test_implicants_of_deep_and_shared_formulas_are_found_without_recursion() -> None:
    formula = P
    for number in range(DEEP):
        formula = z3.Or(z3.And(formula, -1 - number % 7 < X), -number > X)
    answers: dict[int, bool] = {}

    def holds(term: Term) -> bool:
        # The model makes everything true that is not an upper bound; asking z3 each time would be quadratic.
        found = answers.setdefault(term.get_id(), not z3.is_lt(term))
        return bool(found)

    literals = implicant(formula, holds)
    assert len(literals) == 8
    shared = X > 0
    for _ in range(50):
        shared = z3.And(shared, z3.Or(shared, P))
    assert len(implicant(shared, holds_in({X: 1, Y: 0, Z: 0}))) == 1


def test_a_deep_ite_inside_an_atom_is_resolved_in_one_pass() -> None:
    term = X
    for number in range(DEEP):
        term = terms.ite(number < Y, term + 1, Z)
    literals = implicant(term > 0, holds_in({X: 1, Y: 2 * DEEP, Z: 0}))
    assert len(literals) == DEEP + 1


def test_equal_array_values_become_the_same_term() -> None:
    array = z3.K(terms.INT, z3.IntVal(0))
    one = z3.Store(z3.Store(array, 2, 5), 1, 4)
    other = z3.Store(z3.Store(z3.Store(z3.Store(array, 3, 0), 1, 9), 2, 5), 1, 4)
    assert terms.same(evaluate(one, []), evaluate(other, []))
