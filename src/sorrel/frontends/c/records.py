"""Structures and unions of several files: those that are declared alike are one type (C17 6.2.7)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from sorrel.frontends.c.types import Array, CType, Function, Integer, Pointer, Record


def unify_records(units: Iterable[Iterable[Record]]) -> None:
    """One type for the records of different files that have the same tag and the same members.

    To be called when all files are read, since a record may get its members late. Where one file only announces a
    record it gets the members that another gives it.
    """
    earlier: dict[tuple[bool, str], list[Record]] = {}
    everything: list[Record] = []
    for records in units:
        of_unit = list(records)
        for record in of_unit:
            for other in earlier.get((record.union, record.name), ()):
                if record == other or _unify(record, other):
                    break
        for record in of_unit:
            earlier.setdefault((record.union, record.name), []).append(record)
        everything.extend(of_unit)
    for record in everything:
        whole = record.representative
        record.fields, record.complete, record.size = whole.fields, whole.complete, whole.size


def _unify(one: Record, other: Record) -> bool:
    """Makes one type of two, and of all that they are made of, if they are compatible."""
    pairs: list[tuple[Record, Record]] = []
    if not _compatible(one, other, pairs):
        return False
    for left, right in pairs:
        left.merge(right)
    return True


def _compatible(one: CType, other: CType, pairs: list[tuple[Record, Record]]) -> bool:
    """Whether two types are, if all records in `pairs` are; those that this takes are added."""
    pending = [(one, other)]
    while pending:
        left, right = pending.pop()
        match left, right:
            case Record(), Record():
                left, right = left.representative, right.representative
                if left is right or any(left is mine and right is theirs for mine, theirs in pairs):
                    continue
                if not _alike(left, right):
                    return False
                pairs.append((left, right))
                if left.complete and right.complete:
                    pending.extend(
                        (mine.type, theirs.type) for mine, theirs in zip(left.fields, right.fields, strict=True)
                    )
            case Pointer(), Pointer():
                pending.append((left.target, right.target))
            case Array(), Array() if left.length == right.length:
                pending.append((left.element, right.element))
            case Function(), Function() if len(left.parameters) == len(right.parameters):
                pending.append((left.result, right.result))
                pending.extend(zip(left.parameters, right.parameters, strict=True))
            case Integer(), Integer() if left.machine == right.machine and left.rank == right.rank:
                continue
            case _:
                if left != right:
                    return False
    return True


def _alike(one: Record, other: Record) -> bool:
    """By tag, size and the names and places of the members."""
    named = one.name == other.name or (one.nameless and other.nameless)
    if one.union != other.union or not named:
        return False
    if not one.complete or not other.complete:
        return True
    mine, theirs = ([(field.name, field.offset) for field in record.fields] for record in (one, other))
    return one.size == other.size and mine == theirs


def keep_as_declared(files: Iterable[Iterable[Record]]) -> None:
    """Nothing is kept in another way any more: that was for one program."""
    for record in chain(*files):
        record.as_bytes, record.unmodelled, record.apart = False, "", False
