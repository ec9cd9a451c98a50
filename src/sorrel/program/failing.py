"""Why an access fails: the index and the length that it is compared with, or a pointer that is null."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sorrel.program.expression import Binary, Constant, Expression, Operator
from sorrel.program.value import Value

NULL, NOWHERE = "the pointer is null", "the pointer is null or leads to no object"
_EQUAL_OR_MORE = (Operator.EQUAL, Operator.DIFFERENT, Operator.MORE)


def reason(condition: Expression, value: Callable[[Expression], Value]) -> str:
    """In words, of a condition that is false in some state; nothing if it is not one about a place in memory.

    Conditions say that an index is at least 0 and less than a length, of one object or of each that the pointer may
    lead to, and that it leads to one.
    """
    if isinstance(condition, Constant):
        return NOWHERE
    for index, length in _bounds(condition, value):
        return f"index {value(index)}, length {value(length)}"
    compared = [each.left for each in _parts(condition) if each.operator in _EQUAL_OR_MORE]
    return NULL if compared and all(value(each) == 0 for each in compared) else ""


def _bounds(condition: Expression, value: Callable[[Expression], Value]) -> Iterator[tuple[Expression, Expression]]:
    """Pairs of index and length of which 0 <= index < length is false, of the object that is meant."""
    if not isinstance(condition, Binary):
        return
    left, right = condition.left, condition.right
    if condition.operator is Operator.OR:
        yield from _bounds(left, value)
        yield from _bounds(right, value)
    elif condition.operator is Operator.AND:
        if _is_at_least_zero(left) and isinstance(right, Binary) and right.operator is Operator.LESS:
            if not value(condition):
                yield right.left, right.right
            return
        yield from _bounds(left, value)
        if value(left):
            yield from _bounds(right, value)
    elif condition.operator is Operator.LESS and not value(condition):
        yield left, right


def _is_at_least_zero(condition: Expression) -> bool:
    return (
        isinstance(condition, Binary)
        and condition.operator is Operator.AT_LEAST
        and isinstance(condition.right, Constant)
        and condition.right.value == 0
    )


def _parts(condition: Expression) -> Iterator[Binary]:
    """The comparisons that it is made of."""
    pending = [condition]
    while pending:
        each = pending.pop()
        if isinstance(each, Binary):
            if each.operator in (Operator.AND, Operator.OR):
                pending += (each.left, each.right)
            else:
                yield each
