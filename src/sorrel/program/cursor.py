"""The tokens of a program's text, one after the other, and what readers of any construct need of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from sorrel.program.expression import Variable
from sorrel.program.syntax import MACHINE_TYPE, is_reserved
from sorrel.program.tokens import Text, Token
from sorrel.program.types import BOOLEAN, DOUBLE, REAL, SINGLE, UNBOUNDED, Array, Machine, Type

_TYPES: dict[str, Type] = {"bool": BOOLEAN, "int": UNBOUNDED, "real": REAL, "f32": SINGLE, "f64": DOUBLE}


class Cursor:
    """`scope` are the variables that may be named."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._tokens = list(text.tokens())
        self._position = 0
        self.first = self._tokens[0]
        self.scope: dict[str, Variable] = {}

    def fail(self, message: str, token: Token, hint: str = "") -> NoReturn:
        self._text.fail(message, token.start, token.end, hint)

    @property
    def token(self) -> Token:
        return self._tokens[self._position]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._position + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.token
        if token.kind != "end":
            self._position += 1
        return token

    def at(self, text: str) -> bool:
        """Whether the next token is this symbol or reserved word."""
        return self.token.text == text and self.token.kind in ("symbol", "word")

    def accept(self, text: str) -> bool:
        if self.at(text):
            self.take()
            return True
        return False

    def expect(self, text: str) -> Token:
        if not self.at(text):
            self.fail(f"expected '{text}', found {self.token}", self.token)
        return self.take()

    def name(self, what: str) -> Token:
        token = self.token
        if token.kind == "name" or (token.kind == "word" and not is_reserved(token.text)):
            return self.take()
        hint = f"{token.text} is reserved; write it in backticks to use it as a name." if token.kind == "word" else ""
        return self.fail(f"expected {what}, found {token}", token, hint)

    def variable(self) -> Variable:
        token = self.name("a variable")
        variable = self.scope.get(token.text)
        if variable is None:
            self.fail(f"the variable {token.text} is not declared", token, "Globals stand before the procedures.")
        return variable

    def string(self, what: str) -> str:
        if self.token.kind != "string":
            self.fail(f"expected {what} in double quotes, found {self.token}", self.token)
        return self.take().text

    def count(self) -> int:
        token = self.token
        if token.kind != "number" or not token.text.isdecimal():
            self.fail(f"expected a line or column number, found {token}", token)
        return int(self.take().text)

    def type(self) -> Type:
        depth = 0
        while self.accept("["):
            depth += 1
        token = self.take()
        found = simple_type(token)
        if found is None:
            self.fail(f"expected a type, found {token}", token, "Types are bool, int, real, i32, u8, [T].")
        for _ in range(depth):
            self.expect("]")
            found = Array(found)
        return found

    def listed(self, closing: str, read: Callable[[], None]) -> None:
        """What stands between commas up to the closing symbol, which is taken."""
        if self.accept(closing):
            return
        read()
        while self.accept(","):
            read()
        self.expect(closing)


def simple_type(token: Token) -> Type | None:
    if token.kind != "word":
        return None
    machine = MACHINE_TYPE.fullmatch(token.text)
    if machine:
        return Machine(int(machine["bits"]), machine["sign"] == "i")
    return _TYPES.get(token.text)
