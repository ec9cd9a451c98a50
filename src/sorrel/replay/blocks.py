"""Allocated memory in a run: its objects, numbered as the run comes by them, so that no number of ours is shown."""

from __future__ import annotations

import re
from bisect import bisect_right, insort

from sorrel.model.outcome import BLOCK
from sorrel.program.run import Wrote
from sorrel.program.value import ArrayValue, Value

OBJECT, OFFSET = ".object", ".offset"
"""How the two parts of a pointer are kept: the object that it leads to, and how far in."""
_ALLOCATED = re.compile(r"block\.\d+\.object")
_ONE_OBJECT = re.compile(r"(block\.\d+)(?:\.(.+))?")
_MANY_OBJECTS = re.compile(r"memory\.\d+(?:\.object|\.offset)?")
_LENGTH = "length"


class Blocks:
    """What `malloc` and its relatives gave, as `block 1`, `block 2`, …"""

    def __init__(self) -> None:
        self._names: dict[str | int, str] = {}
        self._starts: list[int] = []
        self._object: tuple[str, int | None, Value | None] = ("", None, None)

    def see(self, event: Wrote) -> None:
        """Objects of which there may be many get their number from a counter."""
        if _ALLOCATED.fullmatch(event.variable.name) and isinstance(event.value, int) and event.value > 0:
            insort(self._starts, event.value)
            self._name(event.value)

    def _name(self, key: str | int) -> str:
        return self._names.setdefault(key, f"{BLOCK}{len(self._names) + 1}")

    def place(self, event: Wrote) -> tuple[str, str] | None:
        """Which object was written to, and where in it; None if it was none of these."""
        name = event.variable.name
        if _MANY_OBJECTS.fullmatch(name) and event.index is not None:
            position = bisect_right(self._starts, event.index)
            start = self._starts[position - 1] if position else None
            return None if start is None else (self._name(start), str(event.index - start))
        found = None if _ALLOCATED.fullmatch(name) else _ONE_OBJECT.fullmatch(name)
        if found is None or found[2] == _LENGTH:
            return None
        path = pointer_stem(found[2] or "") or found[2] or ""
        index = "" if event.index is None else str(event.index)
        return self._name(found[1]), f"{path}[{index}]" if path and index else path or index

    def pointer(self, value: Value) -> str:
        """The object that has this number, if it can be named."""
        if value == 0:
            return "NULL"
        return self._names.get(value, "") if isinstance(value, int) else ""

    def leads(self, event: Wrote, *, has_offset: bool) -> str:
        """Where a pointer leads once all of its parts are written; nothing before that, or if it cannot be said."""
        stem, value = pointer_stem(event.variable.name), one_value(event)
        if event.variable.name.endswith(OBJECT):
            self._object = (stem, event.index, value)
            return "" if has_offset or value is None else self.pointer(value)
        known, index, number = self._object
        found = self.pointer(number) if (known, index) == (stem, event.index) and number is not None else ""
        return found if not found or number == 0 or value == 0 else f"inside {found}"


def one_value(event: Wrote) -> Value | None:
    """The number that was written, alone or as an element; None if more was."""
    value = event.value
    if isinstance(value, ArrayValue):
        return None if event.index is None else value[event.index]
    return value


def pointer_stem(variable: str) -> str:
    """The name of the pointer that this is a part of; nothing if it is no such part."""
    stem = variable.removesuffix(OBJECT).removesuffix(OFFSET)
    return stem if stem != variable else ""
