"""How many questions of each kind were asked, how long they took and how large they were; and what engines count."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from sorrel.model.values import dataclass


@dataclass(slots=True)
class Tally:
    count: int = 0
    seconds: float = 0.0
    largest: int = 0  # distinct nodes of the largest query
    undecided: int = 0


@dataclass(slots=True)
class Statistics:
    """`counts` are what an engine counts by itself, such as the nodes of its graph, by the names that people know."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def tally(self, kind: str) -> Tally:
        return self.tallies.setdefault(kind, Tally())

    @contextmanager
    def timed(self, kind: str, size: int = 0) -> Iterator[Tally]:
        tally = self.tally(kind)
        tally.count += 1
        tally.largest = max(tally.largest, size)
        started = time.perf_counter()
        try:
            yield tally
        finally:
            tally.seconds += time.perf_counter() - started

    def as_json(self) -> dict[str, dict[str, float | int]]:
        return {
            kind: {
                "count": t.count,
                "seconds": round(t.seconds, 4),
                "largest": t.largest,
                "undecided": t.undecided,
            }
            for kind, t in sorted(self.tallies.items())
        }
