"""Patterns and literals."""

from __future__ import annotations

import re
from functools import reduce

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.ocaml.tree import flattened, path
from sorrel.frontends.ocaml.types import type_expression
from sorrel.frontends.trees import Node
from sorrel.functional.syntax import (
    AliasPattern,
    AnyPattern,
    ConstructorPattern,
    Literal,
    LiteralPattern,
    NamePattern,
    OrPattern,
    Pattern,
    RangePattern,
    RecordPattern,
    TuplePattern,
    TypedPattern,
)
from sorrel.functional.type import CONS, NIL

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "\\": "\\", '"': '"', "'": "'", " ": " "}
_ESCAPE = re.compile(r"\\(?:([ntrb\\\"' ])|(\d{3})|x([0-9a-fA-F]{2})|o([0-7]{3})|u\{([0-9a-fA-F]+)\}|\n[ \t]*)")
_BASES = {"0x": 16, "0o": 8, "0b": 2, "0u": 10}
LARGEST = 2**62 - 1


def literal(node: Node) -> Literal | None:
    """The value that the node writes down, or None if it is no literal."""
    match node.kind:
        case "number" | "signed_number":
            return Literal(_number(node), node.span)
        case "boolean":
            return Literal(node.text == "true", node.span)
        case "unit":
            return Literal(None, node.span)
        case "string":
            return Literal(_unescaped(node.text[1:-1]), node.span)
        case "quoted_string":
            return Literal(node.text[node.text.index("|") + 1 : node.text.rindex("|")], node.span)
        case "character":
            content = _unescaped(node.text[1:-1])
            return Literal(ord(content), node.span, is_character=True)
        case _:
            return None


def _number(node: Node) -> int:
    text = node.text.replace("_", "").lower()
    if text[-1] in "lng" and not text.startswith("0x"):
        raise Unsupported("a number of another type than int", node.span)
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    base = _BASES.get(digits[:2], 10)
    try:
        value = sign * (int(digits[2:], base) if base != 10 or digits.startswith("0u") else int(digits))
    except ValueError:
        raise Unsupported("a floating-point number", node.span) from None
    if base != 10 and 2**62 <= value < 2**63:
        value -= 2**63  # hexadecimal literals may fill all 63 bits
    if not -LARGEST - 1 <= value <= LARGEST + 1:
        raise Unsupported("a number that does not fit into 63 bits", node.span)
    return value


def _unescaped(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        letter, decimal, hexadecimal, octal, unicode = found.groups()
        if letter:
            return _ESCAPES[letter]
        for digits, base in ((decimal, 10), (hexadecimal, 16), (octal, 8)):
            if digits:
                return chr(int(digits, base))
        # Texts are bytes in OCaml: a character beyond ASCII is as long as its encoding.
        return chr(int(unicode, 16)).encode().decode("latin-1") if unicode else ""

    pieces = []
    position = 0
    for found in _ESCAPE.finditer(text):
        pieces.append(text[position : found.start()].encode().decode("latin-1"))
        pieces.append(plain(found))
        position = found.end()
    return "".join([*pieces, text[position:].encode().decode("latin-1")])


def pattern(node: Node) -> Pattern:
    found = literal(node)
    if found is not None:
        return LiteralPattern(found)
    match node.kind:
        case "any_pattern":
            return AnyPattern(node.span)
        case "value_pattern" | "value_name":
            return NamePattern(node.text, node.span)
        case "parenthesized_operator":
            return NamePattern(node.children[0].text, node.span)
        case "parenthesized_pattern":
            return pattern(node.children[0])
        case "tuple_pattern":
            return TuplePattern(tuple(map(pattern, flattened(node))), node.span)
        case "typed_pattern":
            return TypedPattern(pattern(node["pattern"]), type_expression(node["type"]), node.span)
        case "alias_pattern":
            return AliasPattern(pattern(node["pattern"]), node["alias"].text, node.span)
        case "or_pattern":
            # As many as are written in a row: the grammar puts them side by side.
            return reduce(lambda left, right: OrPattern(left, right, node.span), map(pattern, node.children))
        case "empty_list":
            return ConstructorPattern((NIL,), None, node.span)
        case "cons_pattern":
            return _cons(pattern(node["left"]), pattern(node["right"]), node)
        case "list_pattern":
            found_list: Pattern = ConstructorPattern((NIL,), None, node.span)
            for item in reversed(node.children):
                found_list = _cons(pattern(item), found_list, node)
            return found_list
        case "range_pattern":
            ends = literal(node["left"]), literal(node["right"])
            if ends[0] is None or ends[1] is None:
                raise Unsupported("a range in a pattern that is not of characters", node.span)
            return RangePattern(ends[0], ends[1], node.span)
        case "constructor_path":
            return ConstructorPattern(path(node), None, node.span)
        case "constructor_pattern":
            return ConstructorPattern(path(node.children[0]), pattern(node["pattern"]), node.span)
        case "record_pattern":
            return RecordPattern(tuple(map(_field, node.of_kind("field_pattern"))), node.span)
        case _:
            raise Unsupported(f"a pattern of this kind ({node.kind.replace('_', ' ')})", node.span)


def _cons(head: Pattern, tail: Pattern, node: Node) -> Pattern:
    return ConstructorPattern((CONS,), TuplePattern((head, tail), node.span), node.span)


def _field(node: Node) -> tuple[tuple[str, ...], Pattern]:
    name = path(node.of_kind("field_path")[0])
    inner = node.get("pattern")
    return name, pattern(inner) if inner is not None else NamePattern(name[-1], node.span)
