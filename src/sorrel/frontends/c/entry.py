"""Verifying a function for all inputs: a procedure that makes them up and calls it."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c.context import Context, Translation
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.interface import interface
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.operations import compare, number
from sorrel.frontends.c.regions import PointsTo, target_cell
from sorrel.frontends.c.syntax import Reference, nodes
from sorrel.frontends.c.types import Function, Pointer, Record, base_element, element_count, leaves
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.model.errors import Span
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


def make_inputs(linked: Linked, objects: Objects, points_to: PointsTo, function: LinkedFunction) -> dict[int, Object]:
    """For each pointer parameter an object of its own that it points to, by the position of the parameter."""
    made: dict[int, Object] = {}
    for position, parameter in enumerate(objects.parameters[function.name]):
        if not isinstance(parameter.type, Pointer):
            _refuse_pointers(parameter)
            continue
        target = parameter.type.target
        if isinstance(target, Function):
            raise Unsupported(f"{parameter.name}, a function pointer from outside", parameter.span)
        object = Object(ObjectKind.ALLOCATED, f"input.{parameter.name}", base_element(target), parameter.span)
        _refuse_pointers(object)
        object.source_name = f"*{parameter.name}"
        objects.of_node[id(object)] = object
        points_to.cell(object).pointed = True
        points_to.unify(target_cell(points_to.cell(parameter)), points_to.cell(object), parameter.span)
        made[position] = object
    return made


def _refuse_pointers(object: Object) -> None:
    record = base_element(object.type)
    if isinstance(record, Record) and not record.complete:
        raise Unsupported(f"{object.name}, whose type {record} has no definition", object.span)
    if any(isinstance(leaf.type, Pointer) for leaf in leaves(object.type)):
        raise Unsupported(f"pointers inside of {object.name}, which comes from outside", object.span)


class EntryReader:
    """The procedure that stands for every caller."""

    def __init__(
        self, translation: Translation, function: LinkedFunction, inputs: dict[int, Object], name: str = ENTRY
    ) -> None:
        self._name = name
        self._translation = translation
        self._function = function
        self._inputs = inputs
        self._context = Context(translation, name, set(translation.layout.globals))
        self._memory = Memory(self._context)

    def read(self, prologue: tuple[Statement, ...]) -> Procedure:
        span = self._function.declaration.span
        shape = interface(self._translation, self._function.name)
        arguments: list[Expression] = []
        entry = self._context.builder.current.label
        for statement in prologue:
            self._context.builder.emit(statement)
        for position, parameter in enumerate(shape.parameters):
            object = self._inputs.get(position)
            if object is not None:
                arguments.extend(self._pointer(object, self._least(position), span))
                continue
            for part in parameter.parts:
                arguments.extend(self._any(variable, parameter.parameter.name, span) for variable in part.variables)
        results = tuple(None for _ in shape.outputs)
        self._context.builder.emit(Call(self._function.name, tuple(arguments), results, span))
        self._context.builder.end(Return(span))
        blocks = self._context.builder.finished(entry)
        return Procedure(self._name, (), (), tuple(self._context.locals.values()), blocks, entry, span)

    def _any(self, variable: Variable, name: str, span: Span) -> Variable:
        value = self._context.temporary(name, variable.type)
        self._context.havoc(value, Choice.INPUT, name, span)
        return value

    def _least(self, position: int) -> int:
        """How many base elements a pointer that is passed points to at least."""
        parameter = self._function.declaration.parameters[position]
        assert isinstance(parameter.type, Pointer)
        return parameter.promised * (element_count(parameter.type.target) or 1)

    def _pointer(self, object: Object, least: int, span: Span) -> tuple[Expression, ...]:
        """So many elements at least, of any value; if nothing tells how many, the function may use the first only."""
        _refuse_pointers(object)  # its type may be known only now
        length = self._memory.length_variable(object)
        self._context.havoc(length, Choice.INPUT, object.source_name, span)
        self._context.builder.emit(Assume(compare(Operator.AT_LEAST, length, number(least)), "", span))
        self._memory.havoc_object(object, Choice.INPUT, object.source_name, span)
        cell = self._translation.points_to.cell(object)
        if object.several:
            self._memory.allocate(object, length, span)
        pointer: PointerValue = self._memory.address(Place(object, cell, (), object.type))
        return self._memory.components(pointer)
