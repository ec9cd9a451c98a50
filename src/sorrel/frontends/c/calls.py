"""Calls: of the program's own functions, of those that mean something by name, of those without a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sorrel.frontends.c.context import INT, Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.expressions import Expressions
from sorrel.frontends.c.external import ExternalCalls
from sorrel.frontends.c.interface import Interface, ParameterInterface, Passed, interface
from sorrel.frontends.c.library import PURPOSES, WRITERS, Meaning, meaning
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.memory_functions import MemoryFunctions
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.observations import Observations
from sorrel.frontends.c.operations import choose, compare, convert, exact, from_truth, number, to_type
from sorrel.frontends.c.output import Output
from sorrel.frontends.c.promises import Promises
from sorrel.frontends.c.references import called_function
from sorrel.frontends.c.regions import function_value, path_cell, target_cell
from sorrel.frontends.c.syntax import Node, NodeKind, value_of
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Integer,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
)
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    Unknown,
    Value,
    is_expression,
)
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE
from sorrel.program.expression import Binary, Constant, Expression, Operator, Unary, UnaryOperator, Variable
from sorrel.program.statement import READS, Assert, Assume, Call, Choice, Kind, Stop
from sorrel.program.types import BOOLEAN, UNBOUNDED, is_integer

_OVERFLOWING = {"add": Operator.ADD, "sub": Operator.SUBTRACT, "mul": Operator.MULTIPLY}
_ABORTING, _ABORTED = ("abort", "__builtin_abort"), 134  # as a shell tells of a process that SIGABRT ended


class Calls:
    def __init__(self, context: Context, memory: Memory, expressions: Expressions) -> None:
        self._context = context
        self._memory = memory
        self._expressions = expressions
        self._blocks = MemoryFunctions(context, memory, expressions)
        self._external = ExternalCalls(context, memory, expressions, self._blocks)
        self._promises = Promises(context, expressions, self._external)
        self._observations = Observations(context, memory, expressions)
        self._output = Output(context, memory, expressions)
        self._translation = context.translation

    def call(self, node: Node, wanted: bool = True) -> Value:
        """`wanted`: whether anything is done with the value."""
        name = called_function(node, self._translation.linked)
        if name is None:
            return self._through_pointer(node, wanted)
        function = self._translation.functions[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant is not None:
            return self._by_meaning(node, meant, function)
        if self._writes(name):
            return self._written(node, name, wanted)
        if function.body is None:
            return self._external.call(node, function)
        value = self._own(node, name)
        # A program may have announced a function of the library with a result of another width.
        if function.library and isinstance(node.type, Integer) and is_expression(value):
            return to_type(value, node.type)
        return value

    # Functions that mean something by name

    def _writes(self, name: str) -> bool:
        function = self._translation.functions[name]
        return function.library and function.source_name in WRITERS

    def _written(self, node: Node, name: str, wanted: bool) -> Value:
        function = self._translation.functions[name]
        self._output.write(function.source_name, node)
        if function.body is not None:
            return self._own(node, name)
        self._external.tell_of_reading(node, function)
        return self._external.any(node, Choice.ABSTRACTION, function.source_name) if wanted else UNKNOWN

    def _by_meaning(self, node: Node, meant: Meaning, function: LinkedFunction) -> Value:
        arguments = node.children[1:]
        match meant:
            case Meaning.INPUT:
                return self._external.any(node, Choice.INPUT, function.source_name)
            case Meaning.ERROR:
                self._fail(Kind.ERROR_CALL, f"{function.source_name} is called", node.span)
            case Meaning.ASSERTION_FAILURE:
                self._fail(Kind.ASSERTION, _message(node), node.span)
            case Meaning.ASSERT:
                condition = self._expressions.condition(arguments[0])
                self._context.builder.emit(Assert(condition, Kind.ASSERTION, "assertion", node.span))
            case Meaning.ASSUME:
                condition = self._expressions.condition(arguments[0])
                self._context.builder.emit(Assume(condition, "", node.span))
            case Meaning.STOP:
                self._context.builder.end(Stop(node.span, self._status(function.source_name, arguments)))
            case Meaning.FREE:
                self._expressions.effect(arguments[0])
                told = "Memory that was freed is not used again, nor are pointers to it."
                self._translation.assume(AssumptionKind.LIFETIME, told)
            case Meaning.FIRST_ARGUMENT:
                return self._expressions.scalar(arguments[0])
            case Meaning.ABSOLUTE:
                return self._absolute(node)
            case Meaning.ALLOCATE | Meaning.ALLOCATE_ZEROED:
                return self._blocks.allocate(node, meant is Meaning.ALLOCATE_ZEROED)
            case Meaning.FILL:
                return self._blocks.fill(node)
            case Meaning.COPY:
                return self._blocks.copy(node)
            case Meaning.OBSERVE:
                self._observations.value(node, PURPOSES[function.source_name])
            case Meaning.OBSERVE_ARRAY:
                self._observations.array(node, PURPOSES[function.source_name])
            case Meaning.UNREACHABLE:
                told = f"{function.source_name} is never reached."
                self._translation.assume(AssumptionKind.OTHER, told)
                self._context.builder.end(Stop(node.span))
            case Meaning.FROM_OUTSIDE:
                return self._external.any(node, Choice.INPUT, f"{READS}{self._context.within}")
            case Meaning.ANY | Meaning.POSITIVE | Meaning.NONZERO:
                return self._promises.unspecified(node, meant)
            case Meaning.REQUIRE:
                self._promises.require(arguments[0], node.span)
            case Meaning.SEPARATE:
                self._promises.separate(node)
            case Meaning.BEHIND:
                return self._promises.behind(node)
            case Meaning.OVERFLOWING:
                return self._overflowing(node, function.source_name)
            case Meaning.CONSTANT_KNOWN:
                return self._either(node, function.source_name)
            case Meaning.NOT_SUPPORTED:
                raise Unsupported(f"the function {function.source_name}", node.span)
        return UNKNOWN

    def _status(self, name: str, arguments: tuple[Node, ...]) -> Expression | None:
        """What the environment is told: the lowest byte of the argument, or that of a program that was aborted."""
        if name in _ABORTING:
            return Constant(_ABORTED, INT.machine)
        values = [self._expressions.scalar(argument) for argument in arguments]
        return values[0] if len(values) == 1 and is_integer(values[0].type) else None

    def _fail(self, kind: Kind, message: str, span: Span) -> None:
        self._context.builder.emit(Assert(FALSE, kind, message, span))
        self._context.builder.end(Stop(span))

    def fails_assertion(self, node: Node) -> bool:
        """Whether this is only what the assert macro does when its condition is false."""
        while node.kind in (NodeKind.PARENTHESES, NodeKind.COMPOUND) and len(node.children) == 1:
            node = node.children[0]
        if node.kind is not NodeKind.CALL:
            return False
        name = called_function(node, self._translation.linked)
        if name is None:
            return False
        function = self._translation.functions[name]
        return meaning(function.source_name, function.body is not None) is Meaning.ASSERTION_FAILURE

    def assertion(self, condition: Node, failure: Node, span: Span) -> None:
        test = self._expressions.condition(condition)
        self._context.builder.emit(Assert(test, Kind.ASSERTION, _message(failure), span))

    def _absolute(self, node: Node) -> Value:
        value = to_type(self._expressions.scalar(node.children[1]), node.type)
        negative = compare(Operator.LESS, value, Constant(0, value.type))
        return choose(negative, Unary(UnaryOperator.NEGATE, value, value.type), value)

    def _overflowing(self, node: Node, name: str) -> Value:
        """The exact result, as far as it fits where it is written; whether it does not fit."""
        left, right, result = node.children[1:]
        operator = next(each for letters, each in _OVERFLOWING.items() if letters in name)
        one, other = self._expressions.keeping.sequence(
            [partial(self._expressions.scalar, left), partial(self._expressions.scalar, right)], node.span
        )
        place = self._expressions.followed(result)
        if not is_expression(one) or not is_expression(other) or not isinstance(place.type, Integer):
            raise Unsupported(f"{name} of these types", node.span)
        exactly = self._context.saved(Binary(operator, exact(one), exact(other), UNBOUNDED), "exact", node.span)
        stored = self._context.saved(convert(exactly, place.type.machine), "stored", node.span)
        self._memory.write(place, stored, node.span)
        return compare(Operator.DIFFERENT, exactly, exact(stored))

    def _either(self, node: Node, name: str) -> Value:
        """0 or 1, as the compiler likes. The argument is not evaluated."""
        known = self._context.temporary(name, BOOLEAN)
        self._context.havoc(known, Choice.ABSTRACTION, name, node.span)
        return from_truth(known, INT)

    # The program's own functions

    def _own(self, node: Node, name: str) -> Value:
        shape = interface(self._translation, name)
        arguments = node.children[1:]
        if len(arguments) < len(shape.parameters):
            raise Unsupported(f"a call of {name} with too few arguments", node.span)
        evaluations: list[Callable[[], Value]] = []
        places: dict[int, Place] = {}
        for position, argument in enumerate(arguments):
            if position < len(shape.parameters):
                evaluations.append(self._argument(shape.parameters[position], argument, places, position))
            else:
                evaluations.append(partial(self._expressions.value, argument))
        values = self._expressions.keeping.sequence(evaluations, node.span)
        passed: list[Expression] = []
        for position, parameter in enumerate(shape.parameters):
            passed.extend(self._passed(parameter, values[position], places.get(position), arguments[position]))
        return self._emit(name, shape, tuple(passed), places, node)

    def _argument(
        self, parameter: ParameterInterface, argument: Node, places: dict[int, Place], position: int
    ) -> Callable[[], Value]:
        if parameter.referent is None:
            type = parameter.parameter.type
            return lambda: self._converted(argument, type)

        def evaluate() -> Value:
            assert parameter.referent is not None
            place = self._reference(argument, parameter.referent)
            places[position] = place
            return UNKNOWN

        return evaluate

    def _converted(self, argument: Node, type: CType) -> Value:
        if isinstance(type, Record):
            return self._expressions.value(argument)
        return self._expressions.converted(argument, type)

    def _reference(self, argument: Node, referent: Object) -> Place:
        """The caller's variable that is passed in and out."""
        inner = value_of(argument)
        if referent.array:
            own = self._translation.objects.referents.get(inner.symbol) if isinstance(inner.type, Pointer) else None
            return self._memory.object_place(own) if own is not None else self._expressions.place(inner)
        place = self._expressions.followed(argument)
        while isinstance(place.type, Array):
            place = self._memory.element(place, number(0))
        if place.offset is not None and not isinstance(place.offset, Constant):
            offset = self._context.saved(exact(place.offset), "index", argument.span)
            place = Place(place.root, place.cell, place.path, place.type, place.lengths, offset, place.checks)
        return place

    def _passed(
        self, parameter: ParameterInterface, value: Value, place: Place | None, argument: Node
    ) -> list[Expression]:
        if parameter.referent is None:
            return self._components(value, parameter.parameter, parameter.parts, argument.span)
        assert place is not None
        if not parameter.referent.array:
            current = self._memory.read(place, argument.span)
            return self._components(current, parameter.referent, parameter.parts, argument.span)
        found: list[Expression] = []
        for part in parameter.parts:
            found.extend(self._array_variables(place, part))
        return [*found, exact(place.lengths[0])]

    def _array_variables(self, place: Place, part: Passed) -> tuple[Variable, ...]:
        """The variables that hold a whole array; reference arguments are never in shared memory."""
        assert isinstance(place.root, Object)
        path = (*place.path, *part.leaf.path)
        if self._context.layout.in_memory(place.root, path):
            raise InternalError(f"{place.root.span}: a reference to {place.root.name}, which pointers can reach")
        return self._context.layout.storage(place.root, (*place.path, *part.leaf.path)).components

    def _components(self, value: Value, object: Object, parts: tuple[Passed, ...], span: Span) -> list[Expression]:
        """What travels for each leaf, in the procedure's types."""
        found: list[Expression] = []
        for part in parts:
            leaf = value.leaves[part.leaf.path] if isinstance(value, StructureValue) else value
            if isinstance(leaf, Unknown):
                if part.variables:
                    raise Unsupported("an argument that is not modelled", span)
            elif isinstance(leaf, PointerValue):
                if not isinstance(part.leaf.type, Pointer):
                    raise Unsupported("a pointer passed as a number", span)
                cell = target_cell(path_cell(self._translation.points_to.cell(object), part.leaf.path))
                found.extend(self._memory.components(self._memory.fitted(leaf, cell, span)))
            elif isinstance(leaf, ArrayOfPointers):
                found.extend(leaf.components)
            else:
                assert not isinstance(leaf, StructureValue)
                if isinstance(part.leaf.type, Pointer):
                    raise Unsupported("a number passed as a pointer", span)
                wanted = part.variables[0].type
                found.append(leaf if leaf.type == wanted else convert(leaf, wanted))
        return found

    def _emit(
        self, name: str, shape: Interface, passed: tuple[Expression, ...], places: dict[int, Place], node: Node
    ) -> Value:
        results: list[Variable] = []
        own: list[list[Variable]] = []
        for part in shape.result_parts:
            own.append([self._context.temporary(name, variable.type) for variable in part.variables])
            results.extend(own[-1])
        back: list[tuple[Place, ParameterInterface, list[Variable]]] = []
        for position, parameter in enumerate(shape.parameters):
            if parameter.written:
                place = places[position]
                taken = self._back_variables(place, parameter)
                results.extend(taken)
                back.append((place, parameter, taken))
        self._context.builder.emit(Call(name, passed, tuple(results), node.span))
        for place, parameter, taken in back:
            if self._memory.is_literal(place):
                raise Unsupported("a string literal given to a function that may write to it", node.span)
            self._write_back(place, parameter, taken, node.span)
        return self._result(shape, own)

    def _back_variables(self, place: Place, parameter: ParameterInterface) -> list[Variable]:
        """Where written referents come back: whole arrays in their own variables, the rest by way of temporaries."""
        if parameter.referent is not None and parameter.referent.array:
            return [variable for part in parameter.parts for variable in self._array_variables(place, part)]
        return [self._context.temporary(variable.name.split(".")[0], variable.type) for variable in parameter.outputs]

    def _write_back(self, place: Place, parameter: ParameterInterface, taken: list[Variable], span: Span) -> None:
        if parameter.referent is None or parameter.referent.array:
            return
        remaining = iter(taken)
        values = {part.leaf.path: self._value(parameter.referent, part, remaining) for part in parameter.parts}
        unchecked = Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)
        value = StructureValue(values) if isinstance(place.type, Record) else values[()]
        self._memory.write(unchecked, value, span)

    def _value(self, object: Object, part: Passed, variables: Iterator[Variable]) -> Value:
        taken = tuple(next(variables) for _ in part.variables)
        return self._leaf_value(object, part, taken)

    def _leaf_value(self, object: Object, part: Passed, taken: tuple[Expression, ...]) -> Value:
        if isinstance(part.leaf.type, Floating | Void):
            return UNKNOWN
        if isinstance(part.leaf.type, Pointer):
            cell = target_cell(path_cell(self._translation.points_to.cell(object), part.leaf.path))
            if part.leaf.count != 1:
                return ArrayOfPointers(cell, taken)
            return self._memory.pointer(cell, taken)
        return taken[0]

    def _result(self, shape: Interface, own: list[list[Variable]]) -> Value:
        result = shape.result
        if isinstance(result.type, Void | Floating):
            return UNKNOWN
        values = {
            part.leaf.path: self._leaf_value(result, part, tuple(variables))
            for part, variables in zip(shape.result_parts, own, strict=True)
        }
        return StructureValue(values) if isinstance(base_element(result.type), Record) else values[()]

    # Through a pointer

    def _through_pointer(self, node: Node, wanted: bool) -> Value:
        """A case for each function that the pointer may mean."""
        names = self._translation.points_to.called(node)
        pointer = self._expressions.value(function_value(node))
        if not isinstance(pointer, PointerValue) or pointer.cell is None:
            raise Unsupported("a call through this pointer", node.span)
        if len(names) == 1 and self._writes(names[0]):
            self._context.check(self._memory.is_set(pointer), "call through a null pointer", node.span)
            return self._written(node, names[0], wanted)
        bodiless = [name for name in names if self._translation.functions[name].body is None]
        if not names or bodiless:
            raise Unsupported("a call through a pointer whose functions are not known", node.span)
        position = self._context.builder.position()
        arguments = self._expressions.keeping.sequence(
            [partial(self._expressions.value, argument) for argument in node.children[1:]], node.span
        )
        kept = self._expressions.keeping.keep(pointer, position, node.span)
        assert isinstance(kept, PointerValue)
        self._context.check(self._memory.leads_somewhere(kept), "call through a null pointer", node.span)
        if len(names) == 1:
            return self._direct(names[0], arguments, node)
        return self._dispatch(names, kept, arguments, node)

    def _dispatch(self, names: tuple[str, ...], pointer: PointerValue, arguments: list[Value], node: Node) -> Value:
        builder, layout = self._context.builder, self._context.layout
        assert pointer.object is not None
        after = builder.label("after")
        targets: list[Variable] | None = None
        result: Value = UNKNOWN
        for position, name in enumerate(names):
            following = builder.label("case")
            if position + 1 < len(names):
                here = builder.label("call")
                number_of = layout.number(self._translation.objects.functions[name])
                builder.branch(compare(Operator.EQUAL, pointer.object, number(number_of)), here, following, node.span)
                builder.start(here)
            value = self._direct(name, arguments, node)
            parts = self._parts(value)
            if targets is None:
                targets = [self._context.temporary("result", part.type) for part in parts]
                result = self._rebuilt(value, targets, node.span)
            for target, part in zip(targets, parts, strict=True):
                self._context.assign(target, part, node.span)
            builder.goto(after)
            if position + 1 < len(names):
                builder.start(following)
        builder.start(after)
        return result

    def _parts(self, value: Value) -> list[Expression]:
        match value:
            case Unknown():
                return []
            case PointerValue():
                return list(self._memory.components(value))
            case StructureValue(parts):
                return [each for part in parts.values() for each in self._parts(part)]
            case ArrayOfPointers(_, components):
                return list(components)
            case _:
                return [value]

    def _rebuilt(self, value: Value, targets: list[Variable], span: Span) -> Value:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, PointerValue):
            assert value.cell is not None
            return self._memory.pointer(value.cell, tuple(targets))
        if isinstance(value, StructureValue | ArrayOfPointers):
            raise Unsupported("a structure returned through a function pointer", span)
        return targets[0]

    def _direct(self, name: str, values: list[Value], node: Node) -> Value:
        shape = interface(self._translation, name)
        if len(values) != len(shape.parameters):
            raise Unsupported(f"a call of {name} with other arguments than it has", node.span)
        passed: list[Expression] = []
        for parameter, value in zip(shape.parameters, values, strict=True):
            type = parameter.parameter.type
            if isinstance(type, Integer | Truth) and is_expression(value):
                value = to_type(value, type)
            passed.extend(self._components(value, parameter.parameter, parameter.parts, node.span))
        return self._emit(name, shape, tuple(passed), {}, node)


def _message(node: Node) -> str:
    """The text of the condition that the assert macro passes on."""
    while node.kind in (NodeKind.PARENTHESES, NodeKind.COMPOUND) and node.children:
        node = node.children[0]
    for argument in node.children[1:2]:
        inner = value_of(argument)
        if inner.kind is NodeKind.STRING:
            return "assertion " + bytes(inner.characters).decode("utf-8", "replace")
    return "assertion"
