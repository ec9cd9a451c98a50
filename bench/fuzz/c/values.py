"""Integer types of C with their ranges, and expressions whose values are known to lie between two numbers.

The ranges are what keeps generated programs free of undefined behaviour: an operation is written only if no value of
its operands makes it overflow, and what wraps around has the whole range of its type.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class IntegerType:
    """`bits` as on a machine with 64-bit words; _Bool has one."""

    name: str
    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1

    @property
    def promoted(self) -> IntegerType:
        return INT if self.bits < INT.bits else self

    def holds(self, low: int, high: int) -> bool:
        return self.low <= low and high <= self.high


BOOL = IntegerType("_Bool", 1, False)
INT = IntegerType("int", 32, True)
UNSIGNED = IntegerType("unsigned", 32, False)
LONG = IntegerType("long", 64, True)
SIZE = IntegerType("unsigned long", 64, False)
CHAR = IntegerType("char", 8, True)
BYTE = IntegerType("unsigned char", 8, False)
INTEGER_TYPES = (
    BOOL,
    CHAR,
    IntegerType("signed char", 8, True),
    BYTE,
    IntegerType("short", 16, True),
    IntegerType("unsigned short", 16, False),
    INT,
    UNSIGNED,
    LONG,
    SIZE,
    IntegerType("long long", 64, True),
    IntegerType("unsigned long long", 64, False),
)


@dataclass(frozen=True, slots=True)
class Expression:
    """C text of a promoted type, whose value is at least `low` and at most `high` whenever it is evaluated."""

    text: str
    type: IntegerType
    low: int
    high: int

    @property
    def is_constant(self) -> bool:
        return self.low == self.high

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high


def constant(number: int) -> Expression:
    return Expression(str(number) if number >= 0 else f"({number})", INT, number, number)


def converted(value: Expression, type: IntegerType) -> Expression:
    """The value after an implicit conversion, with the same text; what does not fit may become anything."""
    if type == BOOL:
        known = value.low > 0 or value.high < 0
        return replace(value, type=type, low=int(known), high=int(value.low != 0 or value.high != 0))
    if type.holds(value.low, value.high):
        return replace(value, type=type)
    return replace(value, type=type, low=type.low, high=type.high)


def cast(value: Expression, type: IntegerType) -> Expression:
    """Written out; the result is promoted as soon as it is used."""
    inner = converted(value, type)
    return replace(inner, text=f"({type.name}){value.text}", type=type.promoted)


def common(one: IntegerType, other: IntegerType) -> IntegerType:
    """The usual arithmetic conversions of two promoted types."""
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return one if not one.signed else other


def binary(one: Expression, operator: str, other: Expression) -> Expression | None:
    """`one operator other` in parentheses; None if some values make it undefined."""
    text = f"({one.text} {operator} {other.text})"
    if operator in ("<<", ">>"):
        return _shifted(text, one, operator, other)
    type = common(one.type, other.type)
    a, b = converted(one, type), converted(other, type)
    if operator in ("<", "<=", ">", ">=", "==", "!="):
        return Expression(text, INT, 0, 1)
    if operator in ("/", "%") and (b.low <= 0 <= b.high or (type.signed and a.low == type.low)):
        return None
    low, high = _bounds(a, operator, b)
    if type.holds(low, high):
        return Expression(text, type, low, high)
    return None if type.signed else Expression(text, type, type.low, type.high)


def _shifted(text: str, one: Expression, operator: str, other: Expression) -> Expression | None:
    if not other.within(0, one.type.bits - 1) or (one.type.signed and one.low < 0):
        return None
    if operator == ">>":
        return Expression(text, one.type, one.low >> other.high, one.high >> other.low)
    high = one.high << other.high
    if high <= one.type.high:
        return Expression(text, one.type, one.low << other.low, high)
    return None if one.type.signed else Expression(text, one.type, 0, one.type.high)


def _bounds(a: Expression, operator: str, b: Expression) -> tuple[int, int]:
    """Of the mathematical result; for bit operations a power of two that no operand reaches."""
    match operator:
        case "+":
            return a.low + b.low, a.high + b.high
        case "-":
            return a.low - b.high, a.high - b.low
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(corners), max(corners)
        case "/":
            largest = max(abs(a.low), abs(a.high)) // min(abs(b.low), abs(b.high))
            return (-largest if a.low < 0 or b.low < 0 else 0), largest
        case "%":
            largest = min(max(abs(b.low), abs(b.high)) - 1, max(abs(a.low), abs(a.high)))
            return (-largest if a.low < 0 else 0), largest
        case _:
            size = max(number.bit_length() for number in (a.low, a.high, b.low, b.high))
            return (-(2**size) if min(a.low, b.low) < 0 else 0), 2**size - 1


def unary(operator: str, one: Expression) -> Expression | None:
    text = f"({operator}{one.text})"
    if operator == "!":
        return Expression(text, INT, 0, 1)
    low, high = (-one.high, -one.low) if operator == "-" else (-one.high - 1, -one.low - 1)
    if one.type.holds(low, high):
        return Expression(text, one.type, low, high)
    return None if one.type.signed else Expression(text, one.type, one.type.low, one.type.high)


def chosen(condition: Expression, one: Expression, other: Expression) -> Expression:
    type = common(one.type, other.type)
    a, b = converted(one, type), converted(other, type)
    text = f"({condition.text} ? {one.text} : {other.text})"
    return Expression(text, type, min(a.low, b.low), max(a.high, b.high))
