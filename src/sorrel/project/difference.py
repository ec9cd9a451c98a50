"""How two versions of a project differ, as plain data that any process can hold."""

from __future__ import annotations

from dataclasses import asdict, field
from enum import StrEnum
from typing import Any

from sorrel.model.errors import Span
from sorrel.model.outcome import RunEvent
from sorrel.model.plain import from_plain
from sorrel.model.values import dataclass


class Behaviour(StrEnum):
    """Of a function in both versions, in all states in which both return."""

    SAME = "same"  # proved
    DIFFERENT = "different"  # shown by an input that was run in both
    NOT_SHOWN = "not shown"
    ADDED = "added"
    REMOVED = "removed"


class Strength(StrEnum):
    """Of the new contract against the old one."""

    SAME = "same"
    STRONGER = "stronger"
    WEAKER = "weaker"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Example:
    """Inputs on which the versions differ, in what, and what each of them did, line by line."""

    inputs: tuple[str, ...]
    differs: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    old_run: tuple[RunEvent, ...] = ()
    new_run: tuple[RunEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionDifference:
    """`relied` are callers that relied on what is gone; `how` tells what the behaviour was shown by."""

    function: str
    behaviour: Behaviour
    span: Span
    how: str = ""
    strength: Strength = Strength.UNKNOWN
    old_contract: tuple[str, ...] = ()
    new_contract: tuple[str, ...] = ()
    example: Example | None = None
    relied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """`failing` are results that were proved in the old version and are not in the new one.

    `starting` are variables that start with other values.
    """

    old: str
    new: str
    functions: tuple[FunctionDifference, ...]
    unchanged: int = 0
    failing: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)
    starting: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Difference:
        return from_plain(Difference, data)
