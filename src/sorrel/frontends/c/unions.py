"""Unions whose members differ in layout and are no whole integers: each layout is kept in a place of its own.

`union { double number; char *text; }` is kept as a structure of its members and of a number that says which of them was
written last. What is read is what was written last, if it was written so; otherwise it is any value, which no claim may
rest on. A write changes the number, so that it does not matter what the other places hold; where all is zero, so is
each member. This is for members that are single numbers or pointers, whose addresses nobody takes: who writes through
a pointer to a member does not know of the union.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from sorrel.frontends.c import syntax
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import Floating, Ieee, Integer, Pointer, Record, Truth, bytewise, same_layout
from sorrel.program.creation import THREAD_BEGIN


def keep_apart(linked: Linked, settings: CSettings, records: Iterable[Iterable[Record]]) -> None:
    """Marks those of the program, where its runs begin with `main` and have no threads."""
    threads = any(function.name == THREAD_BEGIN for function in linked.reached)
    if settings.is_from_outside or settings.unset or settings.races or threads:
        return
    found = {id(each.representative): each.representative for each in chain(*records) if _is_mixed(each.representative)}
    roots: list[Node] = [each.body for each in linked.reached if each.body is not None]
    roots += [each.initializer for each in linked.reached_variables if each.initializer is not None]
    for root in roots if found else ():
        for node in syntax.nodes(root):
            if isinstance(node, syntax.AddressOf) and isinstance(node.operand, syntax.Member):
                record = node.operand.record
                if isinstance(record, Record):
                    found.pop(id(record.representative), None)
    for record in found.values():
        record.apart = True


def _is_mixed(record: Record) -> bool:
    """Whether it has single numbers or pointers of several layouts, and not only whole integers."""
    if not record.union or not record.complete or not record.fields or bytewise(record):
        return False
    types = [each.type for each in record.fields]
    scalar = all(isinstance(each, Integer | Truth | Ieee | Floating | Pointer) for each in types)
    whole = not any(isinstance(each, Integer) and each.is_cut for each in types)
    return scalar and whole and not all(same_layout(types[0], each) for each in types)
