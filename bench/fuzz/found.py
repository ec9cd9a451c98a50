"""What searches for contracts found: a record of all that was asked and told, and a table of what counts.

The record is a search's own, with the texts of conditions. The table is made to be kept: it has names and digests, no
text of anybody else's, and a later search goes on from it.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.fuzz.variants import canonical
from sorrel.bench.summary import table

ENOUGH = 10
COLUMNS = (
    "package",
    "version",
    "file",
    "function",
    "procedure",
    "kind",
    "function digest",
    "condition digest",
    "runs",
    "false",
)


@dataclass(frozen=True, slots=True)
class Search:
    """Where functions are looked for, in which order, for how long one is looked at, and how hard it may be."""

    folder: Path
    seed: int = 1
    limit: float = 2.0
    effort: float = 2.5
    fewest: int = 1  # functions of one file, to be worth a compiler's time
    most: int = 16
    share: tuple[int, int] = (1, 1)  # the first of one part, the second of three, … of the packages
    each: int = 50  # conditions of one package that count

    def package(self, file: str) -> str:
        return Path(file).relative_to(self.folder).parts[0]


@dataclass(frozen=True, slots=True)
class Told:
    """One condition of a contract, and what became of it; of one that comes from a table the text is not known."""

    file: str
    function: str
    procedure: str
    kind: str
    text: str
    reached: int
    false: int
    problem: str
    key: str = ""  # the same for copies of the function elsewhere
    digest: str = ""  # of a condition without a text

    @property
    def counts(self) -> bool:
        return not self.problem and self.reached >= ENOUGH

    @property
    def condition(self) -> str:
        """The same for variants of the condition."""
        return self.digest or digest(canonical(self.text))


@cache
def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(slots=True)
class Recorded:
    """What searches found: files and functions that were asked about, what was told, and errors that are bugs.

    Of a file those functions were looked at that are no harder than is said.
    """

    files: dict[str, float] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    functions: int = 0
    told: list[Told] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        self.files[row["file"]] = max(row.get("effort", float("inf")), self.files.get(row["file"], 0.0))
        self.keys |= set(row.get("keys", ()))
        self.functions += len(row["functions"])
        self.told += [Told(**each) for each in row["told"]]
        self.errors |= {f"{row['file']} {name}": error for name, error in row.get("errors", {}).items()}

    def has(self, file: Path, effort: float) -> bool:
        return self.files.get(str(file), -1.0) >= effort

    def read(self, record: Path) -> None:
        for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else ():
            with suppress(json.JSONDecodeError):  # of a line that was not written to its end
                self.add(json.loads(line))

    def read_table(self, file: Path, search: Search) -> None:
        """What is in the table is counted first, and its functions are not asked about again."""
        if not file.exists():
            return
        with file.open(encoding="utf-8", newline="") as lines:
            told = [_of_row(row, search) for row in csv.DictReader(lines)]
        self.told[:0] = told
        self.keys |= {each.key for each in told}


def write_table(file: Path, told: Sequence[Told], search: Search) -> None:
    """One row for each condition that counts, in the order of packages, files and functions."""
    rows = sorted(_row(each, search) for each in counted(told, search))
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def _row(told: Told, search: Search) -> tuple[str | int, ...]:
    package, *inside = Path(told.file).relative_to(search.folder).parts
    name, _, version = package.partition("_")
    path = "/".join(inside) or package
    return (
        name,
        version,
        path,
        told.function,
        told.procedure,
        told.kind,
        told.key,
        told.condition,
        told.reached,
        told.false,
    )


def _of_row(row: Mapping[str, str], search: Search) -> Told:
    package = f"{row['package']}_{row['version']}" if row["version"] else row["package"]
    is_file = package == row["file"]
    return Told(
        str(search.folder / package if is_file else search.folder / package / row["file"]),
        row["function"],
        row["procedure"],
        row["kind"],
        "",
        int(row["runs"]),
        int(row["false"]),
        "",
        row["function digest"],
        row["condition digest"],
    )


def counted(told: Sequence[Told], search: Search) -> list[Told]:
    """Those that count; of variants in one function and in its copies the first, and of a package not too many."""
    found: dict[object, Told] = {}
    packages: Counter[str] = Counter()
    for each in told:
        key = (each.key or (each.file, each.procedure), each.kind, each.condition)
        package = search.package(each.file)
        if each.counts and key not in found and packages[package] < search.each:
            found[key] = each
            packages[package] += 1
    return list(found.values())


def summary(found: Recorded, search: Search) -> str:
    """How many conditions count, from how many functions, and each one that is false."""
    told = found.told
    good = counted(told, search)
    beyond = len(counted(told, replace(search, each=len(told)))) - len(good)
    packages = Counter(search.package(each.file) for each in good)
    owners = {(each.file, each.procedure, each.kind) for each in good}
    rows = [
        ("files", len(found.files)),
        ("functions asked about", found.functions),
        ("conditions told", len(told)),
        (f"evaluated in at least {ENOUGH} compiled runs", len(good)),
        (f"beyond {search.each} of one package, not counted", beyond),
        ("functions and loops that they are about", len(owners)),
        ("evaluations", sum(each.reached for each in good)),
        ("false", sum(each.false > 0 for each in told)),
    ]
    parts = [table(("contracts", "number"), rows), table(("package", "contracts"), packages.most_common())]
    parts += [f"FALSE {each.file} {each.procedure}: {each.text or each.condition}" for each in told if each.false]
    parts += [f"ERROR {place}: {error}" for place, error in found.errors.items()]
    return "\n\n".join(parts)
