"""What a run chose that comes to a place, read off a model: values for the interpreter, in order."""

from __future__ import annotations

from sorrel.encode.cells import Cells, Content
from sorrel.encode.unrolled_state import Applied, Chosen, Joined, Trace
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Open
from sorrel.model.errors import InternalError
from sorrel.program.types import Array, Boolean, Type
from sorrel.program.value import ArrayValue, Value, zero


def choices(trace: Trace | None, model: Model) -> list[Value]:
    events: list[Chosen | Applied] = []
    while trace is not None:
        if isinstance(trace, Joined):
            trace = trace.then if model.holds(trace.condition) else trace.otherwise
        else:
            events.append(trace)
            trace = trace.before
    found: list[Value] = []
    asked: set[tuple[str, Type, tuple[Value, ...]]] = set()
    for event in reversed(events):
        if isinstance(event, Chosen):
            found.append(_value(event.value, event.type, model))
            continue
        arguments = zip(event.arguments, event.expression.arguments, strict=True)
        given = tuple(_value(value, argument.type, model) for value, argument in arguments)
        key = (event.expression.function, event.expression.type, given)
        if model.holds(event.guard) and key not in asked:
            asked.add(key)
            found.append(_value(event.result, event.expression.type, model))
    return found


def _value(content: Content, type: Type, model: Model) -> Value:
    match type:
        case Array(element):
            if not isinstance(content, Cells) or not isinstance(content.base, Open):
                raise InternalError("an array that was chosen is open")
            return _array(content.base, element, model)
        case Boolean():
            return bool(_number(content, model))
    return _number(content, model)


def _number(content: Content, model: Model) -> int:
    if not isinstance(content, Node | int):
        raise InternalError("an array is not a number")
    return model.value(content)


def _array(array: Open, element: Type, model: Model) -> ArrayValue:
    entries: dict[int, Value] = {}
    for index, node in array.elements.items():
        value = model.value(node)
        entries[model.value(index)] = bool(value) if isinstance(element, Boolean) else value
    return ArrayValue(zero(element), entries)
