"""The product of threads by locations, and comparisons that are inductive on it."""

from __future__ import annotations

import pytest

import folders
from asking import asked
from c_threads import read, threads_text
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import instantiate
from sorrel.encode.thread_product import ThreadProduct, thread_product
from sorrel.encode.transition import thread_view
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends import smtlib
from sorrel.guess.comparisons import comparisons
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.model.outcome import Answer
from sorrel.program.schedules import explore, mentioned_values
from sorrel.program.threads import threads_of
from sorrel.smt.solver import Oracle

PROGRAMS = folders.PROGRAMS / "threads"
COUNTED = threads_text(
    "_Atomic int turn, n; int limit;",
    ["while (turn != 0) { } turn = 1; n = n + 1; turn = 0;", "int seen = n; if (seen < 0) reach_error();"],
)

GROWING = threads_text("_Atomic int n;", ["while (1) n = n + 1;", "int seen = n; if (seen < 0) reach_error();"])


def _product(text: str, most: int = 1000) -> ThreadProduct:
    product = thread_product(thread_view(threads_of(read(text)), Arithmetic.IDEAL), most=most)
    assert product is not None
    return product


@pytest.mark.parametrize("text", [COUNTED, (PROGRAMS / "peterson.c").read_text()])
def test_every_configuration_that_is_reached_has_its_location(text: str) -> None:
    product = _product(text)
    reached = explore(threads_of(read(text)), most=500).reached
    assert sum(map(len, product.points(reached).values())) == len(reached)


def test_what_can_be_listed_leaves_nothing_to_be_found_out() -> None:
    product = _product((PROGRAMS / "peterson.c").read_text())
    assert not product.system.queries
    assert all(not predicate.arguments for predicate in product.system.predicates)


def test_what_is_chosen_or_grows_is_an_argument() -> None:
    product = _product(GROWING)
    names = {argument.name for predicate in product.system.predicates for argument in predicate.arguments}
    assert "n" in names
    assert not any(name.startswith(("started", "done")) for name in names)


def test_a_product_that_is_too_large_is_not_made() -> None:
    view = thread_view(threads_of(read(COUNTED)), Arithmetic.IDEAL)
    assert thread_product(view, most=3) is None
    assert thread_product(view, lambda: False) is None


def test_a_lifted_solution_is_an_invariant() -> None:
    view = thread_view(threads_of(read(GROWING)), Arithmetic.IDEAL)
    instance = instantiate(builtin_rule("invariance"), view)
    product = thread_product(view)
    assert product is not None
    reached = explore(threads_of(read(GROWING)), most=300).reached
    found = comparisons(product.system, product.points(reached), Oracle(), guarded=False)
    assert found is not None
    (predicate,) = instance.system.predicates
    lifted = product.lift(found, predicate.formals)
    assert isinstance(check(instance.system, Safe({predicate.name: lifted})), Accepted)
    nothing = dict.fromkeys(found, terms.TRUE)
    too_weak = product.lift(nothing, predicate.formals)
    assert not isinstance(check(instance.system, Safe({predicate.name: too_weak})), Accepted)


def test_values_that_the_program_mentions_are_tried() -> None:
    text = threads_text("int g;", ["g = __VERIFIER_nondet_int();"], "if (g == 12) reach_error();")
    assert 12 in mentioned_values(threads_of(read(text)))
    outcome = asked(read(text), seconds=300)
    assert outcome.answer is Answer.UNSAFE
    assert any(choice.value == "12" for choice in outcome.choices)


@pytest.mark.parametrize("name", [pytest.param("readers_writer", marks=pytest.mark.long), "time_varying"])
def test_algorithms_over_data_are_proved_by_their_product(name: str) -> None:
    outcome = asked(read((PROGRAMS / f"{name}.c").read_text()), seconds=600)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.confirmations[0].accepted


# Comparisons

SYSTEM = """
(set-logic HORN)
(declare-fun R (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (>= y 5)) (R x y 0))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (R x y z) (< x y)) (R (+ x 1) y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (R x y z) (= x y)) (R x y 1))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (R x y z) {wrong}) false)))
"""


@pytest.mark.parametrize(
    ("wrong", "guarded", "is_found"),
    [
        ("(> x y)", False, True),
        ("(< y 5)", False, True),
        ("(and (= z 1) (not (= x y)))", False, False),
        ("(and (= z 1) (not (= x y)))", True, True),
        ("(= x 3)", True, False),
    ],
)
def test_comparisons_settle_what_they_can_say(wrong: str, guarded: bool, is_found: bool) -> None:
    system = smtlib.read_text(SYSTEM.format(wrong=wrong), "<test>")
    found = comparisons(system, {}, Oracle(), guarded=guarded)
    assert (found is not None) is is_found
    if found is not None:
        assert isinstance(check(system, Safe(found)), Accepted)


def test_points_that_are_known_do_not_change_what_holds() -> None:
    system = smtlib.read_text(SYSTEM.format(wrong="(> x y)"), "<test>")
    found = comparisons(system, {"R": [(0, 5, 0), (5, 5, 1), (3, 9, 0)]}, Oracle(), guarded=True)
    assert found is not None
    assert isinstance(check(system, Safe(found)), Accepted)


@pytest.mark.parametrize("method", ["configurations", "product"])
def test_invariants_from_what_was_seen_speak_of_variables_that_decide_nothing_too(method: str) -> None:
    text = threads_text(
        "_Atomic int total, busy;",
        ["busy = 1; total = total + 1; busy = 0;", "int seen = busy; if (seen > 1) reach_error();"],
    )
    assert asked(read(text), engine=method).answer.is_proof
