"""Reading and writing places: variables, their parts, and what pointers point to."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.frontends.c.births import Births
from sorrel.frontends.c.blurs import ANOTHER_MEMBER
from sorrel.frontends.c.cells import Cell, find, holds, target_cell
from sorrel.frontends.c.digits import assembled, taken_apart
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.layout import Storage
from sorrel.frontends.c.objects import FROM_OUTSIDE, ObjectKind
from sorrel.frontends.c.operations import choose, convert, exact, number, plus, to_type
from sorrel.frontends.c.paths import offsets
from sorrel.frontends.c.place_parts import moved_place
from sorrel.frontends.c.types import (
    BYTE,
    INT,
    Array,
    CType,
    Floating,
    Ieee,
    Integer,
    Leaf,
    Pointer,
    Record,
    Truth,
    Void,
    byte_size,
    leaves,
    scalar_type,
)
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    UnionMember,
    Value,
    is_expression,
)
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InternalError, Span
from sorrel.program import types as program_types
from sorrel.program.construction import TRUE, zero
from sorrel.program.expression import Constant, Expression, Filled, Select, Store, Variable
from sorrel.program.statement import Choice
from sorrel.program.traversal import free_variables

_COPIED_ONE_BY_ONE = 64
_UNDECLARED = (ObjectKind.ALLOCATED, *FROM_OUTSIDE)
Write: TypeAlias = tuple[Variable, Expression]
_LARGE = "an array in a structure that is copied among many objects"
OUT_OF_BOUNDS = "access out of bounds"
READ_ONLY = "a constant or a string literal is written to"


class Memory(Births):
    # Reading

    def used(self, place: Place, span: Span) -> Value:
        """What is read to be computed with; others only copy it."""
        value = self.read(place, span)
        if self._context.translation.settings.unset and not _is_exempt(place):
            parts = (value.object, value.offset) if isinstance(value, PointerValue) else (value,)
            for part in parts:
                if part is not None and is_expression(part):
                    self._context.tell_read(part, span)
        return value

    def read(self, place: Place, span: Span) -> Value:
        self._check(place, span)
        if isinstance(place.type, Array):
            raise InternalError(f"{span}: an array is read as a whole")
        value = self._read_structure(place, span) if isinstance(place.type, Record) else self._read_scalar(place, span)
        member = self.of_union(place)
        if member is None:
            return value
        written, own = self._read_scalar(member.last, span), member.number
        if not isinstance(value, StructureValue):
            return self.as_written(own, written, value, self.anything_of(place, ANOTHER_MEMBER, span), place.cell)
        others = self.any_structure(place.cell, place.type, span, ANOTHER_MEMBER)
        cells = {path: self.first_part(place, path, span).cell for path in value.leaves}
        return StructureValue(
            {
                path: self.as_written(own, written, each, others.leaves[path], cells[path])
                for path, each in value.leaves.items()
            }
        )

    def _read_scalar(self, place: Place, span: Span) -> Value:
        type = place.type
        if isinstance(type, Floating | Void):
            return UNKNOWN
        if isinstance(place.root, PointerValue) and place.root.cell is None:
            return self._invalid(place, span)
        if self._is_blurred(place, span):
            return self.anything(place.cell, type, span)
        parts = self.parts(place)
        if not parts:
            return self._invalid(place, span)
        if isinstance(type, Integer) and self._is_wide(place):
            self._suppose(place)
            digits = [self._read_scalar(each, span) for each in self._bytes(self._steady(place, span))]
            return assembled([digit for digit in digits if is_expression(digit)], type)
        values = [self._load(storage, index) for _, storage, index in parts]
        if isinstance(type, Pointer) and find(target_cell(place.cell)).foreign:
            self.expect_from_outside(place, [(each[0], value) for each, value in zip(parts, values, strict=True)], span)
        if not isinstance(type, Pointer):  # numbers of one size may be signed here and unsigned there
            values = [(to_type(value, type),) for (value,) in values]
        merged = values[-1]
        for (condition, _, _), value in zip(reversed(parts[:-1]), reversed(values[:-1]), strict=True):
            merged = tuple(choose(condition, one, other) for one, other in zip(value, merged, strict=True))
        return self._as_value(place.cell, type, merged)

    def _is_blurred(self, place: Place, span: Span) -> bool:
        """Whether nothing is known of what is there, not even who accesses it."""
        cell = find(place.cell)
        if cell.blurred and self._context.translation.settings.races:
            raise Unsupported(_because("races on memory of which nothing is known", cell.reason), span)
        return cell.blurred

    def _is_wide(self, place: Place) -> bool:
        """Whether it is a number in memory that is kept as bytes, and has several of them."""
        return find(place.cell).bytes and byte_size(place.type) > 1

    def _suppose(self, place: Place) -> None:
        """What is accessed as another type than it is declared as: compilers may suppose that this does not happen."""
        cell = find(place.cell)
        if self._context.translation.settings.races:
            raise Unsupported(_because("races on memory that is kept as bytes", cell.reason), cell.span)
        if not isinstance(place.root, PointerValue) or not cell.smeared:
            return
        declared = [each.object for each in self._layout.region(cell).members if each.object.kind not in _UNDECLARED]
        if not all(holds(object.in_source, place.type) for object in declared):
            told = f"{cell.reason}: compilers do not rely on that this does not happen (-fno-strict-aliasing)."
            self._context.translation.assume(AssumptionKind.OTHER, told)

    def _bytes(self, place: Place) -> list[Place]:
        """The bytes of a number, the lowest first, as all machines have them that data models are about."""
        return [_at_byte(place, position, BYTE) for position in range(byte_size(place.type))]

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
        if not isinstance(place.type, Integer | Truth | Ieee):
            raise Unsupported(f"{place.type} where no pointer leads", span)
        value = self._context.temporary("nowhere", scalar_type(place.type))
        self._context.havoc(value, Choice.ABSTRACTION, "an invalid pointer", span)
        return value

    def _read_structure(self, place: Place, span: Span) -> StructureValue:
        values: dict[tuple[str, ...], Value] = {}
        for leaf in leaves(place.type):
            if leaf.count > 1 and find(place.cell).bytes:
                values[leaf.path] = self._read_scattered(place, leaf, span)
                continue
            inner = self.first_part(place, leaf.path, span)
            if leaf.count == 1:
                values[leaf.path] = self._read_scalar(inner, span)
            else:
                values[leaf.path] = self._read_inner_array(inner, leaf, span)
        return StructureValue(values)

    def _read_inner_array(self, place: Place, leaf: Leaf, span: Span) -> Value:
        """An array inside a structure, as a value: the elements from 0 on are those of the structure."""
        if isinstance(place.type, Floating):
            return UNKNOWN
        if self._is_blurred(place, span):
            return self.anything(place.cell, place.type, span, leaf.count)
        if place.offset is None:
            parts = self.parts(place)
            if len(parts) == 1 and parts[0][2] is None:
                components = tuple(parts[0][1].components)
                if isinstance(place.type, Pointer):
                    return ArrayOfPointers(target_cell(place.cell), components)
                return components[0]
        if leaf.count > _COPIED_ONE_BY_ONE or isinstance(place.type, Pointer):
            return self.anything(place.cell, place.type, span, leaf.count, source=_LARGE)
        return self._gathered([moved_place(place, position) for position in range(leaf.count)], span)

    def _read_scattered(self, place: Place, leaf: Leaf, span: Span) -> Value:
        """The same in memory that is kept as bytes, where elements lie as the structure has them."""
        if leaf.count > _COPIED_ONE_BY_ONE:
            return self.anything(place.cell, leaf.type, span, leaf.count, source=_LARGE)
        place = self._steady(place, span)
        return self._gathered([_at_byte(place, each, leaf.type) for each in offsets(place.type, leaf.path)], span)

    def _gathered(self, places: list[Place], span: Span) -> Value:
        """An array of what is in places of one type."""
        kind = self._layout.leaf_types(places[0].cell, places[0].type)[0][1]
        gathered = self._context.temporary("copy", program_types.Array(kind))
        self._context.assign(gathered, Filled(zero(kind), gathered.type), span)  # what it was before matters to nobody
        for position, place in enumerate(places):
            value = self._read_scalar(place, span)
            if not is_expression(value):
                raise Unsupported(f"copying an array of {place.type}", span)
            stored = Store(gathered, number(position), convert(value, kind), gathered.type)
            self._context.assign(gathered, stored, span)
        return gathered

    # Writing

    def write(self, place: Place, value: Value, span: Span) -> None:
        self._context.check(self.is_writable(place, span), READ_ONLY, span)
        member = self.of_union(place)
        if member is not None and (not member.single or isinstance(place.type, Record)):
            self._check(place, span)
            place = self._steady(place, span)
            member = self.of_union(place)
            if member is not None and not member.single:
                self._forget_others(member, span)
        self.initialize(place, value, span)

    def initialize(self, place: Place, value: Value, span: Span) -> None:
        """Write what may be constant from then on."""
        self._check(place, span)
        member = self.of_union(place)
        if isinstance(place.type, Record):
            self._write_structure(place, value, span)
        elif member is None:
            self._write_scalar(place, value, span)
        else:
            last = self._scalar_writes(member.last, Constant(member.number, INT.machine), span)
            self._assign_together([*self._scalar_writes(place, value, span), *last], span)
        if member is not None and isinstance(place.type, Record):
            self._write_scalar(member.last, Constant(member.number, INT.machine), span)

    def _forget_others(self, member: UnionMember, span: Span) -> None:
        """Before a part of a member is written: what another member left in its other parts is any value."""
        written = self._read_scalar(member.last, span)
        for part in self.scalars(member.whole, span):
            known, other = self._read_scalar(part, span), self.anything_of(part, ANOTHER_MEMBER, span)
            self._write_scalar(part, self.as_written(member.number, written, known, other, part.cell), span)

    def replace(self, place: Place, value: Value, span: Span) -> None:
        """Of a scalar, whatever the program has written there: in a union it is not the last that was written."""
        self._check(place, span)
        self._write_scalar(place, value, span)

    def may_be_read_only(self, place: Place, span: Span) -> bool:
        return self.is_writable(place, span) != TRUE

    def _write_scalar(self, place: Place, value: Value, span: Span) -> None:
        self._assign_together(self._scalar_writes(place, value, span), span)

    def _scalar_writes(self, place: Place, value: Value, span: Span) -> list[Write]:
        if isinstance(place.type, Floating | Void) or self._is_blurred(place, span):
            return []
        components = self._stored_components(place, value, span)
        if isinstance(place.type, Integer) and self._is_wide(place):
            self._suppose(place)
            return self._byte_writes(place, taken_apart(self._context, components[0], place.type, span))
        return [
            write
            for condition, storage, index in self.parts(place)
            for write in _writes(condition, storage, index, components)
        ]

    def _byte_writes(self, place: Place, digits: list[Expression]) -> list[Write]:
        """All bytes of a number at once."""
        found: list[Write] = []
        for condition, storage, index in self.parts(_at_byte(place, 0, BYTE)):
            for variable in storage.components:
                new: Expression = variable
                for position, digit in enumerate(digits):
                    at = plus(index, number(position)) or number(position)
                    new = Store(new, at, convert(digit, _array_element(variable)), variable.type)
                found.append((variable, choose(condition, new, variable)))
        return found

    def _assign_together(self, writes: list[Write], span: Span) -> None:
        """All values are those before the first of the writes."""
        if len(writes) == 1:
            self._context.assign(*writes[0], span)
            return
        written: set[str] = set()
        late: list[Write] = []
        for target, value in writes:
            if any(variable.name in written for variable in free_variables(value)):
                value = self._context.saved_write(target, value, span)
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
        if find(place.cell).bytes and isinstance(place.type, Record) and not place.type.in_bytes:
            self._write_bytes(place, value, span)
            return
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

    def _write_bytes(self, place: Place, value: StructureValue, span: Span) -> None:
        """A structure in memory that is kept as bytes; what is between its members is any value afterwards."""
        place = self._steady(place, span)
        parts = {
            path: self._context.saved(part, "part", span) if is_expression(part) else part
            for path, part in value.leaves.items()
        }
        filled: set[int] = set()
        for leaf in leaves(place.type):
            positions, size, part = offsets(place.type, leaf.path), byte_size(leaf.type), parts[leaf.path]
            filled.update(position + step for position in positions for step in range(size))
            if leaf.count > _COPIED_ONE_BY_ONE:
                self._write_inner_array(self.first_part(place, leaf.path, span), leaf, part, span)
            elif is_expression(part):
                for index, position in enumerate(positions):
                    one = part if leaf.count == 1 else Select(part, number(index), _array_element(part))
                    self._write_scalar(_at_byte(place, position, leaf.type), one, span)
        gaps = set(range(byte_size(place.type))) - filled if self._context.name else set()
        for position in sorted(gaps):
            any_byte = self.any_value(BYTE.machine, "what is between members", span)
            self._write_scalar(_at_byte(place, position, BYTE), any_byte, span)

    def _steady(self, place: Place, span: Span) -> Place:
        """The same place even after parts of it were written."""
        root = place.root
        if isinstance(root, PointerValue):
            root = PointerValue(root.cell, self._steadied(root.object, span), self._steadied(root.offset, span))
        offset = None if place.offset is None else self._steadied(exact(place.offset), span)
        return Place(root, place.cell, place.path, place.type, place.lengths, offset)

    def _steadied(self, part: Expression | None, span: Span) -> Expression | None:
        return part if part is None or isinstance(part, Constant) else self._context.saved(part, "at", span)

    def _whole_array(self, place: Place, value: Value) -> list[Write] | None:
        """An array inside a structure that has variables of its own is assigned as one."""
        if isinstance(place.type, Floating) or find(place.cell).blurred:
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
            for _, storage, _ in self.parts(place):
                for variable in storage.components:
                    self._context.havoc(variable, Choice.ABSTRACTION, _LARGE, span)
            return
        if not is_expression(value):
            raise Unsupported(f"copying an array of {place.type}", span)
        for position in range(leaf.count):
            element = Select(value, number(position), _array_element(value))
            self._write_scalar(moved_place(place, position), element, span)

    def _check(self, place: Place, span: Span) -> None:
        for condition in place.checks:
            self._context.check(condition, OUT_OF_BOUNDS, span)
        if place.checks and isinstance(place.root, PointerValue):
            self.watch.check_access(place.root, span)


def _at_byte(place: Place, position: int, type: CType) -> Place:
    """What is so many bytes further on, in memory that is kept as bytes."""
    return Place(place.root, place.cell, place.path, type, (), plus(place.offset, number(position)))


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


def _array_element(array: Expression) -> program_types.Type:
    if not isinstance(array.type, program_types.Array):
        raise InternalError(f"an element of {array}, which is not an array")
    return array.type.element


def _is_exempt(place: Place) -> bool:
    """Whether it need not be set: bytes may be looked at, and structures are copied with all that is in them."""
    type = place.type
    if isinstance(type, Integer) and type.machine.bits == BYTE.machine.bits:
        return not type.machine.signed or find(place.cell).bytes
    return not isinstance(type, Integer | Truth | Ieee | Pointer)


def _because(what: str, reason: str) -> str:
    return f"{what} ({reason})" if reason else what
