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
