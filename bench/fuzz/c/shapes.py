"""Types of objects in generated programs: scalars, bit-fields, arrays, structures, unions, and what lies inside."""

from __future__ import annotations

from dataclasses import dataclass

from bench.fuzz.c.values import Expression, IntegerType


@dataclass(frozen=True, slots=True)
class Scalar:
    """Whatever is stored lies between `low` and `high`: all objects of a type agree on that, so that they may alias."""

    type: IntegerType
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit-field; an unnamed one has no name in its structure."""

    type: IntegerType
    width: int

    @property
    def scalar(self) -> Scalar:
        held = IntegerType(self.type.name, self.width, self.type.signed)
        return Scalar(held, held.low, held.high)


@dataclass(frozen=True, slots=True)
class ArrayOf:
    element: Shape
    length: int


@dataclass(frozen=True, slots=True)
class Record:
    """A structure or a union with a tag; a member without a name is a structure or union that lends its members."""

    keyword: str
    tag: str
    members: tuple[tuple[str, Shape], ...]

    @property
    def is_union(self) -> bool:
        return self.keyword == "union"

    @property
    def name(self) -> str:
        return f"{self.keyword} {self.tag}"


Shape = Scalar | Bits | ArrayOf | Record


@dataclass(frozen=True, slots=True)
class Object:
    """Something with a name, or an expression for it such as (*p)."""

    text: str
    shape: Shape
    writable: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """A scalar inside an object."""

    text: str
    scalar: Scalar
    writable: bool
    addressable: bool

    @property
    def value(self) -> Expression:
        return Expression(self.text, self.scalar.type.promoted, self.scalar.low, self.scalar.high)


def declared(shape: Shape, name: str) -> str:
    """A declaration of `name`, without its initialiser."""
    match shape:
        case Scalar(type):
            return f"{type.name} {name}"
        case Bits(type, width):
            return f"{type.name} {name}:{width}"
        case ArrayOf(element, length):
            return declared(element, f"{name}[{length}]")
        case Record():
            return f"{shape.name} {name}"


def definition(record: Record) -> str:
    """Of a structure or union, with nameless members written out."""
    return f"{record.keyword} {record.tag} {{ {_members(record)} }};"


def _members(record: Record) -> str:
    written = []
    for name, shape in record.members:
        if not name and isinstance(shape, Record):
            written.append(f"{shape.keyword} {{ {_members(shape)} }};")
        else:
            written.append(f"{declared(shape, name)};")
    return " ".join(written)
