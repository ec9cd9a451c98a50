"""Parts of places: members, elements, scalars, and the variables that these may be in."""

from __future__ import annotations

from sorrel.frontends.c.addresses import Addresses, product
from sorrel.frontends.c.cells import field_cell, find
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.layout import Member, Storage
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import compare, convert, number, plus, times, within
from sorrel.frontends.c.paths import place_name, same_layout
from sorrel.frontends.c.types import Array, CType, Record, base_element, element_count, leaves
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import TRUE
from sorrel.program.expression import Constant, Expression, Operator
from sorrel.program.types import BOOLEAN, UNBOUNDED


class PlaceParts(Addresses):
    """Which place a member or an element of a place is, and where a scalar is kept."""

    def object_place(self, object: Object) -> Place:
        cell = self._points_to.cell(object)
        return Place(object, cell, (), object.type, self.lengths(object))

    def follow(self, pointer: PointerValue, target: CType, span: Span) -> Place:
        """What the pointer points to, which must be there."""
        if pointer.cell is None:
            raise Unsupported("following a constant address", span)
        cell = find(pointer.cell)
        width = element_count(target)
        if width is None:
            raise Unsupported("a pointer to an array of variable length", span)
        valid = self._valid(pointer, width)
        return Place(pointer, cell, (), target, _constant_lengths(target), pointer.offset, (valid,))

    def member(self, place: Place, name: str, span: Span) -> Place:
        record = place.type
        if not isinstance(record, Record):
            raise InternalError(f"{span}: a member of {record}")
        type = record.field_type(name)
        if record.union:
            first = record.fields[0]
            if not same_layout(first.type, type):
                raise Unsupported(f"a union whose members differ in layout ({first.type}, {type})", span)
            name = place_name(record, name)
        count = element_count(type)
        if count is None:
            raise Unsupported("a structure that ends in an array without a length", span)
        return Place(
            place.root,
            field_cell(place.cell, name),
            (*place.path, name),
            type,
            _constant_lengths(type),
            times(place.offset, number(count)),
            place.checks,
        )

    def element(self, place: Place, index: Expression) -> Place:
        """An element of the array that the place is."""
        if not isinstance(place.type, Array):
            raise InternalError(f"an element of {place.type}")
        index = convert(index, UNBOUNDED) if index.type == BOOLEAN else index
        stride = product(place.lengths[1:])
        step = index if isinstance(stride, Constant) and stride.value == 1 else times(convert(index, UNBOUNDED), stride)
        offset = step if place.offset is None else plus(place.offset, step)
        check = within(index, place.lengths[0])
        return Place(
            place.root, place.cell, place.path, place.type.element, place.lengths[1:], offset, (*place.checks, check)
        )

    def parts(self, place: Place) -> list[tuple[Expression, Storage, Expression | None]]:
        """Where the scalar may be: under which condition, in which variables, at which index."""
        if isinstance(place.root, Object):
            object = place.root
            storage = self._layout.storage(object, place.path)
            cell = find(place.cell)
            if cell.pointed and self._layout.region(cell).flat:
                return [(TRUE, storage, plus(self._number(place), place.offset))]
            return [(TRUE, storage, place.offset)]
        pointer = place.root
        region = self._layout.region(place.cell)
        if region.flat:
            storage = self._layout.flat_storage(place.cell, base_element(place.type))
            return [(TRUE, storage, plus(self._number(place), place.offset))]
        members = self._layout.region(pointer.known_cell).members
        found: list[tuple[Expression, Storage, Expression | None]] = []
        for member in self._holders(pointer):
            condition: Expression = TRUE
            if pointer.object is not None and len(members) > 1 and not isinstance(pointer.object, Constant):
                condition = compare(Operator.EQUAL, pointer.object, number(member.number))
            found.append((condition, self._layout.storage(member.object, (*member.path, *place.path)), place.offset))
        return found

    def _holders(self, pointer: PointerValue) -> list[Member]:
        """What the pointer may point to in a region whose objects have variables of their own."""
        members = self._layout.region(pointer.known_cell).members
        if isinstance(pointer.object, Constant) and len(members) > 1:
            return [member for member in members if member.number == pointer.object.value]
        return members

    def first_part(self, place: Place, path: tuple[str, ...], span: Span) -> Place:
        """The part at the path, in the first element of each array on the way."""
        for name in path:
            while isinstance(place.type, Array):
                place = self.element(place, number(0))
            place = self.member(place, name, span)
        while isinstance(place.type, Array):
            place = Place(
                place.root, place.cell, place.path, place.type.element, place.lengths[1:], place.offset, place.checks
            )
        return place

    def scalars(self, place: Place, span: Span) -> list[Place]:
        """Every single scalar of a place, structures and the arrays in them taken apart."""
        found: list[Place] = []
        for leaf in leaves(place.type):
            inner = self.first_part(place, leaf.path, span)
            many = [inner] if leaf.count == 1 else [moved_place(inner, position) for position in range(leaf.count)]
            found.extend(many)
        return found


def moved_place(place: Place, position: int) -> Place:
    offset = plus(place.offset, number(position))
    return Place(place.root, place.cell, place.path, place.type, place.lengths, offset, place.checks)


def _constant_lengths(type: CType) -> tuple[Expression, ...]:
    found: list[Expression] = []
    while isinstance(type, Array):
        found.append(number(type.length or 0))
        type = type.element
    return tuple(found)
