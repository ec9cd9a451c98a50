"""What exists before a function is called: objects that its pointers, and those of variables, may lead to.

Made when it is known what the program does with pointers, and only where it follows or looks at them. A pointer that
exists once has an object of its own, with a name: `b->data` leads to `input.b.data`. Where pointers are in arrays, or
lead back to what they came from, there is no telling how many objects there are: all of a region are one *crowd*.
A pointer may lead to any object of its region that exists at the start: what shares a region may be shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sorrel.frontends.c.cells import Cell, Way, element_type, find, is_only_carried, parts, path_cell, typed
from sorrel.frontends.c.objects import FROM_OUTSIDE, Object, ObjectKind, Objects
from sorrel.frontends.c.paths import part_types
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.types import (
    VOID,
    Array,
    CType,
    Function,
    Path,
    Pointer,
    Void,
    base_element,
    bytewise,
    is_byte,
    leaves,
)
from sorrel.model.values import dataclass

_MOST_NAMED = 4
"""Objects with names of their own in one region; what else leads there leads to its crowd."""


@dataclass(frozen=True, slots=True)
class Holder:
    """An object with pointers from outside; `cells`: those on the way to it. `text` is how C names it."""

    object: Object
    text: str
    cells: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Inlet:
    """A pointer from outside that exists once: whose it is, where, how C names it; what was made for it, if any."""

    holder: Object
    path: Path
    text: str
    own: Object | None
    parent: str = ""  # the pointer that leads to the holder, as C writes it


@dataclass(frozen=True, slots=True)
class Inputs:
    """`named` and `crowds` are what was made for pointers; `inlets` are the pointers that exist once.

    `variables` of the program may have any value at the start.
    """

    named: tuple[Object, ...] = ()
    crowds: tuple[Object, ...] = ()
    inlets: tuple[Inlet, ...] = ()
    variables: tuple[Object, ...] = ()

    def is_open(self, object: Object) -> bool:
        """Whether its contents at the start are any."""
        return object.kind in FROM_OUTSIDE or any(object is each for each in self.variables)

    def reached_from(self, parameters: Iterable[Object]) -> tuple[Object, ...]:
        """The named objects that pointers lead to from these parameters, or from variables."""
        holders = {id(each) for each in (*parameters, *self.variables)}
        found: dict[int, Object] = {}
        changed = True
        while changed:
            changed = False
            for inlet in self.inlets:
                if id(inlet.holder) in holders and inlet.own is not None and id(inlet.own) not in found:
                    found[id(inlet.own)] = inlet.own
                    holders.add(id(inlet.own))
                    changed = True
        return tuple(found.values())

    def own(self, holder: Object, path: Path = ()) -> Object | None:
        """What was made for this very pointer."""
        inlet = self.inlet(holder, path)
        return None if inlet is None else inlet.own

    def inlet(self, holder: Object, path: Path = ()) -> Inlet | None:
        return next((each for each in self.inlets if each.holder is holder and each.path == path), None)


def make_inputs(
    objects: Objects, points_to: PointsTo, parameters: Iterable[Object], variables: Iterable[Object], *, named: bool
) -> Inputs:
    """For parameters of the function that is called, and for variables of which nothing is known.

    Pointers that are parameters are not null; others may be. `named`: whether objects get names of their own.
    """
    maker = _Maker(objects, points_to, named=named)
    points_to.give_to_unknown()
    for parameter in parameters:
        maker.add(Holder(parameter, parameter.source_name or parameter.name), nullable=False)
    variables = tuple(variables)
    for variable in variables:
        maker.add(Holder(variable, variable.source_name or variable.name))
    maker.let_in_strangers()
    maker.let_in(points_to.given)
    while points_to.give_to_unknown():
        maker.let_in(points_to.given)
    return maker.made(variables)


class _Maker:
    def __init__(self, objects: Objects, points_to: PointsTo, *, named: bool) -> None:
        self._objects = objects
        self._points_to = points_to
        self._names_allowed = named
        self._named: dict[int, list[Object]] = {}
        self._crowds: dict[int, Object] = {}
        self._inlets: list[Inlet] = []
        self._taken: set[str] = set()

    def made(self, variables: tuple[Object, ...]) -> Inputs:
        named = tuple(object for group in self._named.values() for object in group)
        return Inputs(named, tuple(self._crowds.values()), tuple(self._inlets), variables)

    def add(self, holder: Holder, *, nullable: bool = True) -> None:
        """All that is reached from the holder; `nullable`: its own pointers may be null."""
        pending = [(holder, nullable)]
        while pending:
            current, may_be_null = pending.pop()
            for path, declared, target in self._pointers(current.object):
                target.foreign = True
                target.nullable |= may_be_null or bool(path)
                made = self._target(current, path, declared, target)
                if made is not None:
                    pending.append((made, True))
            for target in self._blurred(current.object):
                pending.extend((made, True) for made in self._let_in_any(target))

    def _pointers(self, object: Object) -> Iterator[tuple[Path, CType, Cell]]:
        """The pointers in an object that the program looks at: where they are, what they are declared to lead to."""
        for leaf in leaves(object.type):
            target = _known_target(self._points_to.cell(object), leaf.path)
            if isinstance(leaf.type, Pointer) and target is not None:
                yield leaf.path, leaf.type.target, target

    def _blurred(self, object: Object) -> Iterator[Cell]:
        """Where pointers lead that are in the object among what is not modelled."""
        for cell in parts(self._points_to.cell(object)):
            if cell.blurred and cell.target is not None:
                yield find(cell.target)

    def _target(self, holder: Holder, path: Path, declared: CType, target: Cell) -> Holder | None:
        """Makes what the pointer leads to; None if that is there already, or is a function."""
        if not self._settled(declared, target):
            return None
        own = self._named.setdefault(id(target), [])
        text = _text(holder, path)
        parent = holder.text if holder.object.kind is ObjectKind.INPUT else ""
        once = self._names_allowed and not holder.object.several and not _in_array(holder.object, path)
        is_parameter = holder.object.kind is ObjectKind.PARAMETER
        if once and (is_parameter or (id(target) not in holder.cells and len(own) < _MOST_NAMED)):
            object = self._make(ObjectKind.INPUT, _name(holder, path), target, text)
            object.array = _is_walked(target) or isinstance(declared, Array)
            own.append(object)
            self._inlets.append(Inlet(holder.object, path, text, object, parent))
            return Holder(object, text, (*holder.cells, id(target)))
        if once:
            self._inlets.append(Inlet(holder.object, path, text, None, parent))
        return self._crowd(target, declared)

    def _let_in_any(self, target: Cell) -> list[Holder]:
        """A pointer to the cell is among what is not modelled: it may lead to any object from outside."""
        target.foreign = target.nullable = True
        made = self._crowd(target, VOID) if self._settled(VOID, target) else None
        return [] if made is None else [made]

    def let_in_strangers(self) -> None:
        """Pointers that are made from numbers and followed, or that are variable arguments, may be anything."""
        made = find(self._points_to.numbered)
        numbered = [made] if made.smeared and not is_only_carried(made) else []
        for cell in (*numbered, *self._points_to.passed.values()):
            for stranger in self._let_in_any(find(cell)):
                self.add(stranger)
        self.let_in(Way(cell, False) for cell in self._points_to.passed_structures.values())

    def let_in(self, ways: Iterable[Way]) -> None:
        """Functions without a body were given these pointers: those in what they lead to may be any afterwards."""
        seen: set[tuple[int, bool]] = set()
        pending = list(ways)
        while pending:
            way = pending.pop()
            cell = find(way.cell)
            if (id(cell), way.constant) in seen or cell.type is None:
                continue
            seen.add((id(cell), way.constant))
            if cell.blurred and cell.target is not None:
                for stranger in self._let_in_any(find(cell.target)):
                    self.add(stranger)
                pending.append(Way(find(cell.target), False))
            for leaf in leaves(cell.type):
                target = _known_target(cell, leaf.path)
                if not isinstance(leaf.type, Pointer) or target is None:
                    continue
                if not way.constant:
                    path_cell(cell, leaf.path).written = True
                    target.foreign = target.nullable = True
                    made = self._settled(leaf.type.target, target) and self._crowd(target, leaf.type.target)
                    if made:
                        self.add(made)
                pending.append(Way(target, leaf.type.constant))

    def _settled(self, declared: CType, target: Cell) -> bool:
        """Whether the pointer leads to an object, whose type is then known if there is one; not to a function."""
        if isinstance(declared, Function) or isinstance(target.type, Function):
            return False
        known = target.type
        if known is None and not isinstance(base_element(declared), Void):
            typed(target, declared, target.span)
        elif _is_seen_as_bytes(declared, target):
            typed(target, declared, target.span)  # as many bytes are there as such a pointer promises, and no more
        return True

    def _crowd(self, target: Cell, declared: CType) -> Holder | None:
        if id(target) in self._crowds:
            return None
        crowd = self._make(ObjectKind.CROWD, f"inputs.{len(self._crowds) + 1}", target, "")
        crowd.several, crowd.array = True, _is_walked(target) or isinstance(declared, Array)
        self._crowds[id(target)] = crowd
        return Holder(crowd, "")

    def _make(self, kind: ObjectKind, name: str, target: Cell, text: str) -> Object:
        while name in self._taken:
            name = f"{name}.again"
        self._taken.add(name)
        object = Object(kind, name, element_type(target) or VOID, target.span, source_name=f"*{text}")
        self._objects.of_node[id(object)] = object
        self._points_to.adopt(object, target)
        return object


def _known_target(cell: Cell, path: Path) -> Cell | None:
    """Where the pointer at a path leads, if the program ever looks at it."""
    cell = find(cell)
    for name in path:
        inner = cell.fields.get(name)
        if inner is None or cell.blurred:
            return None
        cell = find(inner)
    if cell.blurred:
        return None
    return None if cell.target is None else find(cell.target)


def _is_seen_as_bytes(declared: CType, target: Cell) -> bool:
    """Whether a pointer to numbers leads to what is used as bytes, or the other way round."""
    if target.type is None or target.blurred or target.odd or not bytewise(declared):
        return False
    return is_byte(base_element(declared)) or is_byte(target.type)


def _is_walked(target: Cell) -> bool:
    """Whether more than the one element that a pointer leads to is looked at: as many may be there as callers like."""
    return target.arithmetic or target.bytes or target.spanned


def _in_array(object: Object, path: Path) -> bool:
    return object.runtime_length or any(isinstance(type, Array) for type in part_types(object.type, path))


def _name(holder: Holder, path: Path) -> str:
    """No member has the name `$`: what a pointer leads to is not taken for a part of where the pointer is."""
    if holder.object.kind is not ObjectKind.INPUT:
        holder_name, end = f"input.{holder.object.name}", ("$",) if path else ()
    else:
        holder_name, end = holder.object.name, ("$",)
    return ".".join((holder_name, *(name.strip(".") for name in path), *end))


def _text(holder: Holder, path: Path) -> str:
    """How C writes the pointer."""
    named = [name for name in path if not name.startswith(".")]
    if not named:
        return f"*{holder.text}" if holder.object.kind is ObjectKind.INPUT else holder.text
    arrow = "->" if holder.object.kind is ObjectKind.INPUT else "."
    start = f"({holder.text})" if holder.text.startswith("*") else holder.text
    return f"{start}{arrow}{'.'.join(named)}"
