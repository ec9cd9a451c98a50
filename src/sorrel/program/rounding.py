"""Numbers rounded to floating-point ones, as the machine does it: to the nearest, of two to the even one.

Values of both types are Python's floats, which are doubles; those of a shorter type are doubles that it has, too.
"""

from __future__ import annotations

import ctypes
import math
from fractions import Fraction

from sorrel.program.types import Float

_EXACT = 1 << 53
"""All integers up to here are doubles."""


def rounded(value: float, type: Float) -> float:
    """Of a double."""
    return value if type.bits == 64 else ctypes.c_float(value).value


def converted(value: float, type: Float) -> float:
    """Of an integer, a truth value or a floating-point number."""
    if isinstance(value, float):
        return rounded(value, type)
    return rounded(float(value), type) if -_EXACT <= value <= _EXACT else nearest(Fraction(value), type)


def nearest(value: Fraction, type: Float) -> float:
    """The number next to a fraction, rounded once; beyond the largest one by half a step and more it is infinite."""
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < _power(exponent)  # 2^exponent ≤ size < 2^(exponent + 1)
    unit = _power(max(exponent - type.precision + 1, type.smallest_exponent))
    size = round(size / unit) * unit  # Python's own rounding of a half is to the even integer
    found = math.inf if size > type.largest else float(size)
    return -found if value < 0 else found


def is_number_of(value: Fraction, type: Float) -> bool:
    """Whether it is there to be had exactly."""
    found = nearest(value, type)
    return math.isfinite(found) and Fraction(found) == value


def quotient_of(left: float, right: float) -> float:
    """Of doubles, as IEEE 754 has it where Python raises an error."""
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def truncated_number(value: float) -> int | None:
    """The integer next to it on the side of zero; None of what is not finite."""
    return math.trunc(value) if math.isfinite(value) else None


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
