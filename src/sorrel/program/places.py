"""Places of the source that a run passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.model.errors import Span
from sorrel.program.run import Event


def passed(places: Sequence[Span], events: Sequence[Event]) -> Iterator[Span]:
    """Those of the places at which something happens in a run."""
    spans = {event.span for event in events}
    for place in places:
        start, end = (place.line, place.column), (place.end_line or place.line, place.end_column or place.column)
        if any(each.file == place.file and start <= (each.line, each.column) <= end for each in spans):
            yield place
