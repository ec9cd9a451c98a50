"""Expressions from tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE, binary
from sorrel.program.cursor import Cursor, simple_type
from sorrel.program.expression import (
    Apply,
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
)
from sorrel.program.syntax import CONDITIONAL_LEVEL, LEVELS, MACHINE_TYPE, PREFIX_LEVEL, groups_right
from sorrel.program.tokens import Token
from sorrel.program.types import REAL, UNBOUNDED, Array, Float, Machine, Type
from sorrel.program.typing import complaint, element_type

_LONGEST = 4000  # digits; Python converts no number that is much longer
_ZERO_BELOW = re.compile(r"/0+r")


def read_expression(cursor: Cursor) -> Expression:
    """The longest expression that starts at the cursor, over the variables of its scope."""
    return _Expressions(cursor).read()


@dataclass(slots=True)
class _Pending:
    """An operator or bracket whose last operand is still to come; `first` is the position of its first operand.

    `level` is negative for brackets, which nothing but their other half completes.
    """

    token: Token
    level: int
    first: int
    make: Callable[[list[Expression]], Expression]
    closing: str = ""
    several: bool = False  # whether commas may separate operands


_BINARY = {operator.value: operator for operator in LEVELS}
_PREFIX = {operator.value: operator for operator in UnaryOperator}
_BRACKET = -1


class _Expressions:
    """One expression, read with a stack of its own: nesting may be deep (Dijkstra's shunting yard)."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._operands: list[Expression] = []
        self._pending: list[_Pending] = []

    def read(self) -> Expression:
        self._operand()
        while self._operator():
            pass
        self._reduce(CONDITIONAL_LEVEL)
        if self._pending:
            opened = self._pending[-1]
            found = self._cursor.token
            self._cursor.fail(f"expected '{opened.closing}' for {opened.token}, found {found}", found)
        return self._operands.pop()

    def _push(
        self, token: Token, level: int, taken: int, make: Callable[[list[Expression]], Expression], closing: str = ""
    ) -> _Pending:
        """`taken` is how many operands that are there already belong to it."""
        pending = _Pending(token, level, len(self._operands) - taken, make, closing)
        self._pending.append(pending)
        return pending

    def _reduce(self, level: int) -> None:
        """Complete the operators on top that bind at least that strongly."""
        while self._pending and self._pending[-1].level >= level and not self._pending[-1].closing:
            self._complete()

    def _complete(self) -> None:
        pending = self._pending.pop()
        operands = self._operands[pending.first :]
        del self._operands[pending.first :]
        self._operands.append(self._checked(pending.make(operands), pending.token))

    def _checked(self, expression: Expression, token: Token) -> Expression:
        wrong = complaint(expression)
        if wrong:
            self._cursor.fail(wrong, token)
        return expression

    # Where an operand is due

    def _operand(self) -> None:
        """Prefixes and opening brackets, up to the first operand that is complete."""
        while not self._primary():
            pass

    def _primary(self) -> bool:
        """Read one token where an operand is due; whether that completed an operand."""
        token = self._cursor.token
        prefix = _PREFIX.get(token.text) if token.kind == "symbol" else None
        following = self._cursor.following
        if prefix is UnaryOperator.NEGATE and following.kind == "number" and following.start == token.end:
            self._cursor.take()
            self._number("-", token)
        elif prefix is not None:
            self._push(self._cursor.take(), PREFIX_LEVEL, 0, lambda given: _prefixed(prefix, given[0]))
            return False
        elif self._cursor.at("("):
            self._push(self._cursor.take(), _BRACKET, 0, lambda given: given[0], ")")
            return False
        elif token.kind == "number":
            self._number("", token)
        elif self._cursor.at("true") or self._cursor.at("false"):
            self._operands.append(TRUE if self._cursor.take().text == "true" else FALSE)
        elif self._cursor.at("filled") or self._cursor.at("apply") or simple_type(token) is not None:
            return self._application()
        elif token.kind in ("word", "name"):
            self._operands.append(self._cursor.variable())
        else:
            self._cursor.fail(f"expected an expression, found {token}", token)
        return True

    def _number(self, sign: str, start: Token) -> None:
        token = self._cursor.take()
        if len(token.text) > _LONGEST:
            self._cursor.fail(f"the number has more than {_LONGEST} digits", token)
        if _ZERO_BELOW.search(token.text):
            self._cursor.fail("the denominator is zero", token)
        self._operands.append(self._checked(_number(sign + token.text), start))

    def _application(self) -> bool:
        """A word and its operands in parentheses, up to the first operand; whether there is none to come."""
        cursor = self._cursor
        token = cursor.token
        if cursor.accept("apply"):
            result = cursor.type()
            function = cursor.name("the name of a function").text
            cursor.expect("(")
            self._push(token, _BRACKET, 0, lambda given: Apply(function, tuple(given), result), ")").several = True
            if cursor.accept(")"):
                self._complete()
                return True
            return False
        make = _filled if cursor.accept("filled") else _converted(cursor.type())
        cursor.expect("(")
        self._push(token, _BRACKET, 0, make, ")")
        return False

    # Where an operator is due

    def _operator(self) -> bool:
        """Read one token after an operand, and the operand after it if one is due; whether that was possible."""
        token = self._cursor.token
        if token.kind != "symbol":
            return False
        if token.text in _BINARY:
            self._binary(_BINARY[token.text])
        elif token.text == "[":
            self._push(self._cursor.take(), _BRACKET, 1, _selected, "]")
            self._operand()
        elif token.text == "?":
            self._reduce(CONDITIONAL_LEVEL + 1)
            self._push(self._cursor.take(), _BRACKET, 1, _chosen, ":")
            self._operand()
        else:
            return self._close(token)
        return True

    def _binary(self, operator: Operator) -> None:
        level = LEVELS[operator]
        self._reduce(level + groups_right(operator))
        self._push(self._cursor.take(), level, 1, lambda given: binary(operator, given[0], given[1]))
        self._operand()

    def _close(self, token: Token) -> bool:
        """The other half of a bracket, or what separates its operands."""
        self._reduce(CONDITIONAL_LEVEL)
        if not self._pending:
            return False
        opened = self._pending[-1]
        given = len(self._operands) - opened.first
        if token.text == ":=" and opened.closing == "]" and given == 2:
            opened.make = _stored
        elif token.text == "," and opened.several:
            pass
        elif token.text != opened.closing:
            return False
        elif token.text == ":":
            opened.level, opened.closing = CONDITIONAL_LEVEL, ""
        else:
            self._cursor.take()
            self._complete()
            return True
        self._cursor.take()
        self._operand()
        return True


def _number(text: str) -> Constant:
    if text.endswith("r"):
        return Constant(Fraction(text[:-1]), REAL)
    if text.endswith(("f32", "f64")):
        return Constant(Fraction(text[:-3]), Float(int(text[-2:])))
    machine = MACHINE_TYPE.search(text)
    if machine is None:
        return Constant(int(text), UNBOUNDED)
    return Constant(int(text[: machine.start()]), Machine(int(machine["bits"]), machine["sign"] == "i"))


def _prefixed(operator: UnaryOperator, operand: Expression) -> Expression:
    return Unary(operator, operand, operand.type)


def _filled(given: list[Expression]) -> Expression:
    return Filled(given[0], Array(given[0].type))


def _converted(type: Type) -> Callable[[list[Expression]], Expression]:
    return lambda given: Convert(given[0], type)


def _selected(given: list[Expression]) -> Expression:
    return Select(given[0], given[1], element_type(given[0].type))


def _stored(given: list[Expression]) -> Expression:
    return Store(given[0], given[1], given[2], given[0].type)


def _chosen(given: list[Expression]) -> Expression:
    return Conditional(given[0], given[1], given[2], given[1].type)
