"""memset and memcpy where bytes do not make whole elements, or where what is in memory is not modelled.

Then what is written there is any value. Whether the blocks are inside of their objects is left open as well.
"""

from __future__ import annotations

from sorrel.frontends.c.cells import find
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.memory import OUT_OF_BOUNDS, Memory
from sorrel.frontends.c.operations import both, compare, either, exact, number
from sorrel.frontends.c.outside import Outside
from sorrel.frontends.c.values import PointerValue
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE
from sorrel.program.expression import Expression, Operator
from sorrel.program.statement import Choice
from sorrel.program.types import BOOLEAN


class LooseBlocks:
    def __init__(self, context: Context, memory: Memory) -> None:
        self._context = context
        self._memory = memory

    def write(self, to: PointerValue, sources: tuple[PointerValue, ...], size: Expression, span: Span) -> None:
        """So many bytes from the sources, or any, become what is there."""
        nothing = compare(Operator.EQUAL, exact(size), number(0))
        for pointer in (to, *sources):
            self._context.check(either(nothing, self._may_be_there(pointer, span)), OUT_OF_BOUNDS, span)
            self._memory.watch.check_access(pointer, span)
        cell = None if to.cell is None else find(to.cell)
        if cell is not None and not cell.blurred:
            Outside(self._context, self._memory).forget(cell, "bytes of other elements", Choice.ABSTRACTION, span)

    def _may_be_there(self, pointer: PointerValue, span: Span) -> Expression:
        if pointer.cell is None:
            return FALSE
        inside = self._memory.any_value(BOOLEAN, "where a block of bytes ends", span)
        return both(self._memory.leads_somewhere(pointer), inside)
