"""What comes of a run of a functional program: how it ended, what was chosen, and who called whom."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from sorrel.functional.type import Type
from sorrel.functional.value import Value
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


class Kind(StrEnum):
    """What goes wrong in a run; a property says which of these it forbids."""

    ASSERTION = "assertion"
    BOUNDS = "bounds"
    DIVISION = "division"
    OVERFLOW = "overflow"
    EXCEPTION = "exception"  # one that nobody handles


@dataclass(frozen=True, slots=True)
class Finished:
    value: Value


@dataclass(frozen=True, slots=True)
class Violated:
    kind: Kind
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The run takes more steps than it was given."""


@dataclass(frozen=True, slots=True)
class Starved:
    """The run asks for more values than it was given."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The run does what is not modelled, or what its inputs promised not to do."""

    reason: str
    span: Span


End: TypeAlias = Finished | Violated | Exhausted | Starved | Refused


@dataclass(frozen=True, slots=True)
class Used:
    """A value that the environment chose."""

    value: Value
    type: Type
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Event:
    """A call or a return, `depth` calls deep; a call has its arguments, a return the value."""

    function: str
    values: tuple[Value, ...]
    types: tuple[Type, ...]
    span: Span
    depth: int
    is_return: bool = False


@dataclass(frozen=True, slots=True)
class Execution:
    end: End
    used: tuple[Used, ...]
    steps: int
    events: tuple[Event, ...] = ()
