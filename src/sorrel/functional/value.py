"""What functional programs compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sorrel.functional.term import Function
from sorrel.functional.type import CONS, Arrow, Data, Named, TupleType, Type
from sorrel.model.values import dataclass

BITS = 63
SMALLEST, LARGEST = -(1 << (BITS - 1)), (1 << (BITS - 1)) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Data: a constructor with its arguments."""

    constructor: str
    arguments: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class Cell:
    """What a reference refers to."""

    content: Value


@dataclass(slots=True, eq=False)
class Block:
    """An array."""

    elements: list[Value]


@dataclass(slots=True, eq=False)
class Closure:
    """A function with the values of its free names. `given` are arguments that it waits with."""

    function: Function
    captured: dict[str, Value]
    given: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class Unknown:
    """A function that the environment chose: what it returns is chosen at each call."""

    type: Arrow
    source: str


class Looked(Exception):
    """What a run does depends on something that was hidden from it."""


@dataclass(slots=True, eq=False)
class Hidden:
    """Any value: whoever wants to know which one it is learns nothing."""

    def __eq__(self, other: object) -> bool:
        raise Looked

    def __bool__(self) -> bool:
        raise Looked

    __hash__ = None  # type: ignore[assignment]


Value: TypeAlias = int | bool | str | tuple[Any, ...] | Made | Cell | Block | Closure | Unknown | Hidden | None
Chooser: TypeAlias = Callable[[Type, int | None], Value]


def wrapped(number: int) -> int:
    """The number in 63 bits."""
    return (number + (1 << (BITS - 1))) % (1 << BITS) - (1 << (BITS - 1))


def elements(value: Value) -> list[Value]:
    """The elements of a list."""
    found = []
    while isinstance(value, Made) and value.constructor == CONS:
        found.append(value.arguments[0])
        value = value.arguments[1]
    return found


class NotComparable(Exception):
    """Functions cannot be compared; OCaml raises an exception."""


def compared(left: Value, right: Value, data: dict[str, int]) -> int:
    """Negative, zero or positive, as OCaml's compare; `data` gives the rank of each constructor in its type.

    Constructors without arguments come before those with some, whatever their order.
    """
    stack: list[tuple[Value, Value]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Cell) and isinstance(b, Cell):
            stack.append((a.content, b.content))
        elif isinstance(a, Block) and isinstance(b, Block):
            if len(a.elements) != len(b.elements):
                return len(a.elements) - len(b.elements)
            stack.extend(reversed(list(zip(a.elements, b.elements, strict=True))))
        elif isinstance(a, Made) and isinstance(b, Made):
            if a.constructor != b.constructor:
                first, second = ((bool(each.arguments), data[each.constructor]) for each in (a, b))
                return -1 if first < second else 1
            stack.extend(reversed(list(zip(a.arguments, b.arguments, strict=True))))
        elif isinstance(a, tuple) and isinstance(b, tuple):
            stack.extend(reversed(list(zip(a, b, strict=True))))
        elif isinstance(a, Closure | Unknown):
            raise NotComparable
        elif a != b:
            return -1 if a < b else 1  # type: ignore[operator]
    return 0


def ranks(data: dict[str, Data]) -> dict[str, int]:
    return {each.name: rank for one in data.values() for rank, each in enumerate(one.constructors)}


def shown(value: Value, type: Type, data: dict[str, Data], depth: int = 6) -> str:
    """The value as OCaml writes it, as far as it can be written."""
    if depth == 0:
        return "…"
    match value:
        case None:
            return "()"
        case bool():
            return "true" if value else "false"
        case int():
            if type == Named("char"):
                return _character(value)
            return str(value) if value >= 0 else f"({value})"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case tuple():
            items = type.items if isinstance(type, TupleType) else ()
            return "(" + ", ".join(shown(v, t, data, depth - 1) for v, t in zip(value, items, strict=True)) + ")"
        case Block(parts):
            element = type.arguments[0] if isinstance(type, Named) else type
            return "[|" + "; ".join(shown(v, element, data, depth - 1) for v in parts) + "|]"
        case Cell(content):
            inner = type.arguments[0] if isinstance(type, Named) else type
            return f"(ref {shown(content, inner, data, depth - 1)})"
        case Made():
            return _made(value, type, data, depth)
        case Hidden():
            return "_"
        case _:
            return "<fun>"


def _character(code: int) -> str:
    return f"'{chr(code)}'" if 32 <= code < 127 and chr(code) not in "'\\" else f"'\\{code:03}'"


def _made(value: Made, type: Type, data: dict[str, Data], depth: int) -> str:
    if not isinstance(type, Named):
        return value.constructor
    if type.name == "list":
        element = type.arguments[0]
        return "[" + "; ".join(shown(each, element, data, depth - 1) for each in elements(value)) + "]"
    declared = data[type.name]
    constructor = declared.constructors[declared.position(value.constructor)]
    types = declared.instance(constructor, type.arguments)
    parts = [shown(v, t, data, depth - 1) for v, t in zip(value.arguments, types, strict=True)]
    name = constructor.name.split(".")[0]
    if constructor.fields:
        return "{" + "; ".join(f"{f} = {_bare(p)}" for f, p in zip(constructor.fields, parts, strict=True)) + "}"
    if not parts:
        return name
    return f"({name} {parts[0]})" if len(parts) == 1 else f"({name} ({', '.join(parts)}))"


def _bare(text: str) -> str:
    """The content of a mutable field, which is written without its reference."""
    return text.removeprefix("(ref ").removesuffix(")") if text.startswith("(ref ") else text
