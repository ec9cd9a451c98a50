"""Bounds of numbers that the form of an expression makes plain: its types, its constants and its operators."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.program.expression import Binary, Conditional, Constant, Convert, Expression, Operator
from sorrel.program.types import UNBOUNDED, Boolean, Machine

Interval: TypeAlias = tuple[int, int]

_DEPTH = 16  # of expressions that are looked into


def interval(expression: Expression) -> Interval:
    """Of a machine integer: at least as narrow as its type is."""
    if not isinstance(expression.type, Machine):
        raise TypeError(f"no machine integer: {expression.type}")
    found = bounds(expression)
    return found if found is not None else (expression.type.smallest, expression.type.largest)


def bounds(expression: Expression, depth: int = _DEPTH) -> Interval | None:
    """The smallest and the largest value that an integer may have; None if nothing is known."""
    type = expression.type
    if isinstance(type, Boolean):
        return 0, 1
    if not isinstance(type, Machine) and type != UNBOUNDED:
        return None
    found = _of_form(expression, depth - 1) if depth > 0 else None
    if not isinstance(type, Machine):
        return found
    # What does not fit is wrapped, or means nothing: either way it is some value of the type.
    fits = found is not None and type.contains(found[0]) and type.contains(found[1])
    return found if fits else (type.smallest, type.largest)


def _of_form(expression: Expression, depth: int) -> Interval | None:
    match expression:
        case Constant(value):
            return int(value), int(value)
        case Convert(operand):
            return bounds(operand, depth)
        case Conditional(_, then, otherwise):
            one, other = bounds(then, depth), bounds(otherwise, depth)
            return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
        case Binary(operator, left, right):
            one, other = bounds(left, depth), bounds(right, depth)
            return None if one is None or other is None else combined(operator, one, other)
        case _:
            return None


def combined(operator: Operator, left: Interval, right: Interval) -> Interval | None:
    """Bounds of the exact result."""
    match operator:
        case Operator.ADD:
            return left[0] + right[0], left[1] + right[1]
        case Operator.SUBTRACT:
            return left[0] - right[1], left[1] - right[0]
        case Operator.MULTIPLY:
            corners = [one * other for one in left for other in right]
            return min(corners), max(corners)
        case Operator.REMAINDER if right[0] > 0:
            largest = right[1] - 1
            return max(min(left[0], 0), -largest), min(max(left[1], 0), largest)
        case Operator.DIVIDE if right[0] > 0 and left[0] >= 0:
            return left[0] // right[1], left[1] // right[0]
        case Operator.SHIFT_RIGHT if right[0] >= 0 and left[0] >= 0:
            return left[0] >> right[1], left[1] >> right[0]
        case Operator.BIT_AND if left[0] >= 0 or right[0] >= 0:
            return 0, min(high for low, high in (left, right) if low >= 0)
        case Operator.BIT_OR | Operator.BIT_XOR if left[0] >= 0 and right[0] >= 0:
            return 0, (1 << max(left[1], right[1]).bit_length()) - 1
        case _:
            return None
