"""Methods of Character: exact expressions for ASCII; what they return for other characters is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import converted, number, unboxed_value
from sorrel.frontends.java.types import MACHINES, JavaType, Primitive, program_type
from sorrel.model.errors import Span
from sorrel.program.construction import binary, negation, unbounded
from sorrel.program.expression import Conditional, Constant, Convert, Expression, Operator
from sorrel.program.types import UNBOUNDED

Static: TypeAlias = Callable[[Context, Sequence[Value], Span], Value]


def chosen(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    return Conditional(condition, then, otherwise, then.type)


_ASCII = 128


def _in_ranges(value: Expression, ranges: Sequence[tuple[int, int]]) -> Expression:
    tests = [
        binary(
            Operator.AND,
            binary(Operator.AT_MOST, Constant(low, value.type), value),
            binary(Operator.AT_MOST, value, Constant(high, value.type)),
        )
        for low, high in ranges
    ]
    result: Expression = tests[0]
    for test in tests[1:]:
        result = binary(Operator.OR, result, test)
    return result


def _of_characters(name: str, result: Primitive | None, ascii: Callable[[Expression], Expression]) -> Static:
    """A method of a character or of a code point: exact for ASCII, and open for all others."""

    def compute(context: Context, arguments: Sequence[Value], span: Span) -> Value:
        value = unboxed_value(context, arguments[0], span)
        taken = Primitive.CHAR if value.type == Primitive.CHAR else Primitive.INT
        given = converted(context, value, taken, span).expression
        type: JavaType = taken if result is None else result
        is_ascii = _in_ranges(given, [(0, _ASCII - 1)])
        with context.under(negation(is_ascii)):
            other = context.open(f"Character.{name}", [given], type, span).expression
        return Value(Conditional(is_ascii, ascii(given), other, program_type(type)), type)

    return compute


_DIGITS, _CAPITALS, _SMALL = (48, 57), (65, 90), (97, 122)
_KINDS = {
    "isDigit": [_DIGITS],
    "isLetter": [_CAPITALS, _SMALL],
    "isAlphabetic": [_CAPITALS, _SMALL],
    "isLetterOrDigit": [_DIGITS, _CAPITALS, _SMALL],
    "isUpperCase": [_CAPITALS],
    "isLowerCase": [_SMALL],
    "isWhitespace": [(9, 13), (28, 32)],
    "isSpaceChar": [(32, 32)],
    "isISOControl": [(0, 31), (127, 127)],
}


def _moved(of: tuple[int, int], by: int) -> Callable[[Expression], Expression]:
    def build(value: Expression) -> Expression:
        moved = Convert(binary(Operator.ADD, unbounded(value), Constant(by, UNBOUNDED)), value.type)
        return chosen(_in_ranges(value, [of]), moved, value)

    return build


def _numeric_value(value: Expression) -> Expression:
    """Letters count from 10 on, as digits of a large base."""
    result: Expression = number(-1).expression
    for range_, first in ((_SMALL, 97 - 10), (_CAPITALS, 65 - 10), (_DIGITS, 48)):
        shifted = binary(Operator.SUBTRACT, unbounded(value), Constant(first, UNBOUNDED))
        result = chosen(_in_ranges(value, [range_]), Convert(shifted, MACHINES[Primitive.INT]), result)
    return result


def _kind(ranges: Sequence[tuple[int, int]]) -> Callable[[Expression], Expression]:
    return lambda value: _in_ranges(value, ranges)


CHARACTERS: Mapping[tuple[str, int], Static] = {
    **{(name, 1): _of_characters(name, Primitive.BOOLEAN, _kind(ranges)) for name, ranges in _KINDS.items()},
    ("toLowerCase", 1): _of_characters("toLowerCase", None, _moved(_CAPITALS, 32)),
    ("toUpperCase", 1): _of_characters("toUpperCase", None, _moved(_SMALL, -32)),
    ("getNumericValue", 1): _of_characters("getNumericValue", Primitive.INT, _numeric_value),
}
