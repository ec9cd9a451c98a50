"""Parts of a state that a run does not look at: hidden from it, so that what it does is the same whatever they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from sorrel.functional.value import Block, Cell, Closure, Hidden, Made, Unknown, Value
from sorrel.model.values import dataclass

MOST_PARTS = 4_000
Way: TypeAlias = tuple[int, ...]
"""From a value to one of its parts: positions of parts of parts."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What a value was at some moment; `kind` is what it is without its parts."""

    kind: tuple[object, ...]
    parts: tuple[Picture, ...] = ()


class TooLarge(Exception):
    """There are too many parts to compare."""


def picture(values: Sequence[Value]) -> Picture:
    """Of the values together, with the contents of memory. Memory is the same only as the very one."""
    return _Drawing().of(tuple(values))


class _Drawing:
    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._count = 0

    def of(self, value: Value) -> Picture:
        self._count += 1
        if self._count > MOST_PARTS:
            raise TooLarge
        kind: tuple[object, ...]
        if isinstance(value, Cell | Block | Closure):
            if id(value) in self._seen:
                return Picture(("again", self._seen[id(value)]))
            self._seen[id(value)] = len(self._seen)
        match value:
            case Cell():
                kind = ("cell", id(value))
            case Block():
                kind = ("block", id(value))
            case Closure(function, _, given):
                kind = ("function", id(function), len(given))
            case Made(constructor):
                kind = ("made", constructor)
            case tuple():
                kind = ("tuple",)
            case Unknown() | Hidden():
                kind = (type(value).__name__, id(value) if isinstance(value, Unknown) else 0)
            case _:
                kind = (type(value).__name__, value)
        return Picture(kind, tuple(map(self.of, parts(value))))


def parts(value: Value) -> tuple[Value, ...]:
    match value:
        case Cell(content):
            return (content,)
        case Block(elements):
            return tuple(elements)
        case Closure(_, captured, given):
            return (*given, *captured.values())
        case Made(_, arguments):
            return arguments
        case tuple():
            return value
        case _:
            return ()


def differences(old: Picture, new: Picture, way: Way = ()) -> Iterator[Way]:
    """Where the new one is not as the old one was; what was hidden may be anything."""
    if old.kind[0] == Hidden.__name__:
        return
    if old.kind != new.kind or len(old.parts) != len(new.parts):
        yield way
        return
    for position, (before, after) in enumerate(zip(old.parts, new.parts, strict=True)):
        yield from differences(before, after, (*way, position))


def hidden(value: Value, way: Way) -> Value:
    """The value without the part there; contents of memory, and what a function holds, are hidden in place."""
    if not way or isinstance(value, Hidden):
        return Hidden()
    first, rest = way[0], way[1:]
    match value:
        case Cell(content):
            value.content = hidden(content, rest)
        case Block(elements):
            elements[first] = hidden(elements[first], rest)
        case Closure(_, captured, given) if first >= len(given):
            name = list(captured)[first - len(given)]
            captured[name] = hidden(captured[name], rest)
        case Closure(_, _, given):
            value.given = _changed(given, first, rest)
        case Made(constructor, arguments):
            return Made(constructor, _changed(arguments, first, rest))
        case tuple():
            return _changed(value, first, rest)
    return value


def _changed(values: tuple[Value, ...], position: int, rest: Way) -> tuple[Value, ...]:
    return tuple(hidden(each, rest) if at == position else each for at, each in enumerate(values))
