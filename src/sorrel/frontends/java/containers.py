"""Arrays and lists: lengths and elements, which do not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.operations import compared, number
from sorrel.frontends.java.strings import Instance, inside, size
from sorrel.frontends.java.types import OBJECT, ArrayOf, JavaType, Reference
from sorrel.model.errors import Span

_LISTS = frozenset(f"java.util.{name}" for name in ("List", "ArrayList", "LinkedList", "Collection", "Vector"))
_SIZE, _GET = "java.util.List.size", "java.util.List.get"


def array_length(context: Context, array: Value, span: Span) -> Value:
    context.require_object(array.expression, span)
    return size(context, "[].length", array.expression, span)


def array_element(context: Context, array: Value, index: Value, span: Span) -> Value:
    index = inside(context, index, array_length(context, array, span), span)
    element = array.type.element if isinstance(array.type, ArrayOf) else OBJECT
    return context.function(f"{array.type}", [array.expression, index.expression], element, span)


def list_size(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    context.require_object(receiver.expression, span)
    return size(context, _SIZE, receiver.expression, span)


def list_element(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    index = inside(context, arguments[0], list_size(context, receiver, (), span), span)
    return context.function(_GET, [receiver.expression, index.expression], _element_type(receiver.type), span)


def _is_empty(context: Context, receiver: Value, arguments: Sequence[Value], span: Span) -> Value:
    return compared(context, "==", list_size(context, receiver, (), span), number(0), span)


def _element_type(type: JavaType) -> JavaType:
    return type.arguments[0] if isinstance(type, Reference) and type.arguments else OBJECT


def is_list(context: Context, type: JavaType) -> bool:
    return context.classes.of_java(type) in _LISTS


OF_LISTS: Mapping[tuple[str, int], Instance] = {
    ("size", 0): list_size,
    ("get", 1): list_element,
    ("isEmpty", 0): _is_empty,
}
