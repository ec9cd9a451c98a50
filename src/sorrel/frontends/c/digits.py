"""Numbers and their bytes, the lowest first: as sums of multiples of powers of 256, which solvers take for linear."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c.context import Context
from sorrel.frontends.c.operations import convert
from sorrel.frontends.c.types import BYTE, Integer
from sorrel.model.errors import Span
from sorrel.program.expression import Binary, Constant, Expression, Operator, Variable
from sorrel.program.types import Machine

_BASE = 256


def assembled(digits: Sequence[Expression], type: Integer) -> Expression:
    """The number that has these bytes."""
    wide = Machine(type.machine.bits, False)
    total: Expression = convert(convert(digits[0], BYTE.machine), wide)
    for position, digit in enumerate(digits[1:], 1):
        weight = Constant(_BASE**position, wide)
        shifted = Binary(Operator.MULTIPLY, convert(convert(digit, BYTE.machine), wide), weight, wide)
        total = Binary(Operator.ADD, total, shifted, wide)
    return convert(total, type.machine)


def taken_apart(context: Context, value: Expression, type: Integer, span: Span) -> list[Expression]:
    """The bytes of a number of the type."""
    wide = Machine(type.machine.bits, False)
    rest = convert(convert(value, type.machine), wide)
    count = wide.bits // BYTE.machine.bits
    if isinstance(rest, Constant):
        return [Constant(int(rest.value) // _BASE**position % _BASE, BYTE.machine) for position in range(count)]
    found: list[Expression] = []
    base = Constant(_BASE, wide)
    for _ in range(count):
        if not isinstance(rest, Variable):
            rest = context.saved(rest, "rest", span)
        digit = Binary(Operator.REMAINDER, rest, base, wide)
        found.append(context.saved(convert(digit, BYTE.machine), "byte", span))
        rest = Binary(Operator.DIVIDE, rest, base, wide)
    return found
