"""Conditions of ACSL and of C as trees; columns say where in the text a part begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.types import Machine


@dataclass(frozen=True, slots=True)
class Number:
    """`is_unsigned`: it says so by a suffix, or is written in hexadecimal, where C allows more types."""

    value: int
    column: int = 0
    is_unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """`\\true` and `\\false`."""

    value: bool
    column: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, or `\\result`."""

    text: str
    column: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """`base.name`, or `base->name`."""

    base: Condition
    name: str
    arrow: bool
    column: int = 0


@dataclass(frozen=True, slots=True)
class Element:
    base: Condition
    index: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Before:
    """`\\old(operand)`, or `\\at(operand, Pre)`: its value when the function was entered."""

    operand: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    type: Machine
    operand: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Prefix:
    """`-`, `+`, `!`, `~`; `*`, which follows a pointer, and `&`, which makes one."""

    operator: str
    operand: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Infix:
    operator: str
    left: Condition
    right: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """`condition ? then : otherwise`."""

    condition: Condition
    then: Condition
    otherwise: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Quantified:
    """`\\forall integer names; body`, or `\\exists`."""

    universal: bool
    names: tuple[str, ...]
    body: Condition
    column: int = 0


@dataclass(frozen=True, slots=True)
class Range:
    """`low .. high`: all numbers between them, both included; none if `high` is less than `low`.

    An end that is left out is as far as there is something.
    """

    low: Condition | None
    high: Condition | None
    column: int = 0


@dataclass(frozen=True, slots=True)
class Valid:
    """`\\valid(p + (0 .. n - 1))`: what these pointers lead to is there, and may be written; or `\\valid_read`."""

    pointers: tuple[Condition, ...]
    writable: bool = True
    column: int = 0


@dataclass(frozen=True, slots=True)
class Terminated:
    """`\\valid_read_string(s)`: from there on there are characters up to a zero; `\\valid_string`, where they vary."""

    pointer: Condition
    writable: bool = False
    column: int = 0


@dataclass(frozen=True, slots=True)
class Separated:
    """`\\separated(p, q + (0 .. n - 1))`: no two of them have memory in common."""

    pointers: tuple[Condition, ...]
    column: int = 0


@dataclass(frozen=True, slots=True)
class Null:
    """`\\null`."""

    column: int = 0


@dataclass(frozen=True, slots=True)
class Length:
    """`strlen(s)`: how many characters there are in front of the first zero."""

    pointer: Condition
    column: int = 0


Condition: TypeAlias = (
    Number
    | Truth
    | Name
    | Member
    | Element
    | Before
    | Cast
    | Prefix
    | Infix
    | Choice
    | Quantified
    | Range
    | Valid
    | Terminated
    | Separated
    | Null
    | Length
)


def parts(condition: Condition) -> tuple[Condition, ...]:
    match condition:
        case Number() | Truth() | Name() | Null():
            return ()
        case Member(base):
            return (base,)
        case Element(base, index):
            return (base, index)
        case Before(operand) | Cast(_, operand) | Prefix(_, operand):
            return (operand,)
        case Infix(_, left, right):
            return (left, right)
        case Choice(test, then, otherwise):
            return (test, then, otherwise)
        case Quantified(_, _, body):
            return (body,)
        case Range(low, high):
            return tuple(end for end in (low, high) if end is not None)
        case Valid(pointers) | Separated(pointers):
            return pointers
        case Terminated(pointer) | Length(pointer):
            return (pointer,)


def nodes(condition: Condition) -> Iterator[Condition]:
    """The condition and all below it."""
    pending = [condition]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(parts(node)))


def place(condition: Condition) -> str:
    """How the user writes a place, the same for the same place; empty if the condition is none."""
    match condition:
        case Name(text):
            return text
        case Member(base, name, arrow):
            inner = place(base)
            return f"{inner}{'->' if arrow else '.'}{name}" if inner else ""
        case Prefix("*", operand):
            inner = place(operand)
            return f"*{inner}" if inner else ""
        case _:
            return ""
