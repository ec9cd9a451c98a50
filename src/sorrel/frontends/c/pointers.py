"""Arithmetic on pointers, and their comparison."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import find
from sorrel.frontends.c.comparison import PointerComparison
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import (
    compare,
    either,
    exact,
    from_truth,
    minus,
    number,
    opposite,
    plus,
    times,
    to_type,
)
from sorrel.frontends.c.types import Function, Integer, Pointer, Truth, element_count, width
from sorrel.frontends.c.values import PointerValue, Value, is_expression
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import TRUE
from sorrel.program.expression import COMPARISONS, Binary, Expression, Operator


def moved(pointer: PointerValue, steps: Expression, type: Pointer, span: Span) -> PointerValue:
    """The pointer so many elements further on."""
    if pointer.cell is None:
        return pointer  # nothing is there, wherever that is
    if find(pointer.cell).blurred:
        return pointer
    if isinstance(type.target, Function):
        raise Unsupported(f"arithmetic on a pointer to {type.target}", span)
    step = width(type.target, in_bytes=find(pointer.cell).bytes)
    if step is None:
        raise Unsupported("a pointer to an array of variable length", span)
    return PointerValue(pointer.cell, pointer.object, plus(pointer.offset, times(exact(steps), number(step))))


class PointerArithmetic:
    """Sums and differences of pointers and numbers, and comparisons of pointers into one object."""

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._comparison = PointerComparison(context, memory, evaluator.size_of)

    def result(self, node: syntax.Binary) -> Value:
        if node.operator in COMPARISONS:
            if not isinstance(node.type, Integer):
                raise InternalError(f"{node.span}: a comparison of type {node.type}")
            return from_truth(self._compared(node), node.type)
        if node.operator not in (Operator.ADD, Operator.SUBTRACT):
            raise Unsupported(f"the operator {node.operator} on pointers", node.span)
        left, right = node.left, node.right
        if isinstance(right.type, Integer | Truth):
            pointer, steps = self._evaluator.keeping.sequence(
                [lambda: self._evaluator.value(left), lambda: self._evaluator.scalar(right)], node.span
            )
        elif isinstance(left.type, Integer | Truth):
            steps, pointer = self._evaluator.keeping.sequence(
                [lambda: self._evaluator.scalar(left), lambda: self._evaluator.value(right)], node.span
            )
        else:
            return self._difference(node)
        if not isinstance(pointer, PointerValue) or not is_expression(steps) or not isinstance(node.type, Pointer):
            raise Unsupported("this sum of a pointer and a number", node.span)
        step = exact(steps)
        forwards = node.operator is Operator.ADD
        return moved(pointer, step if forwards else minus(number(0), step), node.type, node.span)

    def _two_pointers(self, node: syntax.Binary) -> tuple[PointerValue, PointerValue]:
        one, other = self._evaluator.keeping.sequence(
            [lambda: self._evaluator.to_pointer(node.left), lambda: self._evaluator.to_pointer(node.right)], node.span
        )
        if not isinstance(one, PointerValue) or not isinstance(other, PointerValue):
            raise Unsupported("this pointer", node.span)
        return one, other

    def _compared(self, node: syntax.Binary) -> Expression:
        one, other = self._two_pointers(node)
        if node.operator in (Operator.EQUAL, Operator.DIFFERENT):
            same = self._comparison.equal(one, other, node.span)
            return same if node.operator is Operator.EQUAL else opposite(same)
        return self._comparison.ordered(node.operator, one, other, node.span)

    def _difference(self, node: syntax.Binary) -> Value:
        one, other = self._two_pointers(node)
        type = node.left.type
        if not isinstance(type, Pointer):
            raise Unsupported("this difference of pointers", node.span)
        many = element_count(type.target) or 1
        distance = self._comparison.distance(one, other, type.target, node.span)
        if many != 1:
            distance = Binary(Operator.DIVIDE, distance, number(many), distance.type)
        return to_type(distance, node.type)


def distance(one: PointerValue, other: PointerValue) -> tuple[Expression, Expression] | None:
    """Whether both point into one object, and how many elements apart; None if they cannot."""
    if one.cell is None or other.cell is None or find(one.cell) is not find(other.cell):
        return None
    same: Expression = TRUE
    if one.object is not None and other.object is not None:
        same = compare(Operator.EQUAL, one.object, other.object)
    return same, minus(one.offset or number(0), other.offset or number(0))


def demand_separate(
    context: Context, same: Expression, apart: Expression, counts: tuple[Expression, Expression], span: Span
) -> None:
    """Blocks of so many elements do not overlap, if they are in the `same` object and so far `apart`."""
    one, other = counts
    after = compare(Operator.AT_LEAST, apart, other)
    before = compare(Operator.AT_MOST, apart, minus(number(0), one))
    context.check(either(opposite(same), either(after, before)), "blocks that overlap", span)
