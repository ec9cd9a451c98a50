"""Numbered trials of one kind, one after the other and without end: for a while, or until there are enough of them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.fuzz.report import Report, Trial


@dataclass(frozen=True, slots=True)
class Numbered:
    """A trial, by whose number and seed it can be made again, and the folders in which what failed was saved."""

    number: int
    trial: Trial
    saved: tuple[Path, ...] = ()


class Stream(Protocol):
    """What a kind offers whose examples are made by number.

    `missing` says what is not installed here; trials whose numbers are `done` are left out, and all before the last.
    """

    def missing(self) -> str: ...

    def trials(self, seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]: ...


def for_a_while(kind: str, stream: Stream, seed: int, seconds: float, folder: Path) -> Report:
    """The trials that are done in so many seconds."""
    if why := stream.missing():
        return Report(kind, seed, (), 0.0, skipped=why)
    started = time.monotonic()
    done: list[Numbered] = []
    for each in stream.trials(seed, folder):
        done.append(each)
        if time.monotonic() - started > seconds:
            break
    failures = tuple(path for each in done for path in each.saved)
    return Report(kind, seed, tuple(each.trial for each in done), time.monotonic() - started, failures)
