"""Values that must survive what is evaluated after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.frontends.blocks import Position
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.types import Path
from sorrel.frontends.c.values import ArrayOfPointers, Place, PointerValue, StructureValue, Unknown, Value
from sorrel.model.errors import Span
from sorrel.program.expression import Constant, Expression
from sorrel.program.statement import Assign
from sorrel.program.traversal import free_variables


class Keeping:
    """C evaluates one operand after the other: what an earlier one gave is kept if a later one changes it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def keep(self, value: Value, position: Position, span: Span) -> Value:
        """The value as it was at the position, if what was emitted since may have changed its variables."""
        if isinstance(value, Unknown):
            return value
        if isinstance(value, PointerValue):
            return self.keep_pointer(value, position, span)
        if isinstance(value, StructureValue):
            kept: dict[Path, Value] = {}
            for path, leaf in reversed(value.leaves.items()):
                kept[path] = self.keep(leaf, position, span)
            return StructureValue({path: kept[path] for path in value.leaves})
        if isinstance(value, ArrayOfPointers):
            return ArrayOfPointers(value.cell, tuple(self.kept(c, position, span) for c in value.components))
        return self.kept(value, position, span)

    def keep_pointer(self, value: PointerValue, position: Position, span: Span) -> PointerValue:
        object = None if value.object is None else self.kept(value.object, position, span)
        offset = None if value.offset is None else self.kept(value.offset, position, span)
        return PointerValue(value.cell, object, offset)

    def keep_place(self, place: Place, position: Position, span: Span) -> Place:
        root = place.root
        if isinstance(root, PointerValue):
            root = self.keep_pointer(root, position, span)
        offset = None if place.offset is None else self.kept(place.offset, position, span)
        checks = tuple(self.kept(check, position, span) for check in place.checks)
        return Place(root, place.cell, place.path, place.type, place.lengths, offset, checks)

    def kept(self, value: Expression, position: Position, span: Span) -> Expression:
        if isinstance(value, Constant):
            return value
        written, called = self._context.builder.written_since(position)
        if not written and not called:
            return value
        read = free_variables(value)
        touched = any(variable.name in written for variable in read)
        if not touched and not (called and any(v.name in self._context.layout.globals for v in read)):
            return value
        kept = self._context.temporary("kept", value.type)
        self._context.builder.insert(position, Assign(kept, value, span))
        return kept

    def sequence(self, evaluations: Sequence[Callable[[], Value]], span: Span) -> list[Value]:
        """One after the other; earlier values survive what later ones change."""
        found: list[tuple[Value, Position]] = []
        for evaluate in evaluations:
            value = evaluate()
            found.append((value, self._context.builder.position()))
        kept = [self.keep(value, position, span) for value, position in reversed(found)]
        return kept[::-1]
