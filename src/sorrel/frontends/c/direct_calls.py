"""Calls of the program's own functions: what travels in, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import path_cell, target_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.interface import Interface, ParameterInterface, Passed, interface
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import compare, convert, exact, minus, number, to_type
from sorrel.frontends.c.syntax import converted_from
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Ieee,
    Integer,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
    element_count,
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
from sorrel.model.errors import InternalError, Span
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.statement import Call

TOO_SHORT = "an argument with fewer elements than the parameter promises"


class DirectCalls:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._translation = context.translation

    def call(self, node: syntax.Call, name: str) -> Value:
        shape = interface(self._translation, name)
        arguments = node.arguments
        if len(arguments) < len(shape.parameters):
            raise Unsupported(f"a call of {name} with too few arguments", node.span)
        evaluations: list[Callable[[], Value]] = []
        places: dict[int, Place] = {}
        for position, argument in enumerate(arguments):
            if position < len(shape.parameters):
                evaluations.append(self._argument(shape.parameters[position], argument, places, position))
            else:
                evaluations.append(partial(self._evaluator.value, argument))
        values = self._evaluator.keeping.sequence(evaluations, node.span)
        passed: list[Expression] = []
        for position, parameter in enumerate(shape.parameters):
            self._keep_promise(name, position, values[position], places.get(position), arguments[position].span)
            passed.extend(self._passed(parameter, values[position], places.get(position), arguments[position]))
        return self._emit(name, shape, tuple(passed), places, node)

    def call_with(self, name: str, values: list[Value], node: syntax.Call) -> Value:
        """The arguments have been evaluated."""
        shape = interface(self._translation, name)
        if len(values) != len(shape.parameters):
            raise Unsupported(f"a call of {name} with other arguments than it has", node.span)
        passed: list[Expression] = []
        for position, (parameter, value) in enumerate(zip(shape.parameters, values, strict=True)):
            self._keep_promise(name, position, value, None, node.span)
            type = parameter.parameter.in_source
            if isinstance(type, Integer | Truth | Ieee) and is_expression(value):
                value = to_type(value, type)
            passed.extend(self._components(value, parameter.parameter, parameter.parts, node.span))
        return self._emit(name, shape, tuple(passed), {}, node)

    def _keep_promise(self, name: str, position: int, value: Value, place: Place | None, span: Span) -> None:
        """As many elements are there as the parameter's declaration asks callers for (`int a[static 4]`)."""
        declared = self._translation.functions[name].declaration.parameters[position]
        if not declared.promised or not isinstance(declared.type, Pointer):
            return
        count = declared.promised * (element_count(declared.type.target) or 1)
        if isinstance(value, PointerValue):
            self._context.check(self._memory.has_room(value, count), TOO_SHORT, span)
            return
        if place is None or not isinstance(place.root, Object) or place.path:
            raise Unsupported("an argument whose length is not known, for a parameter that promises elements", span)
        left = minus(self._memory.total_length(place.root), exact(place.offset or number(0)))
        self._context.check(compare(Operator.AT_LEAST, left, number(count)), TOO_SHORT, span)

    def _argument(
        self, parameter: ParameterInterface, argument: syntax.Expression, places: dict[int, Place], position: int
    ) -> Callable[[], Value]:
        referent = parameter.referent
        if referent is None:
            type = parameter.parameter.in_source
            return lambda: self._converted(argument, type)

        def evaluate() -> Value:
            places[position] = self._reference(argument, referent)
            return UNKNOWN

        return evaluate

    def _converted(self, argument: syntax.Expression, type: CType) -> Value:
        if isinstance(type, Record):
            return self._evaluator.value(argument)
        return self._evaluator.converted(argument, type)

    def _reference(self, argument: syntax.Expression, referent: Object) -> Place:
        """The caller's variable that is passed in and out."""
        inner = converted_from(argument)
        if referent.array:
            own: Object | None = None
            if isinstance(inner, syntax.Reference) and isinstance(inner.type, Pointer):
                own = self._translation.objects.referents.get(inner.symbol)
            return self._memory.object_place(own) if own is not None else self._evaluator.place(inner)
        place = self._evaluator.followed(argument)
        while isinstance(place.type, Array):
            place = self._memory.element(place, number(0))
        if place.offset is not None and not isinstance(place.offset, Constant):
            offset = self._context.saved(exact(place.offset), "index", argument.span)
            place = Place(place.root, place.cell, place.path, place.type, place.lengths, offset, place.checks)
        return place

    def _passed(
        self, parameter: ParameterInterface, value: Value, place: Place | None, argument: syntax.Expression
    ) -> list[Expression]:
        if parameter.referent is None:
            return self._components(value, parameter.parameter, parameter.parts, argument.span)
        if place is None:
            raise InternalError(f"{argument.span}: a reference that was not evaluated")
        if not parameter.referent.array:
            current = self._memory.read(place, argument.span)
            return self._components(current, parameter.referent, parameter.parts, argument.span)
        found: list[Expression] = []
        for part in parameter.parts:
            found.extend(self._array_variables(place, part))
        return [*found, exact(place.lengths[0])]

    def _array_variables(self, place: Place, part: Passed) -> tuple[Variable, ...]:
        """The variables that hold a whole array; reference arguments are never in shared memory."""
        if not isinstance(place.root, Object):
            raise InternalError(f"a reference to an array that a pointer leads to: {part.leaf.path}")
        path = (*place.path, *part.leaf.path)
        if self._context.layout.in_memory(place.root, path):
            raise InternalError(f"{place.root.span}: a reference to {place.root.name}, which pointers can reach")
        cell = path_cell(self._translation.points_to.cell(place.root), path)
        if cell.blurred:
            return tuple(self._memory.any_value(each.type, cell.reason, place.root.span) for each in part.variables)
        return self._context.layout.storage(place.root, path).components

    def _components(self, value: Value, object: Object, parts: tuple[Passed, ...], span: Span) -> list[Expression]:
        """What travels for each leaf, in the procedure's types."""
        found: list[Expression] = []
        for part in parts:
            if not part.variables:
                continue  # nothing is modelled of it
            leaf = value.leaves[part.leaf.path] if isinstance(value, StructureValue) else value
            if isinstance(leaf, Unknown):
                raise Unsupported("an argument that is not modelled", span)
            if isinstance(leaf, PointerValue):
                if not isinstance(part.leaf.type, Pointer):
                    raise Unsupported("a pointer passed as a number", span)
                cell = target_cell(path_cell(self._translation.points_to.cell(object), part.leaf.path))
                found.extend(self._memory.components(self._memory.fitted(leaf, cell, span)))
            elif isinstance(leaf, ArrayOfPointers):
                found.extend(leaf.components)
            else:
                if isinstance(part.leaf.type, Pointer) or isinstance(leaf, StructureValue):
                    raise Unsupported("a number passed as a pointer", span)
                wanted = part.variables[0].type
                found.append(leaf if leaf.type == wanted else convert(leaf, wanted))
        return found

    def _emit(
        self, name: str, shape: Interface, passed: tuple[Expression, ...], places: dict[int, Place], node: syntax.Call
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
            if self._memory.may_be_read_only(place, node.span):
                raise Unsupported("a constant or a string literal given to a function that may write to it", node.span)
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
        whole = path_cell(self._translation.points_to.cell(object), part.leaf.path)
        if whole.blurred:
            return self._memory.anything(whole, part.leaf.type, object.span, part.leaf.count)
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
