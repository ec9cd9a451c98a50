"""The operations of functional programs on values."""

from __future__ import annotations

from sorrel.functional.operator import BITWISE, Operator
from sorrel.functional.value import (
    LARGEST,
    SMALLEST,
    Block,
    Cell,
    Hidden,
    Looked,
    Made,
    NotComparable,
    Value,
    compared,
    wrapped,
)

_MASK = (1 << 63) - 1
MOST_ELEMENTS = 1_000_000


class Failed(Exception):
    """An operation without a result: its kind, and the exception that OCaml raises (None: it does something else).

    Without a kind it is only that we do not follow it.
    """

    def __init__(self, kind: str, message: str, exception: Made | None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.exception = exception


def operate(operator: Operator, values: tuple[Value, ...], ranks: dict[str, int], *, wraps: bool) -> Value:
    """`wraps`: whether a result that does not fit into 63 bits is taken as it is; otherwise it is a failure."""
    if any(isinstance(value, Hidden) for value in values) and not _hands_on(operator, values):
        return _of_hidden(operator, values)
    match operator, values:
        case Operator.ADD | Operator.SUBTRACT | Operator.MULTIPLY | Operator.NEGATE, _:
            return _arithmetic(operator, values, wraps)
        case Operator.COUNT_UP, (int(number),):
            return number + 1
        case Operator.COUNT_DOWN, (int(number),):
            return number - 1
        case Operator.DIVIDE | Operator.REMAINDER, (int(left), int(right)):
            return _division(operator, left, right, wraps)
        case Operator.NOT, (value,):
            return not value
        case Operator.MAKE_REFERENCE, (value,):
            return Cell(value)
        case Operator.CONTENT, (Cell(content),):
            return content
        case Operator.ASSIGN, (Cell() as cell, value):
            cell.content = value
            return None
        case Operator.ARRAY_LITERAL, _:
            return Block(list(values))
        case Operator.MAKE_ARRAY, (int(length), value):
            if length < 0:
                raise Failed("bounds", "an array with a negative length", Made("Invalid_argument", ("Array.make",)))
            if length > MOST_ELEMENTS:
                raise Failed("", "an array that is too large to be run", None)
            return Block([value] * length)
        case Operator.ARRAY_LENGTH, (Block(elements),):
            return len(elements)
        case Operator.ARRAY_GET, (Block(elements), int(index)):
            _within(index, len(elements))
            return elements[index]
        case Operator.ARRAY_SET, (Block(elements), int(index), value):
            _within(index, len(elements))
            elements[index] = value
            return None
        case Operator.TEXT_LENGTH, (str(text),):
            return len(text)
        case Operator.TEXT_GET, (str(text), int(index)):
            _within(index, len(text))
            return ord(text[index])
        case Operator.TEXT_JOIN, (str(left_text), str(right_text)):
            return left_text + right_text
        case Operator.TEXT_OF_NUMBER, (int(number),):
            return str(number)
        case Operator.CODE, (value,):
            return value
        case Operator.SHOW, _:
            return None
        case _:
            return _bits_or_comparison(operator, values, ranks)


def _hands_on(operator: Operator, values: tuple[Value, ...]) -> bool:
    """Whether the operation does the same whatever is hidden."""
    match operator:
        case Operator.MAKE_REFERENCE | Operator.ARRAY_LITERAL | Operator.SHOW:
            return True
        case Operator.ASSIGN | Operator.MAKE_ARRAY:
            return not isinstance(values[0], Hidden)
        case Operator.ARRAY_SET:
            return not any(isinstance(value, Hidden) for value in values[:2])
        case _:
            return False


_OF_ANYTHING = (Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.NEGATE, Operator.TEXT_JOIN)


def _of_hidden(operator: Operator, values: tuple[Value, ...]) -> Value:
    """A result that is as unknown as the operands; numbers that do not fit wrap round."""
    if operator in _OF_ANYTHING:
        return Hidden()
    if operator in (Operator.DIVIDE, Operator.REMAINDER) and isinstance(values[1], int) and values[1] != 0:
        return Hidden()
    raise Looked


def _within(index: int, length: int) -> None:
    if not 0 <= index < length:
        raise Failed(
            "bounds", f"index {index} of {length} elements", Made("Invalid_argument", ("index out of bounds",))
        )


def _arithmetic(operator: Operator, values: tuple[Value, ...], wraps: bool) -> int:
    numbers = [int(value) for value in values]  # type: ignore[arg-type]
    match operator:
        case Operator.ADD:
            exact = numbers[0] + numbers[1]
        case Operator.SUBTRACT:
            exact = numbers[0] - numbers[1]
        case Operator.MULTIPLY:
            exact = numbers[0] * numbers[1]
        case _:
            exact = -numbers[0]
    return _fitting(exact, operator, wraps)


def _fitting(exact: int, operator: Operator, wraps: bool) -> int:
    if SMALLEST <= exact <= LARGEST:
        return exact
    if wraps:
        return wrapped(exact)
    raise Failed("overflow", f"overflow in {operator.value.lstrip('~')}", None)


def _division(operator: Operator, left: int, right: int, wraps: bool) -> int:
    """Both truncate; by zero they raise."""
    if right == 0:
        raise Failed("division", "division by zero", Made("Division_by_zero"))
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return _fitting(quotient, operator, wraps) if operator is Operator.DIVIDE else left - right * quotient


def _bits_or_comparison(operator: Operator, values: tuple[Value, ...], ranks: dict[str, int]) -> Value:
    if operator in (Operator.NOT_BITS,):
        return ~int(values[0])  # type: ignore[arg-type]
    if operator in _ON_BITS:
        left, right = int(values[0]), int(values[1])  # type: ignore[arg-type]
        return _bits(operator, left, right)
    try:
        order = compared(values[0], values[1], ranks)
    except NotComparable:
        raise Failed("exception", "functions are compared", Made("Invalid_argument", ("compare",))) from None
    return {
        Operator.EQUAL: order == 0,
        Operator.DIFFERENT: order != 0,
        Operator.LESS: order < 0,
        Operator.AT_MOST: order <= 0,
        Operator.GREATER: order > 0,
        Operator.AT_LEAST: order >= 0,
    }[operator]


_ON_BITS = BITWISE - {Operator.NOT_BITS}


def _bits(operator: Operator, left: int, right: int) -> int:
    match operator:
        case Operator.AND_BITS:
            return left & right
        case Operator.OR_BITS:
            return left | right
        case Operator.XOR_BITS:
            return left ^ right
    if not 0 <= right < 64:
        raise Failed("overflow", "a shift by a number of bits that is not specified", None)
    if operator is Operator.SHIFT_LEFT:
        return wrapped(left << right)
    if operator is Operator.SHIFT_RIGHT:
        return wrapped((left & _MASK) >> right)
    return left >> right
