"""Typed expressions of the program, made with C's rules, and kept small where that costs nothing."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from sorrel.frontends.c.types import CType, Integer, Truth, scalar_type
from sorrel.program.construction import FALSE, TRUE, negation, zero
from sorrel.program.expression import (
    COMPARISONS,
    OPPOSITE,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.intervals import bounds
from sorrel.program.rounding import nearest
from sorrel.program.types import BOOLEAN, UNBOUNDED, Float, Machine, Type


def number(value: int) -> Constant:
    return Constant(value, UNBOUNDED)


def convert(value: Expression, type: Type) -> Expression:
    """Wraps constants at once; what already has the type stays."""
    if value.type == type:
        return value
    if type == BOOLEAN:
        return truth(value)
    if isinstance(type, Float) or isinstance(value.type, Float):
        return _converted(value, type)
    if isinstance(value, Constant):
        exact = int(value.value)
        return Constant(type.wrap(exact) if isinstance(type, Machine) else exact, type)
    return Convert(value, type)


def _converted(value: Expression, type: Type) -> Expression:
    """To a floating-point number or from one. A constant has no negative zero, and nothing that is not finite."""
    if isinstance(value, Constant) and isinstance(type, Float):
        number = nearest(Fraction(value.value), type)
        if isfinite(number) and (number != 0 or value.value == 0):
            return Constant(Fraction(number), type)
    if isinstance(value, Constant) and isinstance(type, Machine) and type.contains(int(value.value)):
        return Constant(int(value.value), type)
    return Convert(value, type)


def truth(value: Expression) -> Expression:
    """Whether the value is not zero."""
    if value.type == BOOLEAN:
        return value
    if isinstance(value, Convert) and value.operand.type == BOOLEAN:
        return value.operand
    if isinstance(value, Convert) and _keeps_zero(value):
        return truth(value.operand)
    if isinstance(value, Constant):
        return TRUE if value.value else FALSE
    return Binary(Operator.DIFFERENT, value, zero(value.type), BOOLEAN)


def _keeps_zero(conversion: Convert) -> bool:
    """Whether only zero becomes zero: nothing is cut off."""
    source, target = conversion.operand.type, conversion.type
    if not isinstance(source, Machine):
        return False
    return target == UNBOUNDED or (isinstance(target, Machine) and target.bits >= source.bits)


def opposite(condition: Expression) -> Expression:
    match condition:
        case Constant(value):
            return FALSE if value else TRUE
        case Unary(UnaryOperator.NOT, operand):
            return operand
        case Binary(operator, left, right) if operator in OPPOSITE and not _has_nan(operator, left):
            return Binary(OPPOSITE[operator], left, right, BOOLEAN)
        case _:
            return negation(condition)


def _has_nan(operator: Operator, operand: Expression) -> bool:
    """Whether an order of numbers is asked for, and there are some in no order."""
    return isinstance(operand.type, Float) and operator not in (Operator.EQUAL, Operator.DIFFERENT)


def both(left: Expression, right: Expression) -> Expression:
    if left == FALSE or right == TRUE:
        return left
    return right if left == TRUE else Binary(Operator.AND, left, right, BOOLEAN)


def either(left: Expression, right: Expression) -> Expression:
    if left == TRUE or right == FALSE:
        return left
    return right if left == FALSE else Binary(Operator.OR, left, right, BOOLEAN)


def implied(condition: Expression, conclusion: Expression) -> Expression:
    if condition == TRUE or conclusion == TRUE:
        return conclusion
    return Binary(Operator.IMPLIES, condition, conclusion, BOOLEAN)


def choose(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    if condition == TRUE:
        return then
    if condition == FALSE:
        return otherwise
    return Conditional(condition, then, otherwise, then.type)


def compare(operator: Operator, left: Expression, right: Expression) -> Expression:
    """A comparison with 0 of what is 0 or 1 anyway is that truth value, or its opposite."""
    if isinstance(right, Constant) and isinstance(left, Convert) and left.operand.type == BOOLEAN:
        if operator is Operator.DIFFERENT and right.value == 0:
            return left.operand
        if operator is Operator.EQUAL and right.value == 0:
            return opposite(left.operand)
        if operator is Operator.EQUAL and right.value == 1:
            return left.operand
    return Binary(operator, left, right, BOOLEAN)


def apply(operator: Operator, left: Expression, right: Expression) -> Expression:
    """Both operands have the type that the operation is made in."""
    if operator in COMPARISONS:
        return compare(operator, left, right)
    return Binary(operator, left, right, left.type)


def exact(value: Expression) -> Expression:
    """The value among the mathematical integers."""
    return convert(value, UNBOUNDED)


def plus(left: Expression | None, right: Expression | None) -> Expression | None:
    """Sum of offsets, where None is zero."""
    if left is None or right is None:
        return left if right is None else right
    left, right = exact(left), exact(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return number(int(left.value) + int(right.value))
    if isinstance(right, Constant) and right.value == 0:
        return left
    if isinstance(left, Constant) and left.value == 0:
        return right
    return Binary(Operator.ADD, left, right, UNBOUNDED)


def minus(left: Expression, right: Expression) -> Expression:
    left, right = exact(left), exact(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return number(int(left.value) - int(right.value))
    return Binary(Operator.SUBTRACT, left, right, UNBOUNDED)


def times(left: Expression | None, right: Expression) -> Expression | None:
    """Product of an offset and a count."""
    if left is None or (isinstance(right, Constant) and right.value == 1):
        return left
    left, right = exact(left), exact(right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return number(int(left.value) * int(right.value))
    if isinstance(left, Constant) and left.value == 1:
        return right
    return Binary(Operator.MULTIPLY, left, right, UNBOUNDED)


def quotient(left: Expression, right: int) -> Expression:
    """Of an offset that is not negative; that of `n * right + m` is n, where m is a place among `right` of them."""
    match left:
        case Constant(value=value):
            return number(int(value) // right)
        case Binary(
            operator=Operator.ADD, left=Binary(operator=Operator.MULTIPLY, left=whole, right=Constant(value=by))
        ):
            if int(by) == right:
                return whole
    return Binary(Operator.DIVIDE, left, number(right), UNBOUNDED)


def within(index: Expression | None, length: Expression) -> Expression:
    """0 <= index < length, in the index's own type where the length is a constant that fits there."""
    index = number(0) if index is None else index
    if isinstance(length, Constant) and isinstance(index.type, Machine) and index.type.contains(int(length.value)):
        length = Constant(length.value, index.type)
    else:
        index, length = exact(index), exact(length)
    low: Expression = Binary(Operator.AT_LEAST, index, zero(index.type), BOOLEAN)
    high: Expression = Binary(Operator.LESS, index, length, BOOLEAN)
    if isinstance(index, Constant) and index.value < 0:
        low = FALSE
    if isinstance(index, Constant) and isinstance(length, Constant) and index.value >= length.value:
        high = FALSE
    known = bounds(index)
    if known is not None and known[0] >= 0:
        low = TRUE
    if known is not None and isinstance(length, Constant) and known[1] < length.value:
        high = TRUE
    return both(low, high)


def to_type(value: Expression, type: CType) -> Expression:
    """Conversion to an arithmetic type of C or _Bool."""
    if isinstance(type, Truth):
        return truth(value)
    if isinstance(type, Integer) and type.is_cut and isinstance(value.type, Float):
        # It has to fit in the type that the bit-field is declared with.
        value = convert(value, _uncut(type))
    return convert(value, scalar_type(type))


def _uncut(type: Integer) -> Machine:
    return Machine(32 if type.machine.bits <= 32 else 64, type.machine.signed)


def from_truth(condition: Expression, type: Integer) -> Expression:
    """0 or 1."""
    return convert(condition, type.machine)
