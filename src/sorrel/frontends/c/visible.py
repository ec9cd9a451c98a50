"""Variables as the text of C names them, and where a run keeps their values: for whoever compares or tells the two."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.frontends.c.cells import path_cell
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.paths import is_kept_otherwise, leaf_type
from sorrel.frontends.c.types import Array, CType, Integer, Path, Record, Truth, base_element, leaves
from sorrel.program.visible import VisibleVariable


def visible_globals(translation: Translation) -> tuple[VisibleVariable, ...]:
    """Of the variables that are declared outside of functions, those parts that are numbers."""
    found: list[VisibleVariable] = []
    for variable in translation.linked.reached_variables:
        if variable.declaration.defined:
            object = translation.objects.of_symbol[variable.declaration.symbol]
            found.extend(_parts(translation, object))
    return tuple(found)


def visible_locals(translation: Translation) -> tuple[VisibleVariable, ...]:
    """Of the variables of functions, those of which C has another name for a number than a run has."""
    found: list[VisibleVariable] = []
    for function, variables in translation.objects.locals.items():
        for object in variables:
            found.extend(each for each in _parts(translation, object, function) if each.first is not None)
    return tuple(found)


def _parts(translation: Translation, object: Object, procedure: str = "") -> Iterator[VisibleVariable]:
    layout = translation.layout
    if object.several or not layout.is_stored(object):
        return
    for leaf in leaves(object.type) if object.declared is None else ():
        spelled = None if is_kept_otherwise(object.type, leaf.path) else _spelled(object.type, leaf.path)
        if spelled is None or not isinstance(leaf_type(object.type, leaf.path), Integer | Truth):
            continue
        cell = path_cell(translation.points_to.cell(object), leaf.path)
        if cell.blurred:
            continue
        storage = layout.storage(object, leaf.path)
        (variable,) = storage.components
        first: int | None = 0 if storage.array else None
        if cell.pointed and layout.region(cell).flat:
            first = layout.number(object) + layout.subpath_index(object.type, leaf.path)
        parts = (object.source_name or object.name, *spelled)
        yield VisibleVariable(object.span.file, parts, variable.name, first, procedure)


def _spelled(type: CType, path: Path) -> tuple[str | int, ...] | None:
    """What stands after the name; None where a member has no name of its own, or shares its place with others."""
    found: list[str | int] = []
    remaining = list(path)
    while True:
        while isinstance(type, Array):
            if type.length is None:
                return None
            found.append(type.length)
            type = type.element
        if not remaining:
            return tuple(found)
        record = base_element(type)
        name = remaining.pop(0)
        if not isinstance(record, Record) or record.union or not name.isidentifier():
            return None
        found.append(f".{name}")
        type = record.field_type(name)
