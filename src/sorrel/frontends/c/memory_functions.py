"""Functions of the C library about blocks of memory: malloc and its kin, memset, memcpy."""

from __future__ import annotations

from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import convert, exact, number
from sorrel.frontends.c.pointers import demand_separate, distance, moved
from sorrel.frontends.c.regions import find, path_cell
from sorrel.frontends.c.syntax import constant_product, named_callee
from sorrel.frontends.c.types import (
    VOID,
    CType,
    Integer,
    Pointer,
    Truth,
    leaves,
)
from sorrel.frontends.c.values import (
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    Unknown,
    Value,
    is_expression,
)
from sorrel.frontends.c.watching import State
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, zero
from sorrel.program.expression import Binary, Constant, Expression, Operator
from sorrel.program.statement import Choice
from sorrel.program.types import UNBOUNDED, Machine

_FILLED_ONE_BY_ONE = 64


class MemoryFunctions:
    """Blocks get a length in elements; what is filled or copied is written element by element."""

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._translation = context.translation

    def allocate(self, node: syntax.Call, zeroed: bool) -> Value:
        object = self._translation.objects.of_node[id(node)]
        sizes = self._evaluator.keeping.sequence(
            [partial(self._evaluator.scalar, argument) for argument in node.arguments], node.span
        )
        self._translation.assume(AssumptionKind.ALLOCATION, "malloc, calloc and alloca always give memory.")
        if find(self._translation.points_to.cell(object)).type is None:
            for size in sizes:
                if is_expression(size):
                    self._context.unused(size, node.span)
            return self.new_object(object, number(1), node.span, _state(node))
        element = self._evaluator.size_of(object.type, node.span)
        length = self._element_count(sizes, element)
        variable = self._memory.length_variable(object)
        self._context.assign(variable, length, node.span)
        pointer = self.new_object(object, variable, node.span, _state(node))
        if zeroed:
            self._zero(object, node.span)
        return pointer

    def _element_count(self, sizes: list[Value], element: int) -> Expression:
        factors = [exact(size) for size in sizes if is_expression(size)]
        if len(factors) == 2 and factors[1] == number(element):
            return factors[0]
        total = factors[0]
        for factor in factors[1:]:
            total = Binary(Operator.MULTIPLY, total, factor, UNBOUNDED)
        if isinstance(total, Constant):
            return number(int(total.value) // element)
        return total if element == 1 else Binary(Operator.DIVIDE, total, number(element), UNBOUNDED)

    def new_object(self, object: Object, length: Expression, span: Span, state: State) -> PointerValue:
        if object.several:
            self._memory.allocate(object, length, span)
        else:
            self._memory.havoc_object(object, Choice.UNINITIALISED, object.name, span)
            self._memory.note_lengths(object, length, span)
        self._memory.made(object, state, span)
        cell = self._translation.points_to.cell(object)
        return self._memory.address(Place(object, cell, (), object.type))

    def free(self, argument: syntax.Expression, span: Span) -> None:
        pointer = self._evaluator.converted(argument, Pointer(VOID))
        if not isinstance(pointer, PointerValue):
            raise Unsupported("this pointer", argument.span)
        self._memory.watch.free(pointer, span)

    def _zero(self, object: Object, span: Span) -> None:
        for leaf in leaves(object.type):
            storage = self._context.layout.storage(object, leaf.path)
            cell = path_cell(self._translation.points_to.cell(object), leaf.path)
            if cell.pointed and self._context.layout.region(cell).flat:
                raise Unsupported("calloc of memory that is one of many blocks", span)
            for variable in storage.components:
                self._context.assign(variable, zero(variable.type), span)

    def _whole(self, argument: syntax.Expression) -> tuple[PointerValue, syntax.Expression]:
        value = self._evaluator.value(argument)
        if not isinstance(value, PointerValue) or value.cell is None:
            raise Unsupported("this pointer", argument.span)
        return value, argument

    def _target_type(self, pointer: PointerValue, span: Span) -> CType:
        type = find(pointer.cell).type if pointer.cell is not None else None
        if type is None:
            raise Unsupported("memory of unknown type", span)
        return type

    def _bytes(self, node: syntax.Expression, element: int, span: Span) -> int:
        size = self._evaluator.scalar(node)
        if not isinstance(size, Constant):
            folded = constant_product(node)
            if folded is None:
                raise Unsupported("memset or memcpy of a length that is not constant", span)
            size = number(folded)
        if int(size.value) % element or int(size.value) // element > _FILLED_ONE_BY_ONE * 64:
            raise Unsupported(f"memset or memcpy of {size.value} bytes here", span)
        return int(size.value) // element

    def fill(self, node: syntax.Call) -> Value:
        """memset with bytes that make the same number everywhere: 0, or any value for chars."""
        pointer, _ = self._whole(node.arguments[0])
        byte = self._evaluator.scalar(node.arguments[1])
        type = self._target_type(pointer, node.span)
        element = self._evaluator.size_of(type, node.span)
        count = self._bytes(node.arguments[2], element, node.span)
        if element != 1 and not (isinstance(byte, Constant) and byte.value in (0, -1)):
            raise Unsupported("memset of wide elements with something other than 0 or -1", node.span)
        for place in self._elements(pointer, type, count, node.span):
            self._set_bytes(place, byte, node.span)
        return pointer

    def _set_bytes(self, place: Place, byte: Expression, span: Span) -> None:
        for inner in self._memory.scalars(place, span):
            if isinstance(inner.type, Integer):
                machine = Machine(inner.type.machine.bits, True)
                self._memory.write(inner, convert(convert(byte, machine), inner.type.machine), span)
            elif isinstance(inner.type, Pointer | Truth):
                if not (isinstance(byte, Constant) and byte.value == 0):
                    raise Unsupported(f"memset of {inner.type} with something other than 0", span)
                nothing = PointerValue(None) if isinstance(inner.type, Pointer) else FALSE
                self._memory.write(inner, nothing, span)

    def _elements(self, pointer: PointerValue, type: CType, count: int, span: Span) -> list[Place]:
        total = count * max((leaf.count for leaf in leaves(type)), default=1)
        if total > _FILLED_ONE_BY_ONE:
            raise Unsupported(f"memset or memcpy of {total} elements (at most {_FILLED_ONE_BY_ONE})", span)
        region = self._context.layout.region(pointer.cell) if pointer.cell is not None else None
        if count > 1 and region is not None and not all(map(self._context.layout.is_contiguous, region.members)):
            raise Unsupported("memset or memcpy of what does not lie side by side", span)
        wanted = Pointer(type)
        return [
            self._memory.follow(moved(pointer, number(position), wanted, span) if position else pointer, type, span)
            for position in range(count)
        ]

    def copy(self, node: syntax.Call, *, may_overlap: bool) -> Value:
        evaluator = self._evaluator
        pointers = [partial(evaluator.value, argument) for argument in node.arguments[:2]]
        to, source = evaluator.keeping.sequence(pointers, node.span)
        if not isinstance(to, PointerValue) or not isinstance(source, PointerValue):
            raise Unsupported("this pointer", node.span)
        type = self._target_type(to, node.span)
        count = self._bytes(node.arguments[2], evaluator.size_of(type, node.span), node.span)
        apart = None if may_overlap else distance(to, source)
        if apart is not None:
            demand_separate(self._context, *apart, number(count), node.span)
        # All is read before anything is written, as memmove must.
        read = [
            self._saved(self._memory.read(place, node.span), node.span)
            for place in self._elements(source, type, count, node.span)
        ]
        for place, value in zip(self._elements(to, type, count, node.span), read, strict=True):
            self._memory.write(place, value, node.span)
        return to

    def _saved(self, value: Value, span: Span) -> Value:
        match value:
            case Unknown():
                return value
            case PointerValue(cell, object, offset):
                kept = [None if part is None else self._context.saved(part, "copy", span) for part in (object, offset)]
                return PointerValue(cell, kept[0], kept[1])
            case StructureValue(parts):
                return StructureValue({path: self._saved(part, span) for path, part in parts.items()})
            case ArrayOfPointers(cell, components):
                return ArrayOfPointers(cell, tuple(self._context.saved(part, "copy", span) for part in components))
            case _:
                return self._context.saved(value, "copy", span)


def _state(node: syntax.Call) -> State:
    """What alloca gives ends with its function."""
    named = named_callee(node)
    return State.AUTOMATIC if named is not None and "alloca" in named.name.split("_") else State.ALLOCATED
