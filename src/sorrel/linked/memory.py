"""The memory of a program as it is described: which variables are pointers, which arrays are fields, what slots are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from sorrel.linked.records import Attribute, Record, Shape
from sorrel.linked.regions import Region, base_and_displacement
from sorrel.linked.unpacked import SLOTS, Slot
from sorrel.program.construction import binary
from sorrel.program.expression import Constant, Expression, Operator, Select, Variable
from sorrel.program.statement import Assume, Statement
from sorrel.program.types import UNBOUNDED


class Memory:
    def __init__(
        self,
        found: Sequence[Region],
        attributes: Mapping[str, tuple[Attribute, ...]],
        wild: frozenset[Variable],
        written_through: frozenset[str],
    ) -> None:
        """`wild` are the pointers, and the fields, of which it is not known that they lead to an object or are null.

        `written_through` are the names of the pointers through which something is written.
        """
        self._wild = wild
        self.written_through = written_through
        self.unset: set[Variable] = set()
        self.shapes = {r.name: Shape(r, attributes.get(r.name, ())) for r in found}
        self.of_pointer = {p: self.shapes[r.name] for r in found for p in r.pointers}
        self.of_field = {f: self.shapes[r.name] for r in found for f in r.fields}

    @cached_property
    def slots(self) -> tuple[Variable, ...]:
        """The variables of all slots."""
        pairs = [(shape, number) for shape in self.shapes.values() for number in range(SLOTS)]
        records = [record for shape, n in pairs for record in (self._record(shape, n), self._spare(shape, n))]
        return tuple(each for record in records for each in record.variables)

    def tame(self, pointer: Variable, place: Variable) -> list[Statement]:
        """What is known of the pointer, which stands in the place: it leads to an object that there is, or is fixed."""
        if place in self._wild:
            return []
        shape = self.of_pointer[place] if place in self.of_pointer else self.of_field[place]
        first = Constant(shape.region.first, UNBOUNDED)
        known: Expression = binary(Operator.AT_MOST, first, pointer)
        for number in sorted(shape.region.fixed):
            known = binary(Operator.OR, binary(Operator.EQUAL, pointer, Constant(number, UNBOUNDED)), known)
        return [Assume(binary(Operator.AND, known, binary(Operator.LESS, pointer, shape.counter)))]

    def is_tame(self, pointer: Variable) -> bool:
        """Whether the pointer is a fixed number, or leads to an object that the program made."""
        return pointer not in self._wild

    def record_of(self, slot: Slot) -> Record:
        return self._record(self.shapes[slot.region], slot.number)

    def spare_of(self, slot: Slot) -> Record:
        return self._spare(self.shapes[slot.region], slot.number)

    def _record(self, shape: Shape, number: int) -> Record:
        return shape.record(f"{shape.region.name}.{number}")

    def _spare(self, shape: Shape, number: int) -> Record:
        return shape.record(f"{shape.region.name}.{number}.moved")

    def field(self, expression: Expression) -> tuple[Variable, Variable] | None:
        """The pointer that is followed and the field that is read, if that is what the expression does."""
        if isinstance(expression, Select) and isinstance(expression.array, Variable):
            pair = base_and_displacement(expression.index)
            if expression.array in self.of_field and pair is not None:
                return pair[0], expression.array
        return None
