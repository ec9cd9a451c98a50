"""Conditions as expressions of C, with as few parentheses as it takes."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.contracts.syntax import (
    Before,
    Cast,
    Choice,
    Condition,
    Element,
    Infix,
    Length,
    Member,
    Name,
    Null,
    Number,
    Prefix,
    Quantified,
    Range,
    Separated,
    Terminated,
    Truth,
    Valid,
    place,
)
from sorrel.model.values import dataclass
from sorrel.program.types import Machine

_LEVELS = {
    **dict.fromkeys(("||",), 1),
    **dict.fromkeys(("&&",), 2),
    **dict.fromkeys(("|",), 3),
    **dict.fromkeys(("^",), 4),
    **dict.fromkeys(("&",), 5),
    **dict.fromkeys(("==", "!="), 6),
    **dict.fromkeys(("<", "<=", ">", ">="), 7),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("*", "/", "%"), 10),
}
_PREFIX, _TIGHT = 11, 12
_NAMES = {8: "char", 16: "short", 32: "int", 64: "long long"}


class Inexpressible(Exception):
    """C has no such expression, and why."""


@dataclass(frozen=True, slots=True)
class Style:
    """How places and numbers are written, what was at the entry of the function, and what holds for all numbers."""

    place: Callable[[str], str]
    number: Callable[[int], str] = str
    before: Callable[[Condition], str] | None = None
    quantified: Callable[[Quantified, str], str] | None = None


def in_c(condition: Condition, style: Style) -> str:
    return _written(condition, style)[0]


def _written(node: Condition, style: Style) -> tuple[str, int]:
    """The text, and how tightly it is bound."""
    match node:
        case Number(value):
            return style.number(value), _TIGHT
        case Truth(value):
            return str(int(value)), _TIGHT
        case Name() | Member() | Prefix("*", _):
            return _place(node, style)
        case Element(base, index):
            inner = place(base)
            if not inner:
                raise Inexpressible("an element of what has no name")
            return style.place(f"{_bound(inner)}[{_written(index, style)[0]}]"), _PREFIX
        case Before():
            if style.before is None:
                raise Inexpressible("C does not know what was")
            return style.before(node), _TIGHT
        case Cast(type, operand):
            return f"({type_name(type)}){_inner(operand, style, _PREFIX - 1)}", _PREFIX
        case Prefix(sign, operand):
            return f"{sign}{_inner(operand, style, _PREFIX)}", _PREFIX
        case Infix("==>", left, right):
            return f"!{_inner(left, style, _PREFIX)} || {_inner(right, style, 1)}", 1
        case Infix("<==>", left, right):
            return f"!{_inner(left, style, _PREFIX)} == !{_inner(right, style, _PREFIX)}", 6
        case Infix(sign, left, right):
            level = _LEVELS[sign]
            return f"{_inner(left, style, level - 1)} {sign} {_inner(right, style, level)}", level
        case Choice(test, then, otherwise):
            parts = [_inner(test, style, 0), _inner(then, style, 0), _inner(otherwise, style, -1)]
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", 0
        case Quantified(_, _, body):
            if style.quantified is None:
                raise Inexpressible("C has no quantifiers")
            return style.quantified(node, _written(body, style)[0]), _TIGHT
        case Range() | Valid() | Terminated() | Separated() | Null() | Length():
            raise Inexpressible("C does not know what is there")


def _inner(node: Condition, style: Style, level: int) -> str:
    text, own = _written(node, style)
    return text if own > level else f"({text})"


def _place(node: Condition, style: Style) -> tuple[str, int]:
    text = place(node)
    if not text:
        raise Inexpressible("a part of what has no name")
    written = style.place(text)
    return written, _TIGHT if written.isidentifier() else _PREFIX


def _bound(text: str) -> str:
    return f"({text})" if text.startswith("*") else text


def type_name(type: Machine) -> str:
    name = _NAMES.get(type.bits)
    if name is None:
        raise Inexpressible(f"no type of C has {type.bits} bits")
    return name if type.signed and type.bits > 8 else f"{'signed' if type.signed else 'unsigned'} {name}"
