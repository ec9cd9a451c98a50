"""Names of variables: the user's where they are unique, else with a number after a dot."""

from __future__ import annotations

from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects


def assign_names(linked: Linked, objects: Objects) -> None:
    """Within a function and together with the globals, no two variables share a name."""
    shared = {variable.name for variable in linked.reached_variables}
    for function in linked.reached:
        taken = set(shared)
        referents = {id(each.parameter): each for each in objects.referents.values()}
        for object in (*objects.parameters[function.name], *objects.locals[function.name]):
            object.name = _unique(object, taken)
            referent = referents.get(id(object))
            if referent is not None:
                referent.name = object.name
        objects.results[function.name].name = "return.value"
    statics: set[str] = set()
    for function in linked.reached:
        for object in objects.locals[function.name]:
            if object.kind is ObjectKind.GLOBAL:
                object.name = _unique_static(function.name, object.name, statics)


def _unique(object: Object, taken: set[str]) -> str:
    candidate, number = object.name, 2
    while candidate in taken:
        candidate, number = f"{object.name}.{number}", number + 1
    taken.add(candidate)
    return candidate


def _unique_static(function: str, name: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while f"{function}..{candidate}" in taken:
        candidate, number = f"{name}.{number}", number + 1
    taken.add(f"{function}..{candidate}")
    return candidate
