"""Evaluation agrees with the solver, and implicants imply."""

from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from property.strategies import BOOL, SORTS, terms_of, values_of
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate, implicant, value_in
from sorrel.logic.terms import Term
from sorrel.logic.walk import free_variables


@given(st.data(), st.sampled_from(SORTS))
def test_evaluation_agrees_with_the_solver(data: st.DataObject, sort: terms.Sort) -> None:
    term = data.draw(terms_of(sort))
    assignment = {v: data.draw(values_of(v.sort())) for v in free_variables(term)}
    value = evaluate(term, assignment)
    solver = z3.Solver()
    solver.add(*(variable == v for variable, v in assignment.items()), term != value)
    assert solver.check() == z3.unsat


@given(terms_of(BOOL))
def test_implicants_hold_in_the_model_and_imply_the_formula(formula: Term) -> None:
    solver = z3.Solver()
    solver.set("timeout", 5000)
    solver.add(formula)
    if solver.check() != z3.sat:
        return
    model = solver.model()
    literals = implicant(formula, lambda part: terms.is_true(value_in(model, part)))
    assert all(terms.is_true(value_in(model, literal)) for literal in literals)
    refutation = z3.Solver()
    refutation.set("timeout", 5000)
    refutation.add(*literals, z3.Not(formula))
    assert refutation.check() != z3.sat


@given(terms_of(BOOL))
def test_simplification_keeps_the_meaning_and_does_not_depend_on_history(formula: Term) -> None:
    once = terms.simplify(formula)
    assert terms.same(once, terms.simplify(formula))
    solver = z3.Solver()
    solver.set("timeout", 5000)
    solver.add(formula != once)
    assert solver.check() != z3.sat
