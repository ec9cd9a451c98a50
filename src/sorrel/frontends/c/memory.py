"""Reading and writing places: variables, their parts, and what pointers point to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sorrel.frontends.c.addresses import NOWHERE, Addresses, product
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.layout import Member, Storage
from sorrel.frontends.c.objects import FROM_OUTSIDE, Object
from sorrel.frontends.c.operations import (
    both,
    choose,
    compare,
    convert,
    exact,
    implied,
    number,
    plus,
    times,
    to_type,
    within,
)
from sorrel.frontends.c.paths import inner_count, place_name, same_layout, subpaths
from sorrel.frontends.c.regions import Cell, field_cell, find, path_cell, target_cell
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Integer,
    Leaf,
    Path,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
    element_count,
    leaves,
)
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    Value,
    is_expression,
)
from sorrel.frontends.c.watching import State, Watch
from sorrel.model.errors import InternalError, Span
from sorrel.program import types as program_types
from sorrel.program.construction import FALSE, TRUE, zero
from sorrel.program.expression import Constant, Expression, Operator, Select, Store, Variable
from sorrel.program.statement import Choice
from sorrel.program.traversal import free_variables
from sorrel.program.types import BOOLEAN, UNBOUNDED

_COPIED_ONE_BY_ONE = 64
Write: TypeAlias = tuple[Variable, Expression]
OUT_OF_BOUNDS = "access out of bounds"
READ_ONLY = "a constant or a string literal is written to"


class Memory(Addresses):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.watch = Watch(context)

    # Places

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

    # Reading

    def read(self, place: Place, span: Span) -> Value:
        self._check(place, span)
        if isinstance(place.type, Array):
            raise InternalError(f"{span}: an array is read as a whole")
        if isinstance(place.type, Record):
            return self._read_structure(place, span)
        return self._read_scalar(place, span)

    def _read_scalar(self, place: Place, span: Span) -> Value:
        type = place.type
        if isinstance(type, Floating | Void):
            return UNKNOWN
        parts = self.parts(place)
        if not parts:
            return self._invalid(place, span)
        values = [self._load(storage, index) for _, storage, index in parts]
        if isinstance(type, Pointer) and find(target_cell(place.cell)).foreign:
            self._expect_from_outside(
                place, [(each[0], value) for each, value in zip(parts, values, strict=True)], span
            )
        if not isinstance(type, Pointer):  # numbers of one size may be signed here and unsigned there
            values = [(to_type(value, type),) for (value,) in values]
        merged = values[-1]
        for (condition, _, _), value in zip(reversed(parts[:-1]), reversed(values[:-1]), strict=True):
            merged = tuple(choose(condition, one, other) for one, other in zip(value, merged, strict=True))
        return self._as_value(place.cell, type, merged)

    def _expect_from_outside(
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

    def _as_value(self, cell: Cell, type: CType, components: tuple[Expression, ...]) -> Value:
        if isinstance(type, Pointer):
            return self.pointer(target_cell(cell), components)
        return to_type(components[0], type)

    def _load(self, storage: Storage, index: Expression | None) -> tuple[Expression, ...]:
        if not storage.array:
            return storage.components
        return tuple(
            Select(variable, index if index is not None else number(0), _array_element(variable))
            for variable in storage.components
        )

    def _invalid(self, place: Place, span: Span) -> Value:
        """A pointer that can point nowhere: the check before this has failed, any value will do."""
        if isinstance(place.type, Pointer):
            return PointerValue(None)
        if not isinstance(place.type, Integer | Truth):
            raise Unsupported(f"{place.type} where no pointer leads", span)
        value = self._context.temporary("nowhere", self._layout.leaf_types(place.cell, place.type)[0][1])
        self._context.havoc(value, Choice.ABSTRACTION, "an invalid pointer", span)
        return value

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

    def _read_structure(self, place: Place, span: Span) -> StructureValue:
        values: dict[tuple[str, ...], Value] = {}
        for leaf in leaves(place.type):
            inner = self.first_part(place, leaf.path, span)
            if leaf.count == 1:
                values[leaf.path] = self._read_scalar(inner, span)
            else:
                values[leaf.path] = self._read_inner_array(inner, leaf, span)
        return StructureValue(values)

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
            found.extend([inner] if leaf.count == 1 else [_moved(inner, position) for position in range(leaf.count)])
        return found

    def _read_inner_array(self, place: Place, leaf: Leaf, span: Span) -> Value:
        """An array inside a structure, as a value: the elements from 0 on are those of the structure."""
        if isinstance(place.type, Floating):
            return UNKNOWN
        if place.offset is None:
            parts = self.parts(place)
            if len(parts) == 1 and parts[0][2] is None:
                components = tuple(parts[0][1].components)
                if isinstance(place.type, Pointer):
                    return ArrayOfPointers(target_cell(place.cell), components)
                return components[0]
        if leaf.count > _COPIED_ONE_BY_ONE or isinstance(place.type, Pointer):
            raise Unsupported(f"copying a structure with an array of {leaf.count} elements", span)
        kind = self._layout.leaf_types(place.cell, place.type)[0][1]
        gathered = self._context.temporary("copy", program_types.Array(kind))
        for position in range(leaf.count):
            value = self._read_scalar(_moved(place, position), span)
            if not is_expression(value):
                raise Unsupported(f"copying an array of {place.type}", span)
            stored = Store(gathered, number(position), convert(value, kind), gathered.type)
            self._context.assign(gathered, stored, span)
        return gathered

    # Writing

    def write(self, place: Place, value: Value, span: Span) -> None:
        self._context.check(self._is_writable(place, span), READ_ONLY, span)
        self.initialize(place, value, span)

    def initialize(self, place: Place, value: Value, span: Span) -> None:
        """Write what may be constant from then on."""
        self._check(place, span)
        if isinstance(place.type, Record):
            self._write_structure(place, value, span)
        else:
            self._write_scalar(place, value, span)

    def may_be_read_only(self, place: Place, span: Span) -> bool:
        return self._is_writable(place, span) != TRUE

    def _is_writable(self, place: Place, span: Span) -> Expression:
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

    def _write_scalar(self, place: Place, value: Value, span: Span) -> None:
        self._assign_together(self._scalar_writes(place, value, span), span)

    def _scalar_writes(self, place: Place, value: Value, span: Span) -> list[Write]:
        if isinstance(place.type, Floating | Void):
            return []
        components = self._stored_components(place, value, span)
        return [
            write
            for condition, storage, index in self.parts(place)
            for write in _writes(condition, storage, index, components)
        ]

    def _assign_together(self, writes: list[Write], span: Span) -> None:
        """All values are those before the first of the writes."""
        if len(writes) == 1:
            self._context.assign(*writes[0], span)
            return
        written: set[str] = set()
        late: list[Write] = []
        for target, value in writes:
            if any(variable.name in written for variable in free_variables(value)):
                value = self._context.saved(value, "new", span)
            late.append((target, value))
            written.add(target.name)
        for target, value in late:
            self._context.assign(target, value, span)

    def _stored_components(self, place: Place, value: Value, span: Span) -> tuple[Expression, ...]:
        if isinstance(place.type, Pointer):
            if not isinstance(value, PointerValue):
                raise Unsupported("a pointer made from a number", span)
            return self.components(self.fitted(value, target_cell(place.cell), span))
        if not is_expression(value):
            raise InternalError(f"{span}: a value of another kind is stored as {place.type}")
        return (to_type(value, place.type),)

    def store(self, storage: Storage, index: Expression | None, components: tuple[Expression, ...], span: Span) -> None:
        self._assign_together(_writes(TRUE, storage, index, components), span)

    def _write_structure(self, place: Place, value: Value, span: Span) -> None:
        if not isinstance(value, StructureValue):
            raise InternalError(f"{span}: a structure is assigned something else")
        writes: list[Write] = []
        arrays: list[tuple[Place, Leaf, Value]] = []
        for leaf in leaves(place.type):
            inner = self.first_part(place, leaf.path, span)
            part = value.leaves[leaf.path]
            if leaf.count == 1:
                writes.extend(self._scalar_writes(inner, part, span))
            elif (whole := self._whole_array(inner, part)) is not None:
                writes.extend(whole)
            else:
                arrays.append((inner, leaf, part))
        if arrays:
            place = self._steady(place, span)
            arrays = [(self.first_part(place, leaf.path, span), leaf, part) for _, leaf, part in arrays]
        self._assign_together(writes, span)
        for inner, leaf, part in arrays:
            self._write_inner_array(inner, leaf, part, span)

    def _steady(self, place: Place, span: Span) -> Place:
        """The same place even after parts of it were written."""
        root = place.root
        if isinstance(root, PointerValue):
            parts = [
                None if part is None else self._context.saved(part, "at", span) for part in (root.object, root.offset)
            ]
            root = PointerValue(root.cell, parts[0], parts[1])
        offset = None if place.offset is None else self._context.saved(exact(place.offset), "at", span)
        return Place(root, place.cell, place.path, place.type, place.lengths, offset)

    def _whole_array(self, place: Place, value: Value) -> list[Write] | None:
        """An array inside a structure that has variables of its own is assigned as one."""
        if isinstance(place.type, Floating):
            return []
        parts = self.parts(place)
        if place.offset is not None or len(parts) != 1 or parts[0][2] is not None:
            return None
        components = value.components if isinstance(value, ArrayOfPointers) else (value,)
        found: list[Write] = []
        for variable, component in zip(parts[0][1].components, components, strict=True):
            if not is_expression(component):
                raise InternalError(f"{place.type} is assigned several values")
            found.append((variable, component))
        return found

    def _write_inner_array(self, place: Place, leaf: Leaf, value: Value, span: Span) -> None:
        if leaf.count > _COPIED_ONE_BY_ONE or isinstance(value, ArrayOfPointers):
            raise Unsupported(f"copying a structure with an array of {leaf.count} elements", span)
        if not is_expression(value):
            raise Unsupported(f"copying an array of {place.type}", span)
        for position in range(leaf.count):
            element = Select(value, number(position), _array_element(value))
            self._write_scalar(_moved(place, position), element, span)

    # Starting values

    def each_scalar(self, object: Object, action: Callable[[Storage, Leaf, Cell], None]) -> None:
        for leaf in leaves(object.type):
            cell = path_cell(self._points_to.cell(object), leaf.path)
            action(self._layout.storage(object, leaf.path), leaf, cell)

    def havoc_object(self, object: Object, choice: Choice, source: str, span: Span) -> None:
        """Any contents; a pointer is null or leads nowhere: what is never set cannot be followed."""

        def forget(storage: Storage, leaf: Leaf, cell: Cell) -> None:
            if cell.pointed and self._layout.region(cell).flat:
                return  # a new number: nothing was ever stored there
            if isinstance(leaf.type, Pointer):
                self._unset(storage, target_cell(cell), choice, source, span)
                return
            for variable in storage.components:
                self._context.havoc(variable, choice, source, span)

        self.each_scalar(object, forget)

    def _unset(self, storage: Storage, cell: Cell, choice: Choice, source: str, span: Span) -> None:
        """A pointer before it is set; those in arrays may even be equal to one that is."""
        for variable in storage.components:
            self._context.assign(variable, zero(variable.type), span)
        if not cell.unset or not self._layout.shape(cell).object:
            return
        if storage.array:
            self._context.havoc(storage.components[0], choice, source, span)
            return
        dangling = self._context.temporary("dangling", BOOLEAN)
        self._context.havoc(dangling, choice, source, span)
        nowhere = choose(dangling, number(NOWHERE), number(0))
        self._context.assign(storage.components[0], nowhere, span)

    def begin(self, object: Object, span: Span) -> None:
        """A variable comes into being, where pointers may find it."""
        if not self._layout.touches_memory(object):
            return
        if object.several:
            self.allocate(object, self.total_length(object), span)
        else:
            self.note_lengths(object, self.total_length(object), span)
        if id(object) in self._context.translation.mortal and object.kind not in FROM_OUTSIDE:
            self.made(object, State.AUTOMATIC, span)

    def made(self, object: Object, state: State, span: Span) -> None:
        """The object is there from now on."""
        self.watch.made(self._own_number(object), state, span)

    def ended(self, object: Object, span: Span) -> None:
        self.watch.ended(self._own_number(object), span)

    def leave(self, span: Span) -> None:
        """The function returns: its variables end, and with main the program."""
        translation = self._context.translation
        for object in translation.ending.get(self._context.name, ()):
            self.ended(object, span)
        entries = translation.linked.entries
        if not translation.settings.is_from_outside and any(each.name == self._context.name for each in entries):
            self.watch.check_at_end(span)

    def _own_number(self, object: Object) -> Expression:
        return self.instance(object) if object.several else number(self._layout.number(object))

    def allocate(self, object: Object, length: Expression, span: Span) -> None:
        """A new number for an object of which there can be several, and its length where pointers ask for it."""
        context, following = self._context, self._layout.next_number()
        instance = self.instance(object)
        context.assign(instance, following, span)
        widest = max((leaf.count for leaf in leaves(object.type)), default=1)
        taken = plus(times(length, number(widest)), number(self._layout.space(object)))
        context.assign(following, plus(following, taken) or following, span)
        self.note_lengths(object, length, span)

    def note_lengths(self, object: Object, length: Expression, span: Span) -> None:
        for path in subpaths(base_element(object.type)):
            cell = path_cell(self._points_to.cell(object), path)
            if not cell.pointed or not self._layout.region(cell).flat or not self._layout.shape(cell).offset:
                continue
            lengths = self._layout.lengths(cell)
            at = self._number(Place(object, cell, path, object.type))
            count = inner_count(object.type, path)
            value = times(length, number(count)) or length
            self._context.assign(lengths, Store(lengths, at, value, lengths.type), span)

    def _check(self, place: Place, span: Span) -> None:
        for condition in place.checks:
            self._context.check(condition, OUT_OF_BOUNDS, span)
        if place.checks and isinstance(place.root, PointerValue):
            self.watch.check_access(place.root, span)


def _writes(
    condition: Expression, storage: Storage, index: Expression | None, components: tuple[Expression, ...]
) -> list[Write]:
    found: list[Write] = []
    for variable, component in zip(storage.components, components, strict=True):
        kind = _array_element(variable) if storage.array else variable.type
        new: Expression = convert(component, kind)
        if storage.array:
            new = Store(variable, index if index is not None else number(0), new, variable.type)
        found.append((variable, choose(condition, new, variable)))
    return found


def _moved(place: Place, position: int) -> Place:
    offset = plus(place.offset, number(position))
    return Place(place.root, place.cell, place.path, place.type, place.lengths, offset, place.checks)


def _constant_lengths(type: CType) -> tuple[Expression, ...]:
    found: list[Expression] = []
    while isinstance(type, Array):
        found.append(number(type.length or 0))
        type = type.element
    return tuple(found)


def _array_element(array: Expression) -> program_types.Type:
    if not isinstance(array.type, program_types.Array):
        raise InternalError(f"an element of {array}, which is no array")
    return array.type.element
