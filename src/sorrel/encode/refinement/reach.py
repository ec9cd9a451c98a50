"""What values contain and reach: their parts, what their functions captured, the references that they can use."""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import (
    Built,
    Closed,
    Copied,
    Elements,
    Foreign,
    OneOf,
    Reference,
    Scalar,
    Several,
    Sized,
    Text,
    Typed,
    Value,
)
from sorrel.logic import terms, walk
from sorrel.logic.operations import ite
from sorrel.logic.terms import Term as Formula
from sorrel.logic.terms import integer


def contained(value: Value) -> list[Value]:
    """The value and its parts; what functions have captured is no part of them."""
    found = [value]
    for each in found:
        match each:
            case Several(items) | Built(_, items):
                found.extend(items)
            case OneOf(_, arguments):
                found.extend(part for parts in arguments.values() for part in parts)
            case _:
                pass
    return found


def reached(values: list[Value], trail: Trail | None = None) -> list[Value]:
    """The values, and those that their functions have captured."""
    found: list[Value] = []
    seen: set[int] = set()
    stack = list(reversed(values))
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        found.append(value)
        match value:
            case Several(items) | Built(_, items):
                stack.extend(reversed(items))
            case Closed(_, environment, given):
                stack.extend([*reversed(given), *reversed(list(environment.values()))])
            case Copied(_, environment):
                stack.extend(reversed(list(environment.values())))
            case Typed(_, given) | Foreign(_, given):
                stack.extend(reversed(given))
            case Reference(int(cell), _) if trail is not None:
                stack.append(trail.store[cell])
            case OneOf(_, arguments):
                stack.extend(part for each in arguments.values() for part in reversed(each))
            case _:
                pass
    return found


def variables(values: Iterable[Value]) -> tuple[Formula, ...]:
    """The variables that the values speak of, each once: what a type that stands here may mention."""
    found: dict[int, Formula] = {}
    for value in reached(list(values)):
        for term in _own_terms(value):
            for variable in walk.free_variables(term):
                found.setdefault(terms.identity(variable), variable)
        if isinstance(value, Typed):
            for term in value.refinement.takes.scope:
                for variable in walk.free_variables(term):
                    found.setdefault(terms.identity(variable), variable)
    return tuple(found.values())


def captured(value: Value) -> tuple[Formula, ...]:
    """The numbers that a function has captured, as far as they are at hand."""
    found: list[Formula] = []
    for each in reached([value]):
        found += each.ghosts if isinstance(each, Typed) else _own_terms(each)
    numbers = [ite(t, integer(1), integer(0)) if terms.is_boolean(t) else t for t in found]
    return tuple({terms.identity(each): each for each in numbers if not terms.is_value(each)}.values())


def _own_terms(value: Value) -> list[Formula]:
    match value:
        case Scalar(term):
            return [term]
        case Text(length) | Elements(length):
            return [length]
        case Sized(size, tag):
            return [size, *([] if tag is None else [tag]), *value.measured]
        case OneOf(tag):
            return [tag]
        case _:
            return []


def cells_of(values: list[Value], trail: Trail) -> tuple[int, ...]:
    """The references that are followed and that the values can reach, functions that have types included."""
    found: dict[int, None] = {}
    for value in reached(list(values), trail if trail.store else None):
        if isinstance(value, Reference) and value.cell is not None:
            found[value.cell] = None
        if isinstance(value, Typed):
            found.update(dict.fromkeys(value.refinement.cells))
    return tuple(found)
