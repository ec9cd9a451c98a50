"""What names mean at the places of a function where something can be said: at its contract, and at its loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import find, target_cell
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.frames import frame
from sorrel.frontends.c.interface import interface, own_variables
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.procedures import source_name
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import Array, CType, Integer, Path, Pointer, Record, Truth, leaves
from sorrel.frontends.c.written_places import written_places
from sorrel.model.errors import InternalError, Span
from sorrel.program.program import CONTRACT, Scope
from sorrel.program.visible import Address

Meaning: TypeAlias = dict[str, int]
"""The symbol that each name stands for."""
_BLOCKS = (syntax.Compound, syntax.For, syntax.If, syntax.Switch, syntax.While, syntax.Do)


Texts: TypeAlias = tuple[tuple[str, str], ...]
"""Variables that hold an object's numbers, and how the user writes them."""
Frames: TypeAlias = Mapping[str, tuple[str, ...] | None]
"""By function: what it changes at most, in the user's words; None if there is no way to tell."""


class ScopeReader:
    """Looks at functions once everything has been read and is kept somewhere."""

    def __init__(self, translation: Translation, frames: Frames) -> None:
        self._translation = translation
        self._texts: dict[int, Texts] = {}  # by object
        self._frames = frames

    def scopes(self, function: LinkedFunction) -> Mapping[str, Scope]:
        """By label of the block that starts there."""
        made = dict(_Scopes(self._translation, function, self._texts).all())
        made[CONTRACT] = replace(made[CONTRACT], frame=self._frames[function.name])
        return made


def frames_of(linked: Linked, objects: Objects) -> Frames:
    """Of each function with a body; nothing that procedures are made of has a part in them."""
    written = written_places(linked, objects)
    known = objects.of_symbol
    found: dict[str, tuple[str, ...] | None] = {}
    for function in linked.reached:
        if function.body is not None:
            visible = {name: known[symbol] for name, symbol in _outside(function).items() if symbol in known}
            found[function.name] = frame(written[function.name], visible)
    return found


class _Scopes:
    def __init__(self, translation: Translation, function: LinkedFunction, texts: dict[int, Texts]) -> None:
        self._translation = translation
        self._known_texts = texts
        self._function = function
        self._outer = _outside(function)
        objects = translation.objects
        self._entries: dict[int, Object] = {id(each): each for each in objects.parameters[function.name]}
        shape = interface(translation, function.name)
        self._referents = {id(each.parameter): each.referent for each in shape.parameters if each.referent}

    def all(self) -> Mapping[str, Scope]:
        function = self._function
        if function.body is None:
            raise InternalError(f"{function.name} has no body to look at")
        heads = self._translation.heads.get(function.name, {})
        wanted = {id(node) for node in heads.values()}
        found: dict[int, Meaning] = {}
        if wanted:
            _note(function.body, self._outer, wanted, found)
        made = {label: self._at(node.span, found[id(node)]) for label, node in heads.items() if id(node) in found}
        made[CONTRACT] = self._contract()
        return made

    def _contract(self) -> Scope:
        """A parameter is its value at the entry; what it is at the end cannot be said."""
        visible = self._visible(self._outer)
        result = self._translation.objects.results[self._function.name]
        after = dict(self._texts(result))
        for object in visible.values():
            if object.kind is not ObjectKind.PARAMETER or id(object) in self._referents:
                after.update(self._texts(object))
        kept = {name: object for name, object in visible.items() if object.kind is not ObjectKind.PARAMETER}
        pointers = self._pointers({"\\result": result, **kept})
        return Scope(
            self._function.declaration.span,
            after,
            self._before(visible),
            pointers=pointers,
            pointers_before=self._pointers(visible, at_entry=True),
        )

    def _at(self, span: Span, names: Meaning) -> Scope:
        visible = self._visible(names)
        now = {variable: text for object in visible.values() for variable, text in self._texts(object)}
        known = {id(object) for object in self._visible(self._outer).values()}
        kept = {name: object for name, object in visible.items() if id(object) in known}
        pointers, before = self._pointers(visible), self._pointers(kept, at_entry=True)
        return Scope(span, now, self._before(kept), pointers=pointers, pointers_before=before)

    def _pointers(self, named: Mapping[str, Object], *, at_entry: bool = False) -> dict[str, Address]:
        """Pointers that are variables of their own, as they are kept; of parameters at the entry, where they arrive."""
        found = {name: self._pointer(object, at_entry=at_entry) for name, object in named.items()}
        return {name: address for name, address in found.items() if address is not None}

    def _pointer(self, object: Object, *, at_entry: bool) -> Address | None:
        type = object.type
        if not isinstance(type, Pointer) or object.array or id(object) in self._referents:
            return None
        layout = self._translation.layout
        if at_entry and object.kind is ObjectKind.PARAMETER:
            variables = own_variables(self._translation, object, ())
        elif layout.is_global(object, ()) and not layout.is_stored(object):
            return None
        else:
            variables = layout.storage(object, ()).components
        names = {variable.name.rpartition(".")[2]: variable.name for variable in variables}
        target = find(target_cell(self._translation.points_to.cell(object)))
        region = None if target.blurred else self._translation.layout.region_number(target)
        counted = isinstance(type.target, Integer | Truth | Pointer)
        return Address(names.get("object", ""), names.get("offset", ""), region, counted)

    def _before(self, visible: Mapping[str, Object]) -> dict[str, str]:
        """Values at the entry of the function: those of parameters are where the caller puts them."""
        found: dict[str, str] = {}
        for object in visible.values():
            is_value = object.kind is ObjectKind.PARAMETER and id(object) not in self._referents
            found.update(self._own_texts(object) if is_value else self._texts(object))
        return found

    def _visible(self, names: Meaning) -> dict[str, Object]:
        known = self._translation.objects.of_symbol
        return {name: known[symbol] for name, symbol in names.items() if symbol in known}

    def _texts(self, object: Object) -> Texts:
        """The variables that hold the object's numbers now, and how the user writes them."""
        object = self._referents.get(id(object)) or object
        known = self._known_texts.get(id(object))
        if known is None:
            known = self._known_texts[id(object)] = tuple(self._new_texts(object))
        return known

    def _new_texts(self, object: Object) -> Iterator[tuple[str, str]]:
        layout = self._translation.layout
        for path in _sayable(object):
            if layout.is_global(object, path) and not layout.is_stored(object):
                continue
            for variable in layout.storage(object, path).components:
                if not variable.name.startswith("memory."):
                    yield variable.name, source_name(object, path)

    def _own_texts(self, object: Object) -> Iterator[tuple[str, str]]:
        for path in _sayable(object):
            for variable in own_variables(self._translation, object, path):
                yield variable.name, source_name(object, path)


def _outside(function: LinkedFunction) -> Meaning:
    """The names of the file above the function, and its parameters."""
    place = function.declaration.span
    names = {
        variable.name: variable.symbol
        for variable in (function.unit.variables if function.unit else ())
        if variable.span.file != place.file or variable.span.line <= place.line
    }
    names.update({parameter.name: parameter.symbol for parameter in function.declaration.parameters if parameter.name})
    return names


def _note(root: Node, names: Meaning, wanted: set[int], found: dict[int, Meaning]) -> None:
    """For the wanted loops and labels below the node, by identity, what names mean where they begin.

    Declarations change `names` for what comes after them in the same block. No generator: nesting may be deep.
    """
    if isinstance(root, syntax.Variable):
        names[root.name] = root.symbol
    elif isinstance(root, syntax.TypeDeclaration):
        names.update(dict.fromkeys(root.names, 0))  # constants of an enumeration, and types, hide variables
    own = dict(names) if isinstance(root, _BLOCKS) else names
    below = list(root.children)
    if isinstance(root, syntax.For):
        _note(below.pop(0), own, wanted, found)
    if id(root) in wanted:
        found[id(root)] = dict(own)
    for child in below:
        _note(child, own, wanted, found)


def _sayable(object: Object) -> Iterator[Path]:
    """The parts that are integers of their own, or arrays of integers in one dimension: C writes these as we do."""
    for leaf in leaves(object.type) if object.declared is None else ():
        if isinstance(leaf.type, Integer | Truth) and _is_plain(object.type, leaf.path, array=object.array):
            yield leaf.path


def _is_plain(type: CType, path: Path, *, array: bool) -> bool:
    """`array`: the object itself stands for many."""
    for name in path:
        if array or not isinstance(type, Record) or type.keeps_apart:
            return False
        type = type.field_type(name)
    element = type.element if isinstance(type, Array) else type
    return not isinstance(element, Array | Record)
