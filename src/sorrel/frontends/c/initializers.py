"""Initialisers: lists with and without braces, designators, strings."""

from __future__ import annotations

from sorrel.errors import Span
from sorrel.frontends.c.context import INT, Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.expressions import Expressions
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import number, to_type
from sorrel.frontends.c.regions import path_cell
from sorrel.frontends.c.syntax import Node, NodeKind, stripped
from sorrel.frontends.c.types import Array, Floating, Integer, Pointer, Record, Void, leaves
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.program.construction import zero
from sorrel.program.expression import Constant

_ZEROED_ONE_BY_ONE = 256


class Initializers:
    def __init__(self, context: Context, memory: Memory, expressions: Expressions) -> None:
        self._context = context
        self._memory = memory
        self._expressions = expressions

    def initialize(self, object: Object, node: Node, span: Span) -> None:
        """Gives a whole object its value: what a list leaves out is zero."""
        place = self._memory.object_place(object)
        inner = _unwrapped(node)
        if inner.kind is NodeKind.INITIALIZER and isinstance(object.type, Array | Record):
            self.zero(object, span)
            self._list(place, inner)
        elif isinstance(object.type, Array):
            self.zero(object, span)
            self._string(place, inner)
        else:
            self._one(place, inner)

    def zero(self, object: Object, span: Span) -> None:
        layout = self._context.layout
        for leaf in leaves(object.type):
            cell = path_cell(self._context.translation.points_to.cell(object), leaf.path)
            storage = layout.storage(object, leaf.path)
            if not (cell.pointed and layout.region(cell).flat):
                for variable in storage.components:
                    self._context.assign(variable, zero(variable.type), span)
                continue
            self._zero_flat(object, leaf.path, leaf.count, span)

    def _zero_flat(self, object: Object, path: tuple[str, ...], count: int, span: Span) -> None:
        total = self._memory.total_length(object)
        if not isinstance(total, Constant) or int(total.value) * count > _ZEROED_ONE_BY_ONE:
            raise Unsupported("a large initialised array among many objects", span)
        base = self._memory.object_place(object)
        while isinstance(base.type, Array):
            base = Place(base.root, base.cell, base.path, base.type.element)
        for position in range(int(total.value) * count):
            place = base
            for name in path:
                place = self._memory.member(place, name, span)
            while isinstance(place.type, Array):
                place = Place(place.root, place.cell, place.path, place.type.element)
            at = Place(place.root, place.cell, place.path, place.type, (), number(position))
            if isinstance(at.type, Pointer):
                self._memory.write(at, PointerValue(None), span)
            elif not isinstance(at.type, Floating | Void | Record | Array):
                self._memory.write(at, to_type(Constant(0, INT.machine), at.type), span)

    def _one(self, place: Place, node: Node) -> None:
        """A single value, with or without braces around it."""
        inner = _unwrapped(node)
        if inner.kind is NodeKind.INITIALIZER:
            if isinstance(place.type, Array | Record):
                self._list(place, inner)
            elif inner.children:
                self._one(place, inner.children[0])
            return
        if isinstance(place.type, Array):
            self._string(place, inner)
        elif isinstance(place.type, Record):
            self._memory.write(place, self._expressions.value(inner), node.span)
        else:
            self._memory.write(place, self._expressions.converted(inner, place.type), node.span)

    def _string(self, place: Place, node: Node) -> None:
        literal = _unwrapped(node)
        if literal.kind is not NodeKind.STRING or not isinstance(place.type, Array):
            raise Unsupported("an array with this initialiser", node.span)
        element = place.type.element
        if not isinstance(element, Integer):
            raise Unsupported("an array with this initialiser", node.span)
        limit = place.type.length if place.type.length is not None else len(literal.characters) + 1
        for position, character in enumerate(literal.characters[:limit]):
            if character:
                value = Constant(element.machine.wrap(character), element.machine)
                at = self._memory.element(place, number(position))
                self._memory.write(at, value, node.span)

    def _list(self, place: Place, node: Node) -> None:
        items = node.children
        if len(items) == 1 and isinstance(place.type, Array) and _unwrapped(items[0]).kind is NodeKind.STRING:
            element = place.type.element
            if isinstance(element, Integer) and element.machine.bits == 8:
                self._string(place, items[0])
                return
        self._fill(place, items, 0, braces=True)

    def _fill(self, place: Place, items: tuple[Node, ...], at: int, *, braces: bool) -> int:
        """Takes items from `at` on for the parts of the place; returns the first that is left."""
        position = 0
        while at < len(items):
            item = items[at]
            if _is_designated(item):
                if not braces:
                    return at
                position = self._designated(place, item)
                at += 1
                continue
            part = self._part(place, position, item.span)
            if part is None:
                return at
            position += 1
            at = self._take(part, items, at)
        return at

    def _take(self, part: Place, items: tuple[Node, ...], at: int) -> int:
        item = _unwrapped(items[at])
        elided = isinstance(part.type, Array | Record) and item.kind is not NodeKind.INITIALIZER
        if elided and isinstance(part.type, Record) and item.type == part.type:
            elided = False
        if elided and isinstance(part.type, Array) and item.kind is NodeKind.STRING:
            elided = not isinstance(part.type.element, Integer)
        if elided:
            return self._fill(part, items, at, braces=False)
        self._one(part, items[at])
        return at + 1

    def _part(self, place: Place, position: int, span: Span) -> Place | None:
        if isinstance(place.type, Array):
            if place.type.length is not None and position >= place.type.length:
                return None
            return self._memory.element(place, number(position))
        assert isinstance(place.type, Record)
        fields = place.type.places
        return self._memory.member(place, fields[position].name, span) if position < len(fields) else None

    def _designated(self, place: Place, item: Node) -> int:
        """`[3] = v`, `.f = v`, `[1 ... 3] = v`; returns the position after it."""
        *designators, value = item.children
        after: int | None = None
        targets = [place]
        for number_of, designator in enumerate(designators):
            current = targets[0]
            if designator.kind is NodeKind.DESIGNATOR:
                assert isinstance(current.type, Record)
                names = [field.name for field in current.type.fields]
                after = names.index(designator.spelling) + 1 if after is None else after
                targets = [self._memory.member(each, designator.spelling, item.span) for each in targets]
            elif isinstance(current.type, Array):
                index = _constant(designator)
                after = index + 1 if after is None else after
                targets = [self._memory.element(each, number(index)) for each in targets]
            elif number_of == 1:
                first, last = _constant(designators[0]), _constant(designator)
                targets = [self._memory.element(place, number(index)) for index in range(first, last + 1)]
                after = last + 1
            else:
                raise Unsupported("this designator", item.span)
        for target in targets:
            self._one(target, value)
        return after or 0


def _unwrapped(node: Node) -> Node:
    node = stripped(node)
    while (
        node.kind is NodeKind.IMPLICIT
        and len(node.children) == 1
        and node.children[0].kind
        in (
            NodeKind.INITIALIZER,
            NodeKind.STRING,
            NodeKind.COMPOUND_LITERAL,
        )
    ):
        inner = node.children[0]
        if isinstance(node.type, Pointer) and inner.kind is not NodeKind.INITIALIZER:
            return node
        node = inner
    return node


def _is_designated(node: Node) -> bool:
    return node.kind is NodeKind.IMPLICIT and isinstance(node.type, Void) and len(node.children) >= 2


def _constant(node: Node) -> int:
    while node.value is None and node.children:
        node = node.children[-1]
    if node.value is None:
        raise Unsupported("a designator that is not a number", node.span)
    return node.value
