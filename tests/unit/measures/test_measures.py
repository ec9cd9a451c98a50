"""Lists and trees by what they measure: proved there, accepted on the clauses with recursive functions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected
from sorrel.frontends.smtlib import read_text
from sorrel.horn.recursion import Lemma, Recursion, Recursive
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_summaries
from sorrel.horn.verdict import Safe, Unknown, Verdict
from sorrel.logic import datatypes, terms
from sorrel.logic.terms import Sort, Term
from sorrel.measures.library import GROUPS, measures
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.smt.solver import Oracle

PROPERTIES = Path(__file__).parents[3] / "bench" / "programs" / "datatypes"


def text_of(name: str) -> str:
    return (PROPERTIES / f"{name}.smt2").read_text()


def solve(text: str, group: str, *, all_evidence: bool = True) -> tuple[HornSystem, Verdict]:
    system = read_text(text)
    options = SpacerOptions(guidance=True, restarts=True, inlining=False, passes=group)
    return system, Spacer(options).solve(
        system, Circumstances(Budget(seconds=60).start(), all_evidence=all_evidence), {}
    )


def proved(name: str, group: str) -> tuple[HornSystem, Safe]:
    system, verdict = solve(text_of(name), group)
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)
    return system, verdict


@pytest.mark.parametrize(
    ("name", "group"),
    [
        pytest.param("append-length", "sizes", marks=pytest.mark.long),
        ("sort-sum", "sums"),
        pytest.param("insert-ordered", "orders", marks=pytest.mark.long),
        pytest.param("mirror-height", "heights", marks=pytest.mark.long),
        pytest.param("flatten-sum", "sums", marks=pytest.mark.long),
    ],
)
def test_properties_of_lists_and_trees_are_proved_and_confirmed_by_another_solver(name: str, group: str) -> None:
    system, verdict = proved(name, group)
    assert isinstance(recheck(text_of(name), system, verdict, "cvc5", 60), Accepted)


def test_a_certificate_with_functions_is_read_as_it_was_written() -> None:
    system, verdict = proved("insert-sum", "sums")
    written = write_summaries(system, verdict.summaries, recursion=verdict.recursion)
    again = read_certificate(system, written)
    assert isinstance(again, Safe)
    assert [f.name for f in again.recursion.functions] == ["size-List", "sum-List"]
    assert len(again.recursion.lemmas) == len(verdict.recursion.lemmas)
    assert isinstance(check(system, again), Accepted)
    with pytest.raises(InputError, match="a lemma is"):
        read_certificate(system, written.replace("(lemma ((l List))", "(lemma", 1))


def test_what_is_wrong_is_not_proved_and_a_refutation_over_measures_says_nothing() -> None:
    text = text_of("append-length").replace("(not (= c (+ a b)))", "(= c (+ a b))")
    assert isinstance(solve(text, "sizes")[1], Unknown)


def test_functions_are_told_only_to_those_who_take_them() -> None:
    assert isinstance(solve(text_of("append-length"), "sizes", all_evidence=False)[1], Unknown)


def test_a_false_lemma_is_rejected_whatever_else_is_right() -> None:
    system, verdict = proved("append-length", "sizes")
    (size,) = verdict.recursion.functions
    positive = Lemma(size.formal, size(size.formal) >= 1)
    wrong = Recursion(verdict.recursion.functions, (*verdict.recursion.lemmas, positive))
    assert isinstance(check(system, replace(verdict, recursion=wrong)), Rejected)


def test_a_function_that_does_not_go_down_is_no_definition() -> None:
    system, verdict = proved("append-length", "sizes")
    (size,) = verdict.recursion.functions
    nil, cons = datatypes.constructors(size.formal.sort())
    again = Recursive(size.declaration, size.formal, size(size.formal) + 1)  # f(l) = f(l) + 1 would prove anything
    up = z3.If(nil.recognizes(size.formal), 0, size(cons([terms.integer(0), size.formal])))
    for body in (again, Recursive(size.declaration, size.formal, up)):
        assert isinstance(check(system, replace(verdict, recursion=Recursion((body,)))), Rejected)


def test_another_meaning_of_the_same_name_is_not_accepted() -> None:
    system, verdict = proved("append-length", "sizes")
    (size,) = verdict.recursion.functions
    always = Recursive(size.declaration, size.formal, terms.integer(0))
    result = check(system, replace(verdict, recursion=Recursion((always,))))
    assert isinstance(result, Rejected | NotConfirmed)
    unknown = replace(verdict, recursion=Recursion())
    assert isinstance(check(system, unknown), Rejected)


def listed(elements: list[int], sort: Sort) -> Term:
    nil, cons = datatypes.constructors(sort)
    built = nil([])
    for element in reversed(elements):
        built = cons([z3.IntVal(element), built])
    return built


@cache
def _measures_of_lists() -> tuple[Sort, dict[str, Recursive]]:
    sort = read_text(text_of("append-length")).predicates[0].sorts[0]
    groups = [measures([sort], group, Oracle(Budget(seconds=20).start())) for group in ("orders", "sums", "heights")]
    return sort, {function.name: function for group in groups for function in group.functions}


@given(elements=st.lists(st.integers(-9, 9), max_size=5))
def test_measures_of_a_list_are_what_their_names_say(elements: list[int]) -> None:
    sort, functions = _measures_of_lists()
    built = listed(elements, sort)
    expected = {
        "size-List": len(elements),
        "height-List": len(elements),
        "sum-List": sum(elements),
        "least-List": min(elements, default=0),
        "greatest-List": max(elements, default=0),
        "ordered-List": elements == sorted(elements),
    }
    for name, value in expected.items():
        known = Recursion(tuple(functions.values()))
        solver = z3.Solver()
        claim = functions[name](built) != value
        solver.add(claim, *known.facts(claim))
        assert solver.check() == z3.unsat, name


def test_every_group_begins_with_the_size_which_tells_constructors_apart() -> None:
    assert all(names[0] == "size" for names in GROUPS.values())
