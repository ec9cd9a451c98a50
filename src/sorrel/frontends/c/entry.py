"""Verifying a function for all inputs: a procedure that makes them up and calls it."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c.context import Context, Translation
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.foreign import ForeignPointers
from sorrel.frontends.c.inputs import Inlet
from sorrel.frontends.c.interface import Passed, interface
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import compare, number
from sorrel.frontends.c.regions import Cell, path_cell, target_cell
from sorrel.frontends.c.syntax import Reference, nodes
from sorrel.frontends.c.types import Pointer, element_count, leaves
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.program.expression import Expression, Operator, Variable
from sorrel.program.program import Procedure
from sorrel.program.statement import Assume, Block, Branch, Call, Choice, Goto, Havoc, Return, Statement, Stop
from sorrel.program.types import UNBOUNDED

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


def unread_pointers(function: LinkedFunction) -> frozenset[int]:
    """Positions of main's parameters that are pointers, which must not be used: what they point to is not modelled."""
    symbols = {
        parameter.symbol: position
        for position, parameter in enumerate(function.declaration.parameters)
        if isinstance(parameter.type, Pointer)
    }
    for node in nodes(function.body) if function.body is not None else ():
        if isinstance(node, Reference) and node.symbol in symbols:
            raise Unsupported("the arguments of the command line", node.span)
    return frozenset(symbols.values())


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

    def read(self, prologue: tuple[Statement, ...]) -> Procedure:
        span = self._span
        shape = interface(self._translation, self._function.name)
        entry = self._context.builder.current.label
        self._forget_crowds()
        for statement in prologue:
            self._context.builder.emit(statement)
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

    def _any(self, variable: Variable, source: str) -> Variable:
        value = self._context.temporary(source if source.isidentifier() else "input", variable.type)
        self._context.havoc(value, Choice.INPUT, source, self._span)
        return value

    def _argument(self, parameter: Object, part: Passed) -> tuple[Expression, ...]:
        path, type = part.leaf.path, part.leaf.type
        inlet = self._inputs.inlet(parameter, path)
        if inlet is None or not isinstance(type, Pointer):
            text = ".".join((parameter.name, *path))
            return tuple(self._any(variable, text) for variable in part.variables)
        if path:
            return self._memory.components(self._pointers.any(self._target(inlet), inlet.text, inlet.own))
        assert inlet.own is not None
        return self._memory.components(self._address(inlet.own))

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
        """A number and a length: as many elements as are promised; else one, if nothing tells how many there are."""
        if not object.array:
            self._memory.begin(object, self._span)
            return
        length = self._memory.length_variable(object)
        self._context.havoc(length, Choice.INPUT, object.source_name, self._span)
        least = number(self._least(object))
        self._context.builder.emit(Assume(compare(Operator.AT_LEAST, length, least), "", self._span))
        if object.several:
            self._memory.allocate(object, length, self._span)
        else:
            self._memory.note_lengths(object, length, self._span)

    def _least(self, object: Object) -> int:
        """How many base elements there are at least, for a pointer that is passed."""
        for position, parameter in enumerate(self._translation.objects.parameters[self._function.name]):
            if self._inputs.own(parameter) is object and isinstance(parameter.type, Pointer):
                promised = self._function.declaration.parameters[position].promised
                return promised * (element_count(parameter.type.target) or 1)
        return 1

    def _fill(self, object: Object) -> None:
        """Any contents."""
        layout = self._translation.layout
        for leaf in leaves(object.type):
            cell = path_cell(self._translation.points_to.cell(object), leaf.path)
            flat = cell.pointed and layout.region(cell).flat
            if not flat and self._inputs.inlet(object, leaf.path) is None:
                for variable in layout.storage(object, leaf.path).components:
                    self._context.havoc(variable, Choice.INPUT, object.source_name, self._span)
        self._set_pointers(object)

    def _set_pointers(self, object: Object) -> None:
        """Those that exist once lead anywhere where they may."""
        for inlet in self._inputs.inlets:
            if inlet.holder is object:
                place = self._memory.first_part(self._memory.object_place(object), inlet.path, self._span)
                bare = Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)
                self._memory.write(bare, self._pointers.any(self._target(inlet), inlet.text, inlet.own), self._span)
