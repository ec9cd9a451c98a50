"""Parts of places: members, elements, scalars, and the variables that these may be in."""

from __future__ import annotations

from sorrel.frontends.c.addresses import NOWHERE, product
from sorrel.frontends.c.blurs import Blurs
from sorrel.frontends.c.cells import Cell, field_cell, find, nowhere, path_cell, target_cell
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.layout import Member, Storage
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import (
    both,
    compare,
    convert,
    exact,
    implied,
    minus,
    number,
    plus,
    quotient,
    times,
    within,
)
from sorrel.frontends.c.paths import inner_count, leaf_type, place_name
from sorrel.frontends.c.types import (
    BYTE,
    INT,
    LAST_WRITTEN,
    Array,
    CType,
    Path,
    Record,
    base_element,
    byte_size,
    element_count,
    kept,
    leaves,
    same_layout,
    width,
)
from sorrel.frontends.c.values import Place, PointerValue, UnionMember
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Constant, Expression, Operator
from sorrel.program.types import BOOLEAN, UNBOUNDED


class PlaceParts(Blurs):
    """Which place a member or an element of a place is, and where a scalar is kept."""

    def object_place(self, object: Object) -> Place:
        cell = self._points_to.cell(object)
        if object.declared is not None:
            return Place(object, cell, (), object.declared, _constant_lengths(object.declared))
        return Place(object, cell, (), object.type, self.lengths(object))

    def kept_place(self, object: Object, path: Path) -> Place:
        """The first of the scalars that are kept there."""
        cell = path_cell(self._points_to.cell(object), path)
        return Place(object, cell, path, leaf_type(object.type, path))

    def follow(self, pointer: PointerValue, target: CType, span: Span) -> Place:
        """What the pointer points to, which must be there."""
        if pointer.cell is None:
            return Place(pointer, nowhere(span), (), target, _constant_lengths(target), None, (FALSE,))
        cell = find(pointer.cell)
        if cell.blurred:
            inside = self.may_be_there(pointer, span)
            return Place(pointer, cell, (), target, _constant_lengths(target), None, (inside,))
        room = width(target, in_bytes=cell.bytes)
        if room is None:
            raise Unsupported("a pointer to an array of variable length", span)
        valid = self._valid(pointer, room)
        return Place(pointer, cell, (), target, _constant_lengths(target), pointer.offset, (valid,))

    def member(self, place: Place, name: str, span: Span) -> Place:
        record = place.type
        if not isinstance(record, Record):
            raise InternalError(f"{span}: a member of {record}")
        type = record.field_type(name)
        if find(place.cell).blurred:
            return self._inside_blurred(place, place.cell, place.path, type)
        if find(place.cell).bytes:
            offset, checks = plus(place.offset, number(record.field(name).offset)), place.checks
            if _is_followed(place) and isinstance(place.root, PointerValue) and checks and byte_size(type):
                # Only the member has to be there: what is behind it may be shorter than the structure.
                there = self._valid(PointerValue(place.root.cell, place.root.object, offset), byte_size(type))
                checks = (there, *checks[1:])
            return Place(place.root, place.cell, place.path, type, _constant_lengths(type), offset, checks)
        if record.union:
            first = record.fields[0]
            if not record.keeps_apart and not same_layout(first.type, type):
                raise Unsupported(f"a union whose members differ in layout ({first.type}, {type})", span)
            name = place_name(record, name)
        return self._member(place, name, type)

    def _member(self, place: Place, name: str, type: CType) -> Place:
        """By the name of its place, as the type."""
        inner, count = field_cell(place.cell, name), element_count(kept(type))
        if inner.blurred or count is None:
            return self._inside_blurred(place, inner, (*place.path, name), type)
        return Place(
            place.root,
            inner,
            (*place.path, name),
            type,
            _constant_lengths(type),
            times(place.offset, number(count)),
            place.checks,
        )

    def is_writable(self, place: Place, span: Span) -> Expression:
        """Whether it is neither in a string that is written in the program nor in a variable that is constant."""
        if isinstance(place.root, Object):
            return FALSE if place.root.is_read_only else TRUE
        pointer = place.root
        region = None if pointer.cell is None else self._layout.region(pointer.cell)
        fixed = [] if region is None else [member for member in region.members if member.object.is_read_only]
        if not fixed:
            return TRUE
        if any(member.object.several for member in fixed):
            raise Unsupported("writing through a pointer that may lead to a constant of which there are many", span)
        if pointer.object is None:
            return FALSE
        writable: Expression = TRUE
        for member in fixed:
            writable = both(writable, compare(Operator.DIFFERENT, pointer.object, number(member.number)))
        return writable

    def expect_from_outside(
        self, place: Place, found: list[tuple[Expression, tuple[Expression, ...]]], span: Span
    ) -> None:
        """A pointer in an array that was there before the program started is one that may come from outside."""
        target = find(target_cell(place.cell))
        region = self._layout.region(place.cell)
        untouched = not find(place.cell).written
        if region.flat and isinstance(place.root, PointerValue) and place.root.object is not None:
            outside = compare(Operator.LESS, self._number(place), number(NOWHERE))
            pointer = self.pointer(target, found[0][1])
            self._context.expect(implied(outside, self.is_from_outside(pointer, untouched)), span)
            return
        if region.flat:
            return
        holders: list[tuple[Object, Path]] = []
        if isinstance(place.root, Object):
            holders.append((place.root, place.path))
        else:
            holders.extend((each.object, (*each.path, *place.path)) for each in self._holders(place.root))
        for (holder, path), (condition, components) in zip(holders, found, strict=True):
            if self._context.translation.inputs.is_open(holder) and self._layout.is_array(holder, path):
                expected = self.is_from_outside(self.pointer(target, components), untouched)
                self._context.expect(implied(condition, expected), span)

    def of_union(self, place: Place) -> UnionMember | None:
        """The member that the place is, or is a part of, of a union whose members are kept apart."""
        if not place.path or find(place.cell).blurred:
            return None
        cell = self._points_to.cell(place.root) if isinstance(place.root, Object) else place.root.known_cell
        for depth, name in enumerate(place.path):
            cell, owner = field_cell(cell, name), find(cell)
            if isinstance(owner.type, Record) and owner.type.keeps_apart and name != LAST_WRITTEN:
                around, inside = place.path[:depth], place.path[depth:]
                many = inner_count(owner.type, inside)
                offset = place.offset if place.offset is None or many == 1 else quotient(exact(place.offset), many)
                last = Place(place.root, field_cell(owner, LAST_WRITTEN), (*around, LAST_WRITTEN), INT, (), offset)
                union = Place(place.root, owner, around, owner.type, (), offset)
                whole = self._member(union, name, owner.type.field_type(name))
                number_of_layout = 1 + [each.name for each in owner.type.layouts].index(name)
                return UnionMember(whole, last, number_of_layout, len(inside) == 1 and many == 1)
        return None

    def _inside_blurred(self, place: Place, cell: Cell, path: Path, type: CType) -> Place:
        """A part of memory that is not modelled: only that it is reached is known, not where it is."""
        return Place(place.root, find(cell), path, type, _constant_lengths(type), None, place.checks)

    def element(self, place: Place, index: Expression) -> Place:
        """An element of the array that the place is."""
        if not isinstance(place.type, Array):
            raise InternalError(f"an element of {place.type}")
        index = convert(index, UNBOUNDED) if index.type == BOOLEAN else index
        if find(place.cell).blurred:
            return self._blurred_element(place, place.type, index)
        stride = product(place.lengths[1:])
        if find(place.cell).bytes:
            stride = times(stride, number(byte_size(base_element(place.type)))) or stride
        step = index if isinstance(stride, Constant) and stride.value == 1 else times(convert(index, UNBOUNDED), stride)
        offset = step if place.offset is None else plus(place.offset, step)
        ends = not place.type.length and isinstance(place.lengths[0], Constant) and _is_followed(place)
        if ends and find(place.cell).bytes:
            check = self._is_in_object(place.root, offset, byte_size(place.type.element))
        else:
            check = within(index, place.lengths[0])
        return Place(
            place.root, place.cell, place.path, place.type.element, place.lengths[1:], offset, (*place.checks, check)
        )

    def _is_in_object(self, root: Object | PointerValue, offset: Expression | None, size: int) -> Expression:
        """Whether so many bytes are in the object, which nothing else limits: an array without a length ends it."""
        if isinstance(root, PointerValue):
            return self._valid(PointerValue(root.cell, root.object, offset), size)
        return within(offset, minus(self._part_length(root, ()), number(size - 1)))

    def _blurred_element(self, place: Place, array: Array, index: Expression) -> Place:
        """Inside of the array, if it says how long it is."""
        if array.length == 0 or (array.length is None and isinstance(place.lengths[0], Constant)):
            check: Expression = self.any_value(BOOLEAN, find(place.cell).reason, find(place.cell).span)
        else:
            check = within(index, place.lengths[0])
        checks = (*place.checks, check)
        return Place(place.root, place.cell, place.path, array.element, place.lengths[1:], None, checks)

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
        if isinstance(place.type, Record) and place.type.in_bytes:
            return Place(place.root, place.cell, place.path, BYTE, (), place.offset, place.checks)
        return place

    def scalars(self, place: Place, span: Span) -> list[Place]:
        """Every single scalar of a place, structures and the arrays in them taken apart."""
        found: list[Place] = []
        for leaf in leaves(place.type):
            inner = self.first_part(place, leaf.path, span)
            many = [inner] if leaf.count == 1 else [moved_place(inner, position) for position in range(leaf.count)]
            found.extend(many)
        return found


def _is_followed(place: Place) -> bool:
    """Whether it is in the very cell that its pointer leads to; or in a variable."""
    return isinstance(place.root, Object) or (place.root.cell is not None and find(place.root.cell) is find(place.cell))


def moved_place(place: Place, position: int) -> Place:
    step = position * byte_size(place.type) if find(place.cell).bytes else position
    offset = plus(place.offset, number(step))
    return Place(place.root, place.cell, place.path, place.type, place.lengths, offset, place.checks)


def _constant_lengths(type: CType) -> tuple[Expression, ...]:
    found: list[Expression] = []
    while isinstance(type, Array):
        found.append(number(type.length or 0))
        type = type.element
    return tuple(found)
