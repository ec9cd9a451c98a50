"""Expressions of a program as text in ACSL, over the user's names: to be read back before anyone believes it."""

from __future__ import annotations

from sorrel.contracts.syntax import Cast, Choice, Condition, Element, Infix, Name, Number, Prefix, Truth
from sorrel.contracts.vocabulary import Vocabulary
from sorrel.contracts.writing import Inexpressible, Style, in_c
from sorrel.program.expression import (
    COMPARISONS,
    OPPOSITE,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.types import BOOLEAN, Machine, Unbounded

_WRAPPING = frozenset({Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY})


def expressed(expression: Expression, known: Vocabulary) -> str:
    """The text; `Inexpressible` if something in it has no name, or no operator."""
    return in_c(_Expressing(known).condition(expression), Style(str))


class _Expressing:
    def __init__(self, known: Vocabulary) -> None:
        self._names = {variable: text for text, variable in known.now.items()}
        self._elements = {each.contents: text for text, each in known.pointers.items() if each.contents is not None}
        self._lengths = {each.length for each in known.pointers.values()}

    def condition(self, node: Expression) -> Condition:
        match node:
            case Constant(bool() as value):
                return Truth(value)
            case Constant(int() as value):
                return Number(value) if value >= 0 else Prefix("-", Number(-value))
            case Variable() if node in self._names:
                return Name(self._names[node])
            case Convert(operand, type):
                return self._converted(operand, type)
            case Unary(UnaryOperator.NOT, Binary(operator, left, right)) if operator in COMPARISONS:
                return self.condition(Binary(OPPOSITE[operator], left, right, BOOLEAN))
            case Unary(operator, operand, type):
                inner = Prefix(str(operator), self.condition(operand))
                return _wrapped(inner, type) if operator is UnaryOperator.NEGATE else inner
            case Binary(operator, left, right, type):
                if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
                    raise Inexpressible("shifts of exact numbers")
                one, other = self.condition(left), self.condition(right)
                if operator is Operator.ADD and Number(0) in (one, other):
                    return other if one == Number(0) else one
                made = Infix(str(operator), one, other)
                return _wrapped(made, type) if operator in _WRAPPING else made
            case Conditional(test, then, otherwise):
                return Choice(self.condition(test), self.condition(then), self.condition(otherwise))
            case Select(Variable() as array, index) if array in self._elements:
                return Element(Name(self._elements[array]), self.condition(index))
            case Select(Variable() as array, index) if array in self._names:
                return Element(Name(self._names[array]), self.condition(index))
            case _:
                raise Inexpressible("what has no name")

    def _converted(self, operand: Expression, type: object) -> Condition:
        inner = self.condition(operand)
        if isinstance(type, Unbounded) or (
            isinstance(type, Machine) and isinstance(operand.type, Machine) and _contains(type, operand.type)
        ):
            return inner
        return Cast(type, inner) if isinstance(type, Machine) else inner


def _contains(outer: Machine, inner: Machine) -> bool:
    return outer.contains(inner.smallest) and outer.contains(inner.largest)


def _wrapped(made: Condition, type: object) -> Condition:
    """Signed results are within their types where an operation has a value; unsigned ones wrap."""
    return Cast(type, made) if isinstance(type, Machine) and not type.signed else made
