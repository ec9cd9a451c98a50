"""Types of a program's values."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.model.values import dataclass


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
class Float:
    """Binary floating-point numbers of IEEE 754: both zeros, the infinities and one NaN among them.

    Results of operations are rounded to the nearest number, of two to the even one. No operation is undefined.
    """

    bits: int

    @property
    def precision(self) -> int:
        """How many significant bits a number has."""
        return 24 if self.bits == 32 else 53

    @property
    def largest_exponent(self) -> int:
        """Of the largest numbers: they are below 2 to the one above."""
        return 127 if self.bits == 32 else 1023

    @property
    def smallest_exponent(self) -> int:
        """Every number is a multiple of 2 to this."""
        return 2 - self.largest_exponent - self.precision

    @property
    def largest(self) -> int:
        return ((1 << self.precision) - 1) << (self.largest_exponent + 1 - self.precision)

    def __str__(self) -> str:
        return f"f{self.bits}"


@dataclass(frozen=True, slots=True)
class Array:
    """A total map from mathematical integers to `element`; who indexes it asserts bounds where there are any."""

    element: Type

    def __str__(self) -> str:
        return f"[{self.element}]"


Type: TypeAlias = Boolean | Machine | Unbounded | Real | Float | Array

BOOLEAN = Boolean()
UNBOUNDED = Unbounded()
REAL = Real()
SINGLE, DOUBLE = Float(32), Float(64)


def is_integer(type: Type) -> bool:
    return isinstance(type, Machine | Unbounded)
