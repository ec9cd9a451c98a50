"""Models of functions that are given arrays of any type (qsort, bsearch), each for the type that a call is about.

In the library such a function takes `struct __sorrel_element *`; in a copy that is the type of the caller's elements,
so that memory keeps its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sorrel.frontends.c import syntax
from sorrel.frontends.c.syntax import FunctionDeclaration, Node, constant_product, converted_from, rebuilt
from sorrel.frontends.c.types import Array, CType, Function, Integer, Pointer, Record, storage_size

_ELEMENT = "__sorrel_element"
_ORDERED = {
    "qsort": "orders elements by what is in them alone, one consistent order, and changes nothing",
    "bsearch": "orders elements as they are sorted, and changes nothing",
}


def trusted(names: Iterable[str]) -> Iterator[str]:
    """What is taken for granted of the functions that those of the library are given."""
    for name in dict.fromkeys(names):
        if name in _ORDERED:
            yield f"What {name} compares elements with {_ORDERED[name]}."


def compares(name: str) -> bool:
    """Whether a function of the library compares elements by one that it is given."""
    return name in _ORDERED


def takes_elements(model: FunctionDeclaration) -> bool:
    return any(_is_placeholder(each.type) for each in model.parameters)


def given_elements(
    call: syntax.Call, model: FunctionDeclaration, body: syntax.Compound
) -> tuple[FunctionDeclaration, syntax.Compound] | None:
    """The model for the elements of this call; None if their type or their size is not what the call says."""
    if not takes_elements(model):
        return model, body
    base = next(i for i, each in enumerate(model.parameters) if _is_placeholder(each.type))
    element = _target(converted_from(call.arguments[base]).type)
    size = next((call.arguments[i] for i, each in enumerate(model.parameters) if each.name == "size"), None)
    if size is None or element is None or isinstance(element, Array | Function) or not isinstance(size.type, Integer):
        return None
    length = storage_size(element, size.type.machine.bits // 8)
    if length is None or constant_product(size) != length:
        return None
    prototype = model.prototype()
    parameters = tuple(replace(each, type=_with(element, each.type)) for each in prototype.parameters)
    typed = replace(prototype, result=_with(element, prototype.result), parameters=parameters)
    return replace(model, prototype=typed.itself), _retyped(body, element)


def _retyped(body: syntax.Compound, element: CType) -> syntax.Compound:
    def change(node: Node) -> Node:
        type = getattr(node, "type", None)
        if type is None:
            return rebuilt(node, change)
        new = _with(element, type)
        return rebuilt(node, change, **({} if new is type else {"type": new}))

    return rebuilt(body, change)


def _is_placeholder(type: CType) -> bool:
    target = _target(type)
    return isinstance(target, Record) and _ELEMENT in target.name


def _target(type: CType) -> CType | None:
    return type.target if isinstance(type, Pointer) else type.element if isinstance(type, Array) else None


def _with(element: CType, type: CType) -> CType:
    """The type with the element in place of what stands for it."""
    match type:
        case Record() if _ELEMENT in type.name:
            return element
        case Pointer(target, constant):
            inner = _with(element, target)
            return type if inner is target else Pointer(inner, constant)
        case _:
            return type
