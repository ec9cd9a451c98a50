"""Unions whose members differ in layout and are no whole integers: each layout is kept in a place of its own.

`union { double number; char *text; }` is kept as a structure of its members and of a number that says which of them was
written last. What is read is what was written last, if it was written so; otherwise it is any value, which no claim may
rest on. A write changes the number, so that it does not matter what the other places hold; where all is zero, so is
each member. A pointer that is read where its bytes were written otherwise may be any that is in some union: all of them
lead to one type, and what they lead to is one region (`PointsTo`). This is for small members without unions inside,
whose addresses nobody takes: who writes through a pointer to a member does not know of the union.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sorrel.frontends.c import syntax
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.syntax import Node, converted_from
from sorrel.frontends.c.types import (
    Array,
    CType,
    Function,
    Ieee,
    Integer,
    Pointer,
    Record,
    Truth,
    base_element,
    bytewise,
    element_count,
    leaves,
    same_layout,
)
from sorrel.program.creation import THREAD_BEGIN

MOST_PARTS = 8
"""Of a member: where one of them is written after another member was, the others are any value."""


def keep_apart(linked: Linked, settings: CSettings, records: Iterable[Iterable[Record]]) -> None:
    """Marks those of the program, where its runs begin with `main` and have no threads."""
    threads = any(function.name == THREAD_BEGIN for function in linked.reached)
    if settings.is_from_outside or settings.unset or settings.races or threads:
        return
    found = {id(each.representative): each.representative for each in chain(*records) if _is_mixed(each.representative)}
    roots: list[Node] = [each.body for each in linked.reached if each.body is not None]
    roots += [each.initializer for each in linked.reached_variables if each.initializer is not None]
    for root in roots if found else ():
        for record in _with_addresses(root):
            found.pop(id(record.representative), None)
    targets = {target for each in found.values() for target in _targets(each)}
    for record in found.values():
        record.apart = len(targets) < 2 or not _targets(record)


def _with_addresses(root: Node) -> Iterator[Record]:
    """Structures and unions of whose parts an address is taken: with `&`, or of an array that is not just indexed."""
    indexed: set[int] = set()
    for node in syntax.nodes(root):
        if isinstance(node, syntax.Subscript):
            pointer = node.pointer
            while isinstance(pointer, syntax.ImplicitConversion):
                indexed.add(id(pointer))
                pointer = pointer.operand
        elif isinstance(node, syntax.AddressOf) or (
            isinstance(node, syntax.Conversion) and isinstance(node.operand.type, Array) and id(node) not in indexed
        ):
            yield from _around(node.operand)


def _around(place: syntax.Expression) -> Iterator[Record]:
    """What the place is a part of, up to the variable or the pointer that it begins with."""
    while True:
        match place:
            case syntax.Member(owner=owner):
                if isinstance(place.record, Record):
                    yield place.record
                if isinstance(owner.type, Pointer):
                    return
                place = owner
            case syntax.Subscript(pointer=pointer) if isinstance(converted_from(pointer).type, Array):
                place = converted_from(pointer)
            case syntax.ImplicitConversion(operand=operand):
                place = operand
            case _:
                return


def _targets(record: Record) -> set[CType]:
    """What pointers in it lead to."""
    inside = [leaf.type for each in record.fields for leaf in leaves(each.type)]
    return {type.target for type in inside if isinstance(type, Pointer)}


def _is_mixed(record: Record) -> bool:
    """Whether it has members of several layouts, all small and simple, and not only whole integers."""
    if not record.union or not record.complete or not record.fields or bytewise(record):
        return False
    types = [each.type for each in record.fields]
    return all(map(_is_simple, types)) and not all(same_layout(types[0], each) for each in types)


def _is_simple(type: CType) -> bool:
    """Whether it consists of few numbers and pointers, with no union among them and nothing narrower than a byte."""
    pending, parts = [(type, 1)], 0
    while pending:
        current, count = pending.pop()
        count *= element_count(current) or 0
        current = base_element(current)
        if isinstance(current, Record) and not current.union and current.complete and count:
            pending.extend((each.type, count) for each in current.fields)
        elif isinstance(current, Pointer) and isinstance(current.target, Function):
            return False
        elif isinstance(current, Integer | Truth | Ieee | Pointer) and count:
            parts += count
            if isinstance(current, Integer) and current.is_cut:
                return False
        else:
            return False
    return 0 < parts <= MOST_PARTS
