"""When objects come into being and end: what they hold at first, their numbers and lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sorrel.frontends.c.addresses import NOWHERE
from sorrel.frontends.c.cells import Cell, path_cell, target_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.layout import Storage
from sorrel.frontends.c.objects import FROM_OUTSIDE, Object
from sorrel.frontends.c.operations import choose, number, plus, times
from sorrel.frontends.c.paths import inner_count, subpaths
from sorrel.frontends.c.place_parts import PlaceParts
from sorrel.frontends.c.types import Leaf, Pointer, base_element, leaves
from sorrel.frontends.c.values import Place
from sorrel.frontends.c.watching import State, Watch
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import FALSE, zero
from sorrel.program.expression import Expression, Select, Store, Variable
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN
from sorrel.program.types import Array as ArrayType


class Births(PlaceParts):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.watch = Watch(context)

    def each_scalar(self, object: Object, action: Callable[[Storage, Leaf, Cell], None]) -> None:
        for leaf in leaves(object.type):
            cell = path_cell(self._points_to.cell(object), leaf.path)
            action(self._layout.storage(object, leaf.path), leaf, cell)

    def havoc_object(self, object: Object, choice: Choice, source: str, span: Span) -> None:
        """Any contents; a pointer is null or leads nowhere: what is never set cannot be followed."""

        def forget(storage: Storage, leaf: Leaf, cell: Cell) -> None:
            if cell.blurred or (cell.pointed and self._layout.region(cell).flat):
                self._never_stored(object, storage, leaf, cell, choice, span)
                return  # a new number: nothing was ever stored there
            if isinstance(leaf.type, Pointer):
                self._unset(storage, target_cell(cell), choice, source, span)
                self._told_unset(storage.components, choice, span)
                return
            for variable in storage.components:
                self._context.havoc(variable, choice, source, span)

        self.each_scalar(object, forget)

    def _told_unset(self, parts: Iterable[Expression], choice: Choice, span: Span) -> None:
        if self._context.translation.settings.unset and choice is Choice.UNINITIALISED:
            for part in parts:
                self._context.tell_unset(part, span)

    def _never_stored(
        self, object: Object, storage: Storage, leaf: Leaf, cell: Cell, choice: Choice, span: Span
    ) -> None:
        """In memory that holds all objects, numbers from that of the newest object on; what else is new is not told."""
        if not self._context.translation.settings.unset or choice is not Choice.UNINITIALISED:
            return
        if cell.blurred or not object.several:
            name = object.source_name or object.name
            self._context.translation.assume(AssumptionKind.OTHER, f"{object.span}: {name} is set before it is read.")
            return
        at = self._number(Place(object, cell, leaf.path, object.type))
        self._told_unset((_element(each, at) for each in storage.components), choice, span)

    def _unset(self, storage: Storage, cell: Cell, choice: Choice, source: str, span: Span) -> None:
        """A pointer before it is set; those in arrays may even be equal to one that is."""
        for variable in storage.components:
            self._context.assign(variable, zero(variable.type), span)
        if not cell.unset or not self._layout.shape(cell).object:
            return
        if storage.array:
            self._context.havoc(storage.components[0], choice, source, span)
            return
        dangling = self._context.temporary("dangling", BOOLEAN)
        self._context.havoc(dangling, choice, source, span)
        nowhere = choose(dangling, number(NOWHERE), number(0))
        self._context.assign(storage.components[0], nowhere, span)

    def begin(self, object: Object, span: Span) -> None:
        """A variable comes into being, where pointers may find it."""
        if not self._layout.touches_memory(object):
            return
        if object.several:
            self.allocate(object, self.total_length(object), span)
        else:
            self.note_lengths(object, self.total_length(object), span)
        beside_parts = object.several and self._layout.region(self._points_to.cell(object)).has_parts
        if (beside_parts or id(object) in self._context.translation.mortal) and object.kind not in FROM_OUTSIDE:
            self.made(object, State.AUTOMATIC, span)

    def made(self, object: Object, state: State, span: Span, unless: Expression = FALSE) -> None:
        """The object is there from now on."""
        self.watch.made(self._own_number(object), state, span, unless)

    def ended(self, object: Object, span: Span) -> None:
        self.watch.ended(self._own_number(object), span)

    def leave(self, span: Span) -> None:
        """The function returns: its variables end, and with main the program."""
        translation = self._context.translation
        for object in translation.ending.get(self._context.name, ()):
            self.ended(object, span)
        entries = translation.linked.entries
        if not translation.settings.is_from_outside and any(each.name == self._context.name for each in entries):
            self.watch.check_at_end(span)

    def _own_number(self, object: Object) -> Expression:
        return self.instance(object) if object.several else number(self._layout.number(object))

    def allocate(self, object: Object, length: Expression, span: Span) -> None:
        """A new number for an object of which there can be several, and its length where pointers ask for it."""
        context, following = self._context, self._layout.next_number()
        instance = self.instance(object)
        section = context.atomic_section(True, span)
        context.assign(instance, following, span)
        widest = max((leaf.count for leaf in leaves(object.type)), default=1)
        taken = plus(times(length, number(widest)), number(self._layout.space(object)))
        context.assign(following, plus(following, taken) or following, span)
        if section:
            context.atomic_section(False, span)
        self.note_lengths(object, length, span)

    def note_lengths(self, object: Object, length: Expression, span: Span) -> None:
        for path in subpaths(base_element(object.type)):
            cell = path_cell(self._points_to.cell(object), path)
            if not cell.pointed or not self._layout.region(cell).flat or not self._layout.shape(cell).offset:
                continue
            lengths = self._layout.lengths(cell)
            at = self._number(Place(object, cell, path, object.type))
            count = inner_count(object.type, path)
            value = times(length, number(count)) or length
            self._context.assign(lengths, Store(lengths, at, value, lengths.type), span)


def _element(array: Variable, index: Expression) -> Expression:
    if not isinstance(array.type, ArrayType):
        raise InternalError(f"{array.name} is not an array, although it holds several objects")
    return Select(array, index, array.type.element)
