"""Elements of arrays as the user's text names them, and arrays that are initialised as one step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.model.outcome import ArrayImage, Cell
from sorrel.program.program import Program
from sorrel.program.run import Event, Wrote
from sorrel.program.value import ArrayValue, Value
from sorrel.program.visible import VisibleVariable

MOST_ELEMENTS, MOST_DRAWN = 12, 64


def show(value: Value, kept: VisibleVariable | None = None) -> str:
    """As C would write it; of an array whose length is known, all elements if they are few."""
    match value:
        case bool():
            return "true" if value else "false"
        case ArrayValue():
            return _listed(value, kept)
        case _:
            return str(value)


def _listed(value: ArrayValue, kept: VisibleVariable | None) -> str:
    entries = _entries(value, kept)
    if kept is not None and kept.is_row and entries and kept.count <= MOST_ELEMENTS:
        return "{" + ", ".join(show(value[place]) for place in places(kept)) + "}"
    shown = [f"{_behind(kept, index)} = {show(element)}" for index, element in entries[:MOST_ELEMENTS]]
    more = ["…"] if len(entries) > MOST_ELEMENTS else []
    rest = f"all {'others ' if shown else ''}{show(value.default)}"
    return "{" + ", ".join([*shown, *more, rest]) + "}"


def drawn(value: Value, kept: VisibleVariable | None = None) -> ArrayImage | None:
    """The array with as many elements as one can look at: all of them where it is known how many there are."""
    if not isinstance(value, ArrayValue):
        return None
    if kept is not None and kept.count <= MOST_DRAWN:
        return ArrayImage(tuple(Cell(position(kept, place), show(value[place])) for place in places(kept)), "")
    cells = (Cell(position(kept, at), show(element)) for at, element in _entries(value, kept)[:MOST_DRAWN])
    return ArrayImage(tuple(cells), show(value.default) if kept is None or kept.is_row else "")


def _entries(value: ArrayValue, kept: VisibleVariable | None) -> list[tuple[int, Value]]:
    """What differs from all others; of the variable alone, where others are kept beside it."""
    entries = value.entries.items()
    return [(at, element) for at, element in entries if kept is None or at in places(kept)]


def places(kept: VisibleVariable) -> range:
    first = kept.first or 0
    return range(first, first + kept.count)


def _behind(kept: VisibleVariable | None, index: int) -> str:
    return f"[{index}]" if kept is None else kept.element(index - (kept.first or 0))


def position(kept: VisibleVariable | None, index: int) -> str:
    """Which element of its array: a number where one says it, else what stands behind the array's name."""
    behind = _behind(kept, index)
    return behind[1:-1] if kept is None or kept.is_row else behind


def element_name(name: str, kept: VisibleVariable | None, index: int) -> str:
    return (name if kept is None else kept.base) + _behind(kept, index)


class Elements:
    """Where the variables of a program stand in its text, for those whose parts C writes otherwise than a run does."""

    def __init__(self, program: Program) -> None:
        self._kept: dict[str, list[VisibleVariable]] = {}
        for each in program.visible:
            self._kept.setdefault(each.variable, []).append(each)
        self._shared = {variable.name for variable in program.globals}

    def of(self, procedure: str, variable: str, index: int | None, active: Collection[str]) -> VisibleVariable | None:
        """The user's variable this is, or this element belongs to; `active` are procedures that were called."""
        for each in self._kept.get(variable, ()):
            is_there = not each.procedure or each.procedure in (active if variable in self._shared else (procedure,))
            if is_there and self._holds(each, index):
                return each
        return None

    def _holds(self, kept: VisibleVariable, index: int | None) -> bool:
        if kept.first is None:
            return True
        alone = len(self._kept[kept.variable]) == 1
        return (alone and kept.first == 0) if index is None else index in places(kept)


def initialised(events: Iterable[Event]) -> Iterator[Event]:
    """What an initialiser writes part by part, after setting all to zero, is one step: each variable as it is then."""
    begun: dict[tuple[str, int, str], Wrote] = {}
    for event in events:
        if isinstance(event, Wrote) and event.choice is None:
            key = (event.procedure, event.depth, event.variable.name)
            again = key in begun and begun[key].span == event.span
            if again or not all(each.span == event.span or _within(event.span, each.span) for each in begun.values()):
                yield from begun.values()
                begun.clear()
            if key in begun:
                begun[key] = replace(event, index=None, span=begun[key].span)
            elif event.index is None:
                begun[key] = event
            else:
                yield event
            continue
        yield from begun.values()
        begun.clear()
        yield event
    yield from begun.values()


def _within(inner: Span, outer: Span) -> bool:
    """Begins behind where the other one begins, and before its end."""
    starts = (outer.line, outer.column) < (inner.line, inner.column)
    return inner.file == outer.file and starts and (inner.line, inner.column) <= (outer.end_line, outer.end_column)
