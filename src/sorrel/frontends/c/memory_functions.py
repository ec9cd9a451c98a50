"""Functions of the C library about blocks of memory: malloc and its kin, memset, memcpy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import element_type, find, path_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.loose_blocks import LooseBlocks
from sorrel.frontends.c.memory import READ_ONLY, Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import both, choose, compare, convert, either, exact, minus, number, plus, times
from sorrel.frontends.c.pointers import demand_separate, distance, moved
from sorrel.frontends.c.syntax import constant_product, named_callee
from sorrel.frontends.c.types import (
    BYTE,
    VOID,
    CType,
    Ieee,
    Integer,
    Pointer,
    Truth,
    leaves,
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
from sorrel.frontends.c.watching import State
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, zero
from sorrel.program.expression import Binary, Constant, Expression, Operator
from sorrel.program.statement import FAILS, Choice
from sorrel.program.types import BOOLEAN, UNBOUNDED

_FILLED_ONE_BY_ONE = 64
GIVES_MEMORY = "malloc, calloc, realloc and alloca always give memory, also if realloc is asked for no bytes."


class MemoryFunctions:
    """Blocks get a length in elements; what is filled or copied is written element by element."""

    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._translation = context.translation
        self._loose = LooseBlocks(context, memory)

    def allocate(self, node: syntax.Call, zeroed: bool) -> Value:
        object = self._translation.objects.of_node[id(node)]
        sizes = self._evaluator.keeping.sequence(
            [partial(self._evaluator.scalar, argument) for argument in node.arguments], node.span
        )
        missing = self._failure(node)
        if not self._is_modelled(object):
            for size in sizes:
                if is_expression(size):
                    self._context.unused(size, node.span)
            return _unless(missing, self.new_object(object, number(1), node.span, _state(node), missing))
        pointer = self.new_object(object, self._length(object, sizes, node.span), node.span, _state(node), missing)
        if zeroed:
            self._zero(object, pointer, node.span)
        return _unless(missing, pointer)

    def _length(self, object: Object, sizes: list[Value], span: Span) -> Expression:
        """Of a block that is asked for by these sizes, in elements; kept where only the running program knows it."""
        if object.single:
            return number(1)
        length = self._element_count(sizes, self._evaluator.size_of(object.type, span))
        variable = self._memory.length_variable(object)
        self._context.assign(variable, length, span)
        return variable

    def _failure(self, node: syntax.Call) -> Expression:
        """Whether there is no memory, which the environment decides."""
        if _state(node) is not State.ALLOCATED or not self._translation.settings.failing_allocation:
            self._translation.assume(AssumptionKind.ALLOCATION, GIVES_MEMORY)
            return FALSE
        missing = self._context.temporary("missing", BOOLEAN)
        self._context.havoc(missing, Choice.INPUT, FAILS, node.span)
        return missing

    def _is_modelled(self, object: Object) -> bool:
        """Whether the type of what is allocated is known: else nothing is known but that it is there."""
        cell = find(self._translation.points_to.cell(object))
        return cell.type is not None and not cell.blurred

    def reallocate(self, node: syntax.Call) -> Value:
        """A new object with what fits of the old one, which ends; null is an object without elements.

        Of no bytes there may be no new object, and the old one ends all the same.
        """
        arguments = [
            partial(self._evaluator.value, node.arguments[0]),
            partial(self._evaluator.value, node.arguments[1]),
        ]
        old, size = self._evaluator.keeping.sequence(arguments, node.span)
        object = self._translation.objects.of_node[id(node)]
        if not isinstance(old, PointerValue) or not is_expression(size):
            raise Unsupported("this pointer", node.span)
        missing = self._failure(node)
        none = either(missing, self._null_for_nothing(node.arguments[1], size))
        cell = self._translation.points_to.cell(object)
        kept = self._kept(self._memory.fitted(old, cell, node.span), node.span)
        type = element_type(cell) if self._is_modelled(object) else None
        length: Expression = number(1)
        if type is not None:
            element = self._evaluator.size_of(object.type, node.span)
            length = self._context.saved(self._element_count([size], element), "length", node.span)
            self._context.assign(self._memory.length_variable(object), length, node.span)
        new = self.new_object(object, length, node.span, State.ALLOCATED, none)
        if type is not None:
            self._copy_elements(kept, new, type, self._memory.length_at(kept), length, node.span)
        self._memory.watch.free(kept, node.span, missing)
        return _unless(none, new)

    def _null_for_nothing(self, node: syntax.Expression, size: Expression) -> Expression:
        """Whether no bytes are asked for and null is what the library gives then, which C leaves to it."""
        given = int(size.value) if isinstance(size, Constant) else constant_product(node)
        if given or not self._translation.settings.failing_allocation:
            return FALSE
        null = self._context.temporary("null", BOOLEAN)
        self._context.havoc(null, Choice.ABSTRACTION, "realloc of no bytes", node.span)
        return both(compare(Operator.EQUAL, exact(size), number(0)), null)

    def _copy_elements(
        self, source: PointerValue, to: PointerValue, type: CType, there: Expression, room: Expression, span: Span
    ) -> None:
        """As many as there are, and as there is room for."""
        shorter = self._context.saved(choose(compare(Operator.LESS, there, room), there, room), "count", span)

        def copy(index: Expression) -> None:
            value = self._memory.read(_bare(self._element(source, index, type, span)), span)
            self._memory.write(_bare(self._element(to, index, type, span)), value, span)

        self._repeat(shorter, copy, span)
        if source.cell is not None and self._context.layout.region(source.cell).has_parts:
            # The pointer may be one to the first member: what comes behind that is copied, too.

            def leave_open(index: Expression) -> None:
                place = self._element(to, plus(shorter, index) or index, type, span)
                for inner in self._memory.scalars(_bare(place), span):
                    any_value = self._memory.anything_of(inner, "what is behind the first member of a block", span)
                    self._memory.replace(inner, any_value, span)

            self._repeat(self._context.saved(minus(room, shorter), "rest", span), leave_open, span)

    def _element(self, pointer: PointerValue, index: Expression, type: CType, span: Span) -> Place:
        return self._memory.follow(moved(pointer, index, Pointer(type), span), type, span)

    def _repeat(self, count: Expression, action: Callable[[Expression], None], span: Span) -> None:
        """The action for each number from 0 to the count, as a loop of the program."""
        builder = self._context.builder
        index = self._context.saved(number(0), "index", span)
        head, body, after = builder.label("repeat"), builder.label("element"), builder.label("after")
        builder.start(head)
        builder.branch(compare(Operator.LESS, index, count), body, after, span)
        builder.start(body)
        action(index)
        self._context.assign(index, plus(index, number(1)) or index, span)
        builder.goto(head)
        builder.start(after)

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

    def new_object(
        self, object: Object, length: Expression, span: Span, state: State, missing: Expression = FALSE
    ) -> PointerValue:
        """Not to be used where it is `missing`."""
        if object.several:
            self._memory.allocate(object, length, span)
            if self._translation.settings.unset:
                self._memory.havoc_object(object, Choice.UNINITIALISED, object.name, span)
        else:
            self._memory.havoc_object(object, Choice.UNINITIALISED, object.name, span)
            self._memory.note_lengths(object, length, span)
        self._memory.made(object, state, span, missing)
        cell = self._translation.points_to.cell(object)
        return self._memory.address(Place(object, cell, (), object.type))

    def free(self, argument: syntax.Expression, span: Span) -> None:
        pointer = self._evaluator.converted(argument, Pointer(VOID))
        if not isinstance(pointer, PointerValue):
            raise Unsupported("this pointer", argument.span)
        self._memory.watch.free(pointer, span)

    def _zero(self, object: Object, pointer: PointerValue, span: Span) -> None:
        layout, own = self._context.layout, self._translation.points_to.cell(object)
        cells = [path_cell(own, leaf.path) for leaf in leaves(object.type)]
        if object.single:
            self._set_bytes(self._memory.follow(pointer, object.type, span), number(0), span)
            return
        if any(cell.pointed and layout.region(cell).flat for cell in cells):
            kept = self._kept(pointer, span)
            self._fill_elements(kept, object.type, self._memory.total_length(object), number(0), span)
            return
        for leaf in leaves(object.type):
            for variable in layout.storage(object, leaf.path).components:
                self._context.assign(variable, zero(variable.type), span)

    def _fill_elements(
        self, pointer: PointerValue, type: CType, count: Expression, byte: Expression, span: Span
    ) -> None:
        def fill(index: Expression) -> None:
            self._set_bytes(self._element(pointer, index, type, span), byte, span)

        self._repeat(self._context.saved(count, "count", span), fill, span)

    def _target_type(self, pointer: PointerValue, span: Span) -> CType:
        type = element_type(pointer.cell) if pointer.cell is not None else None
        if type is None:
            raise Unsupported("memory of unknown type", span)
        return type

    def _count(
        self, node: syntax.Expression, size: Expression, pointers: tuple[PointerValue, ...], span: Span
    ) -> Expression | None:
        """How many elements so many bytes are, side by side; None if they are not whole, or not modelled."""
        cells = [None if pointer.cell is None else find(pointer.cell) for pointer in pointers]
        if not all(cell is not None and cell.type is not None and not cell.blurred for cell in cells):
            return None
        element = self._evaluator.size_of(self._target_type(pointers[0], span), span)
        folded = int(size.value) if isinstance(size, Constant) else constant_product(node)
        if folded is not None:
            return None if folded % element else number(folded // element)
        whole = element == 1 or (element.bit_count() == 1 and _multiple(node, element))
        if not whole:
            return None
        exactly = exact(size)
        return exactly if element == 1 else Binary(Operator.DIVIDE, exactly, number(element), UNBOUNDED)

    def _few(self, count: Expression, type: CType) -> int | None:
        """How many, if they are done one by one."""
        if not isinstance(count, Constant):
            return None
        each = max((leaf.count for leaf in leaves(type)), default=1)
        return int(count.value) if int(count.value) * each <= _FILLED_ONE_BY_ONE else None

    def fill(self, node: syntax.Call) -> Value:
        """memset: every byte gets the same value."""
        pointer = self._evaluator.value(node.arguments[0])
        if not isinstance(pointer, PointerValue):
            raise Unsupported("this pointer", node.span)
        byte = self._evaluator.scalar(node.arguments[1])
        size = self._evaluator.scalar(node.arguments[2])
        count = self._count(node.arguments[2], size, (pointer,), node.span)
        few = None if count is None else self._few(count, self._target_type(pointer, node.span))
        if count is None or (few != 1 and not self._is_side_by_side(pointer)):
            self._loose.write(pointer, (), size, node.span)
            return pointer
        type = self._target_type(pointer, node.span)
        if few is None:
            kept = self._kept(pointer, node.span)
            byte = self._context.saved(byte, "byte", node.span) if not isinstance(byte, Constant) else byte
            self._fill_elements(kept, type, count, byte, node.span)
            return kept
        for place in self._elements(pointer, type, few, node.span):
            self._set_bytes(place, byte, node.span)
        return pointer

    def _is_side_by_side(self, *pointers: PointerValue) -> bool:
        """Whether all that follows on what they point to can be reached by moving."""
        layout = self._context.layout
        return all(map(layout.is_contiguous, (each for p in pointers for each in layout.region(p.known_cell).members)))

    def _set_bytes(self, place: Place, byte: Expression, span: Span) -> None:
        for inner in self._memory.scalars(place, span):
            value = repeated(byte, inner.type)
            if value is None:
                value = self._memory.anything_of(inner, "bytes that are part of a number", span)
            self._context.check(self._memory.is_writable(inner, span), READ_ONLY, span)
            self._memory.replace(inner, value, span)

    def _elements(self, pointer: PointerValue, type: CType, count: int, span: Span) -> list[Place]:
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
        size = evaluator.scalar(node.arguments[2])
        count = self._count(node.arguments[2], size, (to, source), node.span)
        few = None if count is None else self._few(count, self._target_type(to, node.span))
        if count is None or (few != 1 and not self._is_side_by_side(to, source)):
            self._loose.write(to, (source,), size, node.span)
            return to
        type = self._target_type(to, node.span)
        apart = distance(to, source)
        if apart is not None and not may_overlap:
            demand_separate(self._context, *apart, (count, count), node.span)
        if few is None:
            return self._copy_many(to, source, type, count, node.span)
        # All is read before anything is written, as memmove must.
        read = [
            self._saved(self._memory.read(place, node.span), node.span)
            for place in self._elements(source, type, few, node.span)
        ]
        for place, value in zip(self._elements(to, type, few, node.span), read, strict=True):
            self._memory.write(place, value, node.span)
        return to

    def _copy_many(
        self, to: PointerValue, source: PointerValue, type: CType, count: Expression, span: Span
    ) -> PointerValue:
        """In the direction in which nothing is written before it is read, if both are in one object."""
        target, origin = self._kept(to, span), self._kept(source, span)
        last = self._context.saved(count, "count", span)
        backwards: Expression = FALSE
        if target.offset is not None and origin.offset is not None:
            backwards = compare(Operator.MORE, target.offset, origin.offset)

        def copy(index: Expression) -> None:
            at = choose(backwards, minus(minus(last, number(1)), index), index)
            value = self._memory.read(self._element(origin, at, type, span), span)
            self._memory.write(self._element(target, at, type, span), value, span)

        self._repeat(last, copy, span)
        return target

    def _kept(self, pointer: PointerValue, span: Span) -> PointerValue:
        parts = (pointer.object, pointer.offset)
        kept = [None if part is None else self._context.saved(part, "copy", span) for part in parts]
        return PointerValue(pointer.cell, kept[0], kept[1])

    def _saved(self, value: Value, span: Span) -> Value:
        match value:
            case Unknown():
                return value
            case PointerValue():
                return self._kept(value, span)
            case StructureValue(parts):
                return StructureValue({path: self._saved(part, span) for path, part in parts.items()})
            case ArrayOfPointers(cell, components):
                return ArrayOfPointers(cell, tuple(self._context.saved(part, "copy", span) for part in components))
            case _:
                return self._context.saved(value, "copy", span)


def repeated(byte: Expression, type: CType) -> Value | None:
    """The scalar all of whose bytes are this one; None if that is not known."""
    zero_byte = isinstance(byte, Constant) and int(byte.value) % 256 == 0
    if isinstance(type, Pointer):
        return PointerValue(None) if zero_byte else None
    if isinstance(type, Truth):
        return FALSE if zero_byte else None
    if isinstance(type, Ieee):
        return zero(type.number) if zero_byte else None
    if not isinstance(type, Integer):
        return UNKNOWN
    machine = type.machine
    if zero_byte:
        return Constant(0, machine)
    if isinstance(byte, Constant) and int(byte.value) % 256 == 255:
        return Constant(machine.wrap(-1), machine)
    if type.is_cut:
        return None
    ones = number(sum(1 << position for position in range(0, machine.bits, 8)))
    return convert(times(exact(convert(byte, BYTE.machine)), ones) or byte, machine)


def _unless(missing: Expression, pointer: PointerValue) -> PointerValue:
    """Null if it is missing."""
    if missing == FALSE:
        return pointer
    return PointerValue(pointer.cell, choose(missing, number(0), pointer.known_object), pointer.offset)


def _bare(place: Place) -> Place:
    """What is known to be there."""
    return Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)


def _multiple(node: syntax.Expression, element: int) -> bool:
    """Whether the number is written as a product with a multiple of the element's size."""
    inner = node
    while isinstance(inner, syntax.Conversion):
        inner = inner.operand
    if not isinstance(inner, syntax.Binary) or inner.operator is not Operator.MULTIPLY:
        return False
    factors = [constant_product(inner.left), constant_product(inner.right)]
    return any(factor is not None and factor % element == 0 for factor in factors)


def _state(node: syntax.Call) -> State:
    """What alloca gives ends with its function."""
    named = named_callee(node)
    return State.AUTOMATIC if named is not None and "alloca" in named.name.split("_") else State.ALLOCATED
