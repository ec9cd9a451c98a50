"""Calls through pointers: a case for each function that the pointer may mean."""

from __future__ import annotations

from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.direct_calls import DirectCalls
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.external import ExternalCalls
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.operations import compare, number, to_type
from sorrel.frontends.c.regions import function_value
from sorrel.frontends.c.types import CType, Ieee, Integer, Pointer, Record, Truth
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
from sorrel.program.construction import FALSE
from sorrel.program.expression import Expression, Operator, Variable

_UNKNOWN = ""
"""In place of a name: a function that nobody knows."""


class IndirectCalls:
    def __init__(
        self,
        context: Context,
        memory: Memory,
        evaluator: Evaluator,
        direct: DirectCalls,
        external: ExternalCalls,
    ) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._direct = direct
        self._external = external
        self._translation = context.translation

    def pointer(self, node: syntax.Call) -> PointerValue:
        """The pointer that the call goes through, which is evaluated."""
        pointer = self._evaluator.value(function_value(node))
        if not isinstance(pointer, PointerValue):
            raise Unsupported("a call through this pointer", node.span)
        return pointer

    def call(self, node: syntax.Call, names: tuple[str, ...], pointer: PointerValue) -> Value:
        names = tuple(name for name in names if self._translation.functions[name].body is not None)
        if self._translation.points_to.may_be_unknown(node):
            names = (*names, _UNKNOWN)
        position = self._context.builder.position()
        arguments = self._evaluator.keeping.sequence(
            [partial(self._evaluator.value, argument) for argument in node.arguments], node.span
        )
        kept = self._evaluator.keeping.keep_pointer(pointer, position, node.span)
        if kept.cell is None:
            self._context.check(FALSE, "call through a null pointer", node.span)
            return self._external.call_unknown(node, arguments)
        self._context.check(self._memory.leads_somewhere(kept), "call through a null pointer", node.span)
        names = self._fitting(names, kept, node)
        if len(names) == 1 or kept.object is None:
            return self._candidate(names[0], arguments, node)
        return self._dispatch(names, kept.object, arguments, node)

    def _fitting(self, names: tuple[str, ...], pointer: PointerValue, node: syntax.Call) -> tuple[str, ...]:
        """Those that can be called so; that the pointer means no other is a check."""
        fitting: list[str] = []
        for name in names:
            declaration = None if name == _UNKNOWN else self._translation.functions[name].declaration
            if declaration is None or _fits(declaration.result, [each.type for each in declaration.parameters], node):
                fitting.append(name)
                continue
            other: Expression = FALSE
            if pointer.object is not None:
                at = number(self._context.layout.number(self._translation.objects.functions[name]))
                other = compare(Operator.DIFFERENT, pointer.object, at)
            self._context.check(other, f"{name} is called with other arguments than it has", node.span)
        return tuple(fitting) or (_UNKNOWN,)

    def _candidate(self, name: str, arguments: list[Value], node: syntax.Call) -> Value:
        if name == _UNKNOWN:
            return self._external.call_unknown(node, arguments)
        return self._direct.call_with(name, arguments, node)

    def _dispatch(self, names: tuple[str, ...], object: Expression, arguments: list[Value], node: syntax.Call) -> Value:
        builder, layout = self._context.builder, self._context.layout
        after = builder.label("after")
        targets: list[Variable] | None = None
        result: Value = UNKNOWN
        for position, name in enumerate(names):
            following = builder.label("case")
            if position + 1 < len(names):
                here = builder.label("call")
                number_of = layout.number(self._translation.objects.functions[name])
                builder.branch(compare(Operator.EQUAL, object, number(number_of)), here, following, node.span)
                builder.start(here)
            value = self._candidate(name, arguments, node)
            if isinstance(node.type, Integer | Truth | Ieee) and is_expression(value):
                value = to_type(value, node.type)
            parts = self._parts(value)
            if targets is None:
                targets = [self._context.temporary("result", part.type) for part in parts]
                result = self._rebuilt(value, targets, node.span)
            for target, part in zip(targets, parts, strict=True):
                self._context.assign(target, part, node.span)
            builder.goto(after)
            if position + 1 < len(names):
                builder.start(following)
        builder.start(after)
        return result

    def _parts(self, value: Value) -> list[Expression]:
        match value:
            case Unknown():
                return []
            case PointerValue():
                return list(self._memory.components(value))
            case StructureValue(parts):
                return [each for part in parts.values() for each in self._parts(part)]
            case ArrayOfPointers(_, components):
                return list(components)
            case _:
                return [value]

    def _rebuilt(self, value: Value, targets: list[Variable], span: Span) -> Value:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, PointerValue) and value.cell is not None:
            return self._memory.pointer(value.cell, tuple(targets))
        if isinstance(value, StructureValue | ArrayOfPointers | PointerValue):
            raise Unsupported("a structure returned through a function pointer", span)
        return targets[0]


def _fits(result: CType, parameters: list[CType], call: syntax.Call) -> bool:
    """Whether the call can mean a function with these types: each a number, a pointer or the same structure."""
    given = [argument.type for argument in call.arguments]
    pairs = [(result, call.type), *zip(parameters, given, strict=False)]
    return len(parameters) == len(given) and all(_kind(one) == _kind(other) for one, other in pairs)


def _kind(type: CType) -> object:
    if isinstance(type, Record):
        return type
    if isinstance(type, Integer | Truth):
        return Integer
    if isinstance(type, Ieee):
        return type
    return Pointer if isinstance(type, Pointer) else type.__class__
