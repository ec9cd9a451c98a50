"""Types of a program's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Boolean:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Machine:
    """Integers of a machine: two's complement if signed.

    Arithmetic on unsigned ones wraps. A signed operation whose exact result does not fit is undefined: a run
    with such an operation has no meaning, and whoever claims anything about runs says so as an assumption.
    """

    bits: int
    signed: bool

    @property
    def smallest(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def largest(self) -> int:
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1

    def contains(self, value: int) -> bool:
        return self.smallest <= value <= self.largest

    def wrap(self, value: int) -> int:
        """The value of this type that is congruent to the given one modulo 2^bits."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value > self.largest else value

    def __str__(self) -> str:
        return f"{'i' if self.signed else 'u'}{self.bits}"


@dataclass(frozen=True, slots=True)
class Unbounded:
    """Mathematical integers."""

    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class Real:
    """Mathematical reals."""

    def __str__(self) -> str:
        return "real"


@dataclass(frozen=True, slots=True)
class Array:
    """A total map from mathematical integers to `element`; who indexes it asserts bounds where there are any."""

    element: Type

    def __str__(self) -> str:
        return f"[{self.element}]"


Type: TypeAlias = Boolean | Machine | Unbounded | Real | Array

BOOLEAN = Boolean()
UNBOUNDED = Unbounded()
REAL = Real()


def is_integer(type: Type) -> bool:
    return isinstance(type, Machine | Unbounded)
