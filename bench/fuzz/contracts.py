"""Contracts of functions in other people's code, evaluated in compiled runs; called again, it goes on where it stopped.

python -m bench.fuzz.contracts FOLDER --contracts 1000 --record contracts.jsonl

Functions of numbers and of pointers to numbers in all C files below the folder, and main where it takes nothing, are
taken in a random order that the seed fixes; one that several packages have a copy of is taken once. A condition counts
if its type does not imply it and at least ten compiled runs with random inputs reach it; one that is false in some run
is a bug.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from random import Random

from clang.cindex import Cursor, CursorKind, Index, TranslationUnit, TranslationUnitLoadError, Type, TypeKind

from bench.fuzz import warm
from bench.fuzz.c.judge import compiler
from sorrel.bench.summary import table
from sorrel.explain.compiled import compiled_runs
from sorrel.frontends.errors import Unsupported
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, InternalError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

RUNS, ENOUGH = 20, 10
_LONGEST_FILE = 300_000
_UNSIGNED = {TypeKind.UINT, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.BOOL}
_SIGNED = {TypeKind.INT, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.LONG, TypeKind.LONGLONG}
_BOUND = re.compile(r"^\(?(?P<name>\\result|\w+) (?P<operator><=|>=|<|>) (?P<limit>-?\d+)\)?$")


@dataclass(frozen=True, slots=True)
class Function:
    """Where it stands: its first line and its last."""

    file: str
    name: str
    line: int
    last: int


@dataclass(frozen=True, slots=True)
class Search:
    """Where functions are looked for, in which order, for how long one is looked at, and how long it may be."""

    folder: Path
    seed: int = 1
    limit: float = 6.0
    lines: int = 60


@dataclass(frozen=True, slots=True)
class Told:
    """One condition of a contract, and what became of it."""

    file: str
    function: str
    procedure: str
    kind: str
    text: str
    reached: int
    false: int
    problem: str

    @property
    def counts(self) -> bool:
        return not self.problem and self.reached >= ENOUGH


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="C sources, by somebody else")
    parser.add_argument("--contracts", type=int, default=1000, help="stop at so many that count")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--limit", type=float, default=6.0, help="seconds for the contracts of a function (default 6)")
    parser.add_argument("--lines", type=int, default=60, help="of the longest functions (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, default=Path("fuzz-results/contracts.jsonl"))
    options = parser.parse_args(arguments)
    options.record.parent.mkdir(parents=True, exist_ok=True)
    search = Search(options.folder, options.seed, options.limit, options.lines)
    found = carried_on(search, options.record, options.contracts, options.seconds)
    print(summary(found))
    return 1 if any(told.false for told in found) else 0


def carried_on(search: Search, record: Path, wanted: int, seconds: float) -> list[Told]:
    started = time.monotonic()
    done, told = _recorded(record)
    with record.open("a", encoding="utf-8") as lines:
        for function in functions(search):
            if sum(each.counts for each in told) >= wanted or time.monotonic() - started > seconds:
                break
            if (function.file, function.name) in done:
                continue
            own = evaluated(function, search)
            told += own
            row = {"file": function.file, "function": function.name, "told": [asdict(each) for each in own]}
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    return told


def _recorded(record: Path) -> tuple[set[tuple[str, str]], list[Told]]:
    done: set[tuple[str, str]] = set()
    told: list[Told] = []
    for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        done.add((row["file"], row["function"]))
        told += [Told(**each) for each in row["told"]]
    return done, told


def summary(told: Sequence[Told]) -> str:
    """How many conditions count, from how many functions, and each one that is false."""
    counted = [each for each in told if each.counts]
    packages = Counter(Path(each.file).parts[0] for each in counted)
    owners = {(each.file, each.procedure, each.kind) for each in counted}
    rows = [
        ("conditions told", len(told)),
        (f"evaluated in at least {ENOUGH} compiled runs", len(counted)),
        ("functions and loops that they are about", len(owners)),
        ("evaluations", sum(each.reached for each in counted)),
        ("false", sum(each.false > 0 for each in told)),
    ]
    parts = [table(("contracts", "number"), rows), table(("package", "contracts"), packages.most_common())]
    parts += [f"FALSE {each.file} {each.procedure}: {each.text}" for each in told if each.false]
    return "\n\n".join(parts)


# One function


def evaluated(function: Function, search: Search) -> list[Told]:
    """Its contracts, without what its types imply, in compiled runs."""
    task = Task((Source(function.file),), function=function.name, include=_includes(Path(function.file)))
    reply = warm.ask(lambda: pipeline.summarize(task, Options(budget=Budget(search.limit, 2000))), search.limit)
    contracts = reply.outcome.program_contracts if reply.outcome else ()
    sizes = declared(Path(function.file)) if contracts else {}
    wanted = [each for each in (_informative(contract, sizes) for contract in contracts) if each.conjuncts]
    if not wanted:
        return []
    try:
        found = compiled_runs(task, wanted, RUNS, seed=search.seed)
    except (Unsupported, InputError, UsageError, InternalError, OSError) as problem:
        return [_told(function, each, text, 0, 0, str(problem)) for each in wanted for text in each.conjuncts]
    return [_told(function, each.contract, each.text, each.reached, each.false, each.problem) for each in found]


def _told(function: Function, contract: ProgramContract, text: str, reached: int, false: int, problem: str) -> Told:
    kind = str(contract.kind)
    return Told(function.file, function.name, contract.procedure, kind, text, reached, false, problem[:200])


def _informative(contract: ProgramContract, sizes: Declared) -> ProgramContract:
    """Without conditions that hold of every value of the type."""
    own = sizes.get(contract.procedure, {})
    kept = tuple(text for text in contract.conjuncts if not implied(text, own))
    return replace(contract, conjuncts=kept)


def implied(text: str, sizes: Mapping[str, Collection[int]]) -> bool:
    """Whether the condition is a bound that every value of the type keeps; where a name has several, of one of them."""
    found = _BOUND.match(text)
    if not found:
        return False
    limit = int(found["limit"])
    return any(_keeps(bits, found["operator"], limit) for bits in sizes.get(found["name"], ()))


def _keeps(bits: int, operator: str, limit: int) -> bool:
    low, high = (0, (1 << bits) - 1) if bits > 0 else (-(1 << (-bits - 1)), (1 << (-bits - 1)) - 1)
    match operator:
        case "<=":
            return high <= limit
        case "<":
            return high < limit
        case ">=":
            return low >= limit
        case _:
            return low > limit


# All functions


def functions(search: Search) -> Iterator[Function]:
    """In a random order, files one after the other by chance as well; each text once."""
    files = sorted(search.folder.rglob("*.c"))
    chance = Random(search.seed)
    chance.shuffle(files)
    known: set[str] = set()
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if "Python.h" not in text and len(text) <= _LONGEST_FILE:
            own = list(_defined(file))
            chance.shuffle(own)
            lines = text.splitlines()
            for function in own:
                body = "".join("".join(lines[function.line - 1 : function.last]).split())
                if function.last - function.line <= search.lines and body not in known:
                    known.add(body)
                    yield function


def _includes(file: Path) -> tuple[str, ...]:
    """Where headers of the package may be: beside the file, above it, and in folders named include or src."""
    near = [file.parent, file.parent.parent, file.parent.parent.parent]
    found = [*near, *(folder / name for folder in near for name in ("include", "src", "lib"))]
    return tuple(dict.fromkeys(str(folder) for folder in found if folder.is_dir()))


@cache
def _headers() -> str:
    """Of the compiler itself, which the library that parses does not have."""
    asked = [compiler() or "gcc", "-print-file-name=include"]
    return subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout.strip()


@lru_cache(maxsize=1)
def _parsed(file: Path) -> TranslationUnit | None:
    """None if it cannot be read as it stands."""
    arguments = ["-std=gnu17", "-isystem", _headers(), *(f"-I{folder}" for folder in _includes(file))]
    try:
        unit = Index.create().parse(str(file), args=arguments)
    except TranslationUnitLoadError:
        return None
    return None if any(each.severity >= 3 for each in unit.diagnostics) else unit


def _bodies(file: Path) -> Iterator[Cursor]:
    unit = _parsed(file)
    for cursor in unit.cursor.get_children() if unit else ():
        if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition():
            yield cursor


def _defined(file: Path) -> Iterator[Function]:
    for cursor in _bodies(file):
        if str(cursor.location.file) == str(file) and not _is_hard(cursor):
            last = cursor.extent.end.line
            yield Function(str(file), cursor.spelling, cursor.location.line, last)


def _is_hard(cursor: Cursor) -> bool:
    """Whether it has parameters that have no harness, or nothing to say a contract about."""
    types = [each.type.get_canonical() for each in cursor.get_arguments()]
    if cursor.spelling == "main":
        return bool(types)
    aims = [each.get_pointee().get_canonical() if each.kind == TypeKind.POINTER else each for each in types]
    numbers = _UNSIGNED | _SIGNED
    is_simple = bool(types) and all(each.kind in numbers for each in aims)
    result = cursor.result_type.get_canonical().kind in numbers
    return not (is_simple and result) or cursor.type.is_function_variadic()


Declared = Mapping[str, Mapping[str, Collection[int]]]
"""For each function the bits of its result and of the variables that it can name, negative where they are signed."""


@lru_cache(maxsize=1)
def declared(file: Path) -> Declared:
    unit = _parsed(file)
    everywhere = [each for each in unit.cursor.get_children() if each.kind == CursorKind.VAR_DECL] if unit else []
    return {cursor.spelling: _sizes(cursor, everywhere) for cursor in _bodies(file)}


def _sizes(function: Cursor, everywhere: Sequence[Cursor]) -> Mapping[str, Collection[int]]:
    variables = [each for each in function.walk_preorder() if each.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL)]
    named = [("\\result", function.result_type), *((each.spelling, each.type) for each in (*everywhere, *variables))]
    found: dict[str, set[int]] = {}
    for name, bits in _numbers(named):
        found.setdefault(name, set()).add(bits)
    return found


def _numbers(named: Sequence[tuple[str, Type]]) -> Iterator[tuple[str, int]]:
    for name, type in named:
        kind = type.get_canonical().kind
        size = type.get_canonical().get_size() * 8
        if kind in _UNSIGNED:
            yield name, 1 if kind == TypeKind.BOOL else size
        elif kind in _SIGNED:
            yield name, -size


if __name__ == "__main__":
    sys.exit(main())
