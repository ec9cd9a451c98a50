"""The memory of a program as it is described: which variables are pointers, which arrays are fields, what slots are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from sorrel.linked.records import Attribute, Record, Shape
from sorrel.linked.regions import Region, base_and_displacement
from sorrel.linked.unpacked import SLOTS, Slot
from sorrel.program.expression import Expression, Select, Variable


class Memory:
    def __init__(self, found: Sequence[Region], attributes: Mapping[str, tuple[Attribute, ...]]) -> None:
        self.shapes = {r.name: Shape(r, attributes.get(r.name, ())) for r in found}
        self.of_pointer = {p: self.shapes[r.name] for r in found for p in r.pointers}
        self.of_field = {f: self.shapes[r.name] for r in found for f in r.fields}

    @cached_property
    def slots(self) -> tuple[Variable, ...]:
        """The variables of all slots."""
        pairs = [(shape, number) for shape in self.shapes.values() for number in range(SLOTS)]
        records = [record for shape, n in pairs for record in (self._record(shape, n), self._spare(shape, n))]
        return tuple(each for record in records for each in record.variables)

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
