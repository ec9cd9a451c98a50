"""A run of a program: what happened in it, which values it took, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.printing import Written
from sorrel.program.statement import (
    Assert,
    Assume,
    Choice,
    Kind,
    Observe,
    Stream,
)
from sorrel.program.types import Type
from sorrel.program.value import Value

# How a run ends


@dataclass(frozen=True, slots=True)
class Finished:
    """The main procedure returned: its outputs, and the globals at the end, in the order of their declarations."""

    outputs: tuple[Value, ...]
    globals: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """A Stop was reached; `status` is what it tells the environment, if anything."""

    procedure: str
    span: Span
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Violated:
    """An assertion was false; `why` says it in numbers, of memory accesses."""

    assertion: Assert
    procedure: str
    why: str = ""

    @property
    def span(self) -> Span:
        return self.assertion.span


@dataclass(frozen=True, slots=True)
class Refused:
    """An assumption was false, or a choice was not a value of its variable's type: there is no such run."""

    procedure: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """An operation without a value: the run has no meaning from here on."""

    kind: Kind
    message: str
    procedure: str
    span: Span


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The steps allowed were not enough."""

    procedure: str
    span: Span


@dataclass(frozen=True, slots=True)
class Starved:
    """A choice was due and there was none left; `type` is None if it is a variable without a value that was needed."""

    procedure: str
    span: Span
    type: Type | None


End: TypeAlias = Finished | Stopped | Violated | Refused | Undefined | Exhausted | Starved

# What happens in a run


@dataclass(frozen=True, slots=True)
class Wrote:
    """A variable got a value: from an assignment, a havoc, a call's result, or as the value that it starts with.

    `index`: of an array that is as it was but for this element, which may be as it was, too.
    """

    procedure: str
    depth: int
    span: Span
    variable: Variable
    value: Value
    choice: Choice | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Branched:
    procedure: str
    depth: int
    span: Span
    taken: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """An assumption or assertion that holds."""

    procedure: str
    depth: int
    span: Span
    statement: Assume | Assert


@dataclass(frozen=True, slots=True)
class Observed:
    """A value that runs are compared by."""

    procedure: str
    depth: int
    span: Span
    statement: Observe
    value: Value


@dataclass(frozen=True, slots=True)
class Entered:
    """`procedure` is the one entered, `depth` its depth (0 for main), `span` that of the call."""

    procedure: str
    depth: int
    span: Span
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """`procedure` is the one left, `span` that of its Return."""

    procedure: str
    depth: int
    span: Span
    outputs: tuple[Value, ...]


Event: TypeAlias = Wrote | Branched | Passed | Observed | Entered | Returned


@dataclass(frozen=True, slots=True)
class Used:
    """A choice that the run took; `source` names the function that it comes from, or the variable it is for.

    `target` is the variable that got it. A value of an uninterpreted function has none; it has the `arguments`.
    """

    value: Value
    type: Type
    choice: Choice
    source: str
    procedure: str
    span: Span
    target: str = ""
    arguments: tuple[Value, ...] | None = None


Application: TypeAlias = tuple[str, tuple[Value, ...], Type]
"""A function is known by its name, the values it is applied to, and the type of its result."""
Functions: TypeAlias = Mapping[Application, Value]


@dataclass(frozen=True, slots=True)
class Run:
    """`events` are empty unless they were asked for; `used` are the choices taken, which replay the run.

    `written` is what was printed; a stream that is not there was not written to. `steps` is how many it took.
    """

    end: End
    events: tuple[Event, ...]
    used: tuple[Used, ...]
    written: Mapping[Stream, Written] = field(default_factory=dict)
    steps: int = 0

    @property
    def status(self) -> int | None:
        """What the environment is told at the end: the lowest byte of what main returns or the program stops with."""
        match self.end:
            case Finished((int() as first, *_)) | Stopped(_, _, int() as first):
                return first & 0xFF
            case _:
                return None

    @property
    def functions(self) -> Functions:
        """The values of uninterpreted functions that the run met."""
        return {(u.source, u.arguments, u.type): u.value for u in self.used if u.arguments is not None}
