"""Cells: what pointers may point to, one for all places that one name or one pointer may mean.

All elements of an array share a cell; each field of a structure has its own. Two cells that one pointer may lead to are
made one (Steensgaard, Points-to analysis in almost linear time, POPL 1996).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.types import (
    CType,
    Floating,
    Function,
    Integer,
    Path,
    Pointer,
    Record,
    Truth,
    base_element,
    leaves,
)
from sorrel.model.errors import Span


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
    foreign: bool = False  # a pointer here may come from outside, and mean what no name of the program means
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


def field_cell(cell: Cell, name: str) -> Cell:
    cell = find(cell)
    known = cell.fields.get(name)
    if known is None:
        type = None
        if isinstance(cell.type, Record):
            type = base_element(cell.type.field_type(name))
        known = cell.fields[name] = Cell(type=type, pointed=cell.pointed, span=cell.span)
    return find(known)


def path_cell(cell: Cell, path: Path) -> Cell:
    for name in path:
        cell = field_cell(cell, name)
    return find(cell)


def target_cell(cell: Cell) -> Cell:
    cell = find(cell)
    if cell.target is None:
        cell.target = Cell(span=cell.span)
    return find(cell.target)


def ways_inside(cell: Cell, type: CType) -> list[Way]:
    """The pointers that a value of the type holds."""
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
    pending = [(one, other)]
    while pending:
        left, right = (find(cell) for cell in pending.pop())
        if left is right:
            continue
        left.type = agreed(left.type, right.type, span)
        right.parent = left
        left.pointed |= right.pointed
        left.nullable |= right.nullable
        left.unset |= right.unset
        left.written |= right.written
        left.freed |= right.freed
        left.arithmetic |= right.arithmetic
        left.foreign |= right.foreign
        left.functions.update(right.functions)
        if right.target is not None:
            if left.target is None:
                left.target = right.target
            else:
                pending.append((left.target, right.target))
        for name, child in right.fields.items():
            if name in left.fields:
                pending.append((left.fields[name], child))
            else:
                left.fields[name] = child


def unify_contents(one: Cell, other: Cell, type: CType, span: Span) -> None:
    """After a copy between two places of a type, their pointers may be equal."""
    pending = [(one, other, base_element(type))]
    while pending:
        left, right, current = pending.pop()
        if isinstance(current, Pointer):
            find(left).written = find(right).written = True
            unify(target_cell(left), target_cell(right), span)
        elif isinstance(current, Record):
            pending.extend(
                (field_cell(left, f.name), field_cell(right, f.name), base_element(f.type)) for f in current.places
            )


def _compatible(one: CType, other: CType) -> bool:
    if isinstance(one, Integer) and isinstance(other, Integer):
        return one.machine.bits == other.machine.bits
    if isinstance(one, Pointer | Function | Floating | Truth):
        return type(one) is type(other)
    return one == other


def _told(type: CType, beside: CType) -> str:
    """A type by name; if that is the other's name too, with the place where it is declared."""
    return f"{type} of {type.span}" if isinstance(type, Record) and str(type) == str(beside) else str(type)


def agreed(one: CType | None, other: CType | None, span: Span) -> CType | None:
    """One type for what two pointers point to: memory is not reinterpreted."""
    if one is None or other is None:
        return one if other is None else other
    if not _compatible(one, other):
        raise Unsupported(f"memory used both as {_told(one, other)} and as {_told(other, one)}", span)
    return one
