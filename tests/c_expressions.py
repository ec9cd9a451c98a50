"""A small evaluator for contracts: conditions in the syntax of C and ACSL, under given values."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"\s*(==>|<==>|&&|\|\||[<>=!]=|\\?[A-Za-z_]\w*|\d+|[-+*/%<>!?:()])")
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


def holds(text: str, values: Mapping[str, int]) -> bool:
    return bool(_Reader(text, values).read())


class _Reader:
    """Every part is evaluated, also where C would not: division by zero gives 0, which contracts do not rely on."""

    def __init__(self, text: str, values: Mapping[str, int]) -> None:
        self._tokens = _TOKEN.findall(text)
        if "".join(self._tokens) != re.sub(r"\s", "", text):
            raise ValueError(f"cannot read {text}")
        self._values = values
        self._at = 0

    def read(self) -> int:
        value = self._conditional()
        if self._at != len(self._tokens):
            raise ValueError(f"unexpected {self._tokens[self._at]}")
        return value

    def _next(self, *wanted: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in wanted:
            self._at += 1
            return str(self._tokens[self._at - 1])
        return ""

    def _conditional(self) -> int:
        condition = self._implication()
        if not self._next("?"):
            return condition
        then = self._conditional()
        if not self._next(":"):
            raise ValueError("a ? without a :")
        otherwise = self._conditional()
        return then if condition else otherwise

    def _implication(self) -> int:
        left = self._binary(0)
        if not self._next("==>"):
            return left
        right = self._conditional()
        return int(not left or bool(right))

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        value = last = self._binary(level + 1)
        chained = False
        while operator := self._next(*_LEVELS[level]):
            right = self._binary(level + 1)
            is_order = operator in ("<", "<=", ">", ">=")
            # In ACSL a <= b <= c says both.
            value = int(value and _apply(operator, last, right)) if chained else _apply(operator, value, right)
            chained, last = is_order, right
        return value

    def _unary(self) -> int:
        if self._next("-"):
            return -self._unary()
        if self._next("!"):
            return int(not self._unary())
        if self._next("("):
            value = self._conditional()
            if not self._next(")"):
                raise ValueError("a parenthesis is open")
            return value
        token = self._tokens[self._at]
        self._at += 1
        return int(token) if token.isdecimal() else self._values[token]


def _apply(operator: str, left: int, right: int) -> int:
    match operator:
        case "/" | "%":
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1) if right else 0
            return quotient if operator == "/" else left - quotient * right
        case "&&" | "||":
            return int(bool(left) and bool(right)) if operator == "&&" else int(bool(left) or bool(right))
        case "+" | "-" | "*":
            return {"+": left + right, "-": left - right, "*": left * right}[operator]
        case _:
            table = {
                "==": left == right,
                "!=": left != right,
                "<": left < right,
                "<=": left <= right,
                ">": left > right,
            }
            return int(table.get(operator, left >= right))
