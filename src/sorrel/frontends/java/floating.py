"""Floating-point numbers are real numbers here; whether a run is one of a machine, too."""

from __future__ import annotations

from fractions import Fraction

from sorrel.program.interpreter import Run, Wrote

_BITS, _LARGEST, _SMALLEST = 24, 127, -149
"""The significant bits of a float, and the exponents of its largest and of its smallest number."""


def rounding(run: Run) -> str:
    """A number of the run that a float cannot hold, in words; nothing if there is none.

    Results of operations are variables, so that an operation whose exact result is a float was not rounded. A double
    holds every float.
    """
    values = [*(used.value for used in run.used), *(e.value for e in run.events if isinstance(e, Wrote))]
    for value in values:
        if isinstance(value, Fraction) and not is_float(value):
            return f"{value} is no floating-point number, so that the machine computes with another one"
    return ""


def is_float(value: Fraction) -> bool:
    size, denominator = abs(value.numerator), value.denominator
    if size == 0:
        return True
    if denominator & (denominator - 1):
        return False
    exponent = denominator.bit_length() - 1
    lowest = (size & -size).bit_length() - 1 - exponent
    highest = size.bit_length() - 1 - exponent
    return highest - lowest < _BITS and highest <= _LARGEST and lowest >= _SMALLEST
