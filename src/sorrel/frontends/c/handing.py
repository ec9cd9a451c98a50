"""Pointers that are handed on: parameters that lead, in every call, to what a pointer before the call leads to."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.frontends.c.cells import path_cell, target_cell
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.pointer_uses import Slot
from sorrel.frontends.c.types import Pointer


def handed_on(translation: Translation) -> Mapping[str, Mapping[str, str]]:
    """For each function its parameters that lead to one object from outside, with the pointer that it is behind."""
    known = {id(each.own): each.text for each in translation.inputs.inlets if each.own is not None}
    found: dict[str, dict[str, str]] = {}
    for function in translation.linked.reached:
        for position, parameter in enumerate(translation.objects.parameters.get(function.name, ())):
            if Slot(function.name, position) not in translation.references.slots:
                text = known.get(id(_only(translation, parameter)))
                if text:
                    found.setdefault(function.name, {})[parameter.source_name or parameter.name] = text
    return found


def _only(translation: Translation, parameter: Object) -> Object | None:
    """The object that a pointer leads to the beginning of, if there is just one: nothing is passed to say which."""
    if not isinstance(parameter.type, Pointer):
        return None
    target = target_cell(path_cell(translation.points_to.cell(parameter), ()))
    shape = translation.layout.shape(target)
    members = translation.layout.region(target).members
    if shape.object or shape.offset or len(members) != 1 or members[0].path:
        return None
    return members[0].object
