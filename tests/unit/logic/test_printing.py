"""Text of terms: right, readable, and linear."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import z3

from sorrel.logic import terms
from sorrel.logic.printing import infix
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.terms import INT, Term
from sorrel.model.errors import InternalError

X, Y, Z = (terms.variable(name, INT) for name in "xyz")
P, Q = (terms.variable(name, terms.BOOL) for name in "pq")
A = z3.Array("a", INT, INT)
V = z3.BitVec("v", 8)


def shared(levels: int) -> Term:
    term = X
    for _ in range(levels):
        term = term + term
    return term > 0


DEEP = 1_500
"""More levels than Python's stack has."""


def deep(levels: int) -> Term:
    term = P
    for number in range(levels):
        term = z3.And(z3.Or(term, number < X), number > Y)
    return term


# SMT-LIB


def test_names_of_shared_subterms_are_not_those_of_variables() -> None:
    """z3's own printer calls a shared subterm a!1 even where a!1 is a variable."""
    a1 = terms.variable("a!1", INT)
    large = (X + Y) * (X - Y) + X * Y
    term = z3.And(large * large > a1, large < a1 * 2)
    (again,) = z3.parse_smt2_string(
        f"(declare-const x Int)(declare-const y Int)(declare-const |a!1| Int)(assert {smtlib(term)})"
    )
    assert again.eq(term)


def test_a_free_variable_is_not_captured_by_a_quantifier_of_its_name() -> None:
    """z3's own printer writes (exists ((x Int)) (> x x)) here."""
    term = terms.substitute(terms.exists([X], X > Y), [(Y, X)])
    assert smtlib(term) == "(exists ((x!1 Int)) (> x!1 x))"


def test_nested_quantifiers_of_one_name_are_told_apart() -> None:
    inner = terms.exists([X], X > 0)
    outer = terms.forall([X], z3.Or(X < 0, inner))
    assert smtlib(outer) == "(forall ((x Int)) (or (< x 0) (exists ((x!1 Int)) (> x!1 0))))"


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (z3.IntVal(-3), "(- 3)"),
        (z3.RealVal("-1/3"), "(- (/ 1.0 3.0))"),
        (z3.RealVal(2), "2.0"),
        (z3.BitVecVal(5, 8), "#x05"),
        (z3.BitVecVal(5, 3), "#b101"),
        (z3.If(P, X, Y), "(ite p x y)"),
        (z3.Store(A, 1, X)[Y], "(select (store a 1 x) y)"),
        (z3.K(INT, z3.IntVal(7)), "((as const (Array Int Int)) 7)"),
        (z3.Extract(3, 1, V), "((_ extract 3 1) v)"),
        (z3.ZeroExt(4, V), "((_ zero_extend 4) v)"),
        (z3.simplify(z3.UDiv(V, z3.BitVec("w", 8))), "(bvudiv v w)"),
        (z3.Const("two words", INT), "|two words|"),
        (z3.Const("let", INT), "|let|"),
        (z3.Const("größe", INT), "|größe|"),
        (z3.ToReal(X), "(to_real x)"),
        (z3.Lambda([X], X + 1), "(lambda ((x Int)) (+ x 1))"),
    ],
)
def test_smtlib_of(term: Term, text: str) -> None:
    assert smtlib(term) == text


def test_constants_of_datatypes_with_parameters_name_their_instance() -> None:
    script = (
        "(declare-datatypes ((Chain 1)) ((par (T) ((stop) (link (first T) (rest (Chain T)))))))"
        "(declare-const c (Chain Int))(assert (= c (link 1 (as stop (Chain Int)))))"
    )
    (term,) = z3.parse_smt2_string(script)
    assert smtlib(term) == "(= c (link 1 (as stop (Chain Int))))"


def test_a_name_with_a_bar_cannot_be_written() -> None:
    with pytest.raises(InternalError, match="no SMT-LIB symbol"):
        symbol("a|b")


def test_sorts_are_written_as_smtlib() -> None:
    assert smtlib_sort(A.sort()) == "(Array Int Int)"
    assert smtlib_sort(V.sort()) == "(_ BitVec 8)"


def test_smtlib_of_a_shared_term_is_linear() -> None:
    text = smtlib(shared(50))
    assert len(text) < 50 * 40
    (again,) = z3.parse_smt2_string(f"(declare-const x Int)(assert {text})")
    assert again.eq(shared(50))


def test_smtlib_of_a_deep_term_is_written_and_read_without_recursion() -> None:
    text = smtlib(deep(DEEP))
    declarations = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)"
    (again,) = z3.parse_smt2_string(f"{declarations}(assert {text})")
    assert again.eq(deep(DEEP))


NESTED, FRAMES = 200, 150
"""What takes a frame of Python's stack for each quantifier has not enough of them."""


@contextmanager
def few_frames() -> Iterator[None]:
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(most)


def nested_quantifiers() -> Term:
    term = X > 0
    for number in range(NESTED):
        term = terms.exists([X], z3.And(term, number < X))
    return term


def test_smtlib_of_nested_quantifiers_is_written_without_recursion() -> None:
    with few_frames():
        text = smtlib(nested_quantifiers())
        assert smtlib(z3.parse_smt2_string(f"(assert {text})")[0]) == text
    assert text.count("exists") == NESTED


# Infix


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (z3.And(P, z3.Or(Q, X > 0)), "p ∧ (q ∨ x > 0)"),
        (z3.Or(z3.And(P, Q), Q), "p ∧ q ∨ q"),
        (z3.Implies(P, z3.Implies(Q, P)), "p ⇒ (q ⇒ p)"),
        (z3.Not(X == Y), "x ≠ y"),
        (z3.Not(X <= Y), "x > y"),
        (z3.Not(P), "¬p"),
        (z3.Not(z3.And(P, Q)), "¬(p ∧ q)"),
        (X - (Y - Z), "x - (y - z)"),
        (X + (Y - Z), "x + y - z"),
        (X + -1, "x - 1"),
        (X + -2 * Y, "x - 2 * y"),
        (z3.IntVal(-1) * X <= Y, "-x ≤ y"),
        ((X + Y) * Z, "(x + y) * z"),
        (X / (Y / Z), "x div (y div z)"),
        (X % 2 == 0, "x mod 2 = 0"),
        (z3.Distinct(X, Y, Z), "distinct(x, y, z)"),
        (z3.If(P, X, Y) + 1, "(if p then x else y) + 1"),
        (A[X + 1], "a[x + 1]"),
        (z3.Store(A, X, Y), "a[x := y]"),
        (terms.exists([X], X > Y), "∃ x. x > y"),
        (z3.And(P, terms.forall([X], X > Y)), "p ∧ (∀ x. x > y)"),
        (z3.RealVal("1/3") * z3.Real("r"), "1/3 * r"),
        (z3.Real("r") / z3.RealVal("1/3"), "r / (1/3)"),
        (z3.ToReal(X) < z3.Real("r"), "x < r"),
        (z3.Extract(3, 0, V) == 1, "extract[3, 0](v) = 1"),
        (P == Q, "p = q"),
        (X - (-Y), "x - (-y)"),
    ],
)
def test_infix_of(term: Term, text: str) -> None:
    assert infix(term) == text


def test_testers_of_datatypes_name_the_constructor() -> None:
    option = z3.Datatype("OptionOfPrinting")
    option.declare("empty")
    option.declare("full", ("content", INT))
    sort = option.create()
    o = z3.Const("o", sort)
    assert infix(z3.And(sort.is_full(o), sort.content(o) > 0)) == "is_full(o) ∧ content(o) > 0"


def test_infix_names_large_subterms_that_occur_again() -> None:
    large = (X + Y) * (X - Y) + (Y + Z) * (Y - Z) + X * Y * Z
    text = infix(z3.And(large > 1, large < 9))
    assert text == f"t1 > 1 ∧ t1 < 9 where t1 = {infix(large)}"


def test_infix_names_do_not_clash_with_variables() -> None:
    large = (X + Y) * (X - Y) + (Y + Z) * (Y - Z) + X * Y * Z
    assert infix(z3.And(large > terms.variable("t1", INT), large < 9)).startswith("t1!1 > t1 ∧ t1!1 < 9 where")


def test_infix_of_shared_and_deep_terms_is_linear() -> None:
    assert len(infix(shared(50))) < 50 * 60
    started = time.monotonic()
    text = infix(deep(DEEP))
    assert len(text) < DEEP * 60
    assert time.monotonic() - started < 60


def test_infix_of_nested_quantifiers_is_written_without_recursion() -> None:
    with few_frames():
        text = infix(nested_quantifiers())
    assert text.count("∃") == NESTED
