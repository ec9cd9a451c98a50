"""Pointers as numbers: which object, at which offset, and what is there. How long objects are."""

from __future__ import annotations

from sorrel.frontends.c.cells import Cell, find
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.objects import FROM_OUTSIDE, Object, ObjectKind
from sorrel.frontends.c.operations import (
    both,
    choose,
    compare,
    either,
    exact,
    implied,
    minus,
    number,
    plus,
    times,
    within,
)
from sorrel.frontends.c.paths import displacement, inner_count
from sorrel.frontends.c.types import VOID, Array, Integer, Record, base_element
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.model.errors import InternalError, Span
from sorrel.program import types as program_types
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Binary, Constant, Expression, Filled, Operator, Select, Variable
from sorrel.program.types import UNBOUNDED

NOWHERE = -1
"""The number that no object ever has. Those of crowds are below."""


class Addresses:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._layout = context.layout
        self._points_to = context.translation.points_to

    def lengths(self, object: Object) -> tuple[Expression, ...]:
        """Of the arrays that an object is, outermost first."""
        found: list[Expression] = []
        type = object.type
        while isinstance(type, Array):
            known = type.length is not None
            found.append(number(type.length or 0) if known else self.length_variable(object, len(found)))
            type = type.element
        return tuple(found)

    def length_variable(self, object: Object, level: int = 0) -> Variable:
        """Where the length is kept that only the running program knows."""
        kinds = (ObjectKind.GLOBAL, ObjectKind.ALLOCATED, *FROM_OUTSIDE)
        shared = object.kind in kinds or self._layout.touches_memory(object)
        suffix = "length" if level == 0 else f"length.{level + 1}"
        if isinstance(base_element(object.type), Record) and not isinstance(object.type, Array):
            suffix = f"$.{suffix}"  # no member has that name
        variable = Variable(f"{self._layout.prefix(object, shared)}.{suffix}", UNBOUNDED)
        if shared:
            return self._layout.declare_global(variable)
        return variable if object.kind is ObjectKind.REFERENT else self._context.local(variable)

    def total_length(self, object: Object) -> Expression:
        """In base elements."""
        if object.runtime_length and not isinstance(object.type, Array):
            return self.length_variable(object)
        return product(self.lengths(object))

    # Pointers

    def address(self, place: Place) -> PointerValue:
        if isinstance(place.root, PointerValue) and place.root.cell is None:
            return place.root
        shape = self._layout.shape(place.cell)
        object = self._number_of_part(place) if shape.object else None
        offset = exact(place.offset if place.offset is not None else number(0)) if shape.offset else None
        if offset is not None and self._layout.has_rows(self._layout.region(place.cell)):
            # The end of an inner array is not the beginning of the next: no element is there, and no other end.
            inside: Expression = TRUE
            for check in place.checks:
                inside = both(inside, check)
            offset = choose(inside, offset, mirrored(offset))
        if offset is not None and isinstance(place.root, PointerValue) and place.path:
            self._expect_length(place, place.root)
        return PointerValue(find(place.cell), object, offset)

    def _number_of_part(self, place: Place) -> Expression:
        """That of an address: a part of what is not there has none, but for the first one, which has the same."""
        at = self._number(place)
        if not isinstance(place.root, PointerValue) or not place.path or place.root.object is None:
            return at
        type = find(place.root.known_cell).type or VOID
        otherwise = number(NOWHERE) if displacement(type, place.path) else place.root.object
        return choose(self.leads_somewhere(place.root), at, otherwise)

    def _expect_length(self, place: Place, whole: PointerValue) -> None:
        """How long a part of an object from outside is follows from how long that is."""
        cell = whole.known_cell
        region = self._layout.region(cell)
        if not region.flat or self._layout.crowd(cell) is None or whole.object is None:
            return
        at = self._number(place)
        type = find(cell).type or VOID
        elements: Expression = number(1)
        if self._layout.shape(cell).offset:
            elements = Select(self._layout.lengths(cell), whole.object, UNBOUNDED)
        length = times(elements, number(inner_count(type, place.path))) or elements
        known = compare(Operator.EQUAL, Select(self._layout.lengths(place.cell), at, UNBOUNDED), length)
        self._context.expect(implied(compare(Operator.LESS, at, number(NOWHERE)), known), region.cell.span)

    def _number(self, place: Place) -> Expression:
        match place.root:
            case Object() as object:
                index = self._layout.subpath_index(object.type, place.path)
                if object.several:
                    return plus(self.instance(object), number(index)) or number(index)
                return number(self._layout.number(object) + index)
            case PointerValue() as pointer:
                record = find(pointer.cell).type if pointer.cell is not None else None
                index = self._layout.subpath_index(record, place.path) if isinstance(record, Record) else 0
                base = pointer.object
                if base is None:
                    base = number(self._layout.region(pointer.known_cell).members[0].number)
                return plus(base, number(index)) or base

    def instance(self, object: Object) -> Variable:
        """The number that this very object has, if there can be several of it."""
        return self._context.local(Variable(f"{object.name}.object", UNBOUNDED))

    def fitted(self, pointer: PointerValue, cell: Cell, span: Span) -> PointerValue:
        """The pointer with the components that pointers into the cell have."""
        shape = self._layout.shape(cell)
        if pointer.cell is None:
            zero = number(0)
            return PointerValue(find(cell), zero if shape.object else None, zero if shape.offset else None)
        if find(pointer.cell) is not find(cell):
            raise InternalError(f"{span}: a pointer moved between regions that were kept apart")
        return pointer

    def components(self, pointer: PointerValue) -> tuple[Expression, ...]:
        return tuple(part for part in (pointer.object, pointer.offset) if part is not None)

    def pointer(self, cell: Cell, components: tuple[Expression, ...]) -> PointerValue:
        shape = self._layout.shape(cell)
        parts = iter(components)
        object = next(parts) if shape.object else None
        return PointerValue(find(cell), object, next(parts) if shape.offset else None)

    def is_set(self, pointer: PointerValue) -> Expression:
        """Whether it is not null."""
        if pointer.cell is None:
            return FALSE
        if pointer.object is None or not find(pointer.cell).nullable:
            return TRUE
        if isinstance(pointer.object, Constant):
            return TRUE if pointer.object.value else FALSE
        return compare(Operator.DIFFERENT, pointer.object, number(0))

    def leads_somewhere(self, pointer: PointerValue) -> Expression:
        """Whether it is neither null nor something that was never set."""
        known = self.is_set(pointer)
        if pointer.cell is None or pointer.object is None or not find(pointer.cell).unset:
            return known
        region = self._layout.region(pointer.cell)
        if region.flat:
            there = compare(Operator.MORE, pointer.object, number(0))
            crowd = self._layout.crowd(pointer.cell)
            return there if crowd is None else either(there, compare(Operator.LESS, pointer.object, number(NOWHERE)))
        found: Expression = FALSE
        for member in region.members:
            found = either(found, compare(Operator.EQUAL, pointer.object, number(member.number)))
        return found

    def is_inside(self, pointer: PointerValue) -> Expression:
        """Whether it points to an element, not to the end of an object or nowhere."""
        return self._valid(pointer, 1)

    def has_room(self, pointer: PointerValue, count: int) -> Expression:
        """Whether it points to so many elements."""
        return FALSE if pointer.cell is None else self._valid(pointer, count)

    def _valid(self, pointer: PointerValue, width: int) -> Expression:
        """Whether so many elements are there from the pointer on."""
        region = self._layout.region(pointer.known_cell)
        shape = self._layout.shape(pointer.known_cell)
        if not region.members:
            return FALSE
        if not shape.offset:
            here = within(pointer.offset, number(1)) if width == 1 else FALSE
            return both(self.leads_somewhere(pointer), here)
        if region.flat:
            length = Select(self._layout.lengths(pointer.known_cell), pointer.known_object, UNBOUNDED)
            return both(self.leads_somewhere(pointer), _fits(pointer.offset, width, length))
        if not shape.object:
            member = region.members[0]
            return _fits(pointer.offset, width, self._part_length(member.object, member.path))
        valid: Expression = FALSE
        for member in region.members:
            here = compare(Operator.EQUAL, pointer.known_object, number(member.number))
            fits = _fits(pointer.offset, width, self._part_length(member.object, member.path))
            valid = either(valid, both(here, fits))
        return valid

    def is_from_outside(self, pointer: PointerValue, untouched: bool) -> Expression:
        """Whether it may have come from outside: null, or it leads to an element of what was there at the start.

        If the program has not left the pointer `untouched`, it may as well be one that the program has put there.
        """
        cell = pointer.known_cell
        if pointer.object is None:
            return self.is_inside(pointer) if untouched else TRUE
        found: Expression = FALSE
        if not untouched:
            found = compare(Operator.AT_LEAST, pointer.object, number(NOWHERE))
        else:
            if find(cell).nullable:
                found = compare(Operator.EQUAL, pointer.object, number(0))
            for member in self._layout.region(cell).members:
                if exists_at_start(member.object) and not member.object.several:
                    here = compare(Operator.EQUAL, pointer.object, number(member.number))
                    found = either(found, both(here, self.is_inside(pointer)))
            if self._layout.has_late_numbers(cell):
                later = compare(Operator.MORE, pointer.object, number(0))
                found = either(found, both(later, self.is_inside(pointer)))
        return either(found, self._is_in_crowd(pointer, untouched))

    def _is_in_crowd(self, pointer: PointerValue, untouched: bool) -> Expression:
        cell = pointer.known_cell
        crowd = self._layout.crowd(cell)
        if crowd is None or pointer.object is None:
            return FALSE
        found = compare(Operator.LESS, pointer.object, number(NOWHERE - self._layout.space(crowd.object)))
        stride = self._layout.stride(crowd.object)
        if stride > 1:
            index = self._layout.subpath_index(crowd.object.type, crowd.path)
            left = Binary(Operator.REMAINDER, minus(pointer.object, number(index)), number(stride), UNBOUNDED)
            found = both(found, compare(Operator.EQUAL, left, number(0)))
        if not self._layout.shape(cell).offset:
            return found
        length = Select(self._layout.lengths(cell), pointer.object, UNBOUNDED)
        most = number(self._layout.most_elements(crowd))
        room = both(compare(Operator.AT_LEAST, length, number(1)), compare(Operator.AT_MOST, length, most))
        return both(found, both(room, self.is_inside(pointer) if untouched else TRUE))

    def length_at(self, pointer: PointerValue) -> Expression:
        """How many elements there are where a pointer to a beginning leads; none if that is nowhere."""
        if pointer.cell is None:
            return number(0)
        region, shape = self._layout.region(pointer.cell), self._layout.shape(pointer.cell)
        known: Expression = number(1)
        if region.flat and shape.offset and pointer.object is not None:
            known = Select(self._layout.lengths(pointer.cell), pointer.object, UNBOUNDED)
        elif shape.offset:
            for member in region.members:
                here: Expression = TRUE
                if pointer.object is not None:
                    here = compare(Operator.EQUAL, pointer.object, number(member.number))
                known = choose(here, self._part_length(member.object, member.path), known)
        return choose(self.leads_somewhere(pointer), known, number(0))

    def run_of_elements(self, pointer: PointerValue) -> tuple[Expression, Expression, Expression] | None:
        """Of a pointer to plain integers: the array it points into, its position there, and how many follow from it.

        None follow where the pointer is null. The whole is None if there is no such array.
        """
        type = find(pointer.cell).type if pointer.cell is not None else None
        if pointer.cell is None or not isinstance(type, Integer) or find(pointer.cell).blurred:
            return None
        region, shape = self._layout.region(pointer.cell), self._layout.shape(pointer.cell)
        offset = pointer.offset if pointer.offset is not None else number(0)
        if region.flat:
            (array,) = self._layout.flat_storage(pointer.cell, type).components
            lengths = self._layout.lengths(pointer.cell)
            known = Select(lengths, pointer.known_object, UNBOUNDED) if shape.offset else number(1)
            length = choose(self.is_set(pointer), known, number(0))
            return array, plus(pointer.known_object, offset) or offset, minus(length, offset)
        found: tuple[Expression, Expression] | None = None
        for member in region.members:
            here: Expression = TRUE
            if pointer.object is not None:
                here = compare(Operator.EQUAL, pointer.object, number(member.number))
            storage = self._layout.storage(member.object, member.path)
            (variable,) = storage.components
            whole = variable if storage.array else Filled(variable, program_types.Array(variable.type))
            other, others = found or (whole, number(0))
            if whole.type != other.type:
                return None  # signed here and unsigned there
            length = self._part_length(member.object, member.path) if storage.array else number(1)
            found = choose(here, whole, other), choose(here, length, others)
        return None if found is None else (found[0], offset, minus(found[1], offset))

    def _part_length(self, object: Object, path: tuple[str, ...]) -> Expression:
        count = inner_count(object.type, path)
        return times(self.total_length(object), number(count)) or number(count)


def exists_at_start(object: Object) -> bool:
    """Whether a pointer that was set before the program started may lead to it; strings are only read."""
    return object.kind in (ObjectKind.GLOBAL, ObjectKind.INPUT)


def mirrored(offset: Expression) -> Expression:
    """How the end of an array inside of the elements of another is told from the next one's beginning, and back."""
    return minus(number(-1), offset)


def product(lengths: tuple[Expression, ...]) -> Expression:
    result: Expression = number(1)
    for length in lengths:
        result = times(result, length) or result
    return result


def _fits(offset: Expression | None, width: int, length: Expression) -> Expression:
    if width == 1:
        return within(offset, length)
    return within(offset, plus(minus(length, number(width)), number(1)) or length)
