"""Cells: what pointers may point to, one for all places that one name or one pointer may mean.

All elements of an array share a cell; each field of a structure has its own. Two cells that one pointer may lead to are
made one (Steensgaard, Points-to analysis in almost linear time, POPL 1996).

Where memory is used as several types, all of them whole integers or made of those, its cell is kept as *bytes*. If
others are among them it is *blurred*: what it holds is not modelled. Either way all its fields are that one cell; all
pointers in what is blurred lead to one. A union of which different members are used is such a cell, and so is an array
without a length at the end of a structure: who reaches it by name stays inside of it. What is used as something else
than it is (by a cast) is *smeared*: nobody knows how far such a pointer reaches, so that the whole object is one cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from sorrel.frontends.c.paths import place_name
from sorrel.frontends.c.types import (
    BYTE,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Path,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
    bytewise,
    element_count,
    is_byte,
    leaves,
    same_layout,
    uniform,
)
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(eq=False, slots=True)
class Cell:
    """`type` is that of the base element, None as long as only `void *` is known to point here."""

    parent: Cell | None = None
    type: CType | None = None
    fields: dict[str, Cell] = field(default_factory=dict)
    target: Cell | None = None
    pointed: bool = False  # some pointer may point here
    nullable: bool = False  # a pointer here may be null or not set
    unset: bool = False  # a pointer here may be read before it is set
    written: bool = False  # of a pointer: the program may set it
    freed: bool = False  # a pointer to it is given to free
    arithmetic: bool = False  # a pointer here is moved
    spanned: bool = False  # more than what one pointer leads to is filled or copied from there on
    interior: bool = False  # a pointer may lead to a part of it that is not where it begins
    foreign: bool = False  # a pointer here may come from outside, and mean what no name of the program means
    odd: bool = False  # something that is used here is not known by its bytes
    bytes: bool = False  # it is kept byte by byte
    blurred: bool = False  # what is in it is not modelled
    smeared: bool = False  # one with all that it is a part of: it is used as something else than it is
    reason: str = ""  # why it is blurred, or kept as bytes
    owners: list[Cell] = field(default_factory=list)  # the structures that it is a field of
    functions: dict[str, None] = field(default_factory=dict)
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class Way:
    """A pointer that somebody was given; `constant`: not to write through."""

    cell: Cell
    constant: bool


def find(cell: Cell) -> Cell:
    root = cell
    while root.parent is not None:
        root = root.parent
    while cell.parent is not None:
        cell.parent, cell = root, cell.parent
    return root


def new_cell(declared: CType | None, span: Span) -> Cell:
    """For what is declared so."""
    type = None if declared is None else base_element(declared)
    cell = Cell(type=None if isinstance(type, Void) else type, span=span)
    cell.bytes = isinstance(type, Record) and type.in_bytes and not type.representative.unmodelled
    varying = isinstance(declared, Array) and element_count(declared) is None and not is_byte(type)
    cell.odd = cell.type is not None and (varying or not bytewise(cell.type))
    if isinstance(type, Record) and type.representative.unmodelled:
        cell.blurred, cell.reason = True, f"{type}, {type.representative.unmodelled}"
    return cell


def nowhere(span: Span) -> Cell:
    """Where null leads."""
    return Cell(blurred=True, smeared=True, reason="null pointer dereference", span=span)


def is_only_carried(cell: Cell) -> bool:
    """Whether pointers to the cell lead to nothing and are never followed, moved or freed: numbers, for all they do."""
    cell = find(cell)
    used = cell.pointed or cell.foreign or cell.arithmetic or cell.spanned or cell.freed or cell.interior
    return cell.type is None and not used and not cell.functions and not cell.fields and cell.target is None


def element_type(cell: Cell) -> CType | None:
    """What pointers to the cell are moved by, one after the other."""
    cell = find(cell)
    return BYTE if cell.bytes else cell.type


def field_cell(cell: Cell, name: str) -> Cell:
    cell = find(cell)
    if cell.blurred or cell.bytes:
        return cell
    known = cell.fields.get(name)
    if known is None:
        declared = cell.type.field_type(name) if isinstance(cell.type, Record) else None
        known = cell.fields[name] = new_cell(declared, cell.span)
        known.pointed = cell.pointed
        known.owners.append(cell)
        if isinstance(declared, Array) and not element_count(declared) and cell.odd:
            known.blurred, known.reason = True, "an array without a length at the end of a structure"
    return find(known)


def path_cell(cell: Cell, path: Path) -> Cell:
    for name in path:
        cell = field_cell(cell, name)
    return find(cell)


def parts(cell: Cell) -> Iterator[Cell]:
    """The cell and those of its members, at any depth."""
    seen: set[int] = set()
    pending = [find(cell)]
    while pending:
        current = find(pending.pop())
        if id(current) not in seen:
            seen.add(id(current))
            yield current
            pending.extend(current.fields.values())


def target_cell(cell: Cell) -> Cell:
    cell = find(cell)
    if cell.target is None:
        cell.target = Cell(span=cell.span, nullable=cell.blurred, unset=cell.blurred)
    return find(cell.target)


def ways_inside(cell: Cell, type: CType) -> list[Way]:
    """The pointers that a value of the type holds."""
    cell = find(cell)
    if cell.blurred:
        return [] if cell.target is None else [Way(find(cell.target), False)]
    if cell.bytes:
        return []
    return [
        Way(target_cell(path_cell(cell, leaf.path)), leaf.type.constant)
        for leaf in leaves(type)
        if isinstance(leaf.type, Pointer)
    ]


def mark_null(cell: Cell, *, unset: bool = False, written: bool = False) -> None:
    """All pointers in it may be null, or not even be set."""
    pending = [cell]
    while pending:
        place = find(pending.pop())
        if place.blurred or place.bytes:
            continue  # its pointers may be anything anyway, or it has none
        if isinstance(place.type, Record):
            pending.extend(field_cell(place, f.name) for f in place.type.places)
        elif isinstance(place.type, Pointer):
            place.written |= written
            target = target_cell(place)
            target.nullable, target.unset = True, target.unset or unset


def spread(cell: Cell) -> None:
    """A pointer to a structure is a way to its fields."""
    pending = [find(cell)]
    while pending:
        current = pending.pop()
        for child in list(current.fields.values()):
            child = find(child)
            child.pointed = child.pointed or current.pointed
            pending.append(child)


def unify(one: Cell, other: Cell, span: Span) -> None:
    """Whatever may be meant by either may be meant by both."""
    _unify_all([(one, other)], span)


def typed(cell: Cell, type: CType, span: Span) -> None:
    """What the cell stands for is used as the type."""
    type, root = base_element(type), find(cell)
    if isinstance(type, Void) or root.type is type or (root.smeared and (root.blurred or bytewise(type))):
        return
    unify(root, new_cell(type, span), span)


def blur(cell: Cell, reason: str, span: Span) -> None:
    """What is in it is not modelled, whoever reaches it."""
    root = find(cell)
    if not root.blurred:
        root.blurred, root.bytes, root.reason = True, False, reason
        _unify_all(_absorbed(root), span)


def member_cell(owner: Cell, record: CType, name: str, span: Span) -> Cell:
    """The cell of a member that is used; members of a union that differ blur it, if it is not kept as bytes."""
    owner = find(owner)
    if isinstance(record, Record) and not owner.bytes:
        type = record.field_type(name)
        if record.keeps_apart:
            # Read as a pointer, what was written as something else is any.
            mark_null(field_cell(owner, place_name(record, name)), unset=True)
        elif record.union and not record.keeps_apart and not same_layout(record.fields[0].type, type):
            blur(owner, f"{record}, whose members differ in layout", span)
        elif isinstance(type, Array) and not element_count(type) and not owner.odd:
            _mix(owner, "an array without a length at the end of a structure", span)
    return field_cell(owner, place_name(record, name))


def _mix(cell: Cell, reason: str, span: Span) -> None:
    """The object is used as something else than it is, all of which is known by its bytes."""
    root = find(cell)
    if not root.smeared and not root.blurred:
        root.smeared = root.bytes = True
        root.type, root.reason = BYTE, reason
        _unify_all(_absorbed(root), span)


def smear(cell: Cell, reason: str, span: Span) -> None:
    """The object is used as something else than it is: nothing in it is modelled."""
    root = find(cell)
    if not root.smeared or not root.blurred:
        root.smeared = root.blurred = True
        root.bytes = False
        root.reason = reason
        _unify_all(_absorbed(root), span)


def _unify_all(pending: list[tuple[Cell, Cell]], span: Span) -> None:
    while pending:
        left, right = (find(cell) for cell in pending.pop())
        if left is right:
            continue
        _settle_type(left, right, span)
        right.parent = left
        left.pointed |= right.pointed
        left.nullable |= right.nullable
        left.unset |= right.unset
        left.written |= right.written
        left.freed |= right.freed
        left.arithmetic |= right.arithmetic
        left.spanned |= right.spanned
        left.interior |= right.interior
        left.foreign |= right.foreign
        left.functions.update(right.functions)
        left.owners.extend(right.owners)
        if right.target is not None:
            if left.target is None:
                left.target = right.target
            else:
                pending.append((left.target, right.target))
        if left.blurred or left.bytes:
            pending.extend((left, child) for child in right.fields.values())
            pending.extend(_absorbed(left))
            continue
        for name, child in right.fields.items():
            if name in left.fields:
                pending.append((left.fields[name], child))
            else:
                left.fields[name] = child


def _absorbed(cell: Cell) -> list[tuple[Cell, Cell]]:
    """What is one with a cell that has no parts: its fields; if it is smeared, what it is a field of, too."""
    others, cell.fields = list(cell.fields.values()), {}
    if cell.smeared:
        others.extend(cell.owners)
        cell.owners = []
    if cell.target is not None:
        target = find(cell.target)
        target.nullable = target.unset = True
    return [(cell, other) for other in others]


def _settle_type(left: Cell, right: Cell, span: Span) -> None:
    """The first gets the type of both; if there is none, it is smeared."""
    one, other = left.type, right.type
    left.reason = left.reason or right.reason
    blurred, in_bytes = left.blurred or right.blurred, left.bytes or right.bytes
    left.smeared = left.smeared or right.smeared
    left.odd = left.odd or right.odd
    if one is None or other is None or _compatible(one, other):
        left.type = other if one is None else one
    else:
        # A part of what is blurred anyway; whoever uses it as something larger reaches what is around it.
        first = (left.blurred or left.bytes) and holds(one, other)
        second = (right.blurred or right.bytes) and holds(other, one)
        left.type = other if (second and not first) or isinstance(one, Function) else one
        if not first and not second and not left.smeared:
            left.smeared = True
            left.reason = f"{span}: memory used both as {_told(one, other)} and as {_told(other, one)}"
    left.blurred = blurred or ((left.smeared or in_bytes) and left.odd)
    left.bytes = (left.smeared or in_bytes) and not left.blurred
    if left.bytes and left.smeared:
        left.type = BYTE


def unify_contents(one: Cell, other: Cell, type: CType, span: Span) -> None:
    """After a copy between two places of a type, their pointers may be equal."""
    pending = [(one, other, base_element(type))]
    while pending:
        left, right, current = pending.pop()
        if isinstance(current, Pointer):
            find(left).written = find(right).written = True
            unify(target_cell(left), target_cell(right), span)
        elif isinstance(current, Record) and not uniform(current):
            _unify_unions(left, right, current, span)
        elif isinstance(current, Record):
            pending.extend(
                (field_cell(left, f.name), field_cell(right, f.name), base_element(f.type)) for f in current.places
            )


def _unify_unions(one: Cell, other: Cell, union: Record, span: Span) -> None:
    """Whatever member is meant: if there may be pointers in it, neither place is modelled."""
    if any(isinstance(leaf.type, Pointer) for field in union.fields for leaf in leaves(field.type)):
        for cell in (one, other):
            blur(cell, f"{union}, whose members differ in layout", span)
        unify(target_cell(one), target_cell(other), span)


def _compatible(one: CType, other: CType) -> bool:
    if isinstance(one, Integer) and isinstance(other, Integer):
        return one.machine.bits == other.machine.bits
    if isinstance(one, Pointer | Function | Floating | Truth):
        return type(one) is type(other)
    return one == other


def holds(outer: CType, inner: CType) -> bool:
    """Whether the one is a part of the other, or all of it."""
    pending = [outer]
    while pending:
        type = base_element(pending.pop())
        if _compatible(type, inner):
            return True
        if isinstance(type, Record):
            pending.extend(field.type for field in type.fields)
    return False


def _told(type: CType, beside: CType) -> str:
    """A type by name; if that is the other's name too, with the place where it is declared."""
    return f"{type} of {type.span}" if isinstance(type, Record) and str(type) == str(beside) else str(type)
