"""Types of conditional expressions and of numbers that fit into smaller ones."""

from __future__ import annotations

from sorrel.frontends.java.context import Value
from sorrel.frontends.java.types import (
    MACHINES,
    NULL,
    JavaType,
    Primitive,
    is_numeric,
    is_reference,
    promoted,
    unboxed,
)
from sorrel.program.expression import Constant


def plain_type(type: JavaType) -> JavaType | None:
    return None if type == NULL else type


def common_type(then: Value, otherwise: Value, expected: JavaType | None) -> JavaType:
    """The type of a conditional expression (JLS 15.25)."""
    one, other = then.type, otherwise.type
    if one == other:
        return one
    if is_reference(one) and is_reference(other):
        return other if one == NULL else one
    left, right = unboxed(one), unboxed(other)
    if left == right:
        return left
    if {left, right} == {Primitive.BYTE, Primitive.SHORT}:
        return Primitive.SHORT
    if is_numeric(left) and is_numeric(right):
        return narrow_type(then, right) or narrow_type(otherwise, left) or promoted(left, right)
    if expected is None:
        return other if is_reference(other) else one
    return expected


def narrow_type(value: Value, other: JavaType) -> JavaType | None:
    """A constant int that fits into the smaller type of the other side has that type."""
    machine = MACHINES.get(other) if isinstance(other, Primitive) else None
    is_small = other in (Primitive.BYTE, Primitive.SHORT, Primitive.CHAR) and machine is not None
    constant = value.expression
    if not (is_small and machine and value.type == Primitive.INT and isinstance(constant, Constant)):
        return None
    return other if machine.contains(int(constant.value)) else None
