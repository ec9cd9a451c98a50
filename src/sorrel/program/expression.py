"""Expressions: typed, without side effects, and total except for what `program.checks` names."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.types import Type


class Operator(StrEnum):
    """Binary operators, spelled as in C; both operands have one type, except that a shift's right one may differ.

    Division and remainder truncate towards zero. `&`, `|`, `^` and the shifts are for machine integers only; a right
    shift of a negative number is arithmetic. `&&`, `||` and `==>` evaluate their right side only if the left one leaves
    it open, so that a check on the right side is made under that condition.
    """

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    EQUAL = "=="
    DIFFERENT = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    AND = "&&"
    OR = "||"
    IMPLIES = "==>"


OPPOSITE = {
    Operator.EQUAL: Operator.DIFFERENT,
    Operator.DIFFERENT: Operator.EQUAL,
    Operator.LESS: Operator.AT_LEAST,
    Operator.AT_LEAST: Operator.LESS,
    Operator.MORE: Operator.AT_MOST,
    Operator.AT_MOST: Operator.MORE,
}
"""Of each comparison of numbers, the one that holds where it does not; with NaN none but `!=` holds."""
COMPARISONS = frozenset(OPPOSITE)
CONNECTIVES = frozenset({Operator.AND, Operator.OR, Operator.IMPLIES})


class UnaryOperator(StrEnum):
    NEGATE = "-"
    NOT = "!"  # of a truth value
    COMPLEMENT = "~"  # of the bits of a machine integer


@dataclass(frozen=True, slots=True)
class Constant:
    """A floating-point number is told as the fraction it is: neither a negative zero, nor infinite, nor NaN."""

    value: int | bool | Fraction
    type: Type


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its name: unique within a procedure together with the globals."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    operator: UnaryOperator
    operand: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """`type` is the type of the result: Boolean for comparisons and connectives, else that of the left operand."""

    operator: Operator
    left: Expression
    right: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Conditional:
    """Evaluates only the side it chooses."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Convert:
    """The value in another type: a truth value becomes 0 or 1.

    An integer type wraps what does not fit. A floating-point type rounds to its nearest number, of two to the even one.
    A floating-point number as an integer is cut off towards zero, and undefined if that does not fit.
    """

    operand: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Select:
    array: Expression
    index: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Store:
    """The array with the element at `index` replaced."""

    array: Expression
    index: Expression
    value: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Filled:
    """The array whose elements are all `value`."""

    value: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Apply:
    """An uninterpreted function: the same arguments give the same value, in every run and every copy."""

    function: str
    arguments: tuple[Expression, ...]
    type: Type


Expression: TypeAlias = Constant | Variable | Unary | Binary | Conditional | Convert | Select | Store | Filled | Apply
