"""Floating-point numbers: rounding, NaN, zeros with signs, and what runs and texts make of them."""

from __future__ import annotations

import ctypes
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.program import text
from sorrel.program.construction import binary
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Constant, Convert, Expression, Operator, Unary, UnaryOperator
from sorrel.program.rounding import is_number_of, nearest
from sorrel.program.types import DOUBLE, SINGLE, Float, Machine
from sorrel.program.value import ArrayValue, Value, fits, same_number

_FRACTIONS = st.fractions(max_denominator=10**6) | st.floats(allow_nan=False, allow_infinity=False).map(Fraction)


def _value(expression: Expression) -> Value:
    return evaluate(compile(expression, frozenset()), {}, {}, lambda *_: 0)


def _single(number: str) -> Constant:
    return Constant(Fraction(nearest(Fraction(number), SINGLE)), SINGLE)


@given(_FRACTIONS)
def test_the_nearest_double_is_the_one_that_python_makes(value: Fraction) -> None:
    assert same_number(nearest(value, DOUBLE), float(value) if value else 0.0)


@given(st.floats(allow_nan=False))
def test_the_nearest_single_of_a_double_is_the_one_of_the_machine(value: float) -> None:
    if math.isfinite(value):
        assert nearest(Fraction(value), SINGLE) == ctypes.c_float(value).value


def test_the_nearest_single_is_rounded_once() -> None:
    # Half way between two singles but for a bit that doubles do not have.
    above = Fraction(1) + Fraction(1, 2**24) + Fraction(1, 2**80)
    assert nearest(above, SINGLE) == 1 + 2**-23
    assert ctypes.c_float(float(above)).value == 1


@pytest.mark.parametrize("size", [SINGLE, DOUBLE])
def test_the_ends_of_a_type_are_its_numbers(size: Float) -> None:
    assert is_number_of(Fraction(size.largest), size)
    assert is_number_of(Fraction(1, 2**-size.smallest_exponent), size)
    assert not is_number_of(Fraction(1, 2 ** (1 - size.smallest_exponent)), size)
    assert math.isinf(nearest(Fraction(size.largest) * 2, size))


def test_a_tenth_is_another_number_in_either_type() -> None:
    longer = Convert(_single("1/10"), DOUBLE)
    tenth = Constant(Fraction(0.1), DOUBLE)
    assert _value(binary(Operator.DIFFERENT, longer, tenth)) is True


def test_sums_of_singles_are_rounded_to_singles() -> None:
    large, one = _single(str(2**24)), _single("1")
    assert _value(binary(Operator.ADD, large, one)) == 2.0**24


def test_nothing_is_ordered_with_nan_and_it_differs_from_itself() -> None:
    zero = _single("0")
    nan = binary(Operator.DIVIDE, zero, zero)
    for operator in (Operator.EQUAL, Operator.LESS, Operator.AT_MOST, Operator.MORE, Operator.AT_LEAST):
        assert _value(binary(operator, nan, nan)) is False
    assert _value(binary(Operator.DIFFERENT, nan, nan)) is True


def test_a_negative_zero_is_told_by_its_reciprocal_only() -> None:
    zero, one = _single("0"), _single("1")
    negative = Unary(UnaryOperator.NEGATE, zero, SINGLE)
    assert _value(binary(Operator.EQUAL, zero, negative)) is True
    assert _value(binary(Operator.DIVIDE, one, negative)) == -math.inf
    stored = ArrayValue(0.0).store(3, -0.0)
    assert math.copysign(1.0, float(str(stored[3]))) == -1.0


@pytest.mark.parametrize(("number", "fit"), [("-129", False), ("-257/2", True), ("127.9", True), ("128", False)])
def test_a_number_that_does_not_fit_is_no_integer(number: str, fit: bool) -> None:
    made = Convert(_single(number), Machine(8, True))
    if fit:
        assert _value(made) == int(Fraction(number))
    else:
        with pytest.raises(UndefinedOperation):
            _value(made)


def test_values_of_a_shorter_type_are_numbers_that_it_has() -> None:
    assert all(fits(each, SINGLE) for each in (0.5, math.nan, math.inf))
    assert not fits(0.1, SINGLE)
    assert fits(0.1, DOUBLE)


def test_programs_with_floating_point_numbers_are_read_back() -> None:
    program = text.read("procedure main() { local x: f32; start: x = f32(1/8f64 - 5f64) * -3/2f32; return; }", "p")
    assert text.read(text.write(program), "p") == program


def test_arrays_that_differ_in_the_sign_of_a_zero_are_two() -> None:
    zeros, other = ArrayValue(0.0), ArrayValue(0.0).store(1, -0.0)
    assert zeros != other
    assert ArrayValue(0.0).store(1, math.nan) == ArrayValue(0.0).store(1, -math.nan)
