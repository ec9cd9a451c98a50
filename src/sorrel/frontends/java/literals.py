"""Literals of Java."""

from __future__ import annotations

import re

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.context import Value
from sorrel.frontends.java.operations import wrapped
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import MACHINES, Primitive
from sorrel.model.errors import Span
from sorrel.program.expression import Constant
from sorrel.program.types import UNBOUNDED

INTEGERS = {
    "decimal_integer_literal": 10,
    "hex_integer_literal": 16,
    "octal_integer_literal": 8,
    "binary_integer_literal": 2,
}


def integer(node: Node) -> Value:
    text = node.text.replace("_", "")
    is_long = text[-1] in "lL"
    digits = text.rstrip("lL")
    digits = digits[2:] if digits[:2] in ("0b", "0B") else digits
    base = INTEGERS[node.kind]
    type = Primitive.LONG if is_long else Primitive.INT
    return Value(wrapped(Constant(int(digits, base), UNBOUNDED), MACHINES[type]), type)


_ESCAPE = re.compile(r"\\(?:u+(?P<unit>[0-9a-fA-F]{4})|(?P<octal>[0-3]?[0-7]{1,2})|(?P<letter>.))", re.DOTALL)
_LETTERS = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " ", '"': '"', "'": "'", "\\": "\\"}


def unescaped(text: str, span: Span) -> str:
    def meaning(found: re.Match[str]) -> str:
        if found["unit"]:
            return chr(int(found["unit"], 16))
        if found["octal"]:
            return chr(int(found["octal"], 8))
        if found["letter"] not in _LETTERS:
            raise Unsupported(f"the escape in {text}", span)
        return _LETTERS[found["letter"]]

    return _ESCAPE.sub(meaning, text)
