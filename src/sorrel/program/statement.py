"""What a block does, statement by statement, and how it ends."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression, Variable

READS = "what is read by "
"""Begins the source of a value that a function of the library reads from outside of the program."""
FAILS = "an allocation that fails"
"""The source of what the environment says of each allocation, if allocations may fail."""


class Kind(StrEnum):
    """What an assertion guards; a property is a set of kinds."""

    ERROR_CALL = "error-call"  # reach_error and its older names
    ASSERTION = "assertion"  # assert
    OVERFLOW = "overflow"  # a signed result that does not fit, a shift that is undefined
    BOUNDS = "bounds"  # an access outside its object
    DIVISION = "division"  # by zero
    LIFETIME = "lifetime"  # an access to an object that has ended
    UNINITIALISED = "uninitialised"  # read of an uninitialised value
    FREE = "free"  # of what was not allocated, or has ended
    UNTRACKED = "untracked"  # allocated memory that nothing leads to any more
    NOT_FREED = "not-freed"  # allocated memory at the end of the program
    LEAK = "leak"  # two runs that should agree differ
    RACE = "race"  # two threads that access one object at the same time
    POSSIBLE_RACE = "possible-race"  # a race, if a function without a body accesses what it is given
    DEADLOCK = "deadlock"  # threads that wait forever
    DESCENT = "descent"  # a call that does not bring down what shows that calls end


class Choice(StrEnum):
    """Why a value is open."""

    INPUT = "input"  # chosen by the environment: __VERIFIER_nondet_int and the like
    EXTERNAL = "external"  # returned by a function without a body
    UNINITIALISED = "uninitialised"  # read before it is written
    ABSTRACTION = "abstraction"  # the program has one value, we do not model which: a run through it proves nothing


class Purpose(StrEnum):
    """Why a value is looked at that matters to no single run as such."""

    LOW = "low"  # pairs of runs that differ in it are not compared
    RELEASED = "released"  # the same, from here on: it may be known
    COMPARED = "compared"  # runs that come here must agree in it
    READ = "read"  # no run: the program reads a value, which must have been set
    UNSET = "unset"  # no run: the variable, or the array from this element on, was never set until now


class Stream(StrEnum):
    """Where a program writes to."""

    OUTPUT = "output"
    ERRORS = "errors"
    OTHERS = "others"  # files, all as one


@dataclass(frozen=True, slots=True)
class Assign:
    """An element of an array is assigned as a = Store(a, i, v)."""

    target: Variable
    value: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Havoc:
    """The target gets any value of its type. `source` names the function or the construct that it comes from."""

    target: Variable
    choice: Choice = Choice.INPUT
    source: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assume:
    """Runs in which the condition is false are not looked at. `reason` is not empty if that is worth telling."""

    condition: Expression
    reason: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expression
    kind: Kind = Kind.ASSERTION
    message: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Call:
    """`results` take the outputs of the procedure, in order; an empty place (None) drops one."""

    procedure: str
    arguments: tuple[Expression, ...]
    results: tuple[Variable | None, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Observe:
    """A value that matters between runs: `sorrel.relate` gives it its meaning. In one run nothing happens here."""

    value: Expression
    purpose: Purpose
    message: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Print:
    """Text that a run writes. Nothing that is verified depends on it: `checks.instrument` takes it out.

    A character of `format` is a byte; its directives, which `program.printing` describes, take the arguments.
    """

    format: str
    arguments: tuple[Expression, ...] = ()
    stream: Stream = Stream.OUTPUT
    span: Span = NOWHERE


Statement: TypeAlias = Assign | Havoc | Assume | Assert | Call | Observe | Print


@dataclass(frozen=True, slots=True)
class Goto:
    target: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Expression
    then: str
    otherwise: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Return:
    """The outputs of the procedure have the values of their variables now."""

    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Stop:
    """The whole run ends here, without an error: exit, abort, a failed assumption of the source language.

    `status` is what the environment is told, if the program says so. As with Print, nothing depends on it.
    """

    span: Span = NOWHERE
    status: Expression | None = None


Terminator: TypeAlias = Goto | Branch | Return | Stop


@dataclass(frozen=True, slots=True)
class Block:
    label: str
    statements: tuple[Statement, ...]
    terminator: Terminator
