"""Static methods of Math and of the boxes, as exact expressions over machine integers.

Each stands in a table under its class, name and number of arguments; tests compare all of them with a real machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.characters import CHARACTERS, Static, chosen
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import arithmetic, compared, converted, number, three_way, unboxed_value
from sorrel.frontends.java.types import (
    FLOATING,
    MACHINES,
    Primitive,
    is_numeric,
    program_type,
    promoted,
)
from sorrel.model.errors import Span
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import (
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from sorrel.program.types import REAL, UNBOUNDED, Machine

Exact: TypeAlias = Callable[[Sequence[Expression]], Expression]
"""An operation on exact integers."""

_INT, _LONG, _CHAR, _SHORT, _BYTE = Primitive.INT, Primitive.LONG, Primitive.CHAR, Primitive.SHORT, Primitive.BYTE


def promoted_arguments(context: Context, arguments: Sequence[Value], span: Span) -> tuple[list[Value], Primitive]:
    """The arguments in the type of the method that Java chooses among those for int, long, float and double."""
    plain = [unboxed_value(context, each, span) for each in arguments]
    if not all(is_numeric(each.type) for each in plain):
        raise Unsupported(f"a method of numbers applied to {', '.join(str(each.type) for each in plain)}", span)
    type: Primitive = Primitive.INT
    for each in plain:
        type = promoted(type, each.type)
    return [converted(context, each, type, span) for each in plain], type


# Of several types


def absolute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """The smallest integer has no opposite: it stays."""
    (value,), type = promoted_arguments(context, arguments, span)
    below = compared(context, "<", value, _zero(type), span).expression
    if type in FLOATING:
        opposite: Expression = Unary(UnaryOperator.NEGATE, value.expression, REAL)
    else:
        exact = Unary(UnaryOperator.NEGATE, unbounded(value.expression), UNBOUNDED)
        opposite = Convert(exact, MACHINES[type])
    return Value(chosen(below, opposite, value.expression), type)


def _zero(type: Primitive) -> Value:
    return Value(Constant(0, REAL), type) if type in FLOATING else number(0, type)


def _extreme(operator: str) -> Static:
    def choose(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        (left, right), type = promoted_arguments(context, arguments, span)
        is_first = compared(context, operator, left, right, span).expression
        return Value(Conditional(is_first, left.expression, right.expression, program_type(type)), type)

    return choose


def _exactly(operation: Exact, *, floating: bool = False) -> Static:
    """One that throws if the result does not fit its type."""

    def compute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        values, type = promoted_arguments(context, arguments, span)
        if type in FLOATING:
            raise Unsupported("exact arithmetic on floating-point numbers", span)
        return fitting(context, operation([unbounded(each.expression) for each in values]), type, span)

    return compute


def fitting(context: Context, exact: Expression, type: Primitive, span: Span) -> Value:
    machine = MACHINES[type]
    context.require(binary(Operator.AT_MOST, Constant(machine.smallest, UNBOUNDED), exact), span)
    context.require(binary(Operator.AT_MOST, exact, Constant(machine.largest, UNBOUNDED)), span)
    return Value(Convert(exact, machine), type)


def _to_int(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    return fitting(context, unbounded(converted(context, arguments[0], _LONG, span).expression), _INT, span)


def _floor_division(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """Towards negative infinity: one less than the quotient if the signs differ and there is a remainder."""
    (left, right), type = promoted_arguments(context, arguments, span)
    quotient = arithmetic(context, "/", left, right, span)
    return Value(
        chosen(_is_uneven(context, left, right, type, span), _less_one(quotient, type), quotient.expression), type
    )


def _less_one(value: Value, type: Primitive) -> Expression:
    less = binary(Operator.SUBTRACT, unbounded(value.expression), Constant(1, UNBOUNDED))
    return Convert(less, MACHINES[type])


def _is_uneven(context: Context, left: Value, right: Value, type: Primitive, span: Span) -> Expression:
    zero = Constant(0, MACHINES[type])
    remainder = arithmetic(context, "%", left, right, span).expression
    below = [binary(Operator.LESS, each, zero) for each in (remainder, right.expression)]
    signs = binary(Operator.DIFFERENT, *below)
    return binary(Operator.AND, binary(Operator.DIFFERENT, remainder, zero), signs)


def _floor_remainder(context: Context, arguments: Sequence[Value], span: Span) -> Value:
    """With the sign of the divisor, whose type it has."""
    is_int = unboxed_value(context, arguments[1], span).type != _LONG
    (left, right), type = promoted_arguments(context, arguments, span)
    remainder = arithmetic(context, "%", left, right, span)
    sum_ = binary(Operator.ADD, unbounded(remainder.expression), unbounded(right.expression))
    uneven = _is_uneven(context, left, right, type, span)
    result = Value(chosen(uneven, Convert(sum_, MACHINES[type]), remainder.expression), type)
    return converted(context, result, _INT, span) if is_int else result


# Of one type


def _of(primitive: Primitive, *more: Primitive) -> Callable[[Callable[[list[Expression]], Value]], Static]:
    """A method whose parameters have these types; the last one is that of all that follow."""
    types = (primitive, *more)

    def made(build: Callable[[list[Expression]], Value]) -> Static:
        def compute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
            wanted = [types[min(at, len(types) - 1)] for at in range(len(arguments))]
            given = [converted(context, each, type, span) for each, type in zip(arguments, wanted, strict=True)]
            return build([each.expression for each in given])

        return compute

    return made


def _machine(of: Expression) -> Machine:
    if not isinstance(of.type, Machine):
        raise TypeError(f"{of} is not a machine integer")
    return of.type


def _unsigned(value: Expression) -> Expression:
    return Convert(value, Machine(_machine(value).bits, False))


def _sign(given: list[Expression]) -> Value:
    return three_way(given[0], Constant(0, given[0].type))


def _comparison(given: list[Expression]) -> Value:
    return three_way(*given)


def _difference(given: list[Expression]) -> Value:
    left, right = map(unbounded, given)
    return Value(Convert(binary(Operator.SUBTRACT, left, right), MACHINES[_INT]), _INT)


def _as(type: Primitive) -> Callable[[Expression], Value]:
    return lambda expression: Value(Convert(expression, MACHINES[type]), type)


def _bytes_unsigned(type: Primitive) -> Callable[[list[Expression]], Value]:
    return lambda given: _as(type)(_unsigned(given[0]))


def _compare_unsigned(given: list[Expression]) -> Value:
    return three_way(_unsigned(given[0]), _unsigned(given[1]))


def _small_compare_unsigned(given: list[Expression]) -> Value:
    left, right = (unbounded(_unsigned(each)) for each in given)
    return Value(Convert(binary(Operator.SUBTRACT, left, right), MACHINES[_INT]), _INT)


def _sum(type: Primitive) -> Callable[[list[Expression]], Value]:
    return lambda given: _as(type)(binary(Operator.ADD, unbounded(given[0]), unbounded(given[1])))


def _same(type: Primitive) -> Callable[[list[Expression]], Value]:
    return lambda given: _as(type)(given[0])


def _folded_halves(given: list[Expression]) -> Value:
    """The hash code of a long: its halves, exclusively or'ed."""
    value = given[0]
    high = Convert(
        Binary(Operator.SHIFT_RIGHT, _unsigned(value), Constant(32, MACHINES[_INT]), _unsigned(value).type), value.type
    )
    return _as(_INT)(binary(Operator.BIT_XOR, value, high))


def _hash_of_truth(given: list[Expression]) -> Value:
    return Value(chosen(given[0], number(1231).expression, number(1237).expression), _INT)


def _unsigned_division(operator: str) -> Callable[[Primitive], Static]:
    def of(type: Primitive) -> Static:
        def compute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
            left, right = (_unsigned(converted(context, each, type, span).expression) for each in arguments)
            context.require(binary(Operator.DIFFERENT, right, Constant(0, right.type)), span)
            exact = binary(Operator(operator), unbounded(left), unbounded(right))
            return Value(Convert(exact, MACHINES[type]), type)

        return compute

    return of


# Bits


def _leading_zeros(given: list[Expression]) -> Value:
    value = _unsigned(given[0])
    bits = _machine(value).bits
    result: Expression = number(bits).expression
    for place in range(bits):
        reached = binary(Operator.AT_LEAST, value, Constant(1 << place, value.type))
        result = chosen(reached, number(bits - 1 - place).expression, result)
    return Value(result, _INT)


def _trailing_zeros(given: list[Expression]) -> Value:
    value = given[0]
    bits = _machine(value).bits
    result: Expression = number(bits).expression
    for place in reversed(range(bits)):
        result = chosen(_bit(value, place), number(place).expression, result)
    return Value(result, _INT)


def _bit(value: Expression, place: int) -> Expression:
    mask = Constant(_machine(value).wrap(1 << place), value.type)
    return binary(Operator.DIFFERENT, binary(Operator.BIT_AND, value, mask), Constant(0, value.type))


def _count(given: list[Expression]) -> Value:
    value = given[0]
    ones = [Convert(_bit(value, place), UNBOUNDED) for place in range(_machine(value).bits)]
    total: Expression = ones[0]
    for one in ones[1:]:
        total = binary(Operator.ADD, total, one)
    return _as(_INT)(total)


def _highest_one(type: Primitive) -> Callable[[list[Expression]], Value]:
    def build(given: list[Expression]) -> Value:
        value, machine = _unsigned(given[0]), MACHINES[type]
        result: Expression = Constant(0, machine)
        for place in range(machine.bits):
            reached = binary(Operator.AT_LEAST, value, Constant(1 << place, value.type))
            result = chosen(reached, Constant(machine.wrap(1 << place), machine), result)
        return Value(result, type)

    return build


def _lowest_one(type: Primitive) -> Callable[[list[Expression]], Value]:
    def build(given: list[Expression]) -> Value:
        opposite = Convert(Unary(UnaryOperator.NEGATE, unbounded(given[0]), UNBOUNDED), MACHINES[type])
        return Value(binary(Operator.BIT_AND, given[0], opposite), type)

    return build


def _rotated(left: str, right: str) -> Callable[[Primitive], Static]:
    """By a distance of which only its last bits count, and which may be negative."""

    def of(type: Primitive) -> Static:
        def compute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
            value = converted(context, arguments[0], type, span)
            distance = converted(context, arguments[1], _INT, span)
            exact = Unary(UnaryOperator.NEGATE, unbounded(distance.expression), UNBOUNDED)
            back = Value(Convert(exact, MACHINES[_INT]), _INT)
            one = arithmetic(context, left, value, distance, span)
            other = arithmetic(context, right, value, back, span)
            return arithmetic(context, "|", one, other, span)

        return compute

    return of


# The table


def _opposite(given: Sequence[Expression]) -> Expression:
    return Unary(UnaryOperator.NEGATE, given[0], UNBOUNDED)


def _step(operator: Operator) -> Exact:
    return lambda given: binary(operator, given[0], Constant(1, UNBOUNDED))


def _both(operator: Operator) -> Exact:
    return lambda given: binary(operator, given[0], given[1])


def _exact_absolute(given: Sequence[Expression]) -> Expression:
    return chosen(binary(Operator.LESS, given[0], Constant(0, UNBOUNDED)), _opposite(given), given[0])


_MATH: Mapping[tuple[str, int], Static] = {
    ("abs", 1): absolute,
    ("min", 2): _extreme("<="),
    ("max", 2): _extreme(">="),
    ("floorDiv", 2): _floor_division,
    ("floorMod", 2): _floor_remainder,
    ("addExact", 2): _exactly(_both(Operator.ADD)),
    ("subtractExact", 2): _exactly(_both(Operator.SUBTRACT)),
    ("multiplyExact", 2): _exactly(_both(Operator.MULTIPLY)),
    ("negateExact", 1): _exactly(_opposite),
    ("incrementExact", 1): _exactly(_step(Operator.ADD)),
    ("decrementExact", 1): _exactly(_step(Operator.SUBTRACT)),
    ("absExact", 1): _exactly(_exact_absolute),
    ("toIntExact", 1): _to_int,
}


def _large(type: Primitive) -> Mapping[tuple[str, int], Static]:
    """What Integer and Long have in common."""
    own = _of(type)
    return {
        ("compare", 2): own(_comparison),
        ("signum", 1): own(_sign),
        ("sum", 2): own(_sum(type)),
        ("min", 2): _converting(type, _extreme("<=")),
        ("max", 2): _converting(type, _extreme(">=")),
        ("compareUnsigned", 2): own(_compare_unsigned),
        ("divideUnsigned", 2): _unsigned_division("/")(type),
        ("remainderUnsigned", 2): _unsigned_division("%")(type),
        ("bitCount", 1): own(_count),
        ("numberOfLeadingZeros", 1): own(_leading_zeros),
        ("numberOfTrailingZeros", 1): own(_trailing_zeros),
        ("highestOneBit", 1): own(_highest_one(type)),
        ("lowestOneBit", 1): own(_lowest_one(type)),
        ("rotateLeft", 2): _rotated("<<", ">>>")(type),
        ("rotateRight", 2): _rotated(">>>", "<<")(type),
    }


def _converting(type: Primitive, method: Static) -> Static:
    return lambda context, given, span: method(context, [converted(context, v, type, span) for v in given], span)


def _small(type: Primitive) -> Mapping[tuple[str, int], Static]:
    """What Short and Byte have in common."""
    own = _of(type)
    return {
        ("compare", 2): own(_difference),
        ("compareUnsigned", 2): own(_small_compare_unsigned),
        ("hashCode", 1): own(_same(_INT)),
        ("toUnsignedInt", 1): own(_bytes_unsigned(_INT)),
        ("toUnsignedLong", 1): own(_bytes_unsigned(_LONG)),
    }


def _logical(operator: str) -> Static:
    def connect(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        left, right = (converted(context, each, Primitive.BOOLEAN, span) for each in arguments)
        return arithmetic(context, operator, left, right, span)

    return connect


def _truth_comparison(given: list[Expression]) -> Value:
    return three_way(*(Convert(each, MACHINES[_INT]) for each in given))


METHODS: Mapping[str, Mapping[tuple[str, int], Static]] = {
    "java.lang.Math": _MATH,
    "java.lang.StrictMath": _MATH,
    "java.lang.Integer": {
        **_large(_INT),
        ("hashCode", 1): _of(_INT)(_same(_INT)),
        ("toUnsignedLong", 1): _of(_INT)(_bytes_unsigned(_LONG)),
    },
    "java.lang.Long": {**_large(_LONG), ("hashCode", 1): _of(_LONG)(_folded_halves)},
    "java.lang.Short": _small(_SHORT),
    "java.lang.Byte": _small(_BYTE),
    "java.lang.Character": {
        **CHARACTERS,
        ("compare", 2): _of(_CHAR)(_difference),
        ("hashCode", 1): _of(_CHAR)(_same(_INT)),
    },
    "java.lang.Boolean": {
        ("compare", 2): _of(Primitive.BOOLEAN)(_truth_comparison),
        ("hashCode", 1): _of(Primitive.BOOLEAN)(_hash_of_truth),
        ("logicalAnd", 2): _logical("&"),
        ("logicalOr", 2): _logical("|"),
        ("logicalXor", 2): _logical("^"),
    },
}
"""By class, name and number of arguments."""
