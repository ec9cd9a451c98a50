"""What functions without a body can reach, and may have changed when they return.

Such a function is given pointers: as arguments, inside of structures, and inside of what those point to, all the way.
It may write through each that is not to const. One that is not of the library may also keep them, so that whatever any
of these functions was ever given, or returned, may change at each of their calls.
"""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.frontends.c.cells import Cell, Way, find, path_cell, ways_inside
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.foreign import ForeignPointers
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.types import CType, Leaf, Pointer, is_stream, leaves
from sorrel.frontends.c.values import ArrayOfPointers, PointerValue, StructureValue, Value
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.expression import Variable
from sorrel.program.statement import Choice, Observe, Purpose


class Outside:
    def __init__(self, context: Context, memory: Memory) -> None:
        self._context = context
        self._memory = memory
        self._points_to = context.translation.points_to

    def overwrite(self, function: LinkedFunction, arguments: list[tuple[Value, CType]], span: Span) -> None:
        """Everything that a call may have changed has any value; `arguments` are values with their declared types."""
        choice = Choice.ABSTRACTION if function.library else Choice.EXTERNAL
        self.overwrite_all(function.source_name, choice, arguments, span, keeps=not function.library)

    def overwrite_all(
        self, name: str, choice: Choice, arguments: list[tuple[Value, CType]], span: Span, *, keeps: bool = True
    ) -> None:
        """`keeps`: it may have kept what was handed out before."""
        ways = [way for value, type in arguments for way in _ways(value, type)]
        ways.extend(self._points_to.handed_out if keeps else ())
        pointers = ForeignPointers(self._context, self._memory, choice, span)
        for way in self._reached(ways, name):
            if not way.constant:
                self._forget(way.cell, name, choice, pointers, span)
            elif self._context.translation.settings.races:
                self._look(way.cell, name, span)

    def look(self, name: str, arguments: list[tuple[Value, CType]], span: Span) -> None:
        """A call may read all that its arguments lead to, and writes nothing."""
        if self._context.translation.settings.races:
            for way in self._reached([way for value, type in arguments for way in _ways(value, type)], name):
                self._look(way.cell, name, span)

    def forget(self, cell: Cell, name: str, choice: Choice, span: Span) -> None:
        """All that pointers to the cell may lead to has any value."""
        self._forget(cell, name, choice, ForeignPointers(self._context, self._memory, choice, span), span)

    def _forget(self, cell: Cell, name: str, choice: Choice, pointers: ForeignPointers, span: Span) -> None:
        for leaf in leaves(cell.type) if cell.type is not None else ():
            if path_cell(cell, leaf.path).blurred:
                continue
            if isinstance(leaf.type, Pointer):
                self._overwrite_pointers(cell, leaf, pointers, name)
                continue
            for variable in self._variables(cell, leaf):
                self._context.havoc(variable, choice, name, span)

    def _look(self, cell: Cell, name: str, span: Span) -> None:
        """It may read what is there, which matters to those who ask about accesses."""
        for leaf in leaves(cell.type) if cell.type is not None else ():
            if not path_cell(cell, leaf.path).blurred:
                for variable in self._variables(cell, leaf):
                    self._context.builder.emit(Observe(variable, Purpose.COMPARED, name, span))

    def _overwrite_pointers(self, cell: Cell, leaf: Leaf, pointers: ForeignPointers, name: str) -> None:
        """Single ones are any that may be there; of those in arrays nothing is known until they are looked at."""
        layout, inner = self._context.layout, path_cell(cell, leaf.path)
        if layout.region(inner).flat:
            pointers.forget_array(layout.flat_storage(inner, leaf.type), name)
            return
        for member in layout.region(cell).members:
            path = (*member.path, *leaf.path)
            if layout.is_array(member.object, path):
                pointers.forget_array(layout.storage(member.object, path), name)
            else:
                pointers.overwrite(member.object, path, name)

    def _reached(self, ways: list[Way], name: str) -> Iterable[Way]:
        """The cells that may be accessed, each once."""
        seen: dict[tuple[int, bool], Way] = {}
        pending = list(reversed(ways))
        while pending:
            way = pending.pop()
            cell = find(way.cell)
            if (id(cell), way.constant) in seen or cell.type is None or is_stream(cell.type):
                continue
            seen[id(cell), way.constant] = Way(cell, way.constant)
            if cell.functions:
                told = f"{name}, which has no body, calls none of the program's functions that it is given."
                self._context.translation.assume(AssumptionKind.LIBRARY, told)
                continue
            pending.extend(ways_inside(cell, cell.type))
        return list(seen.values())

    def _variables(self, cell: Cell, leaf: Leaf) -> list[Variable]:
        layout, inner = self._context.layout, path_cell(cell, leaf.path)
        if layout.region(inner).flat:
            return list(layout.flat_storage(inner, leaf.type).components)
        found: dict[Variable, None] = {}
        for member in layout.region(cell).members:
            found.update(dict.fromkeys(layout.storage(member.object, (*member.path, *leaf.path)).components))
        return list(found)


def _ways(value: Value, type: CType) -> list[Way]:
    match value:
        case PointerValue(cell) | ArrayOfPointers(cell):
            constant = isinstance(type, Pointer) and type.constant
            return [] if cell is None else [Way(cell, constant)]
        case StructureValue(parts):
            types = {leaf.path: leaf.type for leaf in leaves(type)}
            return [way for path, part in parts.items() for way in _ways(part, types[path])]
        case _:
            return []
