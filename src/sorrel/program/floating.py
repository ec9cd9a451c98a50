"""Whether a program has floating-point numbers; where they are real numbers, whether a run is one of a machine, too."""

from __future__ import annotations

from fractions import Fraction

from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated, Wrote
from sorrel.program.types import Array, Float, Type
from sorrel.program.value import Value

MOST_PLACES = 12
"""Binary places after the point of numbers that are tried in place of others."""
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
            return f"{value} is not a floating-point number, so that the machine computes with another one"
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


def on_floats(program: Program, found: Run, most: int) -> Run:
    """The run with other numbers close by that floats hold, if it violates the same assertion with them.

    A solver chooses among real numbers, and thirds are as good to it as halves.
    """
    if not any(isinstance(used.value, Fraction) for used in found.used):
        return found  # there is nothing to choose otherwise
    if not rounding(run(program, _own(found), steps=most, functions=found.functions, record=True)):
        return found
    for places in range(1, MOST_PLACES + 1):
        choices = [_snapped(value, places) for value in _own(found)]
        functions = {
            (name, tuple(_snapped(each, places) for each in arguments), type): _snapped(value, places)
            for (name, arguments, type), value in found.functions.items()
        }
        tried = run(program, choices, steps=most, functions=functions, record=True)
        if isinstance(tried.end, Violated) and not rounding(tried):
            return tried
    return found


def has_floats(program: Program) -> bool:
    """Whether a variable holds floating-point numbers."""
    own = (variable for procedure in program.procedures for variable in procedure.variables)
    return any(_is_float(variable.type) for variable in (*program.globals, *own))


def _is_float(type: Type) -> bool:
    while isinstance(type, Array):
        type = type.element
    return isinstance(type, Float)


def _own(found: Run) -> list[Value]:
    return [used.value for used in found.used if used.arguments is None]


def _snapped(value: Value, places: int) -> Value:
    return Fraction(round(value * (1 << places)), 1 << places) if isinstance(value, Fraction) else value
