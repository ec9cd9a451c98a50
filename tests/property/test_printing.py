"""Printed terms mean what they meant: z3 reads them back."""

from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from property.strategies import BOOL, NAMES, OPTION, SORTS, terms_of, variables_of
from sorrel.logic.datatypes import declare
from sorrel.logic.printing import infix
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.terms import Term, name_of
from sorrel.logic.walk import free_variables


def read_back(text: str) -> Term:
    """The formula that the text says, over the variables that terms are drawn from."""
    known = [v for sort in SORTS for v in variables_of(sort)]
    script = [*declare(known)]
    script += [f"(declare-const {symbol(name_of(v))} {smtlib_sort(v.sort())})" for v in known]
    return z3.parse_smt2_string("\n".join([*script, f"(assert {text})"]))[0]


def equivalent(left: Term, right: Term) -> bool:
    if left.eq(right) or z3.simplify(left).eq(z3.simplify(right)):
        return True
    solver = z3.Solver()
    solver.set("timeout", 5000)
    solver.add(left != right)
    return bool(solver.check() == z3.unsat)


@given(terms_of(BOOL))
def test_smtlib_text_of_a_formula_is_read_back_as_an_equivalent_formula(term: Term) -> None:
    assert equivalent(read_back(smtlib(term)), term)


@given(terms_of(BOOL, quantifiers=True))
def test_smtlib_text_is_a_fixed_point_of_reading_and_writing(term: Term) -> None:
    once = smtlib(read_back(smtlib(term)))
    assert smtlib(read_back(once)) == once


@given(terms_of(BOOL, quantifiers=True, steps=5))
def test_bound_variables_are_not_confused_with_free_ones(term: Term) -> None:
    again = read_back(smtlib(term))
    assert {name_of(v) for v in free_variables(again)} == {name_of(v) for v in free_variables(term)}
    assert equivalent(again, term)


@given(st.one_of([terms_of(sort, quantifiers=True) for sort in SORTS]))
def test_every_term_has_an_infix_text_on_one_line(term: Term) -> None:
    text = infix(term)
    assert text
    assert "\n" not in text
    assert text.count("(") == text.count(")")


def test_the_strategies_cover_names_that_need_care() -> None:
    assert {"a!1", "two words", "let"} <= set(NAMES)
    assert symbol("two words") == "|two words|"
    assert OPTION.name() == "Option"
