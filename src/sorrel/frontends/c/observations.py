"""Calls that say what two runs may differ in: sorrel_low, sorrel_declassify, sorrel_assert_low and their arrays.

They have no effect on a run. For arrays the elements are looked at one after the other, by a loop like any other, so
that nothing but single values is ever compared.
"""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import find
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import compare, exact, number
from sorrel.frontends.c.pointers import moved
from sorrel.frontends.c.types import Integer, Pointer, Truth
from sorrel.frontends.c.values import PointerValue, Value, is_expression
from sorrel.model.errors import Span
from sorrel.program.construction import binary
from sorrel.program.expression import Operator
from sorrel.program.statement import Observe, Purpose
from sorrel.program.types import UNBOUNDED


class Observations:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator

    def value(self, node: syntax.Call, purpose: Purpose) -> None:
        """The argument, as the declaration of the function converts it."""
        if len(node.arguments) != 1:
            raise Unsupported(f"a call that should name one {purpose} value", node.span)
        self._observe(self._evaluator.value(node.arguments[0]), purpose, node.span)

    def array(self, node: syntax.Call, purpose: Purpose) -> None:
        """for (i = 0; i < count; i++), each element."""
        if len(node.arguments) != 2:
            raise Unsupported(f"a call that should name {purpose} elements and their number", node.span)
        span, builder = node.span, self._context.builder
        pointer, wanted = self._evaluator.keeping.sequence(
            [lambda: self._evaluator.value(node.arguments[0]), lambda: self._evaluator.value(node.arguments[1])], span
        )
        type = find(pointer.cell).type if isinstance(pointer, PointerValue) and pointer.cell else None
        if not isinstance(pointer, PointerValue) or not isinstance(type, Integer | Truth) or not is_expression(wanted):
            raise Unsupported("elements that are not integers", span)
        position = builder.position()
        kept = self._evaluator.keeping.keep_pointer(pointer, position, span)
        count = self._context.saved(exact(wanted), "count", span)
        index = self._context.temporary("element", UNBOUNDED)
        self._context.assign(index, number(0), span)
        head, body, after = builder.label("elements"), builder.label("element"), builder.label("after")
        builder.goto(head, span)
        builder.start(head)
        builder.branch(compare(Operator.LESS, index, count), body, after, span)
        builder.start(body)
        place = self._memory.follow(moved(kept, index, Pointer(type), span), type, span)
        self._observe(self._memory.read(place, span), purpose, span)
        self._context.assign(index, binary(Operator.ADD, index, number(1)), span)
        builder.goto(head)
        builder.start(after)

    def _observe(self, value: Value, purpose: Purpose, span: Span) -> None:
        if not is_expression(value):
            raise Unsupported(f"a {purpose} value that is not an integer", span)
        self._context.builder.emit(Observe(value, purpose, "", span))
