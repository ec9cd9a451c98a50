"""CLOVER's rules, one by one and together."""

from __future__ import annotations

import pytest

from sorrel.engines.clover.bodies import Bodies
from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.goal import Lemma, Lemmas, Over
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.clover.rules import Rules
from sorrel.engines.clover.tree import Tree
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle, Unsat

PARITY = """(set-logic HORN)
(declare-fun even (Int Bool) Bool)
(declare-fun odd (Int Bool) Bool)
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) r) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) (not r)) (odd x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (odd (- x 1) r)) (even x r))))
(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (even (- x 1) r)) (odd x r))))
(assert (forall ((x Int) (y Int)) (=> {query} false)))
(check-sat)
"""
ONE_CALL = PARITY.format(query="(and (even x true) (= x (+ 1 (* 2 y))))")
TWO_CALLS = PARITY.format(query="(and (even x true) (odd x true))")
UNSAFE = PARITY.format(query="(and (even x true) (> x 60))")


def solve(text: str, seconds: float = 30, **options: object) -> Verdict:
    system = read_text(text)
    chosen = CloverOptions(**{"tables": options.get("pool", True), **options})  # type: ignore[arg-type]
    verdict = Clover(chosen).solve(system, Circumstances(Budget(seconds=seconds).start(), explain=True), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


def rules_used(verdict: Verdict) -> set[str]:
    return {step.rule for step in verdict.explanation.deductions}


def test_ec_lemmas_prove_a_property_of_mutual_recursion_without_the_pool() -> None:
    verdict = solve(ONE_CALL, pool=False)
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("decided by the rules",)
    assert rules_used(verdict) & {"OOIL", "UOIL"}
    assert "EL" in rules_used(verdict)


def test_without_ec_lemmas_the_same_property_is_not_proved() -> None:
    verdict = solve(ONE_CALL, seconds=1.5, pool=False, ec_lemmas=False, templates=False)
    assert isinstance(verdict, Unknown)
    assert "bound" in verdict.reason.message


def test_two_calls_are_related_by_the_rules_alone() -> None:
    assert isinstance(solve(TWO_CALLS, pool=False), Safe)


def test_two_calls_are_related_by_the_pool() -> None:
    verdict = solve(TWO_CALLS)
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("decided by the pool",)


@pytest.mark.long
def test_a_deep_counterexample_is_found_forward() -> None:
    verdict = solve(UNSAFE, seconds=120)
    assert isinstance(verdict, Unsafe)
    assert verdict.notes == ("decided by forward search",)


@pytest.mark.parametrize("order", ["bfs", "dfs"])
def test_both_orders_reach_the_proof(order: str) -> None:
    assert isinstance(solve(ONE_CALL, pool=False, order=order), Safe)


@pytest.mark.parametrize("bound", [pytest.param(1, marks=pytest.mark.long), 2, 5])
def test_any_bound_reaches_the_proof(bound: int) -> None:
    assert isinstance(solve(ONE_CALL, pool=False, bound=bound), Safe)


def test_what_was_found_is_returned_with_an_unknown() -> None:
    verdict = solve(TWO_CALLS, seconds=1.5, pool=False, ec_lemmas=False, congruences=False)
    assert isinstance(verdict, Unknown)
    assert verdict.facts
    assert not terms.is_true(verdict.facts["even"])


def test_a_ring_of_three_is_taken_whole() -> None:
    ring = "".join(
        f"(assert (forall ((x Int) (r Bool)) (=> (and (= x 0) (= r {'true' if i == 0 else 'false'})) (p{i} x r))))"
        f"(assert (forall ((x Int) (r Bool)) (=> (and (> x 0) (p{(i + 2) % 3} (- x 1) r)) (p{i} x r))))"
        for i in range(3)
    )
    declared = "".join(f"(declare-fun p{i} (Int Bool) Bool)" for i in range(3))
    query = "(assert (forall ((x Int) (a Bool) (b Bool)) (=> (and (p0 x a) (p0 (+ x 3) b) (distinct a b)) false)))"
    verdict = solve(f"(set-logic HORN){declared}{ring}{query}(check-sat)", seconds=90, pool=False)
    assert isinstance(verdict, Safe)
    assert {"OOIL", "EL"} <= rules_used(verdict)


def test_bodies_without_recursion_follow_their_callees() -> None:
    system = read_text("""(set-logic HORN)
(declare-fun represent (Int Int) Bool)
(declare-fun reduce (Int Int) Bool)
(assert (forall ((a Int) (m Int)) (=> (and (>= a 0) (reduce (* 8 a) m)) (represent a m))))
(assert (forall ((x Int)) (=> (and (>= x 0) (< x 5)) (reduce x x))))
(assert (forall ((x Int) (r Int)) (=> (and (>= x 5) (reduce (- x 5) r)) (reduce x r))))
(assert (forall ((a Int)) (=> (represent a 7) false)))
(check-sat)""")
    oracle = Oracle(Budget(seconds=20).start())
    over = Over(system, {})
    bodies = Bodies(system, Rules.of(system), over, oracle)
    represent, reduce = system.predicate["represent"], system.predicate["reduce"]
    bodies.learn(represent)
    assert bodies.tell_all("represent")
    x, r = reduce.formals
    over.refine("reduce", terms.equal((x - r) % 5, terms.integer(0)), oracle)
    assert not bodies.tell_all("represent")
    assert [name for name, _ in bodies.renew()] == ["represent"]
    a, m = represent.formals
    assert oracle.entails(over.of("represent"), terms.equal((8 * a - m) % 5, terms.integer(0)))


def test_lemmas_are_discharged_only_together() -> None:
    system = read_text(ONE_CALL)
    oracle = Oracle(Budget(seconds=20).start())
    over = Over(system, {})
    x, r = system.predicate["even"].formals
    y, t = system.predicate["odd"].formals
    even_fact = terms.negation(terms.conjunction([r, x % 2 == 1]))
    odd_fact = terms.negation(terms.conjunction([t, y % 2 == 0]))
    lemmas = Lemmas()
    lemmas.add(Lemma("odd", odd_fact, (("even", even_fact),)))
    assert lemmas.discharge(over, oracle) == []
    lemmas.add(Lemma("even", even_fact, (("odd", odd_fact),)))
    assert {lemma.predicate for lemma in lemmas.discharge(over, oracle)} == {"even", "odd"}


def test_an_environment_is_bounded_by_k_levels() -> None:
    system = read_text(ONE_CALL)
    tree = Tree(Rules.of(system), bound=2)
    node = tree.nodes[0]
    sizes = []
    for _ in range(6):
        environment = tree.environment(node)
        sizes.append(len(str(environment.constraint)))
        recursive = next(r for r in tree.rules.by_predicate[node.predicate.name] if r.calls)
        node = tree.try_add(node, recursive, 0) or tree.equivalent(node, recursive, 0)
    assert max(sizes[2:]) <= 2 * max(sizes[:2])
    assert len(tree.nodes) <= 5


def test_an_environment_holds_what_surrounds_the_call() -> None:
    system = read_text(ONE_CALL)
    tree = Tree(Rules.of(system), bound=3)
    environment = tree.environment(tree.nodes[0])
    x, r = system.predicate["even"].formals
    oracle = Oracle(Budget(seconds=20).start())
    assert isinstance(oracle.check(environment.constraint, x == 4), Unsat)
    assert isinstance(oracle.check(environment.constraint, terms.negation(r)), Unsat)


def test_the_rules_of_the_paper_need_no_templates() -> None:
    verdict = solve(ONE_CALL, pool=False, templates=False)
    assert isinstance(verdict, Safe)
    assert rules_used(verdict) & {"OOIL", "UOIL"}


def test_summaries_are_carried_over_from_query_to_query() -> None:
    """Both queries rest on the same facts: those of the first are there when the second is asked."""
    queries = ["(and (even x true) (odd x true))", "(and (even x true) (even (+ x 1) true))"]
    asserted = "\n".join(f"(assert (forall ((x Int)) (=> {query} false)))" for query in queries)
    text = PARITY.format(query="(and (even x true) (< x 0))").replace("(check-sat)", asserted + "\n(check-sat)")
    verdict = solve(text, pool=False)
    assert isinstance(verdict, Safe)
    facts = [step.text for step in verdict.explanation.deductions if step.rule in ("EL", "OOI", "UOI")]
    assert len(facts) == len(set(facts))


def test_seeds_are_used_unless_seeding_is_off() -> None:
    system = read_text(TWO_CALLS)
    (x, r), (y, t) = (system.predicate[name].formals for name in ("even", "odd"))
    seeds = {
        "even": terms.conjunction([terms.implication(r, x % 2 == 0), x >= 0]),
        "odd": terms.conjunction([terms.implication(t, y % 2 == 1), y >= 0]),
    }
    found = {}
    for seeding in (True, False):
        options = CloverOptions(pool=False, forward=False, templates=False, bodies=False, seeding=seeding, bound=1)
        found[seeding] = Clover(options).solve(system, Circumstances(Budget(seconds=3).start(), explain=True), seeds)
    assert isinstance(found[True], Safe)
    assert not found[True].explanation.deductions
    assert not isinstance(found[False], Safe) or found[False].explanation.deductions


THEORIES = {
    "Bool": ("Bool Bool", "(a Bool) (b Bool)", "(= a b)", "(not a)", "(and a (not b))"),
    "Int, div and mod": ("Int Int", "(a Int) (b Int)", "(= a b)", "(+ b 4)", "(= (mod (- a b) 2) 1)"),
    "Real": ("Real Real", "(a Real) (b Real)", "(= a b 0.5)", "(+ b 0.5)", "(< b a)"),
    "arrays": (
        *("(Array Int Int) Int", "(a (Array Int Int)) (b Int)", "(and (= b 0) (= (select a 0) 1))", "(+ b 1)"),
        "(and (= b 0) (distinct (select a b) 1))",
    ),
    "bit-vectors": (
        *("(_ BitVec 8) (_ BitVec 8)", "(a (_ BitVec 8)) (b (_ BitVec 8))", "(and (= a #x00) (= b #x00))"),
        *("(bvadd b #x02)", "(= b #x01)"),
    ),
    "nonlinear": ("Int Int", "(a Int) (b Int)", "(and (= b (* a a)) (>= a 0))", "(+ b (* a a))", "(< b 0)"),
}


@pytest.mark.parametrize(
    ("theory", "pool"),
    [
        pytest.param(theory, pool, marks=pytest.mark.long if pool and theory == "arrays" else ())
        for theory in THEORIES
        for pool in (True, False)
    ],
)
def test_no_theory_breaks_the_engine(theory: str, pool: bool) -> None:
    """An answer is checked; without one there is a reason."""
    sorts, variables, start, step, query = THEORIES[theory]
    again = step if theory != "Bool" else "b"
    text = f"""(set-logic HORN)
(declare-fun p ({sorts}) Bool)
(assert (forall ({variables}) (=> {start} (p a b))))
(assert (forall ({variables}) (=> (p a b) (p a {again}))))
(assert (forall ({variables}) (=> (and (p a b) {query}) false)))
(check-sat)
"""
    verdict = solve(text, seconds=3, pool=pool)
    assert isinstance(verdict, Safe | Unknown)


POWER = """(set-logic HORN)
(declare-fun power (Int Int Int) Bool)
(assert (forall ((n Int) (x Int) (r Int)) (=> (and (<= n 0) (= r 1)) (power n x r))))
(assert (forall ((n Int) (x Int) (r Int) (s Int)) (=> (and (> n 0) (power (- n 1) x s) (= r (* x s))) (power n x r))))
(assert (forall ((n Int) (x Int) (r Int)) (=> (and (power n x r) (>= x 1) {bad}) false)))
"""


def test_products_are_abstracted_for_a_proof() -> None:
    verdict = solve(POWER.format(bad="(< r 1)"))
    assert isinstance(verdict, Safe)
    assert "products as variables with linear bounds" in verdict.notes


def test_products_are_exact_in_a_counterexample() -> None:
    assert isinstance(solve(POWER.format(bad="(> r 100)")), Unsafe)


HALVES = """(set-logic HORN)
(declare-fun half (Int Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (<= (* 2 r) n) (> (* 2 r) (- n 2))) (half n r))))
(assert (forall ((n Int) (r Int) (h Int)) (=> (and (half n h) (= r (+ h h))) (twice n r))))
(assert (forall ((n Int) (r Int)) (=> (and (twice n r) {bad}) false)))
"""
RULES_ALONE = {"pool": False, "forward": False, "templates": False, "bodies": False, "congruences": False}


def test_an_interpolant_excludes_the_environment_at_once() -> None:
    verdict = solve(HALVES.format(bad="(> r n)"), interpolants=True, **RULES_ALONE)
    assert isinstance(verdict, Safe)
    assert rules_used(verdict) == {"OOI"}
    assert isinstance(solve(HALVES.format(bad="(< r n)"), interpolants=True, pool=False), Unsafe)
