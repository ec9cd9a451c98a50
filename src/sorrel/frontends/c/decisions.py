"""What C evaluates only sometimes: the operands of `&&`, `||` and `?:`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sorrel.frontends.c.context import Context
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import both, choose, either, opposite, to_type
from sorrel.frontends.c.purity import has_effects
from sorrel.frontends.c.syntax import Node, NodeKind, stripped
from sorrel.frontends.c.types import CType, Integer, Record, Truth, Void
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    PointerValue,
    StructureValue,
    Unknown,
    Value,
    is_expression,
)
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Expression, Variable
from sorrel.program.types import BOOLEAN

if TYPE_CHECKING:
    from sorrel.frontends.c.expressions import Expressions


class Decisions:
    """An operand that changes nothing is evaluated under a guard, one that does in a branch of its own."""

    def __init__(self, context: Context, memory: Memory, expressions: Expressions) -> None:
        self._context = context
        self._memory = memory
        self._expressions = expressions

    def branch(self, node: Node, then: str, otherwise: str, span: Span) -> None:
        """Goes on at one of two labels; what is only evaluated sometimes and changes something becomes branches."""
        node = stripped(node)
        builder = self._context.builder
        if node.kind is NodeKind.UNARY and node.operator == "!":
            self.branch(node.children[0], otherwise, then, span)
        elif node.kind is NodeKind.BINARY and node.operator in ("&&", "||") and has_effects(node.children[1]):
            middle = builder.label("and" if node.operator == "&&" else "or")
            if node.operator == "&&":
                self.branch(node.children[0], middle, otherwise, span)
            else:
                self.branch(node.children[0], then, middle, span)
            builder.start(middle)
            self.branch(node.children[1], then, otherwise, span)
        else:
            builder.branch(self._expressions.condition(node), then, otherwise, span)

    def logical(self, node: Node) -> Expression:
        left, right = node.children
        conjunction = node.operator == "&&"
        if has_effects(right):
            return self._by_branches(node)
        one = self._expressions.condition(left)
        self._context.push_guard(one if conjunction else opposite(one))
        other = self._expressions.condition(right)
        self._context.pop_guard()
        return both(one, other) if conjunction else either(one, other)

    def _by_branches(self, node: Node) -> Expression:
        builder, result = self._context.builder, self._context.temporary("truth", BOOLEAN)
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(node, yes, no, node.span)
        for label, value in ((yes, TRUE), (no, FALSE)):
            builder.start(label)
            self._context.assign(result, value, node.span)
            builder.goto(after)
        builder.start(after)
        return result

    def logical_effect(self, node: Node) -> None:
        builder = self._context.builder
        right, after = builder.label("right"), builder.label("after")
        if node.operator == "&&":
            self.branch(node.children[0], right, after, node.span)
        else:
            self.branch(node.children[0], after, right, node.span)
        builder.start(right)
        self._expressions.effect(node.children[1])
        builder.start(after)

    def conditional_effect(self, node: Node) -> None:
        condition, then, otherwise = node.children
        if self._expressions.calls.fails_assertion(otherwise) and not has_effects(then):
            self._expressions.calls.assertion(condition, otherwise, node.span)
            return
        builder = self._context.builder
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(condition, yes, no, node.span)
        builder.start(yes)
        self._expressions.effect(then)
        builder.goto(after)
        builder.start(no)
        self._expressions.effect(otherwise)
        builder.start(after)

    def conditional(self, node: Node) -> Value:
        condition, then, otherwise = node.children
        if isinstance(node.type, Void):
            self.conditional_effect(node)
            return UNKNOWN
        if has_effects(then) or has_effects(otherwise) or isinstance(node.type, Record):
            return self._chosen_by_branches(node)
        test = self._expressions.condition(condition)
        self._context.push_guard(test)
        one = self._expressions.converted(then, node.type)
        self._context.pop_guard()
        self._context.push_guard(opposite(test))
        other = self._expressions.converted(otherwise, node.type)
        self._context.pop_guard()
        return self._chosen(test, one, other, node)

    def _chosen(self, test: Expression, one: Value, other: Value, node: Node) -> Value:
        if isinstance(one, Unknown) or isinstance(other, Unknown):
            return UNKNOWN
        if isinstance(one, PointerValue) and isinstance(other, PointerValue):
            cell = one.cell if one.cell is not None else other.cell
            if cell is None:
                return one
            left, right = self._memory.fitted(one, cell, node.span), self._memory.fitted(other, cell, node.span)
            pairs = zip(self._memory.components(left), self._memory.components(right), strict=True)
            return self._memory.pointer(cell, tuple(choose(test, a, b) for a, b in pairs))
        assert is_expression(one)
        assert is_expression(other)
        return choose(test, one, other)

    def _chosen_by_branches(self, node: Node) -> Value:
        """Each side stores its value; which variables that takes is known when both are."""
        condition, then, otherwise = node.children
        builder = self._context.builder
        yes, no = builder.label("yes"), builder.label("no")
        self.branch(condition, yes, no, node.span)
        return self._one_of_two(yes, lambda: self._expressions.converted(then, node.type), no, otherwise, node)

    def _one_of_two(self, yes: str, then: Callable[[], Value], no: str, otherwise: Node, node: Node) -> Value:
        """The value that comes from either of two labels."""
        builder = self._context.builder
        after = builder.label("after")
        builder.start(yes)
        first = then()
        end_of_first = builder.leave(no)
        second = self._expressions.converted(otherwise, node.type)
        results = self._meeting(first, second, node)
        for target, _, other in results:
            self._context.assign(target, other, node.span)
        builder.goto(after)
        builder.resume(end_of_first)
        for target, one, _ in results:
            self._context.assign(target, one, node.span)
        builder.goto(after)
        builder.start(after)
        return self._met(first, second, [target for target, _, _ in results], node)

    def _meeting(self, one: Value, other: Value, node: Node) -> list[tuple[Variable, Expression, Expression]]:
        left, right = self._flattened(one, other, node), self._flattened(other, one, node)
        return [(self._context.temporary("choice", a.type), a, b) for a, b in zip(left, right, strict=True)]

    def _flattened(self, value: Value, other: Value, node: Node) -> list[Expression]:
        if isinstance(value, Unknown) or isinstance(other, Unknown):
            return []
        if isinstance(value, PointerValue) and isinstance(other, PointerValue):
            cell = value.cell if value.cell is not None else other.cell
            return [] if cell is None else list(self._memory.components(self._memory.fitted(value, cell, node.span)))
        if isinstance(value, StructureValue) and isinstance(other, StructureValue):
            pairs = [(leaf, other.leaves[path]) for path, leaf in value.leaves.items()]
            return [part for leaf, opposite_leaf in pairs for part in self._flattened(leaf, opposite_leaf, node)]
        if isinstance(value, ArrayOfPointers):
            return list(value.components)
        assert not isinstance(value, PointerValue | StructureValue)
        return [value]

    def _met(self, one: Value, other: Value, targets: list[Variable], node: Node) -> Value:
        remaining = iter(targets)

        def build(value: Value, opposite_value: Value) -> Value:
            if isinstance(value, Unknown) or isinstance(opposite_value, Unknown):
                return UNKNOWN
            if isinstance(value, PointerValue) and isinstance(opposite_value, PointerValue):
                cell = value.cell if value.cell is not None else opposite_value.cell
                if cell is None:
                    return value
                shape = self._context.layout.shape(cell)
                return self._memory.pointer(cell, tuple(next(remaining) for _ in shape.components))
            if isinstance(value, StructureValue) and isinstance(opposite_value, StructureValue):
                return StructureValue(
                    {path: build(leaf, opposite_value.leaves[path]) for path, leaf in value.leaves.items()}
                )
            if isinstance(value, ArrayOfPointers):
                return ArrayOfPointers(value.cell, tuple(next(remaining) for _ in value.components))
            return next(remaining)

        return build(one, other)

    def elvis(self, node: Node) -> Value:
        """`a ?: b`: a is evaluated once."""
        first, last = node.children[0], node.children[-1]
        if has_effects(first) or has_effects(last):
            return self._elvis_by_branches(first, last, node)
        test = self._expressions.condition(first)
        one = self._expressions.converted(first, node.type)
        self._context.push_guard(opposite(test))
        other = self._expressions.converted(last, node.type)
        self._context.pop_guard()
        return self._chosen(test, one, other, node)

    def _elvis_by_branches(self, first: Node, last: Node, node: Node) -> Value:
        value = self._steady(self._expressions.value(first), node.span)
        builder = self._context.builder
        yes, no = builder.label("yes"), builder.label("no")
        builder.branch(self._expressions.as_truth(value, first), yes, no, node.span)
        return self._one_of_two(yes, lambda: self._as_type(value, node.type), no, last, node)

    def _steady(self, value: Value, span: Span) -> Value:
        """The value now, whatever happens later."""
        if isinstance(value, PointerValue):
            parts = [None if p is None else self._context.saved(p, "value", span) for p in (value.object, value.offset)]
            return PointerValue(value.cell, *parts)
        return self._context.saved(value, "value", span) if is_expression(value) else value

    def _as_type(self, value: Value, type: CType) -> Value:
        return to_type(value, type) if is_expression(value) and isinstance(type, Integer | Truth) else value
