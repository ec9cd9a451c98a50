"""The checker has the hardest tests: evidence with one thing wrong must not pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import UnwindOptions
from sorrel.engines.unwind import Unwind
from sorrel.evidence.certificate import check
from sorrel.evidence.derivation import check_derivation
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Unsafe
from sorrel.logic import terms
from sorrel.logic.terms import Term, integer
from sorrel.model.budget import Budget

COUNTER = """
(set-logic HORN)
(declare-fun count (Int Int) Bool)
(assert (forall ((n Int) (i Int)) (=> (and (= i 0) (= n 3)) (count n i))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (count n i) (< i n) (= j (+ i 1))) (count n j))))
(assert (forall ((n Int) (i Int)) (=> (and (count n i) (>= i {limit})) false)))
(check-sat)
"""
SAFE = COUNTER.format(limit=4)
UNSAFE = COUNTER.format(limit=2)


@pytest.fixture
def safe() -> HornSystem:
    return read_text(SAFE)


@pytest.fixture
def unsafe() -> HornSystem:
    return read_text(UNSAFE)


def invariant(system: HornSystem) -> Term:
    n, i = system.predicate["count"].formals
    return terms.conjunction([i <= n, n == 3])


def derivation(system: HornSystem) -> Derivation:
    first, step, query = system.clauses

    def values(clause: int, *numbers: int) -> dict[Term, Term]:
        by_name = {v.decl().name(): v for v in system.clauses[clause].variables}
        return {by_name[name]: integer(number) for name, number in zip("nij", numbers, strict=False)}

    return Derivation(
        (
            Step(first.name, values(0, 3, 0)),
            Step(step.name, values(1, 3, 0, 1), (0,)),
            Step(step.name, values(1, 3, 1, 2), (1,)),
            Step(query.name, values(2, 3, 2), (2,)),
        )
    )


def test_inductive_summaries_are_accepted(safe: HornSystem) -> None:
    assert isinstance(check_summaries(safe, {"count": invariant(safe)}), Accepted)


def test_a_summary_too_weak_for_the_query_is_rejected(safe: HornSystem) -> None:
    assert isinstance(check_summaries(safe, {"count": terms.TRUE}), Rejected)


def test_a_summary_that_is_not_inductive_is_rejected(safe: HornSystem) -> None:
    _, i = safe.predicate["count"].formals
    assert isinstance(check_summaries(safe, {"count": i <= 2}), Rejected)


def test_a_missing_summary_is_rejected(safe: HornSystem) -> None:
    assert isinstance(check_summaries(safe, {}), Rejected)


def test_a_summary_over_other_variables_is_rejected(safe: HornSystem) -> None:
    stranger = terms.variable("stranger", terms.INT)
    assert isinstance(check_summaries(safe, {"count": stranger > 0}), Rejected)


def test_a_summary_with_an_uninterpreted_symbol_is_rejected(safe: HornSystem) -> None:
    n, i = safe.predicate["count"].formals
    other = terms.declare("other", [terms.INT, terms.INT], terms.BOOL)
    assert isinstance(check_summaries(safe, {"count": other(n, i)}), Rejected)


def test_summaries_of_an_unsafe_system_are_rejected(unsafe: HornSystem) -> None:
    assert isinstance(check_summaries(unsafe, {"count": invariant(unsafe)}), Rejected)


def test_no_time_means_not_confirmed(safe: HornSystem) -> None:
    assert isinstance(check_summaries(safe, {"count": invariant(safe)}, seconds=0), NotConfirmed)


def test_a_derivation_is_accepted(unsafe: HornSystem) -> None:
    assert isinstance(check_derivation(unsafe, derivation(unsafe)), Accepted)


def test_an_empty_derivation_is_rejected(unsafe: HornSystem) -> None:
    assert isinstance(check_derivation(unsafe, Derivation(())), Rejected)


def test_a_derivation_that_stops_before_the_query_is_rejected(unsafe: HornSystem) -> None:
    assert isinstance(check_derivation(unsafe, Derivation(derivation(unsafe).steps[:-1])), Rejected)


@pytest.mark.parametrize("index", range(4))
def test_any_changed_value_is_rejected(unsafe: HornSystem, index: int) -> None:
    whole = derivation(unsafe)
    for variable in whole.steps[index].values:
        values = {**whole.steps[index].values, variable: integer(7)}
        steps = list(whole.steps)
        steps[index] = replace(steps[index], values=values)
        assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


@pytest.mark.parametrize("index", range(4))
def test_any_dropped_value_is_rejected(unsafe: HornSystem, index: int) -> None:
    steps = list(derivation(unsafe).steps)
    variable = next(iter(steps[index].values))
    values = {v: value for v, value in steps[index].values.items() if not terms.same(v, variable)}
    steps[index] = replace(steps[index], values=values)
    assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


@pytest.mark.parametrize("index", range(1, 4))
@pytest.mark.parametrize("premises", [(), (0, 0), (9,), (-1,)])
def test_wrong_premises_are_rejected(unsafe: HornSystem, index: int, premises: tuple[int, ...]) -> None:
    steps = list(derivation(unsafe).steps)
    steps[index] = replace(steps[index], premises=premises)
    assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


def test_a_step_cannot_be_its_own_premise(unsafe: HornSystem) -> None:
    steps = list(derivation(unsafe).steps)
    steps[2] = replace(steps[2], premises=(2,))
    assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


@pytest.mark.parametrize("index", range(4))
def test_another_clause_is_rejected(unsafe: HornSystem, index: int) -> None:
    for other in [*unsafe.clause, "nonsense"]:
        steps = list(derivation(unsafe).steps)
        if other != steps[index].clause:
            steps[index] = replace(steps[index], clause=other)
            assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


def test_a_value_that_is_no_value_is_rejected(unsafe: HornSystem) -> None:
    steps = list(derivation(unsafe).steps)
    variable = next(iter(steps[0].values))
    steps[0] = replace(steps[0], values={**steps[0].values, variable: terms.variable("free", terms.INT)})
    assert isinstance(check_derivation(unsafe, Derivation(tuple(steps))), Rejected)


def test_a_derivation_that_needs_a_value_of_division_by_zero_is_not_accepted() -> None:
    system = read_text("(set-logic HORN) (assert (forall ((x Int)) (=> (= (div x 0) 7) false))) (check-sat)")
    (x,) = system.clauses[0].variables
    result = check_derivation(system, Derivation((Step(system.clauses[0].name, {x: integer(1)}),)))
    assert not isinstance(result, Accepted)


@pytest.mark.parametrize(
    "text",
    [
        "(assert (forall ((x Real)) (=> (= (* x x) 2.0) false)))",
        "(declare-datatypes ((C 0)) (((red) (blue (shade Int))))) (assert (=> (= (shade red) 7) false))",
    ],
)
def test_what_cannot_be_written_or_is_left_open_is_not_called_wrong(text: str) -> None:
    """An engine may answer with it; that is no bug of ours, only evidence that nobody can check."""
    system = read_text(f"(set-logic HORN) {text} (check-sat)")
    verdict = Unwind(UnwindOptions()).solve(system, Circumstances(Budget(seconds=5).start()), {})
    if isinstance(verdict, Unsafe):
        assert isinstance(check(system, verdict), NotConfirmed)


# The original text


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
def test_recheck_accepts_on_the_original_text(checker: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    safe, unsafe = read_text(SAFE), read_text(UNSAFE)
    good = Safe({"count": invariant(safe)})
    assert isinstance(recheck(SAFE, safe, good, checker, 20), Accepted)
    assert isinstance(recheck(UNSAFE, unsafe, Unsafe(derivation(unsafe)), checker, 20), Accepted)


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
def test_recheck_does_not_accept_wrong_evidence(checker: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    safe, unsafe = read_text(SAFE), read_text(UNSAFE)
    assert isinstance(recheck(SAFE, safe, Safe({"count": terms.TRUE}), checker, 20), Rejected)
    short = Unsafe(Derivation(derivation(unsafe).steps[1:]))
    assert not isinstance(recheck(UNSAFE, unsafe, short, checker, 20), Accepted)
    assert not isinstance(recheck(SAFE, safe, Unsafe(derivation(unsafe)), checker, 20), Accepted)


def test_recheck_sees_what_our_reader_would_have_misread() -> None:
    """The evidence is for another text: only the recheck, which reads the text itself, can notice."""
    safe = read_text(SAFE)
    evidence = Safe({"count": invariant(safe)})
    assert isinstance(check(safe, evidence), Accepted)
    assert isinstance(recheck(UNSAFE, safe, evidence, "z3", 20), Rejected)


RULES = """
(declare-rel up (Int))
(declare-rel bad ())
(declare-var x Int)
(declare-var y Int)
(rule (=> (= x 0) (up x)))
(rule (=> (and (up x) (= y (+ x 1)) (<= y {top})) (up y)))
(rule (=> (and (up x) (> x 2)) bad))
(query bad)
"""


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
def test_recheck_reads_the_rule_dialect(checker: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    text = RULES.format(top=2)
    system = read_text(text)
    (x,) = system.predicate["up"].formals
    evidence = Safe({"up": x <= 2, "bad": terms.FALSE})
    assert isinstance(check(system, evidence), Accepted)
    assert isinstance(recheck(text, system, evidence, checker, 20), Accepted)
    assert isinstance(recheck(RULES.format(top=3), system, evidence, checker, 20), Rejected)


def test_the_checker_imports_no_engine_and_no_transformation() -> None:
    import sorrel.evidence

    folder = Path(sorrel.evidence.__file__).parent
    for module in folder.glob("*.py"):
        content = module.read_text(encoding="utf-8")
        assert "sorrel.engines" not in content
        assert "sorrel.transform" not in content
