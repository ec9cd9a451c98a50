"""Expressions of C that write: assignments, also with an operator, and steps."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.frontends.c import syntax
from sorrel.frontends.c.arithmetic import computed
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import apply, exact, minus, number, to_type
from sorrel.frontends.c.pointers import moved
from sorrel.frontends.c.types import INT, Floating, Integer, Pointer, Record, promoted
from sorrel.frontends.c.values import UNKNOWN, Place, PointerValue, Unknown, Value, is_expression
from sorrel.model.errors import InternalError, Span
from sorrel.program.expression import Constant, Expression, Operator


class Assignments:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator

    def assignment(self, node: syntax.Assignment) -> Value:
        place, value = self._operands(node)

        def assigned() -> Value:
            self._memory.write(place, value, node.span)
            return self._memory.used(_unchecked(place), node.span)

        return self._within(node.atomic, assigned, node.span)

    def assign(self, node: syntax.Assignment) -> None:
        """Without asking for the value."""
        place, value = self._operands(node)
        section = node.atomic and self._context.atomic_section(True, node.span)
        self._memory.write(place, value, node.span)
        if section:
            self._context.atomic_section(False, node.span)

    def _operands(self, node: syntax.Assignment) -> tuple[Place, Value]:
        """Where what is assigned."""
        target = node.target
        place = self._evaluator.place(target)
        position = self._context.builder.position()
        whole = isinstance(target.type, Record)
        value = self._evaluator.value(node.value) if whole else self._evaluator.converted(node.value, target.type)
        if self._evaluator.has_effects(node.value):
            place = self._evaluator.keeping.keep_place(place, position, target.span)
        return place, value

    # Steps

    def step(self, node: syntax.Step, wanted: bool = True) -> Value:
        return self._within(node.atomic, lambda: self._stepped(node, wanted), node.span)

    def _within(self, atomic: bool, change: Callable[[], Value], span: Span) -> Value:
        """In an atomic section, if the object is atomic."""
        return self._context.within_section(change, span) if atomic else change()

    def _stepped(self, node: syntax.Step, wanted: bool) -> Value:
        target = node.target
        place = self._evaluator.place(target)
        old = self._evaluator.operand(place, node.span)
        new = self._next(old, node)
        if isinstance(new, Unknown):
            return UNKNOWN
        position = self._context.builder.position()
        self._memory.write(place, new, node.span)
        if not wanted:
            return UNKNOWN
        if node.operator.comes_first:
            return self._memory.used(_unchecked(place), node.span)
        return self._evaluator.keeping.keep(old, position, node.span)

    def _next(self, old: Value, node: syntax.Step) -> Value:
        type = node.target.type
        if isinstance(old, Unknown):
            return UNKNOWN
        if isinstance(old, PointerValue) and isinstance(type, Pointer):
            return moved(old, Constant(1 if node.operator.increments else -1, INT.machine), type, node.span)
        if not is_expression(old):
            raise InternalError(f"{node.span}: a step of {type}")
        operator = Operator.ADD if node.operator.increments else Operator.SUBTRACT
        kind = promoted(type, INT)
        return to_type(apply(operator, to_type(old, kind), to_type(Constant(1, INT.machine), kind)), type)

    # With an operator

    def compound(self, node: syntax.CompoundAssignment) -> Value:
        place = self._evaluator.place(node.target)
        position = self._context.builder.position()
        operand = self._evaluator.value(node.value)
        place = self._evaluator.keeping.keep_place(place, position, node.target.span)
        return self._within(node.atomic, lambda: self._changed(node, place, operand), node.span)

    def _changed(self, node: syntax.CompoundAssignment, place: Place, operand: Value) -> Value:
        old = self._evaluator.operand(place, node.span)
        target, given = node.target.type, node.value
        new: Value
        if isinstance(old, PointerValue) and isinstance(target, Pointer):
            steps = exact(_number(operand, given))
            new = moved(old, steps if node.operator is Operator.ADD else minus(number(0), steps), target, node.span)
        elif isinstance(target, Floating):
            return UNKNOWN
        elif isinstance(operand, Unknown) or isinstance(given.type, Floating):
            new = self._evaluator.unknown(target, node.span)
        elif is_expression(old):
            # A bit-field is promoted by its own width.
            own = place.type if isinstance(place.type, Integer) else target
            new = to_type(computed(node.operator, old, own, _number(operand, given), given.type), own)
        else:
            raise InternalError(f"{node.span}: arithmetic on {target}")
        self._memory.write(place, new, node.span)
        return self._memory.used(_unchecked(place), node.span)


def _unchecked(place: Place) -> Place:
    return Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)


def _number(value: Value, node: syntax.Expression) -> Expression:
    if not is_expression(value):
        raise Unsupported(f"{node.type} as a number", node.span)
    return value
