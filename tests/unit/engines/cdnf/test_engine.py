"""The engine on functions whose verdicts brute force knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.families import finite
from sorrel.engines.cdnf.engine import Cdnf
from sorrel.engines.cdnf.layout import Behaviour, Layout
from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.engine import Circumstances
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted, Rejected
from sorrel.finite.horn import horn_system
from sorrel.frontends import smtlib
from sorrel.frontends.boolean import Overflow, read_program
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.options import Finite, Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.process import pipeline

PLAIN = CdnfOptions(templates=False, start=False, facts=False, generalise=False)
EVERYTHING = CdnfOptions()
WITHOUT_TEMPLATES = CdnfOptions(templates=False)
CLAUSES = CdnfOptions(templates=False, facts=False)

EVEN_ODD = """
even(n: word) { var m: word; if n = 0 then return true; fi m := n - 1; r := odd(m); return r; }
odd(n: word) { var m: word; if n = 0 then return false; fi m := n - 1; r := even(m); return r; }
property r = (n % 2 = 0);
"""


def system(row: finite.Row, width: int, overflow: str) -> HornSystem:
    text = (finite.PROGRAMS / f"{row.function}.bool").read_text()
    return horn_system(read_program(text, width=width, overflow=Overflow(overflow), properties=[row.text]))


def solved(task: HornSystem, options: CdnfOptions, seconds: float = 20.0) -> Verdict:
    engine = Cdnf(options)
    assert engine.unsupported(task) == ""
    return engine.solve(task, Circumstances(Budget(seconds=seconds).start()), {})


def confirmed(task: HornSystem, verdict: Verdict) -> bool:
    assert not isinstance(verdict, Unknown), verdict.reason
    return isinstance(check(task, verdict), Accepted)


def name(row: finite.Row) -> str:
    return f"{row.function}-{row.number}"


def _at_4_bits() -> list[object]:
    """One of them takes as long as all others together."""
    slowest = ("combination-1", "wrap")
    pairs = [(row, overflow) for row in finite.ROWS for overflow in ("wrap", "discard")]
    return [
        pytest.param(row, overflow, marks=pytest.mark.long if (name(row), overflow) == slowest else ())
        for row, overflow in pairs
    ]


@pytest.mark.parametrize(("row", "overflow"), _at_4_bits())
def test_every_row_of_the_table_at_4_bits(row: finite.Row, overflow: str) -> None:
    task = system(row, 4, overflow)
    verdict = solved(task, EVERYTHING)
    safe, _ = finite.expected(row, 4, overflow)
    assert isinstance(verdict, Safe if safe else Unsafe)
    assert confirmed(task, verdict)


@pytest.mark.parametrize("row", finite.ROWS[:9], ids=name)
def test_plain_learning_on_three_functions_at_4_bits(row: finite.Row) -> None:
    task = system(row, 4, "discard")
    verdict = solved(task, PLAIN)
    assert isinstance(verdict, Safe)
    assert confirmed(task, verdict)


@pytest.mark.parametrize("options", [PLAIN, WITHOUT_TEMPLATES, CLAUSES], ids=["plain", "facts", "clauses"])
def test_the_two_false_rows_are_refuted_by_each_way_of_learning(options: CdnfOptions) -> None:
    for row in (finite.ROWS[0], finite.ROWS[5]):
        task = system(row, 4, "wrap")
        verdict = solved(task, options)
        assert isinstance(verdict, Unsafe)
        assert confirmed(task, verdict)


@pytest.mark.parametrize("row", finite.ROWS, ids=name)
def test_every_row_at_32_bits_with_overflow_discarded(row: finite.Row) -> None:
    task = system(row, 32, "discard")
    verdict = solved(task, EVERYTHING)
    assert isinstance(verdict, Safe)
    assert confirmed(task, verdict)


@pytest.mark.parametrize("options", [PLAIN, EVERYTHING, WITHOUT_TEMPLATES], ids=["plain", "all", "facts"])
def test_mutual_recursion_is_learned_as_one_function(options: CdnfOptions) -> None:
    task = horn_system(read_program(EVEN_ODD, width=4))
    verdict = solved(task, options)
    assert isinstance(verdict, Safe)
    assert confirmed(task, verdict)


def test_a_budget_that_is_too_small_costs_no_verdict() -> None:
    task = system(finite.ROWS[8], 4, "discard")
    for options in (replace(PLAIN, steps=1), replace(WITHOUT_TEMPLATES, steps=1), replace(CLAUSES, steps=0)):
        verdict = solved(task, options, seconds=3.0)
        assert not isinstance(verdict, Unsafe)
        assert isinstance(verdict, Unknown) or confirmed(task, verdict)


def test_a_second_property_goes_on_from_the_first_summary() -> None:
    text = (finite.PROGRAMS / "fibonacci.bool").read_text()
    wanted = ["r > 0", "r >= n", "n <= 3 | r != n"]
    task = horn_system(read_program(text, width=8, overflow=Overflow.DISCARD, properties=wanted))
    verdict = solved(task, EVERYTHING)
    assert isinstance(verdict, Safe)
    assert confirmed(task, verdict)
    assert verdict.notes[0] == "property_0: by guessed facts"


def test_a_known_summary_is_used() -> None:
    text = (finite.PROGRAMS / "fibonacci.bool").read_text()
    task = horn_system(read_program(text, width=8, overflow=Overflow.DISCARD, properties=["n <= 3 | r != n"]))
    first = solved(task, EVERYTHING)
    assert isinstance(first, Safe)
    again = Cdnf(PLAIN).solve(task, Circumstances(), first.summaries)
    assert isinstance(again, Safe)
    assert again.notes[0] == "property_0: by the summary known before"
    assert confirmed(task, again)


def test_mutated_summaries_are_rejected() -> None:
    task = system(finite.ROWS[2], 8, "discard")
    verdict = solved(task, EVERYTHING)
    assert isinstance(verdict, Safe)
    (conjuncts,) = [terms.conjuncts(s) for s in verdict.summaries.values()]
    assert len(conjuncts) > 1
    for conjunct in conjuncts:
        without = terms.conjunction(c for c in conjuncts if c is not conjunct)
        negated = terms.conjunction([without, terms.negation(conjunct)])
        for wrong in (without, negated):
            assert isinstance(check(task, Safe({"fibonacci": wrong})), Rejected)


def test_mutated_runs_are_rejected() -> None:
    task = system(finite.ROWS[0], 4, "wrap")
    verdict = solved(task, EVERYTHING)
    assert isinstance(verdict, Unsafe)
    steps = verdict.derivation.steps
    for place, step in enumerate(steps):
        variable, value = next(iter(step.values.items()))
        changed = replace(step, values={**step.values, variable: terms.simplify(value + 1)})
        mutated = Derivation((*steps[:place], changed, *steps[place + 1 :]))
        assert not isinstance(check(task, Unsafe(mutated)), Accepted)


def test_what_is_not_a_finite_function_is_named() -> None:
    integers = smtlib.read_text("(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))")
    assert "input or output" in Cdnf(EVERYTHING).unsupported(integers)
    text = """(set-logic HORN)(declare-fun f (Bool Bool) Bool)
    (set-info :sorrel-predicate "f (x input) (y output)")
    (assert (forall ((x Bool)) (f x true)))
    (assert (forall ((x Bool)) (f x false)))
    (assert (forall ((x Bool) (y Bool)) (=> (and (f x y) y) false)))"""
    assert "nondeterministic" in Cdnf(EVERYTHING).unsupported(smtlib.read_text(text))


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
@pytest.mark.parametrize(("wanted", "answer"), [("n <= 3 | r != n", "safe"), ("r != 34", "unsafe")])
def test_a_second_solver_confirms_on_the_printed_clauses(checker: str, wanted: str, answer: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    options = Options("cdnf", budget=Budget(seconds=30), recheck=checker, finite=Finite(8, "discard", (wanted,)))
    outcome = pipeline.solve(Source(str(finite.PROGRAMS / "fibonacci.bool")), options)
    assert outcome.answer is Answer(answer), outcome.reason
    assert [c.accepted for c in outcome.confirmations] == [True, True]
    assert outcome.horn.startswith("(set-logic HORN)")


def test_a_point_and_its_behaviour_are_one_to_one() -> None:
    program = read_program(
        "f(x: word[3], b) { x := g(x); return b; } g(x: word[3]) returns (r: word[3]) { r := g(x); }"
    )
    layout = Layout(program)
    found = [layout.behaviour(point) for point in range(1 << layout.size)]
    real = [b for b in found if b is not None]
    assert len(set(real)) == len(real) == 2**5 + 2**6
    assert all(layout.point(b) == point for point, b in enumerate(found) if b is not None)
    assert layout.behaviour(layout.point(Behaviour("g", (5,), (2,)))) == Behaviour("g", (5,), (2,))
