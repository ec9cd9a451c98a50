"""How objects are kept: which variables they become, which numbers pointers know them by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from math import prod

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import Cell, element_type, find, is_only_carried, path_cell, target_cell
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.objects import FROM_OUTSIDE, Object, ObjectKind, Objects
from sorrel.frontends.c.paths import contiguous, leaf_type, part_types, subpaths
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.types import (
    BYTE,
    Array,
    CType,
    Floating,
    Function,
    Ieee,
    Integer,
    Path,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
    byte_size,
    element_count,
    is_byte,
    kept,
    scalar_type,
)
from sorrel.model.values import dataclass
from sorrel.program import types as program_types
from sorrel.program.expression import Variable
from sorrel.program.types import UNBOUNDED, Type

# A region of more objects than this is one array; reading through a pointer is a case split over fewer.
_CASES = 8
_ALLOCATING = ("malloc", "calloc")
STRIDE = 1 << 48
"""More elements than any object has: there are not so many addresses."""


@dataclass(frozen=True, slots=True)
class Member:
    """An object, or a part of one, that pointers into a region may mean, and its number there."""

    object: Object
    path: Path
    number: int  # relative to the object's own number if there can be several of it


@dataclass(frozen=True, slots=True)
class Shape:
    """Which components a pointer into a region has."""

    object: bool
    offset: bool

    @property
    def components(self) -> tuple[str, ...]:
        return (("object",) if self.object else ()) + (("offset",) if self.offset else ())


class Inexpressible(Exception):
    """What pointers into objects of the type mean cannot be said by numbers: nothing in them can be modelled."""

    def __init__(self, type: CType, reason: str) -> None:
        super().__init__(reason)
        self.type = type
        self.reason = reason


@dataclass(eq=False, slots=True)
class Region:
    """`flat`: all its objects lie in one array, each at its number."""

    cell: Cell
    members: list[Member] = field(default_factory=list)
    flat: bool = False
    name: str = ""

    @property
    def has_parts(self) -> bool:
        return any(member.path for member in self.members)


@dataclass(frozen=True, slots=True)
class Storage:
    """The variables of a leaf, one for each component; `array`: they are indexed."""

    components: tuple[Variable, ...]
    array: bool


class Layout:
    def __init__(self, objects: Objects, points_to: PointsTo) -> None:
        self._objects = objects
        self._points_to = points_to
        self._regions: dict[int, Region] = {}
        self._numbers: dict[int, int] = {}
        self._storages: dict[tuple[int, Path], Storage] = {}
        self._subpaths: dict[int, dict[Path, int]] = {}
        self.globals: dict[str, Variable] = {}
        self.first_free = 1
        self._settle_types()
        self._nearest = self._furthest_part() + 1
        self._collect()
        self._flatten()
        self._check()

    # Regions

    def region(self, cell: Cell) -> Region:
        cell = find(cell)
        known = self._regions.get(id(cell))
        if known is None:
            known = self._regions[id(cell)] = Region(cell)
        return known

    def region_number(self, cell: Cell) -> int:
        """Different for different regions."""
        return list(self._regions).index(id(self.region(cell).cell))

    def shape(self, cell: Cell) -> Shape:
        """Of pointers that point into the cell."""
        cell = find(cell)
        region = self.region(cell)
        alone = len(region.members) == 1 and not region.members[0].object.several and not cell.nullable
        if cell.blurred:
            return Shape(not alone, False)
        moved = cell.arithmetic or any(self.is_array(m.object, m.path) for m in region.members)
        return Shape(not alone, moved and not isinstance(cell.type, Function))

    def holds_numbers(self, cell: Cell) -> bool:
        """Whether a pointer to the cell is the number that it was made from: there is nothing that it could lead to."""
        return is_only_carried(cell) and not self.region(cell).members

    def freed(self) -> list[Object]:
        """What `free` is given pointers to."""
        return [each.object for region in self._regions.values() if find(region.cell).freed for each in region.members]

    def crowd(self, cell: Cell) -> Member | None:
        """All objects from outside without a name that pointers to the cell may mean, or their part that these mean."""
        return next((each for each in self.region(cell).members if each.object.kind is ObjectKind.CROWD), None)

    def has_late_numbers(self, cell: Cell) -> bool:
        """Whether objects that exist at the start get numbers only then, like those that are made later."""
        members = self.region(cell).members
        return any(each.object.kind is ObjectKind.INPUT and each.object.several for each in members)

    def stride(self, crowd: Object) -> int:
        """The numbers of objects of a crowd are so far apart that none is within another."""
        paths = subpaths(base_element(crowd.type))
        cells = [path_cell(self._points_to.cell(crowd), path) for path in paths]
        moved = any(self.shape(cell).offset for cell in cells if cell.pointed)
        return STRIDE if moved or len({id(cell) for cell in cells}) < len(cells) else self._nearest

    def most_elements(self, crowd: Member) -> int:
        """No object is so long that it reaches to the next of a crowd, nor is any of its parts."""
        widest = 1 if crowd.path else _widest(crowd.object.type)
        return (self.stride(crowd.object) - self.space(crowd.object)) // widest

    def subpath_index(self, type: CType, path: Path) -> int:
        """The position of a part among all parts of a type, outer before inner; the same wherever it is nested."""
        record = base_element(type)
        if not isinstance(record, Record):
            return 0
        known = self._subpaths.get(id(record))
        if known is None:
            known = self._subpaths[id(record)] = {p: position for position, p in enumerate(subpaths(record))}
        return known[path]

    def number(self, object: Object) -> int:
        """Of an object of which there is one: the number that pointers to it have."""
        return self._numbers[id(object)]

    def part_index(self, member: Member) -> int:
        return self.subpath_index(member.object.type, member.path)

    def space(self, object: Object) -> int:
        """How many numbers an object with one element takes, one for each of its parts.

        There are more where pointers of one type mean different parts: whichever part a number may be that of, what is
        there is the object itself or no object at all.
        """
        return max(len(subpaths(base_element(object.type))), self._nearest)

    def is_array(self, object: Object, path: Path) -> bool:
        """Whether there is more than one of the part in the object."""
        return object.runtime_length or any(isinstance(type, Array) for type in part_types(object.type, path))

    def in_memory(self, object: Object, path: Path) -> bool:
        """Whether a pointer may reach the part."""
        return path_cell(self._points_to.cell(object), path).pointed

    def touches_memory(self, object: Object) -> bool:
        return any(self.in_memory(object, path) for path in subpaths(base_element(object.type)))

    def _settle_types(self) -> None:
        """What an allocation holds is known when all pointers to it are, and so is what is kept as bytes."""
        for object in self._objects.all():
            cell = find(self._points_to.cell(object))
            if object.kind is ObjectKind.ALLOCATED or (cell.bytes and object.kind in FROM_OUTSIDE):
                type = element_type(cell)
                object.type = type if type is not None and not isinstance(type, Function) else object.type
                object.single = object.kind is ObjectKind.ALLOCATED and not cell.bytes and _has_room_for_one(object)
                object.array = object.array or (cell.bytes and object.kind in FROM_OUTSIDE)
            elif cell.bytes and cell.smeared and not is_byte(base_element(kept(object.type))):
                object.declared = object.type
                object.type = Array(BYTE, byte_size(object.type))

    def _collect(self) -> None:
        for object in self._all():
            self._numbers[id(object)] = self.first_free
            count = element_count(object.type) or 1
            self.first_free += self.space(object) + count * _widest(object.type)
            for path, cell in self._pointed(object):
                offset = self.subpath_index(object.type, path)
                base = 0 if object.several else self._numbers[id(object)]
                self.region(cell).members.append(Member(object, path, base + offset))

    def _all(self) -> Iterator[Object]:
        yield from self._objects.all()
        yield from self._objects.functions.values()

    def _pointed(self, object: Object) -> Iterator[tuple[Path, Cell]]:
        """The parts that pointers may mean."""
        for path in subpaths(base_element(object.type)):
            cell = path_cell(self._points_to.cell(object), path)
            if path and cell.blurred and path_cell(self._points_to.cell(object), path[:-1]) is cell:
                continue  # one with what it is a part of
            if cell.pointed or cell.functions:
                yield path, cell

    def _furthest_part(self) -> int:
        """The greatest position of a part, where pointers of one type mean parts at different ones; or 0."""
        positions: dict[int, set[int]] = {}
        for object in self._all():
            for path, cell in self._pointed(object):
                positions.setdefault(id(find(cell)), set()).add(self.subpath_index(object.type, path))
        return max((max(each) for each in positions.values() if len(each) > 1), default=0)

    def _flatten(self) -> None:
        changed = True
        while changed:
            changed = False
            for region in self._regions.values():
                several = any(member.object.several for member in region.members)
                if not region.flat and (several or len(region.members) > _CASES) and not _is_function(region):
                    region.flat = changed = True
                if region.flat:
                    changed |= self._make_several(region)

    def _make_several(self, region: Region) -> bool:
        """In a flat region, what has no fixed length gets its place when the program runs."""
        changed = False
        for member in region.members:
            if member.object.runtime_length and not member.object.several:
                member.object.several = changed = True
        if changed:
            for other in self._regions.values():
                other.members = [self._renumbered(member) for member in other.members]
        return changed

    def _renumbered(self, member: Member) -> Member:
        if not member.object.several:
            return member
        return Member(member.object, member.path, self.subpath_index(member.object.type, member.path))

    def _check(self) -> None:
        """What the numbering cannot express is refused, not guessed."""
        for region in self._regions.values():
            cell = region.cell
            owners = [id(member.object) for member in region.members]
            if cell.blurred:
                continue
            for member in region.members:
                scattered = not self.is_contiguous(member)
                if cell.arithmetic and scattered and not isinstance(cell.type, Function):
                    raise Inexpressible(_holder(member), "of which a pointer to a field is moved")
            if region.flat and len(set(owners)) < len(owners):
                twice = next(each for each in region.members if owners.count(id(each.object)) > 1)
                raise Inexpressible(base_element(twice.object.type), "of which pointers lead to two fields of many")
        for position, region in enumerate(self._regions.values()):
            region.name = f"memory.{position + 1}"

    def has_rows(self, region: Region) -> bool:
        """Whether pointers there mean elements of arrays that are inside of the elements of others."""
        return any(self._arrays_around(each) > 1 for each in region.members)

    def _arrays_around(self, member: Member) -> int:
        types = part_types(member.object.type, member.path)
        many = member.object.runtime_length and not isinstance(types[0], Array)
        return many + sum(isinstance(type, Array) for type in types)

    def is_contiguous(self, member: Member) -> bool:
        """Whether a pointer to the part finds all of it by moving."""
        return (not member.path or not member.object.runtime_length) and contiguous(member.object.type, member.path)

    # Storage

    def leaf_types(self, cell: Cell, type: CType) -> tuple[tuple[str, Type], ...]:
        """Suffixes and types of the variables for one scalar of C."""
        if find(cell).blurred:
            return ()
        match type:
            case Integer() | Truth() | Ieee():
                return (("", scalar_type(type)),)
            case Pointer():
                shape = self.shape(target_cell(cell))
                return tuple((f".{name}", UNBOUNDED) for name in shape.components)
            case Floating() | Void() | Function():
                return ()
            case _:
                raise Unsupported(f"a value of type {type}", cell.span)

    def storage(self, object: Object, path: Path) -> Storage:
        key = (id(object), path)
        known = self._storages.get(key)
        if known is None:
            known = self._storages[key] = self._make_storage(object, path)
        return known

    def is_stored(self, object: Object) -> bool:
        """Whether anything has asked where the object is kept."""
        for path in subpaths(base_element(object.type)):
            region = self.region(path_cell(self._points_to.cell(object), path))
            if (id(object), path) in self._storages or (region.flat and (id(region), ()) in self._storages):
                return True
        return False

    def flat_storage(self, cell: Cell, type: CType) -> Storage:
        region = self.region(cell)
        key = (id(region), ())
        known = self._storages.get(key)
        if known is None:
            type = BYTE if find(cell).bytes else type
            variables = tuple(
                self.declare_global(Variable(f"{region.name}{suffix}", program_types.Array(t)))
                for suffix, t in self.leaf_types(cell, type)
            )
            known = self._storages[key] = Storage(variables, True)
        return known

    def lengths(self, cell: Cell) -> Variable:
        """In a flat region: how many base elements the object with a number has."""
        return self.declare_global(Variable(f"{self.region(cell).name}.length", program_types.Array(UNBOUNDED)))

    def next_number(self) -> Variable:
        """The first number that no object has yet."""
        return self.declare_global(Variable("memory.next", UNBOUNDED))

    def declare_global(self, variable: Variable) -> Variable:
        return self.globals.setdefault(variable.name, variable)

    def is_global(self, object: Object, path: Path) -> bool:
        if object.kind in (ObjectKind.GLOBAL, ObjectKind.ALLOCATED, *FROM_OUTSIDE) or object.is_string:
            return True
        if object.kind is ObjectKind.LITERAL and not object.function:
            return True
        return self.in_memory(object, path)

    def _make_storage(self, object: Object, path: Path) -> Storage:
        cell = path_cell(self._points_to.cell(object), path)
        type = leaf_type(object.type, path)
        if cell.pointed and self.region(cell).flat:
            return self.flat_storage(cell, type)
        array = self.is_array(object, path)
        shared = self.is_global(object, path)
        prefix = self.prefix(object, shared)
        variables = []
        for suffix, kind in self.leaf_types(cell, type):
            stem = ".".join((prefix, *(name.strip(".") for name in path)))
            if object.kind is ObjectKind.REFERENT and not path and not array and not suffix:
                stem = f"{prefix}.value"
            variable = Variable(f"{stem}{suffix}", program_types.Array(kind) if array else kind)
            variables.append(self.declare_global(variable) if shared else variable)
        return Storage(tuple(variables), array)

    def prefix(self, object: Object, shared: bool) -> str:
        """Variables that leave their function take its name along."""
        if shared and object.function and object.kind not in (ObjectKind.LITERAL, ObjectKind.ALLOCATED):
            return f"{object.function}..{object.name}"
        return object.name


def _holder(member: Member) -> CType:
    """The structure that the part is a field of."""
    return base_element(part_types(member.object.type, member.path)[-2])


def _has_room_for_one(object: Object) -> bool:
    """Whether the size that is asked for is a number, that of one structure: nothing moves inside of such a block."""
    if not isinstance(object.node, syntax.Call) or not isinstance(object.type, Record):
        return False
    name = syntax.named_callee(object.node)
    sizes = [syntax.constant_product(argument) for argument in object.node.arguments]
    total = prod(size or 0 for size in sizes)
    return name is not None and name.name in _ALLOCATING and total == object.type.size > 0


def _is_function(region: Region) -> bool:
    return isinstance(region.cell.type, Function)


def _widest(type: CType) -> int:
    """How many elements of one leaf there are at most in a base element."""
    record = base_element(type)
    if not isinstance(record, Record):
        return 1
    widest = 1
    pending: list[tuple[CType, int]] = [(record, 1)]
    while pending:
        current, count = pending.pop()
        widest = max(widest, count)
        if isinstance(current, Record) and current.in_bytes:
            widest = max(widest, count * current.size)
        elif isinstance(current, Record):
            pending.extend((base_element(f.type), count * (element_count(f.type) or 1)) for f in current.fields)
    return widest
