"""One line of results.csv, and the file of such lines: written run by run, read again to go on."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.outcome import Answer
from sorrel.model.values import dataclass

FILE = "results.csv"
CORRECT = "correct"
WRONG = "wrong"
UNCHECKED = "unchecked"  # an answer, but the index does not know


@dataclass(frozen=True, slots=True)
class Record:
    """What one tool did on one task. The fields are the columns, in this order."""

    suite: str
    family: str
    task: str
    tool: str
    kind: str  # own or peer
    verdict: Answer
    expected: Answer
    correctness: str
    cause: str
    claimed: Answer
    confirmed: bool
    wall: float
    cpu: float
    memory_mb: float
    exit_code: int | None
    engine: str
    checkers: tuple[str, ...]
    definition: str
    file_hash: str
    limits: str
    detail: str
    statistics: Mapping[str, Any] = field(default_factory=dict)
    decided_by: str = ""  # in words; results of older versions do not have it

    @property
    def solved(self) -> bool:
        """An answer that is not known to be wrong; unconfirmed ones of ours never get this far."""
        return self.verdict is not Answer.UNKNOWN and self.correctness != WRONG

    @property
    def key(self) -> tuple[str, str, str]:
        return self.suite, self.task, self.tool

    @property
    def identity(self) -> tuple[str, ...]:
        """Two runs with the same identity need not both be made."""
        return self.suite, self.task, self.tool, self.definition, self.file_hash, self.limits

    def to_row(self) -> list[str]:
        """Text without line ends, so that a line of the file is a record and a cut-off one is recognised."""
        row = []
        for column in COLUMNS:
            value = getattr(self, column)
            if column == "statistics":
                text = json.dumps(value, sort_keys=True)
            elif column == "checkers":
                text = " ".join(value)
            elif isinstance(value, bool):
                text = "yes" if value else "no"
            elif isinstance(value, float):
                text = f"{value:.3f}"
            else:
                text = "" if value is None else str(value)
            row.append(" ".join(text.splitlines()))
        return row

    @staticmethod
    def from_row(row: list[str]) -> Record:
        """Raises ValueError when the row is not one of ours."""
        older = len(row) == len(OLDER_COLUMNS)
        values: dict[str, Any] = dict(zip(OLDER_COLUMNS if older else COLUMNS, row, strict=True))
        for column in ("verdict", "expected", "claimed"):
            values[column] = Answer(values[column])
        for column in ("wall", "cpu", "memory_mb"):
            values[column] = float(values[column])
        values["confirmed"] = {"yes": True, "no": False}.get(values["confirmed"])
        if values["confirmed"] is None:
            raise ValueError("confirmed is neither yes nor no")
        values["exit_code"] = int(values["exit_code"]) if values["exit_code"] else None
        values["checkers"] = tuple(values["checkers"].split())
        values["statistics"] = json.loads(values["statistics"])
        return Record(**values)


COLUMNS = tuple(item.name for item in fields(Record))
OLDER_COLUMNS = COLUMNS[:-1]


def judge(verdict: Answer, expected: Answer) -> str:
    if verdict is Answer.UNKNOWN:
        return ""
    if expected is Answer.UNKNOWN:
        return UNCHECKED
    return CORRECT if verdict.is_proof is expected.is_proof else WRONG


class Ledger:
    """The results file of one output folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep a second runner out of the folder."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with (self.path.parent / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UsageError(
                    f"another run is writing to {self.path.parent}: wait for it, or choose another --output"
                ) from error
            yield

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)

    def repair(self) -> None:
        """Drop an unfinished last line, and write the heading of a new file."""
        content = self.path.read_bytes() if self.path.exists() else b""
        if not content.endswith(b"\n"):
            with self.path.open("ab") as file:
                file.truncate(content.rfind(b"\n") + 1)
        if self.path.stat().st_size == 0:
            self.write(COLUMNS)

    def append(self, record: Record) -> None:
        self.write(record.to_row())

    def write(self, row: Iterable[str]) -> None:
        """One write for one line, on the disk before the next run starts."""
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(row)
        with self._lock, self.path.open("ab") as file:
            file.write(line.getvalue().encode())
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> list[Record]:
        """All whole records. An unfinished last line, or one that is damaged, is a run that was not made."""
        if not self.path.exists():
            raise UsageError(f"there are no results in {self.path.parent}: {FILE} is missing")
        text = self.path.read_text(encoding="utf-8", errors="replace")
        lines = text[: text.rfind("\n") + 1].split("\n")[:-1]
        if lines and tuple(next(csv.reader(lines[:1]))) not in (COLUMNS, OLDER_COLUMNS):
            raise InputError(
                "the columns are not those of this version",
                Span(str(self.path), 1, 1),
                hint="Start over with --fresh, or choose another --output.",
            )
        records = []
        for line in lines[1:]:
            try:
                records.append(Record.from_row(next(csv.reader([line]))))
            except (ValueError, StopIteration, csv.Error):
                continue
        return records
