"""Calls of functions without a body: what they return, and what they may have written."""

from __future__ import annotations

from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import Cell, path_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.foreign import ForeignPointers
from sorrel.frontends.c.library.catalogue import from_environment, returns_new
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.memory_functions import MemoryFunctions
from sorrel.frontends.c.operations import choose, compare, number
from sorrel.frontends.c.outside import Outside
from sorrel.frontends.c.pointer_uses import is_followed
from sorrel.frontends.c.regions import function_type
from sorrel.frontends.c.types import (
    CType,
    Floating,
    Ieee,
    Integer,
    Leaf,
    Pointer,
    Record,
    Truth,
    Void,
    leaves,
    scalar_type,
)
from sorrel.frontends.c.values import UNKNOWN, PointerValue, StructureValue, Value
from sorrel.frontends.c.watching import State
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import every
from sorrel.program.expression import Constant, Operator
from sorrel.program.statement import Assume, Choice, Stop
from sorrel.program.types import BOOLEAN


class ExternalCalls:
    """The environment chooses what a function of the program's own returns that no file defines.

    A function of the library does what it does, and nobody chooses that. Where it is not modelled its results are
    abstractions: a run through one of them is a claim about the program only if the compiled program repeats it.
    """

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator, blocks: MemoryFunctions) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._blocks = blocks
        self._outside = Outside(context, memory)
        self._translation = context.translation

    def call(self, node: syntax.Call, function: LinkedFunction) -> Value:
        name = function.source_name
        choice = Choice.ABSTRACTION if function.library else Choice.EXTERNAL
        arguments = node.arguments
        values = self._evaluator.keeping.sequence(
            [partial(self._evaluator.value, argument) for argument in arguments], node.span
        )
        declared = [parameter.type for parameter in function.declaration.parameters]
        types = [*declared, *(argument.type for argument in arguments[len(declared) :])]
        self._outside.overwrite(function, list(zip(values, types, strict=False)), node.span)
        if not function.returns:
            told = f"{name}, which has no body, does not return, as it is declared."
            self._translation.assume(AssumptionKind.LIBRARY, told)
            self._context.builder.end(Stop(node.span))
            return UNKNOWN
        if function.library and (chosen := self._chosen(node, name)) is not None:
            return chosen
        self._tell(node, function)
        if isinstance(node.type, Pointer):
            return self._pointer(node, name, choice)
        return self.any(node, choice, name)

    def call_unknown(self, node: syntax.Call, values: list[Value]) -> Value:
        """Through a pointer, to a function that nobody knows."""
        declared = function_type(node).parameters
        types = [*declared, *(argument.type for argument in node.arguments[len(declared) :])]
        name = "a function that comes from outside"
        library = any(self._translation.functions[each].library for each in self._translation.points_to.called(node))
        choice = Choice.ABSTRACTION if library else Choice.EXTERNAL
        self._outside.overwrite_all(name, choice, list(zip(values, types, strict=False)), node.span)
        given = "pointers, not to const, that such functions were given"
        told = f"What is called through a pointer from outside changes nothing but what it can reach through {given}."
        self._translation.assume(AssumptionKind.LIBRARY, told)
        if isinstance(node.type, Pointer):
            return self._pointer(node, name, choice)
        return self.any(node, choice, name)

    def _tell(self, node: syntax.Call, function: LinkedFunction) -> None:
        if function.library:
            self.tell_of_reading(node, function)
            return
        name = function.source_name
        result = "" if isinstance(node.type, Void) else f"returns any {node.type} and "
        given = "pointers, not to const, that such functions were given"
        told = f"{name}, which has no body, {result}changes nothing but what it can reach through {given}."
        self._translation.assume(AssumptionKind.LIBRARY, told)

    def tell_of_reading(self, node: syntax.Call, function: LinkedFunction) -> None:
        """What a function of the library does with memory is not looked at, if there is any that it is told of.

        Runs look at what is printed to the standard output, and at nothing else of that.
        """
        if any(map(is_followed, node.arguments)):
            told = "reads and writes nothing but what its arguments point to, and all of that is there."
            printed = function.source_name.removeprefix("__builtin_") in ("printf", "puts")
            kind = AssumptionKind.PRINTING if printed else AssumptionKind.LIBRARY
            self._translation.assume(kind, f"{function.source_name} {told}")

    def _chosen(self, node: syntax.Call, name: str) -> Value | None:
        """A value of the environment that the library only passes on."""
        values = from_environment(name)
        if values is None or not isinstance(node.type, Integer):
            return None
        machine = node.type.machine
        if not machine.contains(values.start) or not machine.contains(values.stop - 1):
            return None  # not announced as it is
        value = self._context.temporary(name, machine)
        self._context.havoc(value, Choice.INPUT, name, node.span)
        low = compare(Operator.AT_LEAST, value, Constant(values.start, machine))
        high = compare(Operator.LESS, value, Constant(values.stop, machine))
        self._context.builder.emit(Assume(every([low, high]), "", node.span))
        return value

    def any(self, node: syntax.Call, choice: Choice, source: str) -> Value:
        """Any value of the call's type."""
        type = node.type
        if isinstance(type, Void | Floating):
            return UNKNOWN
        if isinstance(type, Pointer):
            raise Unsupported(f"a pointer from {source}", node.span)
        if isinstance(type, Record):
            result = self._translation.points_to.result_cell(node)
            return StructureValue(
                {
                    leaf.path: self._part(path_cell(result, leaf.path), leaf, choice, source, node)
                    for leaf in leaves(type)
                }
            )
        return self._any_leaf(type, choice, source, node.span)

    def _part(self, cell: Cell, leaf: Leaf, choice: Choice, source: str, node: syntax.Call) -> Value:
        """Of a structure that is returned."""
        if isinstance(leaf.type, Pointer) or leaf.count != 1:
            return self._memory.anything(cell, leaf.type, node.span, leaf.count)
        return self._any_leaf(leaf.type, choice, source, node.span)

    def _any_leaf(self, type: CType, choice: Choice, source: str, span: Span) -> Value:
        if isinstance(type, Floating):
            return UNKNOWN
        if not isinstance(type, Integer | Truth | Ieee):
            raise Unsupported(f"a value of type {type} from {source}", span)
        value = self._context.temporary(source, scalar_type(type))
        self._context.havoc(value, choice, source, span)
        return value

    def _perhaps(self, new: PointerValue, name: str, span: Span) -> PointerValue:
        """The pointer, or any other that leads to what it may mean, such as what the function was given."""
        other = self._memory.any_pointer(new.known_cell, name, span)
        which = self._memory.any_value(BOOLEAN, name, span)
        pairs = zip(self._memory.components(new), self._memory.components(other), strict=True)
        return self._memory.pointer(new.known_cell, tuple(choose(which, one, another) for one, another in pairs))

    def _pointer(self, node: syntax.Call, name: str, choice: Choice) -> Value:
        """Null, or a new object of unknown length and contents."""
        object = self._translation.objects.of_node[id(node)]
        if choice is Choice.EXTERNAL:
            told = f"{name}, which has no body, returns null or a pointer to an object of its own."
            self._translation.assume(AssumptionKind.LIBRARY, told)
        length = self._memory.length_variable(object)
        self._context.havoc(length, choice, name, node.span)
        self._context.builder.emit(Assume(compare(Operator.AT_LEAST, length, number(1)), "", node.span))
        pointer = self._blocks.new_object(object, length, node.span, State.FROM_OUTSIDE)
        ForeignPointers(self._context, self._memory, choice, node.span).forget(object, name)
        if choice is Choice.ABSTRACTION and any(map(is_followed, node.arguments)) and not returns_new(name):
            pointer = self._perhaps(pointer, name, node.span)
        missing = self._context.temporary(name, BOOLEAN)
        self._context.havoc(missing, choice, name, node.span)
        if pointer.object is None:
            return pointer
        return PointerValue(pointer.cell, choose(missing, number(0), pointer.object), pointer.offset)
