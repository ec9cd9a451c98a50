"""Projections of particular formulas: their form, and what happens at the edges."""

from __future__ import annotations

import pytest
import z3

from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.smt.foreign import nonlinear_terms
from sorrel.smt.projection import cover, project_cube, project_exact, project_model, project_over
from sorrel.smt.solver import Oracle, Sat

x, y, u, v = z3.Ints("x y u v")
r, s = z3.Reals("r s")
p, q = z3.Bools("p q")
b, c = z3.BitVecs("b c", 8)
array = z3.Array("a", z3.IntSort(), z3.IntSort())
other = z3.Array("o", z3.IntSort(), z3.IntSort())


def cube_of(formula: Term, *eliminate: Term) -> list[Term]:
    oracle = Oracle()
    answer = oracle.check(formula)
    assert isinstance(answer, Sat)
    return project_cube(oracle, formula, answer.model, eliminate)


def assert_equivalent(left: Term | None, right: Term) -> None:
    assert left is not None
    assert Oracle().equivalent(left, right) is True, left


def test_parity_survives_projection() -> None:
    assert_equivalent(terms.conjunction(cube_of(z3.And(x == 2 * v, y > v), v)), z3.And(x % 2 == 0, y > x / 2))


def test_bitvector_equation_is_solved_not_replaced_by_a_value() -> None:
    assert cube_of(b == c + 1, c) == []
    assert_equivalent(terms.conjunction(cube_of(z3.And(3 * c + b == 5, z3.ULT(c, 4)), c)), z3.ULT(87 + 85 * b, 4))


def test_bitvector_equation_with_an_even_coefficient_is_not_solved() -> None:
    found = project_exact(Oracle(), b == 2 * c, [c], seconds=5.0)
    assert_equivalent(found, z3.Extract(0, 0, b) == 0)


def test_boolean_is_eliminated_through_its_definition() -> None:
    assert_equivalent(project_exact(Oracle(), z3.And(p == (x > 0), z3.Or(p, q)), [p]), z3.Or(x > 0, q))


def test_array_behind_a_store_leaves_its_cell() -> None:
    assert_equivalent(terms.conjunction(cube_of(array == z3.Store(other, x, 3), other)), array[x] == 3)


def test_branch_that_the_model_does_not_take_does_not_appear() -> None:
    oracle = Oracle()
    formula = z3.And(z3.If(p, v, x) > y, v < 10)
    answer = oracle.check(formula, p)
    assert isinstance(answer, Sat)
    assert_equivalent(project_model(oracle, formula, answer.model, [v]), z3.And(p, y < 9))


def test_datatypes_are_projected_too() -> None:
    builder = z3.Datatype("Pair")
    builder.declare("pair", ("first", z3.IntSort()), ("second", z3.IntSort()))
    sort = builder.create()
    whole = z3.Const("whole", sort)
    formula = z3.And(whole == sort.pair(x, y), sort.first(whole) > 3)
    assert_equivalent(terms.conjunction(cube_of(formula, whole)), x > 3)


def test_model_that_leaves_the_truth_open_gives_the_formula_at_its_values() -> None:
    formula = z3.And(x > v, z3.ForAll([y], z3.Implies(array[y] > 0, y > v)))
    oracle = Oracle()
    answer = oracle.check(z3.And(x > v, v == 3, x == 5))
    assert isinstance(answer, Sat)
    found = project_model(oracle, formula, answer.model, [v])
    assert all(not terms.same(variable, v) for variable in walk.free_variables(found))
    assert oracle.entails(found, z3.substitute(formula, (v, z3.IntVal(3)))) is True


def test_complete_cover_is_the_projection() -> None:
    found = cover(Oracle(), z3.And(v != x, v > 0, v < 3), [v])
    assert found.complete
    assert_equivalent(found.formula(), z3.BoolVal(True))


def test_cover_stops_at_its_limit() -> None:
    found = cover(Oracle(), array[v] > x, [v], limit=3)
    assert not found.complete
    assert len(found.cubes) == 3


def test_cover_of_a_contradiction_is_empty() -> None:
    found = cover(Oracle(), z3.And(v > x, v < x), [v])
    assert found.complete
    assert terms.is_false(found.formula())


@pytest.mark.parametrize("cubes", [0, 12])
def test_exact_projection_between_bounds(cubes: int) -> None:
    found = project_exact(Oracle(), z3.And(x < 3 * v, 3 * v < y), [v], cubes=cubes)
    assert_equivalent(found, z3.And(x < 3 * ((x + 3) / 3), 3 * ((x + 3) / 3) < y))


def test_shared_nonlinear_terms_do_not_stop_exact_projection() -> None:
    found = project_exact(Oracle(), z3.And(x * y < v, v < array[x]), [v], cubes=0)
    assert found is not None
    assert found.eq(z3.simplify(found))
    assert Oracle().entails(z3.And(x * y < v, v < array[x]), found) is True
    assert any(z3.is_select(part) for part in walk.subterms(found))


def test_definition_by_a_product_is_eliminated_exactly() -> None:
    assert_equivalent(project_exact(Oracle(), z3.And(v == x * y, v > 3), [v]), x * y > 3)


def test_exact_projection_gives_up_in_time() -> None:
    assert project_exact(Oracle(), array[v] > x, [v], seconds=0.2) is None
    assert project_exact(Oracle(Budget(seconds=0.0).start()), z3.And(x < 3 * v, 3 * v < y), [v]) is None


def test_over_approximation_keeps_the_sides_that_do_not_mention_the_variable() -> None:
    formula = z3.And(z3.Or(array[v] > x, y > 3), z3.If(p, v * v == x, y > 5), q == (v * v > y), x > 0)
    found = project_over(Oracle(), formula, [v], seconds=0.0)
    assert_equivalent(found, z3.And(z3.Or(p, y > 5), x > 0))


def test_over_approximation_is_true_at_worst() -> None:
    assert terms.is_true(project_over(Oracle(), array[v] > x, [v], seconds=0.0))


def test_over_approximation_of_a_deep_formula_does_not_recurse() -> None:
    formula = x > 0
    for index in range(1100):
        formula = z3.And(y > index, z3.Or(formula, array[v] > index))
    found = project_over(Oracle(), formula, [v], seconds=0.0)
    assert Oracle().equivalent(found, y > 1099) is True


@pytest.mark.parametrize("term", [x * y, x / y, x % y, x**y, r * s, r / s, x / 0, x * x])
def test_nonlinear_terms_are_recognised(term: Term) -> None:
    assert nonlinear_terms(term > 0)


@pytest.mark.parametrize("term", [3 * x, x / 3, x % 2, r / 2, 2 * (3 * x), b * c, array[x]])
def test_linear_terms_are_not_called_nonlinear(term: Term) -> None:
    assert not nonlinear_terms(term > 0)


def test_projections_are_counted() -> None:
    oracle = Oracle()
    project_over(oracle, array[v] > x, [v], seconds=0.1)
    counted = oracle.statistics.as_json()
    assert counted["project.exact"]["undecided"] == 1
    assert counted["project.over"]["count"] == 1
    assert counted["project.model"]["count"] > 1
    assert counted["project.cover"]["largest"] > 3
