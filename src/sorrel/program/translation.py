"""Expressions as functions of Python: what a run evaluates often is evaluated several times as fast.

A function does what the code for the stack machine does (`evaluation`), operand by operand in the same order, with the
same operations; sums and products of machine integers are written out. Python's parser does not go arbitrarily deep, so
that deep and long expressions stay what they are.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sorrel.program.expression import (
    Apply,
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.types import Float, Machine, Type
from sorrel.program.value import Value

DEEPEST, LONGEST = 40, 400
"""Levels of an expression, and operations in it, up to which it becomes a function."""
Function: TypeAlias = Callable[[Mapping[str, Value], Mapping[str, Value], Any], Value]
Operation: TypeAlias = Callable[..., Any]

_PLAIN: dict[Operation, str] = {
    python.eq: "==",
    python.ne: "!=",
    python.lt: "<",
    python.le: "<=",
    python.gt: ">",
    python.ge: ">=",
    python.add: "+",
    python.sub: "-",
    python.mul: "*",
    python.and_: "&",
    python.or_: "|",
    python.xor: "^",
}
_EXACT = {Operator.ADD: "+", Operator.SUBTRACT: "-", Operator.MULTIPLY: "*"}
_CONNECTIVES = {Operator.AND: "({} and {})", Operator.OR: "({} or {})", Operator.IMPLIES: "({1} if {0} else True)"}


def translated(
    expression: Expression,
    globals: frozenset[str],
    operation: Callable[[Expression], tuple[Operation, tuple[Expression, ...]]],
    overflow: Callable[[Operator], Operation],
) -> Function | None:
    """None if the expression is too deep or too long.

    `operation`: what the stack machine calls for an operation that evaluates all its operands, and these;
    `overflow`: a function that raises what a signed result that does not fit raises.
    """
    translation = Translation(globals, operation, overflow)
    text = translation.again(expression)
    if text is None:
        return None
    namespace = translation.names
    exec(f"def translated(L, G, A):\n    return {text}", namespace)
    function: Function = namespace["translated"]
    return function


class Translation:
    """Expressions over the same locals and globals as text of Python; `names` is what the text speaks of."""

    def __init__(
        self,
        globals: frozenset[str],
        operation: Callable[[Expression], tuple[Operation, tuple[Expression, ...]]],
        overflow: Callable[[Operator], Operation],
    ) -> None:
        self._globals = globals
        self._operation = operation
        self._overflow = overflow
        self.names: dict[str, Any] = {"__builtins__": {}}
        self._left = LONGEST

    def again(self, expression: Expression) -> str | None:
        """One more expression; None if it is too deep or too long."""
        self._left = LONGEST
        return self._text(expression, 0)

    def _text(self, expression: Expression, level: int) -> str | None:
        self._left -= 1
        if level > DEEPEST or self._left < 0:
            return None
        match expression:
            case Constant(value, type):
                return self._constant(value, type)
            case Variable(name):
                return f"{'G' if name in self._globals else 'L'}[{name!r}]"
            case Binary(operator, left, right) if operator in _CONNECTIVES:
                return self._filled(_CONNECTIVES[operator], (left, right), level)
            case Conditional(condition, then, otherwise):
                return self._filled("({1} if {0} else {2})", (condition, then, otherwise), level)
            case Binary(operator, left, right) if operator in _EXACT and isinstance(left.type, Machine):
                return self._filled(self._exact(operator, left.type), (left, right), level)
            case Unary(UnaryOperator.NOT, operand):
                return self._filled("(not {})", (operand,), level)
            case Apply(function, arguments, type):
                pattern = f"A({self._name(function)}, ({'{}, ' * len(arguments)}), {self._name(type)})"
                return self._filled(pattern, arguments, level)
            case _:
                called, operands = self._operation(expression)
                return self._filled(self._pattern(called, len(operands)), operands, level)

    def _filled(self, pattern: str, operands: tuple[Expression, ...], level: int) -> str | None:
        texts: list[str] = []
        for each in operands:
            text = self._text(each, level + 1)
            if text is None:
                return None
            texts.append(text)
        return pattern.format(*texts)

    def _constant(self, value: Any, type: Type) -> str:
        if isinstance(type, Float):
            return self._name(float(value))
        return f"({value!r})" if value.__class__ in (int, bool) else self._name(value)

    def _exact(self, operator: Operator, type: Machine) -> str:
        """The result of machine integers, or what happens if it is none."""
        result = f"({{}} {_EXACT[operator]} {{}})"
        if not type.signed:
            return f"({result} % {1 << type.bits})"
        number = f"t{len(self.names)}"
        failed = self._name(self._overflow(operator))
        return f"({number} if {type.smallest} <= ({number} := {result}) <= {type.largest} else {failed}())"

    def _pattern(self, called: Operation, operands: int) -> str:
        if called in _PLAIN:
            return f"({{}} {_PLAIN[called]} {{}})"
        if called is python.getitem:
            return "{}[{}]"
        return f"{self._name(called)}({', '.join(['{}'] * operands)})"

    def _name(self, thing: Any) -> str:
        name = f"n{len(self.names)}"
        self.names[name] = thing
        return name
