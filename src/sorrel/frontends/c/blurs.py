"""What is in memory that is used as several types is not modelled: any value, which no claim may rest on."""

from __future__ import annotations

from sorrel.frontends.c.addresses import Addresses
from sorrel.frontends.c.cells import Cell, find, path_cell, target_cell
from sorrel.frontends.c.operations import both, choose, compare
from sorrel.frontends.c.types import INT, CType, Ieee, Integer, Pointer, Truth, leaves, scalar_type
from sorrel.frontends.c.values import (
    UNKNOWN,
    ArrayOfPointers,
    Place,
    PointerValue,
    StructureValue,
    Value,
    is_expression,
)
from sorrel.model.errors import Span
from sorrel.program import types as program_types
from sorrel.program.construction import zero
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN, UNBOUNDED, Type

ANOTHER_MEMBER = "what another member of a union left there"


class Blurs(Addresses):
    def anything(self, cell: Cell, type: CType, span: Span, count: int = 1, *, source: str = "") -> Value:
        """What is read there as a scalar of the type, or as so many of them."""
        source = source or find(cell).reason or "what comes from outside"
        match type:
            case Integer() | Truth() | Ieee():
                kind = scalar_type(type)
                return self.any_value(kind if count == 1 else program_types.Array(kind), source, span)
            case Pointer():
                target = target_cell(cell)
                if count == 1:
                    return self.any_pointer(target, source, span)
                parts = self._layout.shape(target).components
                many = program_types.Array(UNBOUNDED)
                return ArrayOfPointers(target, tuple(self.any_value(many, source, span) for _ in parts))
            case _:
                return UNKNOWN

    def any_structure(self, cell: Cell, type: CType, span: Span, source: str = "") -> StructureValue:
        """A structure of which nothing is modelled, wherever it comes from."""
        parts = {
            leaf.path: self.anything(path_cell(cell, leaf.path), leaf.type, span, leaf.count, source=source)
            for leaf in leaves(type)
        }
        return StructureValue(parts)

    def anything_of(self, place: Place, source: str, span: Span) -> Value:
        """Any value for a scalar that is modelled."""
        if isinstance(place.type, Pointer):
            return self.any_pointer(target_cell(place.cell), source, span)
        return self.any_value(scalar_type(place.type), source, span)

    def as_written(self, own: int, written: Value, value: Value, other: Value, cell: Cell) -> Value:
        """What a member of a union has if it was written last, zero if all bytes are, and else the other value."""
        if not is_expression(written):
            return other
        is_own, is_zero = (compare(Operator.EQUAL, written, Constant(each, INT.machine)) for each in (own, 0))

        def chosen(one: Expression, any: Expression) -> Expression:
            return choose(is_own, one, choose(is_zero, zero(one.type), any))

        if is_expression(value) and is_expression(other):
            return chosen(value, other)
        if isinstance(value, PointerValue) and isinstance(other, PointerValue):
            target = target_cell(cell)
            pairs = [self.components(self.fitted(each, target, target.span)) for each in (value, other)]
            return self.pointer(target, tuple(map(chosen, *pairs)))
        if isinstance(value, ArrayOfPointers) and isinstance(other, ArrayOfPointers):
            return ArrayOfPointers(value.cell, tuple(map(chosen, value.components, other.components)))
        return UNKNOWN

    def any_pointer(self, cell: Cell, source: str, span: Span) -> PointerValue:
        """Whatever pointers to the cell can be, also those that lead nowhere."""
        parts = self._layout.shape(cell).components
        return self.pointer(cell, tuple(self.any_value(UNBOUNDED, source, span) for _ in parts))

    def any_value(self, type: Type, source: str, span: Span) -> Variable:
        value = self._context.temporary("blurred", type)
        self._context.havoc(value, Choice.ABSTRACTION, source, span)
        return value

    def may_be_there(self, pointer: PointerValue, span: Span) -> Expression:
        """Whether an access through a pointer into blurred memory is inside of its object: nobody knows where it is."""
        inside = self.any_value(BOOLEAN, find(pointer.known_cell).reason, span)
        return both(self.leads_somewhere(pointer), inside)
