"""Two values of which a condition chooses one, as one value: where both are built in the same way."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.encode.refinement.values import Built, Nothing, Scalar, Several, Sized, Text, Value
from sorrel.logic import operations
from sorrel.logic.terms import Term


def either(condition: Term, one: Value, other: Value) -> Value | None:
    """`one` if the condition holds, else `other`; None where that is no value of one kind."""
    if one is other:
        return one
    match one, other:
        case Nothing(), Nothing():
            return one
        case Scalar(first), Scalar(second):
            return Scalar(operations.ite(condition, first, second))
        case Text(first, content), Text(second, same):
            return Text(operations.ite(condition, first, second), content if content == same else None)
        case Several(first_items), Several(second_items):
            items = _all(condition, first_items, second_items)
            return None if items is None else Several(items)
        case Built(name, first_arguments, type), Built(same_name, second_arguments) if name == same_name:
            arguments = _all(condition, first_arguments, second_arguments)
            return None if arguments is None else Built(name, arguments, type)
        case Sized(), Sized() if one.parts is other.parts:
            tag = None if one.tag is None or other.tag is None else operations.ite(condition, one.tag, other.tag)
            pairs = zip(one.measured, other.measured, strict=True)
            measured = tuple(operations.ite(condition, first, second) for first, second in pairs)
            return Sized(operations.ite(condition, one.size, other.size), tag, one.parts, one.type, measured)
        case _:
            return None


def _all(condition: Term, some: Sequence[Value], others: Sequence[Value]) -> tuple[Value, ...] | None:
    pairs = zip(some, others, strict=True)
    found = [each for pair in pairs if (each := either(condition, *pair)) is not None]
    return tuple(found) if len(found) == len(some) else None
