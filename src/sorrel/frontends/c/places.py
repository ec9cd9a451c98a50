"""Expressions of C that name a place: variables, members, elements, what pointers point to, literals."""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import convert, number, times, to_type
from sorrel.frontends.c.pointers import moved
from sorrel.frontends.c.syntax import converted_from
from sorrel.frontends.c.types import (
    INT,
    Array,
    CType,
    Function,
    Pointer,
    Record,
    Truth,
    base_element,
    promoted,
    storage_size,
)
from sorrel.frontends.c.values import Place, PointerValue, Value
from sorrel.model.errors import InternalError, Span
from sorrel.program.expression import Constant, Expression


class Places:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._translation = context.translation

    def place(self, node: syntax.Expression) -> Place:
        match node:
            case syntax.Reference():
                return self._named(node)
            case syntax.Member():
                through = isinstance(node.owner.type, Pointer)
                owner = self.followed(node.owner) if through else self.place(node.owner)
                return self._memory.member(owner, node.name, node.span)
            case syntax.Subscript():
                return self._element(node)
            case syntax.Dereference():
                return self.followed(node.operand)
            case syntax.StringLiteral():
                return self._memory.object_place(self._translation.objects.of_node[id(node)])
            case syntax.CompoundLiteral():
                object = self._translation.objects.of_node[id(node)]
                self._evaluator.declare(object, node.initializer, (), node.span)
                return self._memory.object_place(object)
            case syntax.Conversion():
                return self.place(node.operand)
            case _ if id(node) in self._translation.objects.of_node and isinstance(node.type, Record):
                return self._temporary(node)
            case _:
                raise Unsupported("this expression as a place", node.span)

    def _named(self, node: syntax.Reference) -> Place:
        function = self._translation.linked.functions.get(node.symbol)
        if function is not None:
            return self._memory.object_place(self._translation.objects.functions[function.name])
        if isinstance(node.type, Pointer) and node.symbol in self._translation.objects.referents:
            raise InternalError(f"{node.span}: a reference is used as a pointer")
        return self._memory.object_place(self._translation.objects.of_symbol[node.symbol])

    def _temporary(self, node: syntax.Expression) -> Place:
        """Where the structure is kept that an expression yields."""
        value = self._evaluator.value(node)
        object = self._translation.objects.of_node[id(node)]
        self._memory.begin(object, node.span)
        place = self._memory.object_place(object)
        self._memory.write(place, value, node.span)
        return place

    def _element(self, node: syntax.Subscript) -> Place:
        pointer, index = node.pointer, node.index
        inner = converted_from(pointer)
        keeping = self._evaluator.keeping
        if isinstance(inner.type, Array):
            place = self.place(inner)
            position = self._context.builder.position()
            step = self._index(index)
            return self._memory.element(keeping.keep_place(place, position, index.span), step)
        referent = self._referent(inner)
        if referent is not None:
            place = self._memory.object_place(referent)
            return self._memory.element(place, self._index(index)) if referent.array else place
        value, type = self._pointer(pointer)
        position = self._context.builder.position()
        step = self._index(index)
        kept = keeping.keep_pointer(value, position, index.span)
        return self._memory.follow(moved(kept, step, type, node.span), type.target, node.span)

    def _index(self, node: syntax.Expression) -> Expression:
        """A number, also if it is a truth value."""
        index = self._evaluator.scalar(node)
        return to_type(index, promoted(node.type, INT)) if isinstance(node.type, Truth) else index

    def _referent(self, node: syntax.Expression) -> Object | None:
        if isinstance(node, syntax.Reference) and isinstance(node.type, Pointer):
            return self._translation.objects.referents.get(node.symbol)
        return None

    def followed(self, pointer: syntax.Expression) -> Place:
        inner = converted_from(pointer)
        referent = self._referent(inner)
        if referent is not None:
            place = self._memory.object_place(referent)
            return self._memory.element(place, number(0)) if referent.array else place
        if isinstance(inner, syntax.AddressOf) and not isinstance(inner.operand.type, Function):
            return self.place(inner.operand)
        if isinstance(inner.type, Array):
            return self._memory.element(self.place(inner), number(0))
        value, type = self._pointer(pointer)
        return self._memory.follow(value, type.target, pointer.span)

    def _pointer(self, node: syntax.Expression) -> tuple[PointerValue, Pointer]:
        value = self._evaluator.value(node)
        if not isinstance(value, PointerValue) or not isinstance(node.type, Pointer):
            raise Unsupported("this pointer", node.span)
        return value, node.type

    # Sizes

    def size(self, node: syntax.Size) -> Value:
        type = self._translation.size_type.machine
        if node.value is not None:
            return Constant(node.value, type)
        if node.operand is None or not isinstance(node.operand.type, Array):
            raise Unsupported("the size of a type of variable length", node.span)
        place = self.place(node.operand)
        elements: Expression = number(1)
        for length in place.lengths:
            elements = times(elements, length) or elements
        size = self.size_of(place.type, node.span)
        return convert(times(elements, number(size)) or elements, type)

    def size_of(self, type: CType, span: Span) -> int:
        size = storage_size(type, self._translation.size_type.machine.bits // 8)
        if size is None:
            raise Unsupported(f"the size of {base_element(type)}", span)
        return size
