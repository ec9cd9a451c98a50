"""Types of C, and what a value of each consists of."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.types import BOOLEAN, Float, Machine, Type


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Integer:
    """Enumerations are integers too. `rank` orders types of one width: `long` is above `int` even at 32 bits."""

    machine: Machine
    rank: int
    spelling: str

    @property
    def is_cut(self) -> bool:
        """Whether no variable can have it, but only a bit-field."""
        return self.machine.bits.bit_count() != 1 or self.machine.bits < 8

    def __str__(self) -> str:
        return self.spelling


@dataclass(frozen=True, slots=True)
class Truth:
    """`_Bool`."""

    def __str__(self) -> str:
        return "_Bool"


@dataclass(frozen=True, slots=True)
class Ieee:
    """float and double, of a machine that computes in the type of the operands (FLT_EVAL_METHOD is 0)."""

    number: Float

    def __str__(self) -> str:
        return "float" if self.number.bits == 32 else "double"


@dataclass(frozen=True, slots=True)
class Floating:
    """Other numbers with a fraction: no value of these is modelled; every read gives any value."""

    spelling: str

    def __str__(self) -> str:
        return self.spelling


@dataclass(frozen=True, slots=True)
class Pointer:
    target: CType
    constant: bool = False  # what it points to cannot be written through it

    def __str__(self) -> str:
        return f"{'const ' if self.constant else ''}{self.target} *"


@dataclass(frozen=True, slots=True)
class Array:
    """`length` is None if only the running program knows it."""

    element: CType
    length: int | None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


@dataclass(frozen=True, slots=True)
class Function:
    result: CType
    parameters: tuple[CType, ...]
    variadic: bool

    def __str__(self) -> str:
        return f"{self.result} ({', '.join(map(str, self.parameters))})"


@dataclass(frozen=True, slots=True)
class Field:
    """`offset` is where it begins in its record, in bytes (of a bit-field: in which byte)."""

    name: str
    type: CType
    offset: int = 0


@dataclass(eq=False, slots=True)
class Record:
    """A structure or union, the same object wherever a file names it; fields come when they are known.

    `merged`: the record of another file that is the same type. `as_bytes` and, if that is not enough, `unmodelled` are
    set while a program is read, if what it does with pointers into the record cannot be expressed otherwise; `apart` of
    a union whose members are kept beside each other (`unions`).
    """

    name: str
    union: bool
    fields: tuple[Field, ...] = field(default=(), repr=False)
    complete: bool = False
    size: int = 0
    span: Span = field(default=NOWHERE, repr=False)
    merged: Record | None = field(default=None, repr=False)
    as_bytes: bool = field(default=False, repr=False)
    unmodelled: str = field(default="", repr=False)  # why nothing in it is
    apart: bool = field(default=False, repr=False)
    mixed: bool | None = field(default=None, repr=False)  # `in_bytes`, once it is known

    @property
    def nameless(self) -> bool:
        return "(" in self.name

    def merge(self, other: Record) -> None:
        """From now on both are one type, which goes by the one that has fields."""
        mine, theirs = self.representative, other.representative
        if mine is theirs:
            return
        if mine.complete:
            theirs.merged = mine
        else:
            mine.merged = theirs

    @property
    def representative(self) -> Record:
        """The one of all records of this type that stands for it."""
        record = self
        while record.merged is not None:
            record = record.merged
        return record

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Record) and self.representative is other.representative

    def __hash__(self) -> int:
        return hash((self.union, self.name))

    def field(self, name: str) -> Field:
        return Field(name, INT) if name == LAST_WRITTEN else next(f for f in self.fields if f.name == name)

    def field_type(self, name: str) -> CType:
        return self.field(name).type

    @property
    def keeps_apart(self) -> bool:
        return self.representative.apart

    @property
    def layouts(self) -> tuple[Field, ...]:
        """Of a union: the first member of each layout."""
        found: list[Field] = []
        for each in self.fields:
            if not any(same_layout(each.type, known.type) for known in found):
                found.append(each)
        return tuple(found)

    def place_of(self, member: str) -> Field:
        """Of a union: the member whose memory it shares."""
        if not self.keeps_apart:
            return self.fields[0]
        known = self.field(member)
        return known if member == LAST_WRITTEN else next(e for e in self.layouts if same_layout(e.type, known.type))

    @property
    def in_bytes(self) -> bool:
        """Whether it is kept as its bytes: a union of numbers whose members differ in layout, or what has to be."""
        if self.representative.as_bytes:
            return True
        if self.mixed is None and self.complete:
            self.mixed = self.union and not uniform(self) and bytewise(self)
        return bool(self.mixed)

    @property
    def places(self) -> tuple[Field, ...]:
        """The members that have memory of their own: those of a union are all one place, the first, or kept apart."""
        if not self.union:
            return self.fields
        return (*self.layouts, self.field(LAST_WRITTEN)) if self.keeps_apart else self.fields[:1]

    def __str__(self) -> str:
        return self.name


CType: TypeAlias = Void | Integer | Truth | Ieee | Floating | Pointer | Array | Function | Record
Path: TypeAlias = tuple[str, ...]

VOID = Void()
INT = Integer(Machine(32, True), 3, "int")
BYTE = Integer(Machine(8, False), 1, "unsigned char")
TRUTH = Truth()
LAST_WRITTEN = ".written"
"""A place beside the members of a union that are kept apart: which of their layouts was written last, from 1 on."""
VARIABLE_ARGUMENTS = Floating("va_list")
"""No value of it is looked at: where its arguments are known, a list of them is a position among them."""


def base_element(type: CType) -> CType:
    """What an array of arrays of … consists of in the end; other types are their own."""
    while isinstance(type, Array):
        type = type.element
    return type


def element_count(type: CType) -> int | None:
    """How many base elements a value of the type has; None if that is known only when the program runs."""
    count = 1
    while isinstance(type, Array):
        if type.length is None:
            return None
        count *= type.length
        type = type.element
    return count


def same_layout(one: CType, other: CType) -> bool:
    """Whether a union may hold both in one variable."""
    left, right = base_element(one), base_element(other)
    if element_count(one) != element_count(other):
        return False
    if isinstance(left, Integer) and isinstance(right, Integer):
        return left.machine.bits == right.machine.bits
    return left == right


def uniform(record: Record) -> bool:
    """Whether what is at a place does not depend on the member that it is reached by."""
    if not record.union or record.keeps_apart:
        return True
    return all(same_layout(record.fields[0].type, field.type) for field in record.fields)


def is_byte(type: CType | None) -> bool:
    return isinstance(type, Integer) and type.machine.bits == BYTE.machine.bits


def bytewise(type: CType) -> bool:
    """Whether its value is known by its bytes: whole integers, and what consists of them."""
    pending = [type]
    while pending:
        current = base_element(pending.pop())
        if isinstance(current, Record):
            if not current.complete or not current.size:
                return False
            pending.extend(field.type for field in current.fields)
        elif not isinstance(current, Integer) or current.is_cut:
            return False
    return True


def byte_size(type: CType) -> int:
    """How many bytes a value takes that is known by them; of anything else it is one."""
    count, type = element_count(type) or 0, base_element(type)
    match type:
        case Integer(machine):
            return count * (machine.bits // 8)
        case Record() if type.size:
            return count * type.size
        case _:
            return count


_FLOATING_SIZES = {"float": 4, "double": 8}


def storage_size(type: CType, pointer: int) -> int | None:
    """What sizeof says of one of its elements, where pointers take so many bytes; None if that is not known."""
    type = base_element(type)
    match type:
        case Integer(machine):
            return machine.bits // 8
        case Truth():
            return 1
        case Pointer():
            return pointer
        case Ieee(number):
            return number.bits // 8
        case Floating():
            return _FLOATING_SIZES.get(type.spelling)
        case Record() if type.size:
            return type.size
        case _:
            return None


def width(type: CType, *, in_bytes: bool) -> int | None:
    """How many bytes, or how many base elements, a value takes; None if that is known only when the program runs."""
    count = element_count(type)
    return byte_size(type) if in_bytes and count is not None else count


def kept(type: CType) -> CType:
    """The type as which it is kept."""
    match type:
        case Array(element, length):
            return Array(kept(element), length)
        case Record() if type.in_bytes:
            return Array(BYTE, type.size)
        case _:
            return type


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar (or array of scalars) inside a type: where it is, and how many there are in each base element."""

    path: Path
    type: CType
    count: int


def leaves(type: CType) -> tuple[Leaf, ...]:
    """The scalars of a value, structures taken apart; a union has its bytes, or the leaves of its first member."""
    found: list[Leaf] = []
    pending: list[tuple[Path, CType, int]] = [((), base_element(type), 1)]
    while pending:
        path, current, count = pending.pop()
        if not isinstance(current, Record):
            found.append(Leaf(path, current, count))
            continue
        if current.in_bytes:
            found.append(Leaf(path, BYTE, count * current.size))
            continue
        pending.extend(
            ((*path, f.name), base_element(f.type), count * (element_count(f.type) or 0))
            for f in reversed(current.places)
        )
    return tuple(found)


def scalar_type(type: CType) -> Type:
    """How a single number or truth value is kept."""
    if isinstance(type, Truth):
        return BOOLEAN
    if isinstance(type, Ieee):
        return type.number
    if not isinstance(type, Integer):
        raise InternalError(f"{type} is not one number")
    return type.machine


def promoted(type: CType, int_type: Integer) -> CType:
    """The integer promotions (C17 6.3.1.1): what is narrower than int becomes int, which holds all its values."""
    if isinstance(type, Truth):
        return int_type
    if not isinstance(type, Integer):
        return type
    narrow = type.machine.bits < int_type.machine.bits
    fits = type.machine.bits == int_type.machine.bits and type.machine.signed and type.rank < int_type.rank
    return int_type if narrow or fits else type


def common(left: CType, right: CType, int_type: Integer) -> CType:
    """The usual arithmetic conversions (C17 6.3.1.8)."""
    if isinstance(left, Floating) or isinstance(right, Floating):
        return left if isinstance(left, Floating) else right
    if isinstance(left, Ieee) or isinstance(right, Ieee):
        longer = isinstance(left, Ieee) and not (isinstance(right, Ieee) and right.number.bits > left.number.bits)
        return left if longer else right
    one, other = promoted(left, int_type), promoted(right, int_type)
    if not isinstance(one, Integer) or not isinstance(other, Integer):
        raise InternalError(f"arithmetic on {left} and {right}")
    if one.machine.signed == other.machine.signed:
        return one if one.rank >= other.rank else other
    unsigned, signed = (other, one) if one.machine.signed else (one, other)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.machine.bits > unsigned.machine.bits:
        return signed
    return Integer(Machine(signed.machine.bits, False), signed.rank, f"unsigned {signed.spelling}")


def is_stream(type: CType) -> bool:
    """A stream of the library: no program looks inside."""
    return isinstance(type, Record) and type.name == "struct _IO_FILE"
