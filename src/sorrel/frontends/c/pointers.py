"""Arithmetic on pointers, and their comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorrel.frontends.c.comparison import PointerComparison
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import (
    exact,
    from_truth,
    minus,
    number,
    opposite,
    plus,
    times,
    to_type,
)
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import Function, Integer, Pointer, Truth, Void, element_count
from sorrel.frontends.c.values import PointerValue, Value, is_expression
from sorrel.model.errors import Span
from sorrel.program.expression import COMPARISONS, Binary, Expression, Operator

if TYPE_CHECKING:
    from sorrel.frontends.c.expressions import Expressions


def moved(pointer: PointerValue, steps: Expression, type: Pointer, span: Span) -> PointerValue:
    """The pointer so many elements further on."""
    if pointer.cell is None:
        raise Unsupported("arithmetic on a null pointer", span)
    if isinstance(type.target, Void | Function):
        raise Unsupported(f"arithmetic on a pointer to {type.target}", span)
    width = element_count(type.target)
    if width is None:
        raise Unsupported("a pointer to an array of variable length", span)
    return PointerValue(pointer.cell, pointer.object, plus(pointer.offset, times(exact(steps), number(width))))


class PointerArithmetic:
    """Sums and differences of pointers and numbers, and comparisons of pointers into one object."""

    def __init__(self, context: Context, memory: Memory, expressions: Expressions) -> None:
        self._expressions = expressions
        self._comparison = PointerComparison(context, memory, expressions.size_of)

    def result(self, node: Node, operator: Operator) -> Value:
        left, right = node.children
        if operator in (Operator.ADD, Operator.SUBTRACT):
            if isinstance(right.type, Integer | Truth):
                pointer, steps = self._expressions.keeping.sequence(
                    [lambda: self._expressions.value(left), lambda: self._expressions.scalar(right)], node.span
                )
            elif isinstance(left.type, Integer | Truth):
                steps, pointer = self._expressions.keeping.sequence(
                    [lambda: self._expressions.scalar(left), lambda: self._expressions.value(right)], node.span
                )
            else:
                return self._difference(node)
            assert isinstance(node.type, Pointer)
            assert isinstance(pointer, PointerValue)
            assert is_expression(steps)
            step = exact(steps)
            return moved(pointer, step if operator is Operator.ADD else minus(number(0), step), node.type, node.span)
        if operator not in COMPARISONS:
            raise Unsupported(f"the operator {operator} on pointers", node.span)
        assert isinstance(node.type, Integer)
        return from_truth(self._pointer_comparison(node, operator), node.type)

    def _two_pointers(self, node: Node) -> tuple[PointerValue, PointerValue]:
        left, right = node.children
        one, other = self._expressions.keeping.sequence(
            [lambda: self._as_pointer(left), lambda: self._as_pointer(right)], node.span
        )
        assert isinstance(one, PointerValue)
        assert isinstance(other, PointerValue)
        return one, other

    def _as_pointer(self, node: Node) -> Value:
        return self._expressions.value(node) if isinstance(node.type, Pointer) else self._expressions.to_pointer(node)

    def _pointer_comparison(self, node: Node, operator: Operator) -> Expression:
        one, other = self._two_pointers(node)
        if operator in (Operator.EQUAL, Operator.DIFFERENT):
            same = self._comparison.equal(one, other, node.span)
            return same if operator is Operator.EQUAL else opposite(same)
        return self._comparison.ordered(operator, one, other, node.span)

    def _difference(self, node: Node) -> Value:
        one, other = self._two_pointers(node)
        left = node.children[0]
        assert isinstance(left.type, Pointer)
        width = element_count(left.type.target) or 1
        distance = self._comparison.distance(one, other, left.type.target, node.span)
        if width != 1:
            distance = Binary(Operator.DIVIDE, distance, number(width), distance.type)
        return to_type(distance, node.type)
