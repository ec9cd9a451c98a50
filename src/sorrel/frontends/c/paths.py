"""Parts of objects, named by the members that lead to them; which of them share memory.

The one notion of a part and of overlap in the front end: references, regions and storage all speak of parts by path. A
path says nothing of indices: it stands for that member of every element of the arrays on its way. The members of a
union are one place, which goes by the name of the first; where they differ in layout, a path ends at the union.
"""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.frontends.c.types import Array, CType, Path, Record, base_element, byte_size, element_count, kept, uniform


def place_name(record: CType, member: str) -> str:
    """The name that a member's place goes by."""
    return record.place_of(member).name if isinstance(record, Record) and record.union else member


def path_of(steps: Iterable[tuple[CType, str]]) -> Path:
    """The path of a part that these members lead to, each with the record that it is a member of, outermost first."""
    path: list[str] = []
    for record, member in steps:
        path.append(place_name(record, member))
        if isinstance(record, Record) and not uniform(record):
            break
    return tuple(path)


def written(path: Path) -> list[str]:
    """The members on a path that have names."""
    return [name for name in path if not name.startswith(".")]


def overlap(one: Path, other: Path) -> bool:
    """Whether two parts of one object may share memory: one is inside the other, or they are the same."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def subpaths(type: CType) -> tuple[Path, ...]:
    """All parts of a type by path, outer before inner."""
    found: list[Path] = []
    pending: list[tuple[Path, CType]] = [((), base_element(type))]
    while pending:
        path, current = pending.pop()
        found.append(path)
        if isinstance(current, Record) and not current.in_bytes:
            pending.extend(((*path, f.name), base_element(f.type)) for f in reversed(current.places))
    return tuple(found)


def part_types(type: CType, path: Path) -> list[CType]:
    """The type itself and those of the parts on the way to a part, each with its arrays, as they are kept."""
    found = [type]
    for name in path:
        record = base_element(found[-1])
        if not isinstance(record, Record):
            break
        found.append(record.field_type(name))
    return [kept(each) for each in found]


def leaf_type(type: CType, path: Path) -> CType:
    """What there may be many of at the path."""
    return base_element(part_types(type, path)[-1])


def is_kept_otherwise(type: CType, path: Path) -> bool:
    """Whether a union is there that is kept as its bytes, or around it one that keeps its members apart."""
    for name in path:
        record = base_element(type)
        if isinstance(record, Record) and record.keeps_apart:
            return True
        if isinstance(record, Record):
            type = record.field_type(name)
    return isinstance(base_element(type), Record)


def inner_count(type: CType, path: Path) -> int:
    """How many of the part there are in one base element."""
    count = element_count(kept(base_element(type))) or 1
    for inner in part_types(type, path)[1:]:
        count *= element_count(inner) or 1
    return count


def displacement(type: CType, path: Path) -> int:
    """Where the first of the part begins, in bytes."""
    bytes_before = 0
    for owner, name in zip(part_types(type, path), path, strict=False):
        record = base_element(owner)
        if isinstance(record, Record):
            bytes_before += record.field(name).offset
    return bytes_before


def offsets(type: CType, path: Path) -> list[int]:
    """Where in a value each of the scalars at a path begins, in bytes."""
    starts, current = _spread([0], type)
    for name in path:
        if isinstance(current, Record):
            own = current.field(name)
            starts, current = _spread([start + own.offset for start in starts], own.type)
    if isinstance(current, Record) and current.in_bytes:
        return [start + step for start in starts for step in range(current.size)]
    return starts


def _spread(starts: list[int], type: CType) -> tuple[list[int], CType]:
    """Where the base elements of arrays at these places begin."""
    while isinstance(type, Array):
        size, count = byte_size(type.element), type.length or 0
        starts, type = [start + size * index for start in starts for index in range(count)], type.element
    return starts, type


def contiguous(type: CType, path: Path) -> bool:
    """Whether all of the part lie side by side: no array on the way but that which the part is itself."""
    return not any(isinstance(outer, Array) for outer in part_types(type, path)[:-1])
