"""Runs as columns: what they do at the same place stands in one row, and rows in which they differ are marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from sorrel.model.outcome import ChosenValue, EventKind, RunEvent, SideRun
from sorrel.model.values import dataclass
from sorrel.report.excerpt import Paint, Texts, said

INPUT = "input"
MOST_ROWS, MOST_ALIGNED, WIDTH = 60, 1000, 44
"""Rows that are shown, events of a run that are put beside others, and characters of a column."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event of each run, or nothing where a run does not come by."""

    events: tuple[RunEvent | None, ...]

    @property
    def first(self) -> RunEvent:
        return next(event for event in self.events if event is not None)

    @property
    def differs(self) -> bool:
        return any(event is None or event.text != self.first.text for event in self.events)


def rows(runs: Sequence[SideRun]) -> list[Row]:
    """Each run is put beside those before it, by the places that they pass."""
    table: list[Row] = []
    for number, run in enumerate(runs):
        table = _beside(table, _shortened(run.events), number)
    return table


def _shortened(events: Sequence[RunEvent]) -> Sequence[RunEvent]:
    half = MOST_ALIGNED // 2
    return events if len(events) <= MOST_ALIGNED else [*events[:half], *events[-half:]]


def _beside(table: list[Row], events: Sequence[RunEvent], number: int) -> list[Row]:
    if number == 0:
        return [Row((event,)) for event in events]
    nothing: tuple[None, ...] = (None,) * number
    matcher = SequenceMatcher(None, [_key(row.first) for row in table], [_key(event) for event in events], False)
    found: list[Row] = []
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind == "equal":
            found += [Row((*table[low + i].events, events[start + i])) for i in range(high - low)]
        else:
            found += [Row((*row.events, None)) for row in table[low:high]]
            found += [Row((*nothing, event)) for event in events[start:end]]
    return found


def _key(event: RunEvent) -> tuple[object, ...]:
    kind = EventKind.OBSERVE if event.kind is EventKind.VIOLATION else event.kind
    return (kind, event.span, event.procedure, event.depth, event.variable)


def column_lines(runs: Sequence[SideRun], texts: Texts, paint: Paint, *, verbose: bool = False) -> Iterator[str]:
    """A table with a mark before the rows that differ; a long one without rows in which the runs agree."""
    table = rows(runs)
    shown = table if verbose or len(table) <= MOST_ROWS else [row for row in table if row.differs]
    rest = len(shown) - MOST_ROWS
    if rest > 0 and not verbose:
        shown = [*shown[: MOST_ROWS // 2], *shown[-(MOST_ROWS // 2) :]]
    place = max((len(_place(row)) for row in shown), default=0)
    yield f"  {'':<{place}}    " + "  ".join(paint("place", f"{f'run {run.name}':<{WIDTH}}") for run in runs).rstrip()
    yield from _inputs(runs, place, paint)
    last: str | None = None
    for same, group in groupby(shown, key=_place):
        for row in group:
            yield _line(row, same if same != last else "", place, texts, paint)
            last = same
    if len(shown) < len(table):
        yield f"  {len(table) - len(shown)} rows are left out; -v shows them"


def differing_inputs(runs: Sequence[SideRun]) -> Iterator[tuple[ChosenValue, ...]]:
    """The inputs that differ: what the runs agree on is public, or makes no difference."""
    for choices in zip(*(run.choices for run in runs), strict=False):
        names = {choice.variable for choice in choices}
        if len(names) == 1 and len({c.value for c in choices}) > 1 and choices[0].is_worth_telling:
            yield choices


def _inputs(runs: Sequence[SideRun], place: int, paint: Paint) -> Iterator[str]:
    for choices in differing_inputs(runs):
        cells = "  ".join(f"{_cut(f'{choice.variable} = {choice.value}'):<{WIDTH}}" for choice in choices)
        yield f"  {paint('faint', f'{INPUT:<{place}}')}  {paint('bad', '≠')} {cells.rstrip()}"


def _place(row: Row) -> str:
    span = row.first.span
    return f"{span.file}:{span.line}" if span.line else ""


def _line(row: Row, place: str, width: int, texts: Texts, paint: Paint) -> str:
    mark = paint("bad", "≠") if row.differs else " "
    cells = [_cell(event, row, texts, paint) for event in row.events]
    return f"  {paint('faint', f'{place:<{width}}')}  {mark} " + "  ".join(cells).rstrip()


def _cell(event: RunEvent | None, row: Row, texts: Texts, paint: Paint) -> str:
    if event is None:
        return f"{'':<{WIDTH}}"
    padded = f"{_cut('  ' * min(event.depth, 8) + _said(event, texts)):<{WIDTH}}"
    if event.kind is EventKind.VIOLATION:
        return paint("bad", padded)
    return paint("code", padded) if row.differs else padded


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _said(event: RunEvent, texts: Texts) -> str:
    return said(event, texts.line(event.span.file, event.span.line))
