"""What a function may write, as places that can be said when it is entered: `g`, `p->f`, `a[..]`.

Pointers are followed without regard to order: a variable leads wherever any of its values leads. Whatever cannot be
followed (what comes out of memory of its own, calls through pointers, conversions between types) is `ANYWHERE`, and a
function that writes there has no frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.library.catalogue import is_writer
from sorrel.frontends.c.library.meanings import WRITE_NOTHING, Meaning, meaning
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.pointer_uses import called_function
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import VOID, Array, CType, Pointer, Record, leaves
from sorrel.model.values import dataclass
from sorrel.program.expression import Operator

Step: TypeAlias = str | int | None
"""A member (`.f`), an element, or None: elements that are not known, on either side."""
FOLLOW = "*"
MOST_LOADED, MOST_PLACES, MOST_ROUNDS = 2, 24, 40
_WITHOUT_EFFECT = WRITE_NOTHING | {
    Meaning.UNREACHABLE,
    Meaning.FROM_OUTSIDE,
    Meaning.ANY,
    Meaning.POSITIVE,
    Meaning.NONZERO,
    Meaning.REQUIRE,
    Meaning.SECTION_BEGINS,
    Meaning.SECTION_ENDS,
    Meaning.SEPARATE,
    Meaning.BEHIND,
}


@dataclass(frozen=True, slots=True)
class Place:
    """From a variable of the file, or a parameter, on; `loaded` counts the pointers on the way that are in memory.

    `mixed`: what is written as this type may be there as another, too.
    """

    root: Object | None
    steps: tuple[Step, ...] = ()
    type: CType = VOID
    loaded: int = 0
    mixed: bool = False

    @property
    def is_own(self) -> bool:
        """Storage that nobody outside knows of when the function is entered."""
        if self.root is None:
            return self is OWN
        if self.root.kind is ObjectKind.GLOBAL:
            return False
        is_behind = self.root.kind is ObjectKind.PARAMETER and bool(self.steps) and not _is_member(self.steps[0])
        return not is_behind

    def then(self, step: Step, type: CType, loaded: int = 0) -> Place:
        mixed = self.mixed and not loaded
        return Place(self.root, (*self.steps, step), type, self.loaded + loaded, mixed)

    def covers(self, other: Place) -> bool:
        """Whether all of the other place is part of this."""
        if self.root is not other.root or len(self.steps) > len(other.steps):
            return False
        return all(map(_step_covers, self.steps, other.steps))


OWN, ANYWHERE = Place(None), Place(None, (FOLLOW,))
Places: TypeAlias = frozenset[Place]
NOWHERE: Places = frozenset()
_UNKNOWN: Places = frozenset({ANYWHERE})


@dataclass(frozen=True, slots=True)
class _Summary:
    written: Places = NOWHERE
    returned: Places = NOWHERE


def written_places(linked: Linked, objects: Objects) -> Mapping[str, Places]:
    """Of each function with a body, with all that it calls; its own storage is left out."""
    bodies = {each: body for each in linked.reached if (body := each.body) is not None}
    functions = {each.name: each for each in linked.reached}
    made = {each.name: _Function(each, body, linked, objects, functions) for each, body in bodies.items()}
    known = {each.name: _Summary() for each in bodies}
    callers: dict[str, set[str]] = {}
    for name, function in made.items():
        for callee in function.callees:
            callers.setdefault(callee, set()).add(name)
    pending = dict.fromkeys(reversed(list(made)))
    rounds = MOST_ROUNDS * len(made)
    while pending and rounds:
        name = next(iter(pending))
        del pending[name]
        rounds -= 1
        found = made[name].summary(known)
        if found != known[name]:
            known[name] = found
            pending.update(dict.fromkeys(callers.get(name, ())))
    if pending:
        return dict.fromkeys(known, _UNKNOWN)
    return {name: frozenset(each for each in found.written if not each.is_own) for name, found in known.items()}


class _Function:
    """One function, looked at again whenever more is known of those that it calls."""

    def __init__(
        self,
        function: LinkedFunction,
        body: Node,
        linked: Linked,
        objects: Objects,
        functions: Mapping[str, LinkedFunction],
    ) -> None:
        self._linked = linked
        self._objects = objects
        self._functions = functions
        self._known: Mapping[str, _Summary] = {}
        self._all = list(_evaluated(body))
        self._leads: dict[int, Places] = {}
        for object in objects.parameters[function.name]:
            if isinstance(object.type, Pointer):
                self._leads[id(object)] = frozenset({Place(object, (FOLLOW,), object.type.target)})
        for node in self._all:
            if isinstance(node, syntax.AddressOf) and isinstance(node.operand, syntax.Reference):
                self._lead(self._objects.of_symbol.get(node.operand.symbol), _UNKNOWN)
        self._calls = [node for node in self._all if isinstance(node, syntax.Call)]
        self.callees = {name for call in self._calls if (name := called_function(call, linked)) is not None}
        self._written: Places = NOWHERE
        self._returned: Places = NOWHERE

    def summary(self, known: Mapping[str, _Summary]) -> _Summary:
        self._known = known
        while True:
            before = (dict(self._leads), self._written, self._returned)
            for node in self._all:
                self._look_at(node)
            if before == (self._leads, self._written, self._returned):
                return _Summary(self._written, self._returned)

    def _look_at(self, node: Node) -> None:
        match node:
            case syntax.Assignment(target=target, value=value):
                self._write(target, self._value(value) if isinstance(target.type, Pointer) else NOWHERE)
            case syntax.CompoundAssignment(target=target) | syntax.Step(target=target):
                self._write(target, _moved(self._value(target)) if isinstance(target.type, Pointer) else NOWHERE)
            case syntax.Variable(symbol=symbol, type=Pointer(), initializer=syntax.Expression() as value):
                self._lead(self._objects.of_symbol.get(symbol), self._value(value))
            case syntax.Return(value=syntax.Expression() as value) if isinstance(value.type, Pointer):
                self._returned = _joined(self._returned, self._value(value))
            case syntax.Call():
                self._written = _joined(self._written, self._called(node)[0])
            case syntax.OtherExpression() | syntax.OtherStatement():
                self._written = _UNKNOWN

    def _write(self, target: syntax.Expression, value: Places) -> None:
        found = self._places(target)
        self._written = _joined(self._written, found)
        for place in found:
            if place.root is not None and not place.steps:
                self._lead(place.root, value)

    def _lead(self, variable: Object | None, places: Places) -> None:
        if variable is not None and variable.kind is not ObjectKind.GLOBAL:
            self._leads[id(variable)] = _joined(self._leads.get(id(variable), NOWHERE), places)

    # Where pointers lead

    def _value(self, node: syntax.Expression) -> Places:
        match node:
            case syntax.IntegerConstant(value=0):
                return NOWHERE
            case syntax.Conversion(operand=operand):
                return self._converted(operand)
            case syntax.AddressOf(operand=operand):
                return self._places(operand)
            case syntax.Reference() | syntax.Member() | syntax.Subscript() | syntax.Dereference():
                return frozenset(each for place in self._places(node) for each in self._loaded(place, node.type))
            case syntax.Binary(operator=Operator.ADD | Operator.SUBTRACT, left=left, right=right):
                pointer = left if isinstance(left.type, Pointer) else right
                return _moved(self._value(pointer))
            case syntax.Conditional(then=then, otherwise=otherwise):
                return _joined(self._value(then), self._value(otherwise))
            case syntax.Elvis(condition=condition, otherwise=otherwise):
                return _joined(self._value(condition), self._value(otherwise))
            case syntax.Comma(right=right):
                return self._value(right)
            case syntax.Assignment(value=value):
                return self._value(value)
            case syntax.Step(target=target) | syntax.CompoundAssignment(target=target):
                return _moved(self._value(target))
            case syntax.Call():
                return self._called(node)[1]
            case _:
                return _UNKNOWN

    def _converted(self, operand: syntax.Expression) -> Places:
        if isinstance(operand.type, Array):
            element = operand.type.element
            return frozenset(
                place if place in (OWN, ANYWHERE) else place.then(0, element) for place in self._places(operand)
            )
        if isinstance(operand.type, Pointer) or operand.type == VOID:
            return self._value(operand)
        is_null = isinstance(operand, syntax.IntegerConstant) and operand.value == 0
        return NOWHERE if is_null else _UNKNOWN

    def _loaded(self, place: Place, type: CType) -> Places:
        """Where the pointer leads that is in the place."""
        if not isinstance(type, Pointer) or place in (OWN, ANYWHERE):
            return _UNKNOWN
        if place.is_own:
            return self._leads.get(id(place.root), NOWHERE) if not place.steps else _UNKNOWN
        if place.loaded >= MOST_LOADED:
            return _UNKNOWN
        return frozenset({place.then(FOLLOW, type.target, 1)})

    def _places(self, node: syntax.Expression) -> Places:
        match node:
            case syntax.Reference(symbol=symbol, type=type):
                object = self._objects.of_symbol.get(symbol)
                return NOWHERE if object is None else frozenset({Place(object, (), type)})
            case syntax.Dereference(operand=pointer):
                return self._behind(pointer)
            case syntax.Member(owner=owner):
                inside = self._behind(owner) if isinstance(owner.type, Pointer) else self._places(owner)
                return frozenset(_member(place, node) for place in inside)
            case syntax.Subscript(pointer=pointer, index=index):
                number = index.value if isinstance(index, syntax.IntegerConstant) else None
                found = self._behind(pointer)
                return frozenset(_shifted(place, number) for place in found)
            case syntax.Conversion(operand=operand):
                return self._places(operand)
            case syntax.StringLiteral() | syntax.CompoundLiteral():
                return frozenset({OWN})
            case _:
                return _UNKNOWN

    def _behind(self, pointer: syntax.Expression) -> Places:
        """What is behind the pointer, seen as its type says: another type than the place has is not followed."""
        value = self._converted(pointer) if isinstance(pointer.type, Array) else self._value(pointer)
        target = pointer.type.target if isinstance(pointer.type, Pointer) else None
        element = pointer.type.element if isinstance(pointer.type, Array) else target
        return frozenset(place if place is OWN or place.type == element else _elsewhere(place) for place in value)

    # Calls

    def _called(self, node: syntax.Call) -> tuple[Places, Places]:
        """What a call writes, and where the pointer leads that it returns."""
        if node.pure:
            return NOWHERE, _UNKNOWN
        name = called_function(node, self._linked)
        function = self._functions.get(name) if name is not None else None
        if name is None or function is None:
            return _UNKNOWN, _UNKNOWN
        if function.body is not None:
            return self._of_summary(self._known[name], self._objects.parameters[name], node.arguments)
        return self._of_meaning(function, node.arguments)

    def _of_summary(
        self, summary: _Summary, parameters: Sequence[Object], arguments: Sequence[syntax.Expression]
    ) -> tuple[Places, Places]:
        given = dict(zip(map(id, parameters), arguments, strict=False))

        def translated(places: Iterable[Place]) -> Places:
            return frozenset(each for place in places for each in self._translated(place, given))

        return translated(each for each in summary.written if not each.is_own), translated(summary.returned)

    def _translated(self, place: Place, given: Mapping[int, syntax.Expression]) -> Places:
        if place.root is None or place.root.kind is ObjectKind.GLOBAL:
            return frozenset({place})
        argument = given.get(id(place.root))
        if place.is_own:
            return frozenset({OWN})
        if argument is None or not isinstance(place.root.type, Pointer):
            return _UNKNOWN
        first, *rest = place.steps
        found: set[Place] = set()
        for target in self._value(argument):
            if target is ANYWHERE or (target.is_own and place.loaded):
                return _UNKNOWN
            if target.is_own:
                found.add(OWN)
            elif target.type != place.root.type.target:
                found.add(_elsewhere(target))
            else:
                start = target if first == FOLLOW else _shifted(target, first if isinstance(first, int) else None)
                mixed = place.mixed or (start.mixed and not place.loaded)
                whole = Place(start.root, (*start.steps, *rest), place.type, start.loaded + place.loaded, mixed)
                found.add(ANYWHERE if start is ANYWHERE or whole.loaded > MOST_LOADED else whole)
        return frozenset(found)

    def _of_meaning(self, function: LinkedFunction, arguments: Sequence[syntax.Expression]) -> tuple[Places, Places]:
        known = meaning(function.source_name, False)
        if known in (Meaning.ALLOCATE, Meaning.ALLOCATE_ZEROED):
            return NOWHERE, frozenset({OWN})
        if known in (Meaning.FILL, Meaning.COPY) and arguments:
            start = self._value(arguments[0])
            return frozenset(map(_bytes_of, start)), start
        if known in _WITHOUT_EFFECT or (function.library and is_writer(function.source_name)):
            return NOWHERE, _UNKNOWN
        return _UNKNOWN, _UNKNOWN


def _evaluated(body: Node) -> Iterator[Node]:
    """All below, but for what only a size is asked of."""
    pending = [body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, syntax.Size):
            pending.extend(node.children)


def _joined(one: Places, other: Places) -> Places:
    both = one | other
    return _UNKNOWN if ANYWHERE in both or len(both) > MOST_PLACES else both


def _is_member(step: Step) -> bool:
    return isinstance(step, str) and step != FOLLOW


def _elsewhere(place: Place) -> Place:
    return OWN if place.is_own else ANYWHERE


def _member(place: Place, node: syntax.Member) -> Place:
    if place in (OWN, ANYWHERE):
        return place
    # A member without a name is written by the names inside of it.
    inner = place.then(f".{node.name}", node.type) if node.name.isidentifier() else replace(place, type=node.type)
    return replace(inner, mixed=inner.mixed or (isinstance(node.record, Record) and node.record.union))


def _moved(places: Places) -> Places:
    return frozenset(_shifted(place, None) for place in places)


def _shifted(place: Place, number: Step) -> Place:
    """So many elements further on; a pointer to what is no element of an array does not move."""
    if place is OWN or place is ANYWHERE or number == 0:
        return place
    last = place.steps[-1] if place.steps else ""
    if place.is_own and not place.steps:
        return OWN
    if isinstance(last, str) and last != FOLLOW:
        return _elsewhere(place)
    known = number is not None and last is not None
    index = (0 if last == FOLLOW else int(last or 0)) + int(number or 0) if known else None
    return replace(place, steps=(*place.steps[:-1], index))


def _bytes_of(place: Place) -> Place:
    """All that may be reached from there on: members and elements beside it, too."""
    while place.steps and _is_member(place.steps[-1]):
        place = replace(place, steps=place.steps[:-1])
    if place in (OWN, ANYWHERE):
        return place
    return replace(_shifted(place, None) if place.steps else place, mixed=True)


def _step_covers(one: Step, other: Step) -> bool:
    return one == other or (one is None and not _is_member(other)) or {one, other} == {FOLLOW, 0}


def holds_pointers(place: Place) -> bool:
    """Whether writing there may change where others lead."""
    return place is ANYWHERE or place.mixed or any(isinstance(leaf.type, Pointer) for leaf in leaves(place.type))
