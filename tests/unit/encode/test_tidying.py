"""Formulas in the shape that a person would choose."""

from __future__ import annotations

from sorrel.encode.tidying import tidy
from sorrel.logic import operations, terms
from sorrel.logic.printing_c import c_syntax
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

E, R = terms.variable("e", terms.INT), terms.variable("r", terms.INT)
X = terms.variable("x", terms.INT)
NAMES = {"e": "e", "r": "\\result", "x": "x"}


def test_two_bounds_that_meet_in_a_condition_are_an_equation() -> None:
    zero = terms.conjunction([operations.at_most(E, terms.integer(0)), operations.at_most(terms.integer(0), E)])
    told = tidy(terms.implication(zero, R >= 5), [], [E], [R], [], Oracle(Budget(seconds=5.0).start()))
    assert [c_syntax(each, NAMES) for each in told] == ["e == 0 ==> \\result >= 5"]


def test_a_division_is_a_shift_where_the_program_has_shifts() -> None:
    quotient = operations.equation(R, X / terms.integer(8))
    unsigned = frozenset({"x"})
    assert c_syntax(quotient, NAMES, unsigned=unsigned) == "\\result == x / 8"
    assert c_syntax(quotient, NAMES, unsigned=unsigned, shifts=frozenset({3})) == "\\result == (x >> 3)"


def test_what_is_least_in_a_type_is_equal_to_it() -> None:
    unsigned = [operations.at_most(terms.integer(0), E)]
    told = tidy(terms.implication(operations.at_most(E, terms.integer(0)), R >= 5), unsigned, [E], [R], [], oracle())
    assert [c_syntax(each, NAMES) for each in told] == ["e == 0 ==> \\result >= 5"]
    told = tidy(terms.implication(E >= 1, R >= 5), unsigned, [E], [R], [], oracle())
    assert [c_syntax(each, NAMES) for each in told] == ["e > 0 ==> \\result >= 5"]


def test_a_number_that_is_known_is_put_into_the_other_facts() -> None:
    facts = terms.conjunction([operations.equation(R, terms.integer(2)), operations.equation(R, 2 * X - 2 * E)])
    told = tidy(facts, [], [E], [R, X], [], oracle())
    assert sorted(c_syntax(each, NAMES) for each in told) == ["\\result == 2", "x == e + 1"]


def oracle() -> Oracle:
    return Oracle(Budget(seconds=5.0).start())
