"""Values that are the same but for a wrap are one row of a table; what is told means what the table means."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sorrel.encode.conversions import is_conversion, with_conversions
from sorrel.encode.tidying import type_range
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.program.types import Machine
from sorrel.smt.solver import Oracle

BYTE = Machine(8, signed=False)
A, B, R = (terms.variable(name, terms.integer(0).sort()) for name in "abr")
RANGES = [fact for each in (A, B, R) for fact in type_range(each, BYTE)]


def oracle() -> Oracle:
    return Oracle(Budget(seconds=30).start())


def number(value: int) -> Term:
    return terms.integer(value)


def wrapping(sum_: Term) -> Term:
    """The sum less 256 where it is too large, and more where it is negative."""
    high = operations.at_most(number(256), sum_)
    low = operations.at_most(sum_, number(-1))
    return terms.ite(high, sum_ - number(256), terms.ite(low, sum_ + number(256), sum_))


def test_a_sum_and_what_is_left_of_it_are_one_conversion() -> None:
    table = operations.equation(R, wrapping(A + B))
    said = with_conversions(table, BYTE, RANGES, oracle())
    assert is_conversion(said.arg(1))


def test_a_row_between_stays_where_it_applies_to_the_same_arguments() -> None:
    """The first row says what the last one says, and goes before the second one: it cannot be left out."""
    first = operations.at_most(A, number(5))
    second = operations.at_most(A, number(9))
    chain = terms.ite(first, A + B, terms.ite(second, number(7), A + B - number(256)))
    said = with_conversions(operations.equation(R, chain), BYTE, RANGES, oracle())
    assert terms.is_ite(said.arg(1))
    assert terms.same(terms.children(said.arg(1))[0], first)


def test_a_table_without_a_wrap_is_left_as_it_is() -> None:
    table = operations.equation(R, terms.ite(operations.at_most(A, B), A, B))
    assert terms.same(with_conversions(table, BYTE, RANGES, oracle()), table)


def test_signed_results_are_left_as_they_are() -> None:
    table = operations.equation(R, wrapping(A + B))
    assert terms.same(with_conversions(table, Machine(8, signed=True), RANGES, oracle()), table)


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-300, 300))
def test_what_is_said_follows_from_the_table(a: int, b: int, constant: int) -> None:
    table = operations.equation(R, wrapping(number(a) * A + number(b) * B + number(constant)))
    said = with_conversions(table, BYTE, RANGES, oracle())
    assert oracle().entails(terms.conjunction([*RANGES, table]), said, "test") is True
