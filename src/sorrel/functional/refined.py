"""Refinement types as people read them: OCaml's types with conditions, their text, and back from it.

`n:int -> {r:int | r >= n}`: a value has a name where a condition mentions it. Conditions are OCaml expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeAlias

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class RefinedValue:
    """{name:type | condition && …}; `element` tells of each element of a list or array, in place of its plain type."""

    type: str
    name: str = ""
    conditions: tuple[str, ...] = ()
    element: RefinedValue | None = None

    @property
    def plain(self) -> str:
        """Without what is said of the value itself."""
        return f"{self.element} {self.type.rpartition(' ')[2]}" if self.element else self.type

    def __str__(self) -> str:
        if self.conditions:
            return f"{{{self.name}:{self.plain} | {' && '.join(self.conditions)}}}"
        return f"{self.name}:{self.plain}" if self.name else self.plain


@dataclass(frozen=True, slots=True)
class RefinedFunction:
    parameters: tuple[Refined, ...]
    result: Refined

    def __str__(self) -> str:
        return " -> ".join([*map(_parameter, self.parameters), str(self.result)])

    def labelled(self, labels: Sequence[str]) -> str:
        """As `str`, with what callers call the parameters."""
        texts = [_parameter(each) for each in self.parameters]
        told = [_labelled(text, label) for text, label in zip_longest(texts, labels[: len(texts)], fillvalue="")]
        return " -> ".join([*told, str(self.result)])


Refined: TypeAlias = RefinedValue | RefinedFunction


def _parameter(refined: Refined) -> str:
    if isinstance(refined, RefinedFunction):
        return f"({refined})"
    if refined.name and not refined.conditions and _is_loose(refined.type):
        return f"{refined.name}:({refined.type})"
    return str(refined)


def _labelled(text: str, label: str) -> str:
    if not label or text.startswith(f"{label}:"):
        return text
    return f"{label}:{text.removesuffix(' option')}" if label.startswith("?") else f"{label}:{text}"


def _is_loose(type: str) -> bool:
    """Whether a name in front would seem to belong to the first part only."""
    depth = 0
    for position, character in enumerate(type):
        depth += (character in "({") - (character in ")}")
        if depth == 0 and type.startswith((" * ", " -> "), position):
            return True
    return False


def read_refined(text: str) -> Refined:
    """The type that a text means; raises `InputError` if it is none."""
    reading = _Reading(text)
    found = reading.type()
    reading.skip()
    if reading.position != len(text):
        raise InputError(f"this is not a type: {text[reading.position :]}")
    return found


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self.position = 0

    def skip(self) -> None:
        while self.position < len(self._text) and self._text[self.position].isspace():
            self.position += 1

    def _next(self, wanted: str) -> bool:
        self.skip()
        if self._text.startswith(wanted, self.position):
            self.position += len(wanted)
            return True
        return False

    def _demand(self, wanted: str) -> None:
        if not self._next(wanted):
            raise InputError(f"{wanted} is expected at: {self._text[self.position :]}")

    def type(self) -> Refined:
        parts = [self._part()]
        while self._next("->"):
            parts.append(self._part())
        return RefinedFunction(tuple(parts[:-1]), parts[-1]) if len(parts) > 1 else parts[0]

    def _part(self) -> Refined:
        self.skip()
        start = self.position
        if self._text.startswith("{", start):
            return self._inner(self._braces())
        if self._next("("):
            inner = self.type()
            self._demand(")")
            if isinstance(inner, RefinedFunction) and self._ends():
                return inner
            self.position = start
        name = self._name()
        if name and self._text.startswith("(", self.position):
            start, end = self.position, self._closing()
            plain, self.position = self._text[start + 1 : end], end + 1
            if _is_loose(plain) and self._ends():
                return RefinedValue(plain, name)
            self.position = start
        return replace(self._inner(), name=name)

    def _ends(self) -> bool:
        self.skip()
        return self.position == len(self._text) or self._text.startswith(("->", ")"), self.position)

    def _braces(self) -> RefinedValue:
        """{x:t | …}"""
        self._demand("{")
        name = self._name()
        self.skip()
        inner = self._inner(self._braces()) if self._text.startswith("{", self.position) else self._inner()
        self._demand("|")
        end = self._text.find("}", self.position)
        if end < 0 or not name:
            raise InputError(f"this is not a type: {self._text}")
        conditions = _conjuncts(self._text[self.position : end].strip())
        self.position = end + 1
        return replace(inner, name=name, conditions=conditions)

    def _inner(self, found: RefinedValue | None = None) -> RefinedValue:
        """A plain type; or what was found, alone or as the element of something."""
        if found is None:
            return RefinedValue(self._plain())
        word = self._suffix()
        return RefinedValue(f"{_argument(found.type)} {word}", element=found) if word else found

    def _suffix(self) -> str:
        for word in ("list", "array"):
            if self._next(word):
                return word
        return ""

    def _name(self) -> str:
        """The name in front of a colon, if there is one."""
        self.skip()
        end = self.position
        while end < len(self._text) and (self._text[end].isalnum() or self._text[end] in "_'"):
            end += 1
        if end > self.position and self._text.startswith(":", end):
            name, self.position = self._text[self.position : end], end + 1
            return name
        return ""

    def _plain(self) -> str:
        """A type of OCaml, up to what cannot belong to it."""
        self.skip()
        start, depth = self.position, 0
        while self.position < len(self._text):
            character = self._text[self.position]
            if depth == 0 and (character in "|}" or self._text.startswith("->", self.position)):
                break
            if character == "(":
                depth += 1
            elif character == ")":
                if depth == 0:
                    break
                depth -= 1
            self.position += 1
        found = self._text[start : self.position].strip()
        if not found:
            raise InputError(f"a type is expected at: {self._text[start:]}")
        return found

    def _closing(self) -> int:
        """Where the parenthesis ends that starts here."""
        depth = 0
        for position in range(self.position, len(self._text)):
            depth += (self._text[position] == "(") - (self._text[position] == ")")
            if depth == 0:
                return position
        raise InputError(f") is missing: {self._text[self.position :]}")


def _argument(type: str) -> str:
    return f"({type})" if _is_loose(type) else type


def _conjuncts(text: str) -> tuple[str, ...]:
    """The parts of a condition between && that stand in no parentheses."""
    found, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and text.startswith(" && ", position):
            found.append(text[start:position])
            start = position + 4
    return (*found, text[start:])
