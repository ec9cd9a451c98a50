"""A suite: a folder of tasks and an index that says what is known about them."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.outcome import Answer
from sorrel.model.values import dataclass

INDEX = "index.csv"
VARIABLE = "SORREL_BENCH"
REQUIRED = ("family", "file", "expected_verdict")
WORDS = {
    **dict.fromkeys(("sat", "safe", "true", "obeys"), Answer.SAFE),
    **dict.fromkeys(("unsat", "unsafe", "false", "violates"), Answer.UNSAFE),
    **dict.fromkeys(("unknown", "none", ""), Answer.UNKNOWN),
}


@dataclass(frozen=True, slots=True)
class Task:
    """One question about a file of a suite. `name` is its path inside the suite; `expected` is what the index believes.

    `property` is what the question is about, where several are asked about one file; the name says it then, too.
    """

    suite: str
    family: str
    name: str
    path: Path
    expected: Answer
    property: str = ""

    def digest(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rows of an index are wanted; empty means all. Several properties stand with commas between them."""

    families: tuple[str, ...] = ()
    pattern: str = ""
    property: str = ""

    def wants(self, row: Mapping[str, str]) -> bool:
        if self.families and row["family"] not in self.families:
            return False
        return not self.pattern or fnmatch(row["file"], self.pattern) or fnmatch(Path(row["file"]).name, self.pattern)


def default_folder() -> str:
    """The folder that SORREL_BENCH names."""
    folder = os.environ.get(VARIABLE, "")
    if not folder:
        raise UsageError(
            f"no suite is given: name a folder with an {INDEX}, or set {VARIABLE} to one, "
            "for example: sorrel bench tasks/ --tools z3,spacer"
        )
    return folder


def read_tasks(suites: Sequence[str], selection: Selection, sample: int | None = None) -> list[Task]:
    """The tasks of all suites in the order of their indexes, each once.

    A suite is written FOLDER, INDEX.csv, or either with `:family,family`.
    """
    tasks: dict[tuple[str, str], Task] = {}
    indexes: dict[str, Path] = {}
    for text in suites:
        index, families = locate(text)
        name = suite_name(index)
        if indexes.setdefault(name, index.resolve()) != index.resolve():
            raise UsageError(f"two suites are called {name}: run them apart, or rename one folder")
        wanted = Selection(families or selection.families, selection.pattern, selection.property)
        for task in read_index(index, wanted):
            tasks.setdefault((task.suite, task.name), task)
    if not tasks:
        raise UsageError("no task is selected: check --family, --filter and --property")
    return take_sample(list(tasks.values()), sample)


def locate(text: str) -> tuple[Path, tuple[str, ...]]:
    """The index file and the families that a suite's text names."""
    families: tuple[str, ...] = ()
    path = Path(text)
    if not path.exists() and ":" in text:
        place, _, names = text.rpartition(":")
        path, families = Path(place), tuple(name.strip() for name in names.split(",") if name.strip())
    if path.is_dir():
        path = path / INDEX
    if not path.is_file():
        raise UsageError(
            f"there is no suite at {path}: a suite is a folder with an {INDEX}, such an index file, "
            "or a preset; families follow a colon, as in tasks:loops,recursive"
        )
    return path, families


def suite_name(index: Path) -> str:
    folder = index.resolve().parent.name
    return folder if index.name == INDEX else f"{folder}-{index.stem}"


def read_index(index: Path, selection: Selection) -> list[Task]:
    with index.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = [column for column in REQUIRED if column not in (reader.fieldnames or ())]
        if missing:
            raise InputError(
                f"the index has no column {', '.join(missing)}",
                Span(str(index), 1, 1),
                hint=f"Its first line names the columns; {', '.join(REQUIRED)} are needed.",
            )
        rows = [(reader.line_num, row) for row in reader]
    demand_families(index, selection, (row["family"] for _, row in rows))
    tasks: list[Task] = []
    for line, row in rows:
        if selection.wants(row):
            tasks += read_questions(index, line, row, selection.property)
    return tasks


def read_questions(index: Path, line: int, row: Mapping[str, str], wanted: str) -> Iterator[Task]:
    """A task for each of the wanted properties that the row says something about."""
    names = wanted.split(",")
    for name in names:
        task = read_row(index, line, row, name.strip())
        if task is not None and len(names) > 1:
            task = replace(task, name=f"{task.name} {name.strip()}", property=name.strip())
        if task is not None:
            yield task


def demand_families(index: Path, selection: Selection, present: Iterable[str]) -> None:
    known = dict.fromkeys(present)
    unknown = [family for family in selection.families if family not in known]
    if unknown:
        raise UsageError(f"{index} has no family {', '.join(unknown)}; it has {', '.join(known)}")


def read_row(index: Path, line: int, row: Mapping[str, str], wanted: str) -> Task | None:
    """The task of one row, or None when the row says nothing about the wanted property."""
    place = Span(str(index), line, 1)
    text = (row["expected_verdict"] or "").strip()
    if wanted and ("=" in text or not text):
        verdicts = dict(pair.split("=", 1) for pair in text.split(";") if "=" in pair)
        if wanted not in verdicts:
            return None
        text = verdicts[wanted].strip()
    elif "=" in text:
        raise InputError(
            f"{row['file']} has a verdict for each property: {text}",
            place,
            hint="Say which one is meant with --property NAME, or select other tasks with --family.",
        )
    if text not in WORDS:
        raise InputError(f"{text} is not a verdict", place, hint=f"Known are {', '.join(filter(None, WORDS))}.")
    path = index.parent / row["file"]
    if not path.is_file():
        raise InputError(f"the file {row['file']} is not there", place, hint="Paths are relative to the index.")
    return Task(suite_name(index), row["family"], row["file"], path, WORDS[text])


def take_sample(tasks: list[Task], size: int | None) -> list[Task]:
    """So many tasks, the same ones each time, and mostly the same ones when the suite grows."""
    if size is None or size >= len(tasks):
        return tasks
    if size < 1:
        raise UsageError("--sample needs at least one task")
    ranked = sorted(tasks, key=lambda task: hashlib.sha256(f"{task.suite}/{task.name}".encode()).digest())
    chosen = {(task.suite, task.name) for task in ranked[:size]}
    return [task for task in tasks if (task.suite, task.name) in chosen]
