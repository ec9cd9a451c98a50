"""Verifying a function for all inputs: a procedure that makes them up and calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

from sorrel.frontends.c.cells import Cell, find, path_cell, target_cell
from sorrel.frontends.c.context import Context, Translation
from sorrel.frontends.c.foreign import ForeignPointers
from sorrel.frontends.c.inputs import Inlet
from sorrel.frontends.c.interface import Passed, interface
from sorrel.frontends.c.layout import Member
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.nullness import keeps_apart, looks_at_pointer
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.operations import compare, number
from sorrel.frontends.c.paths import is_kept_otherwise, written
from sorrel.frontends.c.syntax import Node, Reference, nodes
from sorrel.frontends.c.types import (
    VOID,
    CType,
    Leaf,
    Path,
    Pointer,
    base_element,
    byte_size,
    element_count,
    is_byte,
    leaves,
)
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.frontends.c.watching import State
from sorrel.model.errors import InternalError
from sorrel.program.expression import Expression, Operator, Variable
from sorrel.program.program import Procedure
from sorrel.program.statement import Assume, Block, Branch, Call, Choice, Goto, Havoc, Return, Statement, Stop
from sorrel.program.types import UNBOUNDED
from sorrel.program.visible import EntryKind, EntryPart

ENTRY = "entry.point"


def started_by(function: str) -> str:
    """The name of the procedure that calls the function as somebody from outside might."""
    return f"{ENTRY}.{function}"


def any_of(procedures: Sequence[Procedure]) -> Procedure:
    """A procedure that calls one of the procedures, whichever the environment chooses."""
    which = Variable("entry.choice", UNBOUNDED)
    span = procedures[0].span
    blocks = [Block("start", (Havoc(which, Choice.INPUT, "entry", span),), Goto("choose0"))]
    last = len(procedures) - 1
    for position, procedure in enumerate(procedures):
        condition = compare(Operator.EQUAL, which, number(position))
        otherwise = f"choose{position + 1}" if position < last else "none"
        blocks.append(Block(f"choose{position}", (), Branch(condition, f"call{position}", otherwise, span)))
        blocks.append(Block(f"call{position}", (Call(procedure.name, (), (), span),), Return(span)))
    blocks.append(Block("none", (), Stop(span)))
    return Procedure(ENTRY, (), (), (which,), tuple(blocks), "start", span)


def command_line(function: LinkedFunction) -> tuple[frozenset[int], frozenset[int]]:
    """Positions of main's parameters that are pointers: those that nobody reads, and those that somebody does."""
    symbols = {
        parameter.symbol: position
        for position, parameter in enumerate(function.declaration.parameters)
        if isinstance(parameter.type, Pointer)
    }
    below = nodes(function.body) if function.body is not None else ()
    read = {symbols[node.symbol] for node in below if isinstance(node, Reference) and node.symbol in symbols}
    return frozenset(symbols.values()) - read, frozenset(read)


class EntryReader:
    """The procedure that stands for every caller."""

    def __init__(self, translation: Translation, function: LinkedFunction, name: str = ENTRY) -> None:
        self._translation = translation
        self._name = name
        self._inputs = translation.inputs
        self._function = function
        self._span = function.declaration.span
        self._context = Context(translation, name, set(translation.layout.globals))
        self._memory = Memory(self._context)
        self._pointers = ForeignPointers(self._context, self._memory, Choice.INPUT, self._span)
        self.parts: list[EntryPart] = []

    def read(self, prologue: tuple[Statement, ...]) -> Procedure:
        span = self._span
        shape = interface(self._translation, self._function.name)
        entry = self._context.builder.current.label
        self._forget_crowds()
        for statement in prologue:
            self._context.builder.emit(statement)
        self._memory.watch.made_crowds(span)
        named = self._inputs.reached_from(self._translation.objects.parameters[self._function.name])
        for object in named:
            self._begin(object)
        for object in named:
            self._fill(object)
        for variable in self._inputs.variables:
            self._set_pointers(variable)
        arguments = [
            argument
            for parameter in shape.parameters
            for part in parameter.parts
            for argument in self._argument(parameter.parameter, part)
        ]
        results = tuple(None for _ in shape.outputs)
        self._context.builder.emit(Call(self._function.name, tuple(arguments), results, span))
        self._context.builder.end(Return(span))
        blocks = self._context.builder.finished(entry)
        return Procedure(self._name, (), (), tuple(self._context.locals.values()), blocks, entry, span)

    def _argument(self, parameter: Object, part: Passed) -> tuple[Expression, ...]:
        path, type = part.leaf.path, part.leaf.type
        if not part.variables:
            return ()
        inlet = self._inputs.inlet(parameter, path)
        if inlet is None or not isinstance(type, Pointer):
            return tuple(self._any_argument(parameter, part, variable) for variable in part.variables)
        if path:
            return self._memory.components(self._any_pointer(inlet))
        if inlet.own is None:
            raise InternalError(f"{self._span}: nothing stands behind the parameter {parameter.name}")
        return self._memory.components(self._address(inlet.own))

    def _any_argument(self, parameter: Object, part: Passed, variable: Variable) -> Variable:
        text = ".".join((parameter.source_name or parameter.name, *written(part.leaf.path)))
        value = self._context.temporary(parameter.name, variable.type)
        self._context.havoc(value, Choice.INPUT, text, self._span)
        if not isinstance(part.leaf.type, Pointer):
            self.parts.append(EntryPart(value.name, EntryKind.ARGUMENT, text))
        return value

    def _any_pointer(self, inlet: Inlet) -> PointerValue:
        return self._pointers.any(self._target(inlet), inlet.text, inlet.own, partial(self._note_pointer, inlet))

    def _note_pointer(self, inlet: Inlet, variable: Variable, kind: EntryKind) -> None:
        """How C says what is chosen for a pointer."""
        others: dict[int, str] = {}
        for member in self._translation.layout.region(self._target(inlet)).members:
            text = self._text(member)
            if text and member.object is not inlet.own and not member.object.several:
                others[member.number] = text
        own, crowd = inlet.own is not None, self._translation.layout.crowd(self._target(inlet)) is not None
        part = EntryPart(variable.name, kind, inlet.text, inlet.parent, others=others, own=own, crowd=crowd)
        self.parts.append(part)

    def _text(self, member: Member) -> str:
        """The address of the first element of what another pointer may lead to; nothing if C has no name for it."""
        names = "".join(f".{name}" for name in written(member.path))
        if member.object.kind is ObjectKind.GLOBAL and len(written(member.path)) == len(member.path):
            return f"&{member.object.source_name}{names}" if member.object.source_name else ""
        own = next((each for each in self._inputs.inlets if each.own is member.object), None)
        return own.text if own is not None and not member.path else ""

    def _address(self, object: Object) -> PointerValue:
        return self._memory.address(Place(object, self._translation.points_to.cell(object), (), object.type))

    # What exists before the call

    def _forget_crowds(self) -> None:
        """What the program may also have put there itself is not told apart: no run through it is a claim."""
        for crowd in self._inputs.crowds:
            for leaf in leaves(crowd.type):
                cell = path_cell(self._translation.points_to.cell(crowd), leaf.path)
                if isinstance(leaf.type, Pointer) and self._translation.layout.region(cell).flat:
                    open_ = cell.written or self._translation.layout.has_late_numbers(target_cell(cell))
                    choice = Choice.ABSTRACTION if open_ else Choice.INPUT
                    storage = self._translation.layout.flat_storage(cell, leaf.type)
                    for variable in storage.components:
                        self._context.havoc(variable, choice, "what exists before the call", self._span)

    def _target(self, inlet: Inlet) -> Cell:
        return target_cell(path_cell(self._translation.points_to.cell(inlet.holder), inlet.path))

    def _begin(self, object: Object) -> None:
        self._measure(object)
        self._memory.made(object, State.FROM_OUTSIDE, self._span)

    def _measure(self, object: Object) -> None:
        """A number and a length: as many elements as are promised; else one, if nothing tells how many there are."""
        if not object.array:
            self._memory.begin(object, self._span)
            self.parts.append(self._length_part(object, ""))
            return
        length = self._memory.length_variable(object)
        self._context.havoc(length, Choice.INPUT, object.source_name, self._span)
        self.parts.append(self._length_part(object, length.name))
        least = number(self._least(object))
        self._context.builder.emit(Assume(compare(Operator.AT_LEAST, length, least), "", self._span))
        if object.several:
            self._memory.allocate(object, length, self._span)
        else:
            self._memory.note_lengths(object, length, self._span)

    def _length_part(self, object: Object, variable: str) -> EntryPart:
        inlet = next((each for each in self._inputs.inlets if each.own is object), None)
        each, compared = 0, True
        if inlet is not None:
            target = _declared_target(inlet)
            each = (element_count(target) or 0) if base_element(target) == object.type else 0
            is_told_apart = bool(inlet.path) and self._translation.layout.shape(find(self._target(inlet))).object
            compared = not is_told_apart and self._looks_at_pointers
        return EntryPart(
            variable, EntryKind.LENGTH, object.source_name[1:], each=each, compared=compared, apart=self._keeps_apart
        )

    @cached_property
    def _looks_at_pointers(self) -> bool:
        return any(map(looks_at_pointer, self._executed))

    @cached_property
    def _keeps_apart(self) -> bool:
        return any(map(keeps_apart, self._executed))

    @property
    def _executed(self) -> Iterator[Node]:
        bodies = (function.body for function in self._translation.linked.reached if function.body is not None)
        return (node for body in bodies for node in nodes(body))

    def _least(self, object: Object) -> int:
        """How many base elements there are at least, for a pointer that is passed."""
        for position, parameter in enumerate(self._translation.objects.parameters[self._function.name]):
            if self._inputs.own(parameter) is object and isinstance(parameter.type, Pointer):
                promised = self._function.declaration.parameters[position].promised
                return max(1, promised) * self._elements(object, parameter.type.target)
        inlet = next((each for each in self._inputs.inlets if each.own is object), None)
        return 1 if inlet is None or not self._is_in_bytes(object) else self._elements(object, _declared_target(inlet))

    def _is_in_bytes(self, object: Object) -> bool:
        return find(self._translation.points_to.cell(object)).bytes

    def _elements(self, object: Object, target: CType) -> int:
        """How many base elements of the object what a pointer is declared to lead to takes, one at least."""
        return max(1, byte_size(target) if self._is_in_bytes(object) else element_count(target) or 1)

    def _fill(self, object: Object) -> None:
        """Any contents."""
        layout = self._translation.layout
        for leaf in leaves(object.type):
            cell = path_cell(self._translation.points_to.cell(object), leaf.path)
            flat = cell.pointed and layout.region(cell).flat
            is_set = self._inputs.inlet(object, leaf.path) is not None
            for variable in () if is_set else layout.storage(object, leaf.path).components:
                if not flat:
                    self._context.havoc(variable, Choice.INPUT, _part_text(object, leaf.path), self._span)
                if not isinstance(leaf.type, Pointer):
                    self._note_contents(object, leaf.path, variable, flat)
            self._note_held(object, leaf)
        self._set_pointers(object)

    def _note_held(self, object: Object, leaf: Leaf) -> None:
        """What a function may write there beside numbers."""
        held = [each.name for each in self._translation.layout.storage(object, leaf.path).components] or [""]
        if isinstance(leaf.type, Pointer) or held == [""]:
            self.parts.extend(EntryPart(name, EntryKind.HELD, object.source_name[1:]) for name in held)

    def _note_contents(self, object: Object, path: Path, variable: Variable, flat: bool) -> None:
        """How C says what is in the elements; in an array that is shared they are where the object's number is."""
        first = None
        if flat:
            first = self._translation.layout.number(object) + self._translation.layout.subpath_index(object.type, path)
        known = len(written(path)) == len(path) and not (flat and object.several)
        inlet = next((each for each in self._inputs.inlets if each.own is object), None)
        as_declared = inlet is None or is_byte(base_element(_declared_target(inlet)))
        known = known and (as_declared or not self._is_in_bytes(object)) and not is_kept_otherwise(object.type, path)
        inside = "".join(f".{name}" for name in written(path)) if known else "?"
        text = object.source_name[1:]
        self.parts.append(EntryPart(variable.name, EntryKind.CONTENTS, text, text, inside, first=first))

    def _set_pointers(self, object: Object) -> None:
        """Those that exist once lead anywhere where they may."""
        for inlet in self._inputs.inlets:
            if inlet.holder is object:
                place = self._memory.first_part(self._memory.object_place(object), inlet.path, self._span)
                bare = Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)
                self._memory.write(bare, self._any_pointer(inlet), self._span)


def _declared_target(inlet: Inlet) -> CType:
    """What a pointer from outside is declared to lead to."""
    found = next(leaf.type for leaf in leaves(inlet.holder.type) if leaf.path == inlet.path)
    return found.target if isinstance(found, Pointer) else VOID


def _part_text(object: Object, path: Path) -> str:
    """How C writes a part of what a pointer leads to; `[]` stands for any of many elements."""
    text, names = object.source_name[1:], ".".join(written(path))
    if object.array:
        return f"{text}[].{names}" if names else f"{text}[]"
    return f"{text}->{names}" if names else f"*{text}"
