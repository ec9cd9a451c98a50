"""Expressions compiled to a short code for a stack machine, and what each operator does with values.

The code is flat, so that deep expressions need no deep Python stack. What is evaluated often becomes a function of
Python (`translation`), so that a run of a million steps takes seconds.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

from sorrel.model.errors import SorrelError
from sorrel.program.expression import (
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.rounding import converted, quotient_of, rounded, truncated_number
from sorrel.program.statement import Kind
from sorrel.program.translation import Function, Translation, translated
from sorrel.program.types import Float, Machine, Type, is_integer
from sorrel.program.value import ArrayValue, Value

DIVISION_BY_ZERO = "division by zero"
SHIFT_AMOUNT = "the shift amount is negative or not less than the width"


OUT_OF_RANGE = "a floating-point number that does not fit is converted to an integer"


def overflow(operator: str) -> str:
    return f"signed overflow in {operator}"


class UndefinedOperation(SorrelError):
    """The expression has no value."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


# Instructions, plain numbers for speed. The jumps of connectives keep the top of the stack if they jump and drop it if
# they do not; UNLESS always drops it.
_PUSH, _LOCAL, _GLOBAL, _UNARY, _BINARY, _TERNARY, _APPLY = range(7)
_GOTO, _UNLESS, _IF_FALSE, _IF_TRUE, _IF_FALSE_TRUE = range(7, 12)

_Steps: TypeAlias = tuple[tuple[int, Any], ...]
Uninterpreted: TypeAlias = Callable[[str, tuple[Value, ...], Type], Value]

_JUMPS = {Operator.AND: _IF_FALSE, Operator.OR: _IF_TRUE, Operator.IMPLIES: _IF_FALSE_TRUE}


OFTEN = 24
"""After so many evaluations an expression becomes a function."""


class Code:
    """An expression in the form in which it is evaluated."""

    __slots__ = ("_expression", "_globals", "_left", "function", "steps")

    def __init__(self, expression: Expression, globals: frozenset[str], steps: _Steps) -> None:
        self.steps = steps
        self.function: Function | None = None
        self._expression = expression
        self._globals = globals
        self._left = OFTEN

    def used(self) -> None:
        """It is evaluated once more."""
        self._left -= 1
        if self._left == 0:
            self.function = translated(self._expression, self._globals, _operation, _overflowing)


def translation(globals: frozenset[str]) -> Translation:
    """What writes expressions down as Python, with the operations of the stack machine."""
    return Translation(globals, _operation, _overflowing)


class _Label:
    """A place in the code that is not known yet."""

    __slots__ = ("place",)

    def __init__(self) -> None:
        self.place = -1


def compile(expression: Expression, globals: frozenset[str]) -> Code:
    """`globals` are the names to be looked up among the globals instead of the locals."""
    code: list[tuple[int, Any]] = []
    work: list[Expression | _Label | tuple[int, Any]] = [expression]
    while work:
        item = work.pop()
        match item:
            case _Label():
                item.place = len(code)
            case tuple():
                code.append(item)
            case Constant(value, type):
                code.append((_PUSH, float(value) if isinstance(type, Float) else value))
            case Variable(name):
                code.append((_GLOBAL if name in globals else _LOCAL, name))
            case Binary(operator, left, right) if operator in _JUMPS:
                end = _Label()
                work += [end, right, (_JUMPS[operator], end), left]
            case Conditional(condition, then, otherwise):
                end, other = _Label(), _Label()
                work += [end, otherwise, other, (_GOTO, end), then, (_UNLESS, other), condition]
            case _:
                work += _strict(item)
    places = tuple((step, given.place if isinstance(given, _Label) else given) for step, given in code)
    return Code(expression, globals, places)


def _strict(expression: Expression) -> list[Expression | _Label | tuple[int, Any]]:
    """An operation that evaluates all its operands: the operands and the instruction, in reverse."""
    if isinstance(expression, Apply):
        given = (expression.function, len(expression.arguments), expression.type)
        return [(_APPLY, given), *reversed(expression.arguments)]
    called, operands = _operation(expression)
    return [(_CALLS[len(operands)], called), *reversed(operands)]


_CALLS = {1: _UNARY, 2: _BINARY, 3: _TERNARY}


def _operation(expression: Expression) -> tuple[Callable[..., Any], tuple[Expression, ...]]:
    """The function that is called, and its operands."""
    match expression:
        case Unary(operator, operand, type):
            return unary_operation(operator, type), (operand,)
        case Convert(operand, type):
            return conversion(operand.type, type), (operand,)
        case Filled(value):
            return ArrayValue, (value,)
        case Binary(operator, left, right):
            return binary_operation(operator, left.type), (left, right)
        case Select(array, index):
            return python.getitem, (array, index)
        case Store(array, index, value):
            return ArrayValue.store, (array, index, value)
        case Apply() | Constant() | Variable() | Conditional():
            raise TypeError(f"{expression} is compiled elsewhere")


def _overflowing(operator: Operator) -> Callable[[], NoReturn]:
    def overflowing() -> NoReturn:
        raise UndefinedOperation(Kind.OVERFLOW, overflow(operator))

    return overflowing


def evaluate(code: Code, locals: Mapping[str, Value], globals: Mapping[str, Value], apply: Uninterpreted) -> Value:
    function = code.function
    if function is not None:
        return function(locals, globals, apply)
    code.used()
    stack: list[Any] = []
    steps = code.steps
    position, end = 0, len(steps)
    while position < end:
        step, given = steps[position]
        position += 1
        if step == _LOCAL:
            stack.append(locals[given])
        elif step == _PUSH:
            stack.append(given)
        elif step == _BINARY:
            right = stack.pop()
            stack[-1] = given(stack[-1], right)
        elif step == _GLOBAL:
            stack.append(globals[given])
        elif step == _UNARY:
            stack[-1] = given(stack[-1])
        elif step >= _GOTO:
            position = _jump(step, given, position, stack)
        elif step == _TERNARY:
            last = stack.pop()
            middle = stack.pop()
            stack[-1] = given(stack[-1], middle, last)
        else:
            function, count, type = given
            arguments = tuple(stack[len(stack) - count :])
            del stack[len(stack) - count :]
            stack.append(apply(function, arguments, type))
    value: Value = stack.pop()
    return value


def _jump(step: int, target: int, position: int, stack: list[Any]) -> int:
    """Where to go on."""
    if step == _GOTO:
        return target
    if step == _UNLESS:
        return position if stack.pop() else target
    if bool(stack[-1]) is (step == _IF_TRUE):  # a value that nobody chose has no truth: asking for it raises
        if step == _IF_FALSE_TRUE:
            stack[-1] = True
        return target
    stack.pop()
    return position


# Operators

_COMPARISONS: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.EQUAL: python.eq,
    Operator.DIFFERENT: python.ne,
    Operator.LESS: python.lt,
    Operator.AT_MOST: python.le,
    Operator.MORE: python.gt,
    Operator.AT_LEAST: python.ge,
}
_EXACT: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.ADD: python.add,
    Operator.SUBTRACT: python.sub,
    Operator.MULTIPLY: python.mul,
}
_BITWISE: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.BIT_AND: python.and_,
    Operator.BIT_OR: python.or_,
    Operator.BIT_XOR: python.xor,
}


def binary_operation(operator: Operator, type: Type) -> Callable[[Any, Any], Any]:
    """What the operator does for a left operand of this type; connectives are not functions and are not here."""
    if operator in _COMPARISONS:
        return _COMPARISONS[operator]
    if operator in _BITWISE:  # operands and result of one two's complement type: Python's own integers agree
        return _BITWISE[operator]
    if isinstance(type, Float) and operator is Operator.DIVIDE:
        return _rounding(quotient_of, type)
    if operator in (Operator.DIVIDE, Operator.REMAINDER):
        return _division(operator, type)
    if isinstance(type, Machine):
        if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
            return _shift(operator, type)
        return _machine(_EXACT[operator], operator, type)
    if isinstance(type, Float):
        return _rounding(_EXACT[operator], type)
    return _EXACT[operator]


def conversion(source: Type, target: Type) -> Callable[[Any], Any]:
    """What `Convert` does with values of the source's type."""
    if isinstance(target, Float):
        return lambda value: converted(value, target)
    if isinstance(source, Float) and isinstance(target, Machine):
        return _cut_off(target)
    if isinstance(target, Machine):
        return target.wrap
    return python.pos if is_integer(source) else int  # an integer stays the object that it is


def _cut_off(type: Machine) -> Callable[[Any], Any]:
    def cut_off(value: float) -> int:
        number = truncated_number(value)
        if number is None or not type.contains(number):
            raise UndefinedOperation(Kind.OVERFLOW, OUT_OF_RANGE)
        return number

    return cut_off


def _rounding(exact: Callable[[Any, Any], Any], type: Float) -> Callable[[Any, Any], Any]:
    """Python computes with doubles. Rounding a sum, difference, product or quotient of singles twice is as good as
    once, since 53 ≥ 2·24 + 2 (Figueroa, When is double rounding innocuous?, 1995)."""
    return exact if type.bits == 64 else lambda left, right: rounded(exact(left, right), type)


def _machine(exact: Callable[[Any, Any], Any], operator: str, type: Machine) -> Callable[[Any, Any], Any]:
    smallest, largest, modulus = type.smallest, type.largest, 1 << type.bits

    def signed(left: int, right: int) -> int:
        result: int = exact(left, right)
        if smallest <= result <= largest:
            return result
        raise UndefinedOperation(Kind.OVERFLOW, overflow(operator))

    def unsigned(left: int, right: int) -> int:
        result: int = exact(left, right)
        return result % modulus

    return signed if type.signed else unsigned


def truncated(left: int, right: int) -> int:
    """The quotient, towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _division(operator: Operator, type: Type) -> Callable[[Any, Any], Any]:
    def divide(left: Any, right: Any) -> Any:
        if right == 0:
            raise UndefinedOperation(Kind.DIVISION, DIVISION_BY_ZERO)
        if isinstance(left, Fraction):
            return left / right
        quotient = truncated(left, right)
        # C says so for the remainder too: it has no value where the quotient has none (C11 6.5.5).
        if isinstance(type, Machine) and not type.contains(quotient):
            raise UndefinedOperation(Kind.OVERFLOW, overflow(operator))
        return quotient if operator is Operator.DIVIDE else left - right * quotient

    return divide


def _shift(operator: Operator, type: Machine) -> Callable[[Any, Any], Any]:
    def shift(left: int, amount: int) -> int:
        if not 0 <= amount < type.bits:
            raise UndefinedOperation(Kind.OVERFLOW, SHIFT_AMOUNT)
        if operator is Operator.SHIFT_RIGHT:
            return left >> amount
        if not type.signed:
            return type.wrap(left << amount)
        if left < 0 or left << amount > type.largest:
            raise UndefinedOperation(Kind.OVERFLOW, overflow(operator))
        return left << amount

    return shift


def unary_operation(operator: UnaryOperator, type: Type) -> Callable[[Any], Any]:
    match operator:
        case UnaryOperator.NOT:
            return python.not_
        case UnaryOperator.COMPLEMENT:
            return _complement(type)
        case UnaryOperator.NEGATE:
            return _negation(type)


def _complement(type: Type) -> Callable[[Any], Any]:
    if isinstance(type, Machine) and not type.signed:
        return lambda value: type.largest - value
    return python.invert


def _negation(type: Type) -> Callable[[Any], Any]:
    if not isinstance(type, Machine):
        return python.neg
    if not type.signed:
        return lambda value: type.wrap(-value)

    def negate(value: int) -> int:
        if value == type.smallest:
            raise UndefinedOperation(Kind.OVERFLOW, overflow(UnaryOperator.NEGATE))
        return -value

    return negate
