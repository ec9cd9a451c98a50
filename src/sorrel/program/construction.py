"""Short ways to make well-typed expressions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sorrel.program.expression import Binary, Constant, Convert, Expression, Filled, Operator, Unary, UnaryOperator
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Boolean, Float, Machine, Real, Type, Unbounded
from sorrel.program.typing import result_type

TRUE = Constant(True, BOOLEAN)
FALSE = Constant(False, BOOLEAN)


def binary(operator: Operator, left: Expression, right: Expression) -> Binary:
    return Binary(operator, left, right, result_type(operator, left.type))


def negation(condition: Expression) -> Expression:
    return Unary(UnaryOperator.NOT, condition, BOOLEAN)


def every(conditions: Sequence[Expression]) -> Expression:
    """Their conjunction, evaluated from left to right."""
    if not conditions:
        return TRUE
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary(Operator.AND, result, condition, BOOLEAN)
    return result


def unbounded(expression: Expression) -> Expression:
    """The exact value of an integer."""
    return expression if expression.type == UNBOUNDED else Convert(expression, UNBOUNDED)


def zero(type: Type) -> Expression:
    """False, 0, or the array that is so everywhere."""
    match type:
        case Boolean():
            return FALSE
        case Machine() | Unbounded():
            return Constant(0, type)
        case Real() | Float():
            return Constant(Fraction(0), type)
        case Array(element):
            return Filled(zero(element), type)
