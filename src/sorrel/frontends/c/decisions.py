"""What C evaluates only sometimes: the operands of `&&`, `||` and `?:`."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.frontends.c import syntax
from sorrel.frontends.c.arithmetic import integer_type
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import both, choose, either, from_truth, opposite, to_type
from sorrel.frontends.c.types import CType, Ieee, Integer, Record, Truth, Void
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    PointerValue,
    StructureValue,
    Unknown,
    Value,
    is_expression,
)
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Expression, Variable
from sorrel.program.types import BOOLEAN


class Decisions:
    """An operand that changes nothing is evaluated under a guard, one that does in a branch of its own."""

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator

    def branch(self, node: syntax.Expression, then: str, otherwise: str, span: Span) -> None:
        """Goes on at one of two labels; what is only evaluated sometimes and changes something becomes branches."""
        builder = self._context.builder
        match node:
            case syntax.Unary(operator=syntax.UnaryOperator.NOT) if self._is_split(node.operand):
                self.branch(node.operand, otherwise, then, span)
            case syntax.Logical() if self._evaluator.has_effects(node.right):
                middle = builder.label("and" if node.is_conjunction else "or")
                if node.is_conjunction:
                    self.branch(node.left, middle, otherwise, span)
                else:
                    self.branch(node.left, then, middle, span)
                builder.start(middle)
                self.branch(node.right, then, otherwise, span)
            case _:
                builder.branch(self._evaluator.condition(node), then, otherwise, span)

    def _is_split(self, node: syntax.Expression) -> bool:
        """Whether it becomes branches. What does not is one condition as it is written, which runs are told by."""
        while isinstance(node, syntax.Unary) and node.operator is syntax.UnaryOperator.NOT:
            node = node.operand
        return isinstance(node, syntax.Logical) and self._evaluator.has_effects(node.right)

    def logical_value(self, node: syntax.Logical) -> Value:
        return from_truth(self.logical(node), integer_type(node))

    def logical(self, node: syntax.Logical) -> Expression:
        if self._evaluator.has_effects(node.right):
            return self._by_branches(node)
        one = self._evaluator.condition(node.left)
        self._context.push_guard(one if node.is_conjunction else opposite(one))
        other = self._evaluator.condition(node.right)
        self._context.pop_guard()
        return both(one, other) if node.is_conjunction else either(one, other)

    def _by_branches(self, node: syntax.Logical) -> Expression:
        builder, result = self._context.builder, self._context.temporary("truth", BOOLEAN)
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(node, yes, no, node.span)
        for label, value in ((yes, TRUE), (no, FALSE)):
            builder.start(label)
            self._context.assign(result, value, node.span)
            builder.goto(after)
        builder.start(after)
        return result

    def logical_effect(self, node: syntax.Logical) -> None:
        builder = self._context.builder
        right, after = builder.label("right"), builder.label("after")
        if node.is_conjunction:
            self.branch(node.left, right, after, node.span)
        else:
            self.branch(node.left, after, right, node.span)
        builder.start(right)
        self._evaluator.effect(node.right)
        builder.start(after)

    def conditional_effect(self, node: syntax.Conditional) -> None:
        failure = self._evaluator.failed_assertion(node.otherwise)
        if failure is not None and not self._evaluator.has_effects(node.then):
            self._evaluator.assertion(node.condition, failure, node.span)
            return
        builder = self._context.builder
        yes, no, after = builder.label("yes"), builder.label("no"), builder.label("after")
        self.branch(node.condition, yes, no, node.span)
        builder.start(yes)
        self._evaluator.effect(node.then)
        builder.goto(after)
        builder.start(no)
        self._evaluator.effect(node.otherwise)
        builder.start(after)

    def conditional(self, node: syntax.Conditional) -> Value:
        if isinstance(node.type, Void):
            self.conditional_effect(node)
            return UNKNOWN
        changing = self._evaluator.has_effects(node.then) or self._evaluator.has_effects(node.otherwise)
        if changing or isinstance(node.type, Record):
            return self._chosen_by_branches(node)
        test = self._evaluator.condition(node.condition)
        self._context.push_guard(test)
        one = self._evaluator.converted(node.then, node.type)
        self._context.pop_guard()
        return self._chosen(test, one, self._unless(test, node.otherwise, node.type), node.span)

    def _unless(self, test: Expression, node: syntax.Expression, type: CType) -> Value:
        """The value of what is evaluated only if a condition does not hold."""
        self._context.push_guard(opposite(test))
        value = self._evaluator.converted(node, type)
        self._context.pop_guard()
        return value

    def _chosen(self, test: Expression, one: Value, other: Value, span: Span) -> Value:
        if isinstance(one, Unknown) or isinstance(other, Unknown):
            return UNKNOWN
        if isinstance(one, PointerValue) and isinstance(other, PointerValue):
            cell = one.cell if one.cell is not None else other.cell
            if cell is None:
                return one
            left, right = self._memory.fitted(one, cell, span), self._memory.fitted(other, cell, span)
            pairs = zip(self._memory.components(left), self._memory.components(right), strict=True)
            return self._memory.pointer(cell, tuple(choose(test, a, b) for a, b in pairs))
        if not is_expression(one) or not is_expression(other):
            raise InternalError(f"{span}: a choice between values of different kinds")
        return choose(test, one, other)

    def _chosen_by_branches(self, node: syntax.Conditional) -> Value:
        """Each side stores its value; which variables that takes is known when both are."""
        builder = self._context.builder
        yes, no = builder.label("yes"), builder.label("no")
        self.branch(node.condition, yes, no, node.span)
        return self._one_of_two(yes, lambda: self._evaluator.converted(node.then, node.type), no, node)

    def _one_of_two(
        self, yes: str, then: Callable[[], Value], no: str, node: syntax.Conditional | syntax.Elvis
    ) -> Value:
        """The value that comes from either of two labels."""
        builder = self._context.builder
        after = builder.label("after")
        builder.start(yes)
        first = then()
        end_of_first = builder.leave(no)
        second = self._evaluator.converted(node.otherwise, node.type)
        results = self._meeting(first, second, node.span)
        for target, _, other in results:
            self._context.assign(target, other, node.span)
        builder.goto(after)
        builder.resume(end_of_first)
        for target, one, _ in results:
            self._context.assign(target, one, node.span)
        builder.goto(after)
        builder.start(after)
        return self._met(first, second, [target for target, _, _ in results])

    def _meeting(self, one: Value, other: Value, span: Span) -> list[tuple[Variable, Expression, Expression]]:
        left, right = self._flattened(one, other, span), self._flattened(other, one, span)
        return [(self._context.temporary("choice", a.type), a, b) for a, b in zip(left, right, strict=True)]

    def _flattened(self, value: Value, other: Value, span: Span) -> list[Expression]:
        if isinstance(value, Unknown) or isinstance(other, Unknown):
            return []
        if isinstance(value, PointerValue) and isinstance(other, PointerValue):
            cell = value.cell if value.cell is not None else other.cell
            return [] if cell is None else list(self._memory.components(self._memory.fitted(value, cell, span)))
        if isinstance(value, StructureValue) and isinstance(other, StructureValue):
            pairs = [(leaf, other.leaves[path]) for path, leaf in value.leaves.items()]
            return [part for leaf, opposite_leaf in pairs for part in self._flattened(leaf, opposite_leaf, span)]
        if isinstance(value, ArrayOfPointers):
            return list(value.components)
        if isinstance(value, PointerValue | StructureValue):
            raise InternalError(f"{span}: a choice between values of different kinds")
        return [value]

    def _met(self, one: Value, other: Value, targets: list[Variable]) -> Value:
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

    def elvis(self, node: syntax.Elvis) -> Value:
        """`a ?: b`: a is evaluated once."""
        if self._evaluator.has_effects(node.condition) or self._evaluator.has_effects(node.otherwise):
            return self._elvis_by_branches(node)
        test = self._evaluator.condition(node.condition)
        one = self._evaluator.converted(node.condition, node.type)
        return self._chosen(test, one, self._unless(test, node.otherwise, node.type), node.span)

    def _elvis_by_branches(self, node: syntax.Elvis) -> Value:
        value = self._steady(self._evaluator.value(node.condition), node.span)
        builder = self._context.builder
        yes, no = builder.label("yes"), builder.label("no")
        builder.branch(self._evaluator.as_truth(value, node.condition.span), yes, no, node.span)
        return self._one_of_two(yes, lambda: self._as_type(value, node.type), no, node)

    def _steady(self, value: Value, span: Span) -> Value:
        """The value now, whatever happens later."""
        if isinstance(value, PointerValue):
            parts = [None if p is None else self._context.saved(p, "value", span) for p in (value.object, value.offset)]
            return PointerValue(value.cell, *parts)
        return self._context.saved(value, "value", span) if is_expression(value) else value

    def _as_type(self, value: Value, type: CType) -> Value:
        return to_type(value, type) if is_expression(value) and isinstance(type, Integer | Truth | Ieee) else value
