"""What the pinned z3 does that one would not expect, and that our code keeps clear of it.

A test here that fails after an upgrade is news: either a trap is gone, or an assumption of ours is.
"""

from __future__ import annotations

import gc

import pytest
import z3

from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate, value_in
from sorrel.logic.terms import Term
from sorrel.smt.fixedpoint import solve
from sorrel.smt.interpolation import interpolate
from sorrel.smt.parameters import restored
from sorrel.smt.projection import project_cube, project_exact
from sorrel.smt.solver import Oracle, Sat, Unsat

x, y, v = z3.Ints("x y v")
P = z3.Function("P", z3.IntSort(), z3.BoolSort())


def apply_tactic(tactic: z3.Tactic, formula: Term) -> Term:
    goal = z3.Goal()
    goal.add(formula)
    return tactic(goal).as_expr()


def test_tactic_qe_loses_solutions() -> None:
    formula = z3.And(x - 2 * y + 3 * v == 0, (1 - x - v) % 3 == 1)
    assert isinstance(Oracle().check(formula, z3.Not(apply_tactic(z3.Tactic("qe"), z3.Exists([v], formula)))), Sat)


@pytest.mark.parametrize("cubes", [0, 12])
def test_exact_projection_is_right_where_qe_is_wrong(cubes: int) -> None:
    formula = z3.And(x - 2 * y + 3 * v == 0, (1 - x - v) % 3 == 1)
    found = project_exact(Oracle(), formula, [v], cubes=cubes)
    assert found is not None
    assert Oracle().entails(formula, found) is True
    assert isinstance(Oracle().check(found, z3.ForAll([v], z3.Not(formula))), Unsat)


def test_qe2_says_true_about_a_goal_without_quantifiers() -> None:
    assert terms.is_true(apply_tactic(z3.Tactic("qe2"), x > 0))


def test_simplification_before_qe2_removes_the_quantifier_and_so_the_meaning() -> None:
    formula = z3.Exists([v], z3.And(v == x, v > 0))
    assert terms.is_true(apply_tactic(z3.Then("simplify", "qe2"), formula))
    assert not terms.is_true(apply_tactic(z3.Tactic("qe2"), formula))


@pytest.mark.parametrize("formula", [x > 0, z3.And(v == x, v > 0), z3.And(x > 0, z3.Or(v > 0, v <= 0))])
def test_exact_projection_keeps_what_needs_no_elimination(formula: Term) -> None:
    found = project_exact(Oracle(), formula, [v], cubes=0)
    assert found is not None
    assert Oracle().equivalent(found, x > 0) is True


def test_exact_projection_leaves_nonlinear_terms_alone_instead_of_hanging() -> None:
    oracle = Oracle()
    assert project_exact(oracle, z3.And(x < v * v * v, v < y, v * y < x), [v], cubes=0) is None
    assert "project.confirm" not in oracle.statistics.tallies


def test_model_completion_of_an_application_also_completes_its_arguments() -> None:
    """P(x) looks decided although x is open, and the model has changed afterwards."""
    solver = z3.Solver()
    solver.add(P(3), z3.Not(P(0)))
    solver.check()
    model = solver.model()
    assert model[x] is None
    assert terms.is_false(model.eval(P(x), model_completion=True))
    assert model[x] is not None


def test_evaluation_under_a_partial_assignment_stays_open() -> None:
    assert not terms.is_value(evaluate(x + y > 3, {x: terms.integer(1)}))


def test_fixedpoint_reads_no_queries_from_the_assert_dialect() -> None:
    text = """
        (set-logic HORN)
        (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))
        (check-sat)
    """
    assert len(z3.Fixedpoint().parse_string(text)) == 0
    solver = z3.SolverFor("HORN")
    solver.from_string(text.replace("(check-sat)", ""))
    assert solver.check() == z3.unsat


def test_answer_to_a_query_is_about_reachability_not_about_a_solution() -> None:
    """In the rule dialect `sat` means unsafe; in the HORN dialect, on the same clauses, `unsat` does."""
    rules = z3.Fixedpoint()
    queries = rules.parse_string("""
        (declare-rel p (Int))
        (declare-rel bad ())
        (declare-var x Int)
        (rule (=> (= x 0) (p x)))
        (rule (=> (and (p x) (= x 0)) bad))
        (query bad)
    """)
    assert rules.query(queries[0]) == z3.sat
    horn = z3.SolverFor("HORN")
    horn.add(z3.ForAll([x], z3.Implies(x == 0, P(x))), z3.ForAll([x], z3.Implies(z3.And(P(x), x == 0), False)))
    assert horn.check() == z3.unsat


def test_identities_of_dead_terms_are_given_to_new_ones() -> None:
    """A cache keyed on the id alone would confuse them."""
    identities = []
    for index in range(50):
        term = z3.Int(f"short_lived_{index}") + index
        identities.append(term.get_id())
        del term
        gc.collect(0)
    assert len(set(identities)) < len(identities)


def test_walks_hold_what_they_remember_by_identity() -> None:
    mentions = walk.Mentions(z3.And(x > 0, y > 0), frozenset({"x"}))
    gc.collect()
    others = [z3.Int(f"other_{index}") + index for index in range(200)]
    assert not any(map(mentions, others))


def test_spacer_rejects_remainders_of_two_unknowns() -> None:
    solver = z3.SolverFor("HORN")
    solver.add(z3.ForAll([x, y, v], z3.Implies(z3.And(x == v % y, y > 0), P(x))))
    solver.add(z3.ForAll([x], z3.Implies(z3.And(P(x), x < 0), False)))
    assert solver.check() == z3.unknown
    assert "Uninterpreted 'mod'" in solver.reason_unknown()


def test_interpolation_survives_what_spacer_rejects() -> None:
    found = interpolate(Oracle(), z3.And(x == v % y, y > 0), x < 0)
    assert found is not None
    assert Oracle().equivalent(found, x >= 0) is True


@pytest.mark.parametrize("inline", [True, False])
def test_spacer_with_inlining_answers_with_the_body_under_a_quantifier(inline: bool) -> None:
    solver = z3.SolverFor("HORN")
    solver.set("fp.xform.inline_eager", inline)
    solver.set("fp.xform.inline_linear", inline)
    solver.add(z3.ForAll([x, v], z3.Implies(z3.And(x == 2 * v, v > 3), P(x))))
    solver.add(z3.ForAll([x, v], z3.Implies(z3.And(P(x), x == 2 * v + 1), False)))
    assert solver.check() == z3.sat
    assert walk.has_quantifier(solver.model().eval(P(x))) is inline


def test_quantifiers_never_reach_model_based_projection() -> None:
    """z3 crashes the process there; we put the model's value instead."""
    oracle = Oracle()
    answer = oracle.check(x > v, v == 3)
    assert isinstance(answer, Sat)
    bounded = z3.ForAll([y], z3.Implies(y > v, y > 3))
    found = project_cube(oracle, z3.And(x > v, bounded), answer.model, [v])
    assert all(not terms.same(variable, v) for variable in walk.free_variables(*found))


@pytest.mark.parametrize(
    "formula",
    [
        z3.And(x < v * v, v < y),
        z3.And(x * v < y, v > 2),
        z3.And(x / v < y, v > 2),
        z3.And(v / 3 == x, v % 5 == y),
        z3.And(z3.ToReal(v) < z3.Real("r"), v > x),
    ],
)
def test_projection_leaves_no_variable_behind_on_terms_that_z3_cannot_project(formula: Term) -> None:
    oracle = Oracle()
    answer = oracle.check(formula)
    assert isinstance(answer, Sat)
    cube = project_cube(oracle, formula, answer.model, [v])
    assert all(not terms.same(variable, v) for variable in walk.free_variables(*cube))
    assert isinstance(oracle.check(*cube, formula), Sat)


def test_arrays_of_a_model_are_put_as_stores_not_as_functions() -> None:
    array = z3.Array("a", z3.IntSort(), z3.IntSort())
    answer = Oracle().check(array[0] == 1, array[1] == 2, array[x] > 5, x > 3)
    assert isinstance(answer, Sat)
    assert terms.is_value(value_in(answer.model, array))


def test_options_of_a_script_are_those_of_the_whole_process() -> None:
    """So whoever asks by a script sets them back: a limit, a seed or a variant of Spacer was there for all after it."""
    names = ["rlimit", "timeout", "smt.random_seed", "fp.spacer.global"]
    before = [z3.get_param(name) for name in names]
    with restored(names):
        context = z3.Context()
        script = "(set-option :rlimit 77)(set-option :fp.spacer.global true)(check-sat)"
        z3.Z3_eval_smtlib2_string(context.ref(), script)
        assert z3.get_param("rlimit") == "77"
    assert [z3.get_param(name) for name in names] == before


def test_spacer_leaves_nothing_behind() -> None:
    names = ["rlimit", "timeout", "smt.random_seed", "fp.spacer.global", "fp.spacer.ground_pobs"]
    before = [z3.get_param(name) for name in names]
    zero, p = terms.variable("n", z3.IntSort()), Predicate("p", (Argument("n", z3.IntSort()),))
    system = HornSystem((p,), (Clause("c", Atom(p, (zero,)), (), zero == 0),))
    solve(system, Oracle(seed=5), seconds=0.5, settings={"spacer.global": True, "spacer.ground_pobs": False})
    assert [z3.get_param(name) for name in names] == before
