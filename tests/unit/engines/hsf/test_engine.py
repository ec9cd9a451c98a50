"""HSF's procedures, one by one and together."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given

from property.strategies import BOOL, terms_of
from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.abstraction import Abstraction
from sorrel.engines.hsf.counterexample import Counterexample, Feasible, Infeasible
from sorrel.engines.hsf.engine import Hsf
from sorrel.engines.hsf.inference import Inference
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.hsf.predicates import Predicates, comparisons, refinement_predicates, residues
from sorrel.engines.hsf.rules import cases, rules_of
from sorrel.engines.hsf.transfer import Transfer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Summaries, Terminating, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Cause
from sorrel.smt.solver import Oracle

COUNTER = """(set-logic HORN)
(declare-fun count (Int Int) Bool)
(assert (forall ((n Int) (i Int)) (=> (and (= i 0) (= n 3)) (count n i))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (count n i) (< i n) (= j (+ i 1))) (count n j))))
(assert (forall ((n Int) (i Int)) (=> (and (count n i) (>= i {limit})) false)))
(check-sat)
"""
SAFE, UNSAFE = COUNTER.format(limit=4), COUNTER.format(limit=2)


def solve(text: str, seeds: Summaries | None = None, seconds: float = 20, **options: object) -> Verdict:
    system = read_text(text)
    engine = Hsf(HsfOptions(**options))  # type: ignore[arg-type]
    verdict = engine.solve(system, Circumstances(Budget(seconds=seconds).start(), explain=True), seeds or {})
    if not isinstance(verdict, Unknown):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


# Rules


@given(terms_of(BOOL))
def test_the_cases_of_a_formula_are_equivalent_to_it(formula: Term) -> None:
    for most in (1, 6):
        found = cases(formula, most)
        assert len(found) <= most
        solver = z3.Solver()
        solver.set("timeout", 2000)
        solver.add(formula != terms.disjunction(terms.conjunction(case) for case in found))
        assert solver.check() != z3.sat


def test_a_branch_inside_a_term_is_a_case() -> None:
    x, y = z3.Ints("x y")
    found = cases(y == z3.If(x > 0, x, -x), 4)
    assert [[str(part) for part in case] for case in found] == [["x > 0", "y == x"], ["Not(x > 0)", "y == -x"]]


# Abstraction


def test_abstraction_keeps_exactly_the_predicates_that_the_rule_implies() -> None:
    system = read_text(SAFE)
    n, i = system.predicate["count"].formals
    table = Predicates(system)
    for formula in (i <= n, i >= 0, i >= 1, i <= 2):
        table.add("count", formula)
    abstraction = Abstraction(table, Oracle())
    first, step, query = rules_of(system.clauses, {}, 8)
    assert abstraction.apply(first, ()) == (0b1011,)
    assert abstraction.apply(step, (0b1011,)) == (0b0111,)
    assert abstraction.apply(step, (0b0000,)) == (0b0001,)
    assert abstraction.apply(query, (0b0000,)) == (0,)
    table.add("count", i <= 3)
    assert abstraction.apply(query, (0b10000,)) == ()
    assert abstraction.apply(first, ()) == (0b11011,)


def test_a_remembered_proof_answers_for_stronger_premises_without_a_question() -> None:
    system = read_text(SAFE)
    n, i = system.predicate["count"].formals
    table = Predicates(system)
    for formula in (i <= n, i >= 0):
        table.add("count", formula)
    oracle = Oracle()
    abstraction = Abstraction(table, oracle)
    step = rules_of(system.clauses, {}, 8)[1]
    assert abstraction.apply(step, (0b11,)) == (0b11,)
    asked = oracle.statistics.tally("hsf.abstract").count
    table.add("count", n == 3)
    assert abstraction.apply(step, (0b011,)) == (0b011,)
    assert abstraction.apply(step, (0b111,)) == (0b111,)
    assert oracle.statistics.tally("hsf.abstract").count - asked <= 2


def test_inferred_facts_without_predicates_are_true_and_a_violation_is_seen() -> None:
    system = read_text(SAFE)
    table = Predicates(system)
    rules = rules_of(system.clauses, {}, 8)
    violation = Inference(system, rules, table, Abstraction(table, Oracle())).run()
    assert violation is not None
    assert len(violation.parents) == 1
    assert violation.parents[0].chosen == 0


def test_a_weaker_fact_replaces_a_stronger_one() -> None:
    text = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (p x))))
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(check-sat)
"""
    system = read_text(text)
    (x,) = system.predicate["p"].formals
    table = Predicates(system)
    table.add("p", x >= 1)
    table.add("p", x <= 1)
    inference = Inference(system, rules_of(system.clauses, {}, 8), table, Abstraction(table, Oracle()))
    assert inference.run() is None
    assert terms.same(inference.summaries()["p"], terms.simplify(x >= 1))


# Counterexamples and predicates


def counterexample(text: str) -> Counterexample:
    system = read_text(text)
    table = Predicates(system)
    violation = Inference(system, rules_of(system.clauses, {}, 8), table, Abstraction(table, Oracle())).run()
    assert violation is not None
    return Counterexample(violation)


def test_an_infeasible_tree_keeps_only_what_contradicts() -> None:
    result = counterexample(SAFE).examine(Oracle())
    assert isinstance(result, Infeasible)
    (node,) = result.system.predicates
    assert len(node.arguments) == 1  # i = 0 and i >= 4; n does not matter


def test_a_feasible_tree_is_a_derivation() -> None:
    system = read_text(COUNTER.format(limit=0))
    result = counterexample(COUNTER.format(limit=0)).examine(Oracle())
    assert isinstance(result, Feasible)
    assert isinstance(check(system, Unsafe(result.derivation)), Accepted)


def test_a_refinement_gives_whole_conjuncts_and_atoms_in_both_polarities() -> None:
    x, y = z3.Ints("x y")
    solution = z3.And(z3.Not(x <= 90), z3.Or(y == x, x > 3))
    system = read_text(SAFE)
    table = Predicates(system)
    n, i = system.predicate["count"].formals
    for formula in refinement_predicates(z3.substitute(solution, (x, n), (y, i)), with_atoms=True):
        table.add("count", formula)
    held = table.of("count")
    at_zero = [z3.is_true(z3.simplify(z3.substitute(p, (n, z3.IntVal(0)), (i, z3.IntVal(0))))) for p in held]
    assert len(held) == 6  # ¬(x ≤ 90), the disjunction, and two atoms with their negations
    assert sorted(at_zero) == [False, False, False, True, True, True]
    assert len(list(refinement_predicates(solution, with_atoms=False))) == 2


def test_the_vocabulary_compares_arguments_with_constants_and_each_other() -> None:
    system = read_text(SAFE)
    assert len(list(comparisons(system.predicates[0], [3]))) == 6
    assert len(residues(system.predicates[0], [2])) == 4
    assert residues(system.predicates[0], [100]) == []


def test_residues_prove_what_bounds_do_not() -> None:
    """e(x) and o(x) are not both true: a relation between two calls."""
    assert isinstance(solve(PARITY, residues=2), Safe)
    assert isinstance(solve(PARITY, residues=0, seconds=2), Unknown)


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


TWO_LOOPS = """(set-logic HORN)
(declare-fun first (Int Int) Bool)
(declare-fun second (Int Int) Bool)
(assert (forall ((i Int) (k Int)) (=> (and (= i 0) (= k 5)) (first i k))))
(assert (forall ((i Int) (k Int)) (=> (and (first i k) (< i 1000)) (first (+ i 1) k))))
(assert (forall ((i Int) (j Int) (k Int)) (=> (and (first i k) (>= i 1000) (= j 0)) (second j k))))
(assert (forall ((j Int) (k Int)) (=> (and (second j k) (< j 1000)) (second (+ j 1) k))))
(assert (forall ((j Int) (k Int)) (=> (and (second j k) (>= j 1000) (not (= k 5))) false)))
(check-sat)
"""


def test_a_reason_that_needs_no_rounds_of_loops_is_found_before_one_that_counts_them() -> None:
    verdict = solve(TWO_LOOPS)
    assert isinstance(verdict, Safe)
    learned = {step.text for step in verdict.explanation.deductions}
    assert len([text for text in learned if "i" in text or "j" in text]) <= 2  # that neither loop is left at once


def test_a_predicate_is_carried_to_where_its_variables_are_handed_on() -> None:
    system = read_text(TWO_LOOPS)
    transfer = Transfer(system.predicates, rules_of(system.clauses, {}, 4))
    i, k = system.predicate["first"].formals
    assert sorted(name for name, _ in transfer.everywhere("first", k <= 5)) == ["first", "second"]
    assert [name for name, _ in transfer.everywhere("first", i <= 5)] == ["first"]


# The engine


def test_safe_and_unsafe_systems_are_settled_with_evidence() -> None:
    assert isinstance(solve(SAFE), Safe)
    assert isinstance(solve(UNSAFE), Unsafe)
    assert isinstance(solve(SAFE, vocabulary=True), Safe)


@pytest.mark.parametrize("method", ["spacer", "farkas", "strongest", "weakest"])
def test_each_method_alone_refines_far_enough_for_a_counter(method: str) -> None:
    verdict = solve(SAFE, methods=method)
    assert isinstance(verdict, Safe)
    assert {step.rule for step in verdict.explanation.deductions} <= {f"ADDPREDS, {method}", "ADDPREDS, its values"}


def test_an_unknown_method_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="spacer"):
        Hsf(HsfOptions(methods="magic"))


def test_seeds_are_assumed_at_calls_and_stand_in_the_answer() -> None:
    system = read_text(SAFE)
    n, i = system.predicate["count"].formals
    seeds = {"count": z3.And(i <= n, n == 3)}
    verdict = Hsf(HsfOptions()).solve(system, Circumstances(), seeds)
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("0 refinements, 0 predicates",)
    assert isinstance(check(system, verdict), Accepted)


def test_what_is_inductive_is_handed_over_when_time_runs_out() -> None:
    """Parity is out of reach of Farkas; the bound that it finds on the way holds anyway."""
    text = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y 0)) false)))
(assert (forall ((x Int) (y Int) (k Int)) (=> (and (p x y) (= x (+ 1 (* 2 k))) (< k y)) false)))
(check-sat)
"""
    verdict = solve(text, seconds=4, methods="farkas")
    assert isinstance(verdict, Unknown)
    system = read_text(text)
    _, y = system.predicate["p"].formals
    assert Oracle().entails(verdict.facts["p"], y >= 0)


# Obligations


DESCENT = """(set-logic HORN)
(declare-fun t (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (> x 0) (t x y {x} {y}))))
(assert (forall ((a Int) (b Int) (x Int) (y Int)) (=> (and (t a b x y) (> x 0)) (t a b {x} {y}))))
{query}
(dwf d ((x Int) (y Int)) ((x1 Int) (y1 Int)) (t x y x1 y1))
(check-sat)
"""


def test_halving_is_ranked_by_what_bounds_a_quotient() -> None:
    text = DESCENT.format(x="(div x 2)", y="y", query="")
    assert isinstance(solve(text), Terminating)


def test_a_relation_is_ranked_in_phases() -> None:
    """x turns round once y is negative."""
    text = DESCENT.format(x="(+ x y)", y="(- y 1)", query="")
    verdict = solve(text)
    assert isinstance(verdict, Terminating)
    assert isinstance(check(read_text(text), verdict), Accepted)


def test_a_relation_without_a_rank_is_named_and_not_called_endless() -> None:
    """It does not terminate, which is not claimed either."""
    verdict = solve(DESCENT.format(x="(+ x 1)", y="y", query=""))
    assert isinstance(verdict, Unknown)
    assert verdict.reason.cause is Cause.INCOMPLETE
    assert "no ranking function was found for obligation d on the steps with" in verdict.reason.message
    assert "x1" in verdict.reason.message


def test_a_query_beside_an_obligation_can_still_be_refuted() -> None:
    query = "(assert (forall ((a Int) (b Int) (x Int) (y Int)) (=> (and (t a b x y) (< x 0)) false)))"
    verdict = solve(DESCENT.format(x="(- x 2)", y="y", query=query))
    assert isinstance(verdict, Unsafe)


# Large derivations


DOUBLING = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 1))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (p n x) (p n y) (< n 5)) (p (+ n 1) (+ x y)))))
(assert (forall ((n Int) (x Int)) (=> (and (p n x) (= n 5) (> x {limit})) false)))
(check-sat)
"""


@pytest.mark.parametrize(("limit", "kind"), [pytest.param(32, Safe, marks=pytest.mark.long), (31, Unsafe)])
def test_a_derivation_whose_tree_is_large_is_examined_as_a_graph(
    limit: int, kind: type[Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """63 steps as a tree, 6 facts as a graph."""
    from sorrel.engines.hsf.graph import DerivationGraph

    examined: list[int] = []
    examine = DerivationGraph.examine

    def counted(self: DerivationGraph, oracle: Oracle, seconds: float) -> object:
        examined.append(len(self.system.predicates))
        return examine(self, oracle, seconds)

    monkeypatch.setattr(DerivationGraph, "examine", counted)
    assert isinstance(solve(DOUBLING.format(limit=limit), seconds=40), kind)
    assert examined
