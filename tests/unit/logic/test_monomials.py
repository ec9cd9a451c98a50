"""Integers as sums of products."""

from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.monomials import equation, expanded, polynomial, rows, total
from sorrel.logic.terms import Term

X, Y, N = z3.Ints("x y n")
leaves = st.one_of(st.sampled_from([X, Y, N]), st.integers(-4, 4).map(z3.IntVal))
sums = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
    ),
    max_leaves=5,
)
points = st.tuples(*[st.integers(-5, 5)] * 3)


def at(term: Term, point: tuple[int, int, int]) -> Term:
    return evaluate(term, [(v, z3.IntVal(n)) for v, n in zip((X, Y, N), point, strict=True)])


@given(term=sums, point=points)
def test_a_sum_taken_apart_and_put_together_has_the_same_value(term: Term, point: tuple[int, int, int]) -> None:
    assert terms.same(at(total(polynomial(term).values()), point), at(term, point))
    assert terms.same(at(expanded(term), point), at(term, point))


@given(left=sums, right=sums, point=points)
def test_equations_without_their_divisor_hold_at_the_same_points(
    left: Term, right: Term, point: tuple[int, int, int]
) -> None:
    assert terms.same(at(equation(left, right), point), at(terms.equal(left, right), point))


@given(left=sums, right=sums, point=points)
def test_a_difference_is_zero_where_its_rows_and_column_are(
    left: Term, right: Term, point: tuple[int, int, int]
) -> None:
    found = rows(left, right)
    if found is not None:
        length, row, column = found
        assert terms.same(
            at(terms.equal(length * row + column, z3.IntVal(0)), point), at(terms.equal(left, right), point)
        )


def test_what_no_integers_satisfy_is_false() -> None:
    assert terms.is_false(equation(2 * X, 2 * Y + 1))
    assert terms.is_true(equation(4 * N * (X + 1), 4 * N + 4 * N * X))


def test_a_matrix_by_rows_is_told_by_row_and_column() -> None:
    found = rows(4 * N * (X + 1) + 4 * Y, 4 * N * X + 8)
    assert found is None  # both in the same row but for a constant: n is no product
    assert rows(4 * N * X, 4 * N * Y + 8) is not None
