"""Pointers that come from outside: any that may be there, made so that every choice of values means one."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.frontends.c.addresses import NOWHERE, exists_at_start
from sorrel.frontends.c.cells import Cell, find, path_cell, target_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.layout import Storage
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.operations import both, choose, compare, either, number, plus, times
from sorrel.frontends.c.types import Pointer, leaves
from sorrel.frontends.c.values import Place, PointerValue
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import TRUE
from sorrel.program.expression import Expression, Operator, Variable
from sorrel.program.statement import Choice
from sorrel.program.types import UNBOUNDED
from sorrel.program.visible import EntryKind


class ForeignPointers:
    """`choice` says who chooses them."""

    def __init__(self, context: Context, memory: Memory, choice: Choice, span: Span) -> None:
        self._context = context
        self._memory = memory
        self._layout = context.layout
        self._choice = choice
        self._span = span

    def any(
        self,
        cell: Cell,
        text: str,
        own: Object | None = None,
        note: Callable[[Variable, EntryKind], None] = lambda *_: None,
    ) -> PointerValue:
        """To its own object, another one of the region that exists, one of the crowd; or null.

        `note` is told which variables are chosen.
        """
        cell = find(cell)
        shape = self._layout.shape(cell)
        object = (
            self._context.saved(self._object(cell, text, own, note), "object", self._span) if shape.object else None
        )
        if not shape.offset:
            return PointerValue(cell, object, None)
        start = PointerValue(cell, object, number(0))
        if self._layout.crowd(cell) is not None:
            named = compare(Operator.AT_LEAST, object, number(NOWHERE)) if object is not None else TRUE
            self._context.expect(either(named, self._memory.is_from_outside(start, True)), self._span)
        offset = self._any(f"{text} offset", self._choice)
        note(offset, EntryKind.OFFSET)
        inside = self._memory.is_inside(PointerValue(cell, object, offset))
        return PointerValue(cell, object, self._context.saved(choose(inside, offset, number(0)), "offset", self._span))

    def _any(self, source: str, choice: Choice) -> Variable:
        value = self._context.temporary("pointer", UNBOUNDED)
        self._context.havoc(value, choice, source, self._span)
        return value

    def _object(
        self, cell: Cell, text: str, own: Object | None, note: Callable[[Variable, EntryKind], None]
    ) -> Expression:
        """At the start only what exists then can be meant; later, whatever was handed out, which is not told apart."""
        members = self._layout.region(cell).members
        at_start = self._choice is Choice.INPUT
        certain = all(exists_at_start(each.object) or each.object.kind is ObjectKind.CROWD for each in members)
        which = self._any(text, self._choice if certain or at_start else Choice.ABSTRACTION)
        note(which, EntryKind.POINTER)
        chosen: Expression = number(0)
        if own is not None:
            chosen = self._address(own, cell, ()) or chosen
        for member in members:
            object = member.object
            if object is own or object.kind is ObjectKind.CROWD or (at_start and not exists_at_start(object)):
                continue
            if object.several and not at_start:
                low = compare(Operator.AT_LEAST, which, number(self._layout.first_free))
                high = compare(Operator.LESS, which, self._layout.next_number())
                chosen = choose(both(low, high), which, chosen)
                continue
            other = self._address(object, cell, member.path)
            if other is None:
                raise InternalError(f"{self._span}: {object.name} is one of several objects without a number")
            chosen = choose(compare(Operator.EQUAL, which, other), other, chosen)
        return self._context.saved(self._among_crowd(cell, which, chosen), "object", self._span)

    def _address(self, object: Object, cell: Cell, path: tuple[str, ...]) -> Expression | None:
        return self._memory.address(Place(object, cell, path, object.type)).object

    def _among_crowd(self, cell: Cell, which: Expression, chosen: Expression) -> Expression:
        crowd = self._layout.crowd(cell)
        if crowd is not None:
            spread = times(which, number(self._layout.stride(crowd.object))) or which
            index = number(self._layout.subpath_index(crowd.object.type, crowd.path))
            below = compare(Operator.LESS, which, number(NOWHERE - self._layout.space(crowd.object)))
            chosen = choose(below, plus(spread, index) or spread, chosen)
        if cell.nullable:
            chosen = choose(compare(Operator.EQUAL, which, number(0)), number(0), chosen)
        return chosen

    def overwrite(self, object: Object, path: tuple[str, ...], source: str) -> None:
        """The pointer at the path of an object that has variables of its own gets any value."""
        place = self._memory.first_part(self._memory.object_place(object), path, self._span)
        bare = Place(place.root, place.cell, place.path, place.type, place.lengths, place.offset)
        self._memory.replace(bare, self.any(target_cell(place.cell), source), self._span)

    def forget(self, object: Object, source: str) -> None:
        """All pointers in an object that has just come from outside."""
        cells = self._context.translation.points_to
        for leaf in leaves(object.type):
            cell = path_cell(cells.cell(object), leaf.path)
            if not isinstance(leaf.type, Pointer) or not find(target_cell(cell)).foreign:
                continue
            if self._layout.region(cell).flat or self._layout.is_array(object, leaf.path):
                self.forget_array(self._layout.storage(object, leaf.path), source)
            else:
                self.overwrite(object, leaf.path, source)

    def forget_array(self, storage: Storage, source: str) -> None:
        """Many pointers at once: what the program may have put there itself is not told apart."""
        for variable in storage.components:
            self._context.havoc(variable, Choice.ABSTRACTION, source, self._span)
