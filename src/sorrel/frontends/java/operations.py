"""Operators and conversions of Java, with its wrap-around arithmetic, as expressions of the program."""

from __future__ import annotations

from fractions import Fraction

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.context import Context, Value, ZeroUse
from sorrel.frontends.java.types import (
    BOXES,
    FLOATING,
    MACHINES,
    NULL,
    OBJECT,
    JavaType,
    Primitive,
    Reference,
    is_integral,
    is_numeric,
    is_reference,
    program_type,
    promoted,
    unboxed,
)
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import (
    COMPARISONS,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.statement import Assign
from sorrel.program.types import REAL, UNBOUNDED, Machine, Type

FLOATING_POINT = (
    "Values of type float and double are real numbers: there is no rounding, NaN, infinity or negative zero."
)
_WIDE = frozenset({"Object", "Number", "Comparable", "Serializable", "Constable"})
"""Types of Java's own that a box is converted to."""
_FLOAT_PLACES, _FLOAT_SMALLEST, _FLOAT_LARGEST = 23, -126, 127
_BOX_NAMES = {primitive: name for name, primitive in reversed(BOXES.items()) if name not in ("Int", "Char")}


def number(value: int, type: Primitive = Primitive.INT) -> Value:
    return Value(Constant(MACHINES[type].wrap(value), MACHINES[type]), type)


def real(value: Fraction, type: Primitive = Primitive.DOUBLE) -> Value:
    return Value(Constant(value, REAL), type)


def nearest(exact: Fraction, type: JavaType, span: Span) -> Fraction:
    """The number of the type that is closest, and of two the even one."""
    if type != Primitive.FLOAT:
        try:
            return Fraction(float(exact))
        except OverflowError:
            raise Unsupported("a constant that no double holds", span) from None
    if exact == 0:
        return exact
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    step = Fraction(2) ** (max(exponent, _FLOAT_SMALLEST) - _FLOAT_PLACES)
    found = round(exact / step) * step
    if abs(found) >= Fraction(2) ** (_FLOAT_LARGEST + 1):
        raise Unsupported("a constant that no float holds", span)
    return found


def truth(condition: Expression) -> Value:
    return Value(condition, Primitive.BOOLEAN)


def zero_of(type: Type) -> Expression:
    return Constant(Fraction(0), REAL) if type == REAL else Constant(0, type)


# Arithmetic


def wrapped(exact: Expression, type: Machine) -> Expression:
    """An exact integer as one of the type: modulo 2^bits."""
    if isinstance(exact, Constant) and isinstance(exact.value, int):
        return Constant(type.wrap(exact.value), type)
    return Convert(exact, type)


def negated(context: Context, value: Value, span: Span) -> Value:
    value = unboxed_value(context, value, span)
    if value.type in FLOATING:
        context.translation.negative_zeros.add(ZeroUse.MADE)
        return Value(_folded(Unary(UnaryOperator.NEGATE, value.expression, REAL)), value.type)
    operand = converted(context, value, promoted(value.type, Primitive.INT), span)
    exact = Unary(UnaryOperator.NEGATE, unbounded(operand.expression), UNBOUNDED)
    return Value(wrapped(_folded(exact), _machine(operand.type)), operand.type)


def complemented(context: Context, value: Value, span: Span) -> Value:
    operand = converted(context, value, promoted(unboxed(value.type), Primitive.INT), span)
    return Value(Unary(UnaryOperator.COMPLEMENT, operand.expression, operand.expression.type), operand.type)


def arithmetic(context: Context, operator: str, left: Value, right: Value, span: Span) -> Value:
    """One of + - * / % & | ^ << >> >>> on numbers, or & | ^ on truth values."""
    left, right = unboxed_value(context, left, span), unboxed_value(context, right, span)
    if operator in ("<<", ">>", ">>>"):
        return _shifted(context, operator, left, right, span)
    if operator in ("&", "|", "^") and (left.type, right.type) == (Primitive.BOOLEAN, Primitive.BOOLEAN):
        return _logical(operator, left, right)
    if not (is_numeric(left.type) and is_numeric(right.type)):
        raise Unsupported(f"{operator} on {left.type} and {right.type}", span)
    type = promoted(left.type, right.type)
    left, right = converted(context, left, type, span), converted(context, right, type, span)
    if operator in ("&", "|", "^"):
        return Value(binary(Operator(operator), left.expression, right.expression), type)
    if operator in ("/", "%") and is_integral(type):
        context.require(binary(Operator.DIFFERENT, right.expression, zero_of(right.expression.type)), span)
    if type in FLOATING:
        return _floating(context, operator, left, right, span)
    exact = binary(Operator(operator), unbounded(left.expression), unbounded(right.expression))
    return Value(wrapped(_folded(exact), _machine(type)), type)


def _floating(context: Context, operator: str, left: Value, right: Value, span: Span) -> Value:
    if operator not in ("+", "-", "*"):
        raise Unsupported(f"{operator} on floating-point numbers", span)
    context.translation.assume(AssumptionKind.FLOATS, FLOATING_POINT)
    if operator == "*":
        context.translation.negative_zeros.add(ZeroUse.MADE)
    if isinstance(left.expression, Constant) and isinstance(right.expression, Constant):
        one, other = Fraction(left.expression.value), Fraction(right.expression.value)
        exact = one + other if operator == "+" else one - other if operator == "-" else one * other
        return real(nearest(exact, left.type, span), _primitive(left))
    result = context.temporary("exact", REAL)  # what a run computes is looked at, whether the machine would round it
    context.builder.emit(Assign(result, binary(Operator(operator), left.expression, right.expression), span))
    return Value(result, left.type)


def _logical(operator: str, left: Value, right: Value) -> Value:
    """Both sides are evaluated, which makes no difference for values."""
    if operator == "^":
        return truth(binary(Operator.DIFFERENT, left.expression, right.expression))
    return truth(binary(Operator.AND if operator == "&" else Operator.OR, left.expression, right.expression))


def _shifted(context: Context, operator: str, left: Value, right: Value, span: Span) -> Value:
    """The amount is taken modulo the width; bits that are shifted out are lost (JLS 15.19)."""
    if not (is_integral(left.type) and is_integral(right.type)):
        raise Unsupported(f"{operator} on {left.type} and {right.type}", span)
    type = promoted(left.type, Primitive.INT)
    machine = _machine(type)
    value = converted(context, left, type, span).expression
    amount = converted(context, right, promoted(right.type, Primitive.INT), span).expression
    mask = Constant(machine.bits - 1, amount.type)
    amount = (
        Constant(amount.value & mask.value, amount.type)
        if isinstance(amount, Constant) and isinstance(amount.value, int) and isinstance(mask.value, int)
        else Binary(Operator.BIT_AND, amount, mask, amount.type)
    )
    if operator == ">>":
        return Value(Binary(Operator.SHIFT_RIGHT, value, amount, machine), type)
    unsigned = Machine(machine.bits, False)
    shift = Operator.SHIFT_LEFT if operator == "<<" else Operator.SHIFT_RIGHT
    return Value(Convert(Binary(shift, Convert(value, unsigned), amount, unsigned), machine), type)


def _machine(type: JavaType) -> Machine:
    found = program_type(type)
    if not isinstance(found, Machine):
        raise TypeError(f"{type} is not an integer type")
    return found


def _folded(expression: Expression) -> Expression:
    """Operations on constants are done at once."""
    match expression:
        case Unary(UnaryOperator.NEGATE, Constant(value, type)) | Unary(
            UnaryOperator.NEGATE, Convert(Constant(value), type)
        ) if not isinstance(value, bool):
            return Constant(-value, type)
        case _:
            return expression


# Comparison


def compared(context: Context, operator: str, left: Value, right: Value, span: Span) -> Value:
    """One of == != < <= > >=."""
    sign = Operator(operator)
    if sign in (Operator.EQUAL, Operator.DIFFERENT) and is_reference(left.type) and is_reference(right.type):
        _tell_apart(context, left, right, span)
        return truth(binary(sign, left.expression, right.expression))
    one, other = comparable(context, left, right, span)
    if one.type == Primitive.BOOLEAN and sign not in (Operator.EQUAL, Operator.DIFFERENT):
        raise Unsupported(f"{operator} on truth values", span)
    return truth(binary(sign, one.expression, other.expression))


def _tell_apart(context: Context, left: Value, right: Value, span: Span) -> None:
    """Objects of given classes come from outside; whether others are made anew is not modelled."""
    made_here = [each for each in (left, right) if context.classes.get(each.type) is None]
    if len(made_here) == 2 and NULL not in (left.type, right.type):
        context.translation.identity = span
    if len(made_here) == 1 and made_here[0].type != NULL:
        other = left if made_here[0] is right else right
        known = context.classes.get(other.type)
        if known is not None and known.is_enum:
            raise Unsupported(f"a comparison of {left.type} and {right.type} as objects", span)


def comparable(context: Context, left: Value, right: Value, span: Span) -> tuple[Value, Value]:
    """Two values that are compared, in one type."""
    left, right = unboxed_value(context, left, span), unboxed_value(context, right, span)
    if Primitive.BOOLEAN in (left.type, right.type):
        if left.type == right.type:
            return left, right
        left, right = _as_number(context, left, span), _as_number(context, right, span)
    if is_reference(left.type) or is_reference(right.type):
        if not all(_is_unknown(context, each.type) for each in (left, right) if is_reference(each.type)):
            raise Unsupported(f"a comparison of {left.type} and {right.type}", span)
        context.note(span, f"{left.type} and {right.type} are compared as numbers.")
        return Value(unbounded(left.expression), left.type), Value(unbounded(right.expression), left.type)
    if left.type in FLOATING or right.type in FLOATING:
        context.translation.assume(AssumptionKind.FLOATS, FLOATING_POINT)
        type = promoted(left.type, right.type)
        return converted(context, left, type, span), converted(context, right, type, span)
    if left.expression.type == right.expression.type:
        return left, right
    type = promoted(left.type, right.type)
    return converted(context, left, type, span), converted(context, right, type, span)


def _as_number(context: Context, value: Value, span: Span) -> Value:
    """A truth value beside a number is 0 or 1, which Java would not allow."""
    if value.type != Primitive.BOOLEAN:
        return value
    context.note(span, "a truth value beside a number is 0 or 1.")
    return Value(Convert(value.expression, MACHINES[Primitive.INT]), Primitive.INT)


def three_way(left: Expression, right: Expression) -> Value:
    """-1, 0 or 1."""
    minus, zero, one = (number(n).expression for n in (-1, 0, 1))
    type = MACHINES[Primitive.INT]
    rest = Conditional(binary(Operator.EQUAL, left, right), zero, one, type)
    return Value(Conditional(binary(Operator.LESS, left, right), minus, rest, type), Primitive.INT)


# Conversion


def unboxed_value(context: Context, value: Value, span: Span) -> Value:
    """The value that an object of a box holds; a null one throws."""
    primitive = unboxed(value.type)
    if primitive == value.type or not isinstance(primitive, Primitive):
        return value
    context.require_object(value.expression, span)
    return context.function(f"java.lang.{_BOX_NAMES[primitive]}.value", [value.expression], primitive, span)


def boxed(context: Context, value: Value, primitive: Primitive, span: Span) -> Value:
    """An object that holds the value; whether it is a new one is not modelled."""
    held = converted(context, value, primitive, span)
    name = f"java.lang.{_BOX_NAMES[primitive]}"
    context.translation.fresh = span
    made = context.function(f"{name}.valueOf", [held.expression], Reference(_BOX_NAMES[primitive]), span)
    context.require(binary(Operator.DIFFERENT, made.expression, Constant(0, UNBOUNDED)), span, "")
    inside = context.function(f"{name}.value", [made.expression], primitive, span)
    context.require(binary(Operator.EQUAL, inside.expression, held.expression), span, "")
    return made


def converted(context: Context, value: Value, target: JavaType, span: Span) -> Value:
    """The value in another type, as an assignment or a cast converts it."""
    if is_reference(target):
        return _as_reference(context, value, target, span)
    value = unboxed_value(context, value, span)
    if value.type == target:
        return value
    if is_reference(value.type) and is_integral(target) and _is_unknown(context, value.type):
        context.note(span, f"a {value.type} is used as a number of type {target}.")
        return Value(wrapped(value.expression, _machine(target)), target)
    if not (is_numeric(value.type) and is_numeric(target)):
        raise Unsupported(f"a conversion of {value.type} to {target}", span)
    if target in FLOATING:
        return _as_floating(context, value, target, span)
    if value.type in FLOATING:
        raise Unsupported(f"a conversion of {value.type} to {target}", span)
    return Value(wrapped(value.expression, _machine(target)), target)


def _as_reference(context: Context, value: Value, target: JavaType, span: Span) -> Value:
    if is_reference(value.type):
        return Value(value.expression, target)
    primitive = unboxed(target)
    if isinstance(primitive, Primitive):
        return boxed(context, value, primitive, span)
    is_wide = target == OBJECT or (str(target) in _WIDE and context.classes.of_java(target))
    if is_wide or str(target) in context.classes.names.variables:
        return Value(boxed(context, value, _primitive(value), span).expression, target)
    if not is_integral(value.type) or not _is_unknown(context, target):
        raise Unsupported(f"a conversion of {value.type} to {target}", span)
    context.note(span, f"a number stands for an object of type {target}.")
    return Value(unbounded(value.expression), target)


def _is_unknown(context: Context, type: JavaType) -> bool:
    """A class of which nobody says anything; numbers stand for its objects in what was cut out of a program."""
    is_named = isinstance(type, Reference) and type != NULL and type.name not in context.classes.names.given
    return is_named and not context.classes.of_java(type)


def _primitive(value: Value) -> Primitive:
    if not isinstance(value.type, Primitive):
        raise TypeError(f"{value.type} is not a primitive type")
    return value.type


def _as_floating(context: Context, value: Value, target: JavaType, span: Span) -> Value:
    context.translation.assume(AssumptionKind.FLOATS, FLOATING_POINT)
    if isinstance(value.expression, Constant):
        exact = Fraction(value.expression.value)
        return Value(Constant(nearest(exact, target, span), REAL), target)
    if value.type in FLOATING:
        return Value(value.expression, target)
    raise Unsupported(f"a conversion of {value.type} to {target}", span)


def condition(context: Context, value: Value, span: Span) -> Expression:
    value = unboxed_value(context, value, span)
    if value.type != Primitive.BOOLEAN:
        raise Unsupported(f"a condition of type {value.type}", span)
    return value.expression


def is_comparison(operator: str) -> bool:
    return operator in COMPARISONS
