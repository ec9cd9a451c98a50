"""Contracts of functions in other people's code, evaluated in compiled runs; called again, it goes on where it stopped.

python -m bench.fuzz.contracts FOLDER --contracts 1000 --record contracts.jsonl

Functions of numbers and of pointers to numbers in all C files below the folder: packages take turns, in an order that
the seed fixes; easy functions and rich files come first; one that several packages have a copy of is taken once.
Several searches can go on at once, each with a share of the packages (`--share 1/2`) and a record of its own;
`--beside` names the records of the others, and what is found there is counted too, a function once.
A file is parsed once and compiled once for all of its functions. A condition counts if its type does not imply it and
at least ten compiled runs with random inputs reach it, one of several that are variants of each other; one that is
false in some run is a bug. `--table` writes what counts as names and digests, and goes on from such a table.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from clang.cindex import (
    Cursor,
    CursorKind,
    Index,
    StorageClass,
    TranslationUnit,
    TranslationUnitLoadError,
    Type,
    TypeKind,
)

from bench.fuzz import warm
from bench.fuzz.c.judge import compiler
from bench.fuzz.found import Recorded, Search, Told, counted, digest, summary, write_table
from bench.fuzz.scanning import Found, files, includes
from sorrel.evidence.effort import Effort
from sorrel.explain import compiled
from sorrel.explain.compiled import Evaluated, Part, part_of
from sorrel.frontends import c as frontend
from sorrel.methods.summaries import of_program
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task

RUNS = 20
_BARREN = 3
"""Where so many functions of a file have no contract, the others, which are harder, are not asked about."""
_STAGES = (0.75, 1.25)
_WAITING, _CALLS = 120.0, 0.5
"""Seconds that pass at most on a busy machine; planned seconds for calls that end as they should."""
_SYSTEM = "/usr/"
"""Where headers are of what every program is linked with."""
_UNSIGNED = {TypeKind.UINT, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.BOOL}
_SIGNED = {TypeKind.INT, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.LONG, TypeKind.LONGLONG}
_BOUND = re.compile(r"^\(?(?P<name>\\result|\*?\w+) (?P<operator><=|>=|<|>) (?P<limit>-?\d+)\)?$")
_CHAIN = re.compile(r"^\(?(?P<low>-?\d+) (?P<first><=|<) (?P<name>\\result|\*?\w+) (?P<rest>(?:<=|<) -?\d+)\)?$")
_FLIPPED = {"<=": ">=", "<": ">"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="C sources, by somebody else")
    parser.add_argument("--contracts", type=int, default=1000, help="stop at so many that count")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--limit", type=float, default=2.0, help="seconds of the processor for a function (default 2)")
    parser.add_argument(
        "--effort", type=float, default=2.5, help="calls, pointers, divisions, loops, tens of lines (default 2.5)"
    )
    parser.add_argument("--fewest", type=int, default=1, help="functions of a file, or it is left out (default 1)")
    parser.add_argument("--most", type=int, default=16, help="functions of one file (default 16)")
    parser.add_argument("--each", type=int, default=50, help="conditions of one package that count (default 50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", default="1/1", help="of the packages: 1/2 is every second, 2/2 are the others")
    parser.add_argument("--record", type=Path, default=Path("fuzz-results/contracts.jsonl"))
    parser.add_argument("--beside", type=Path, action="append", default=[], help="another search's record, counted too")
    parser.add_argument("--table", type=Path, help="what counts, as names and digests, to go on from")
    options = parser.parse_args(arguments)
    options.record.parent.mkdir(parents=True, exist_ok=True)
    part, parts = map(int, options.share.split("/"))
    search = Search(
        options.folder,
        options.seed,
        options.limit,
        options.effort,
        options.fewest,
        options.most,
        (part, parts),
        options.each,
    )
    found = carried_on(search, options.record, options.contracts, options.seconds, options.beside, options.table)
    if options.table:
        write_table(options.table, found.told, search)
    print(summary(found, search))
    return 1 if found.errors or any(told.false for told in found.told) else 0


def carried_on(
    search: Search,
    record: Path,
    wanted: int,
    seconds: float,
    beside: Sequence[Path] = (),
    known: Path | None = None,
) -> Recorded:
    """What the records and the table say, and what is found until so many count or the time is over."""
    started = time.monotonic()
    found = Recorded()
    for each in (record, *beside):
        found.read(each)
    if known:
        found.read_table(known, search)
    with record.open("a", encoding="utf-8") as lines:
        for file, functions, effort in in_stages(search, found):
            if len(counted(found.told, search)) >= wanted or time.monotonic() - started > seconds:
                break
            row = {**evaluated(file, functions, search), "effort": effort}
            found.add(row)
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    return found


# One file


def evaluated(file: Path, functions: Sequence[Found], search: Search) -> dict[str, Any]:
    """Which of its functions were asked about, and what their contracts say beyond types, in runs of one program."""
    task = Task((Source(str(file)),), include=includes(file))
    found: dict[str, Part | str | None] = {}
    try:
        with frontend.opened(task.sources, frontend.CSettings.of(task)) as files:
            for each in functions:
                if len(found) == _BARREN and not any(found.values()):
                    break
                found[each.name] = _part(files, replace(task, function=each.name), search)
    except (InputError, UsageError):
        pass  # a file that is refused, with words
    parts = {name: part for name, part in found.items() if isinstance(part, Part)}
    keys = {each.name: hashed(each) for each in functions if each.name in found}
    row = {"file": str(file), "functions": list(found), "keys": list(keys.values())}
    errors = {name: error for name, error in found.items() if isinstance(error, str)}
    if not parts:
        return {**row, "told": [], "errors": errors}
    first = replace(task, function=functions[0].name)
    told = iter(compiled.evaluated(first, list(parts.values()), RUNS, seed=search.seed))
    own = ((name, each) for name, part in parts.items() for each in islice(told, len(part.told())))
    return {**row, "told": [asdict(_told(file, name, keys[name], each)) for name, each in own], "errors": errors}


def hashed(function: Found) -> str:
    """Short, the same for copies."""
    return digest(function.key)


def _part(files: frontend.Files, task: Task, search: Search) -> Part | str | None:
    """What is told of the function itself, with calls of it; the file was parsed before, for all of its functions.

    A text is an error that is a bug.
    """
    sizes = declared(Path(task.sources[0].name))

    def found() -> Part | str | None:
        try:
            return asked()
        except (InputError, UsageError, MemoryError):
            return None
        except Exception as error:
            return "".join(traceback.format_exception(error))[-2000:]

    def asked() -> Part | None:
        program = files.read(frontend.CSettings.of(task))
        budget = Budget(_WAITING, 2000)
        effort = Effort(Options(budget=budget), budget.start().share(1.0, search.limit), lambda _: None)
        told = of_program(program, effort).program_contracts
        own = (_informative(each, sizes) for each in told if each.procedure == task.function)
        wanted = [each for each in own if each.conjuncts]
        return part_of(task, program, wanted, RUNS, seed=search.seed, seconds=_CALLS) if wanted else None

    part: Part | str | None = warm.value(found, _WAITING, search.limit)
    return part


def _told(file: Path, function: str, key: str, found: Evaluated) -> Told:
    contract = found.contract
    kind = str(contract.kind)
    name = contract.procedure
    return Told(str(file), function, name, kind, found.text, found.reached, found.false, found.problem[:200], key)


def _informative(contract: ProgramContract, sizes: Declared) -> ProgramContract:
    """Without conditions that hold of every value of the type."""
    own = sizes.get(contract.procedure, {})
    kept = tuple(text for text in contract.conjuncts if not implied(text, own))
    return replace(contract, conjuncts=kept)


def implied(text: str, sizes: Mapping[str, Collection[int]]) -> bool:
    """Whether the condition is a bound that every value of the type keeps; where a name has several, of one of them."""
    chain = _CHAIN.match(text)
    if chain:
        low, high = f"{chain['name']} {_FLIPPED[chain['first']]} {chain['low']}", f"{chain['name']} {chain['rest']}"
        return implied(low, sizes) and implied(high, sizes)
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


def in_stages(search: Search, recorded: Recorded) -> Iterator[tuple[Path, Sequence[Found], float]]:
    """All easy functions before harder ones: of those most have contracts, of these few."""
    for effort in (*(each for each in _STAGES if each < search.effort), search.effort):
        for file, functions in chosen(replace(search, effort=effort), recorded):
            yield file, functions, effort


def chosen(search: Search, recorded: Recorded) -> Iterator[tuple[Path, Sequence[Found]]]:
    """Files with the functions that are asked about, the easiest of each; each text once, and none that is recorded."""
    known = set(recorded.keys)
    full = _Full(search, recorded)
    for scanned in files(search.folder, search.seed, search.effort, search.fewest, search.share):
        if recorded.has(scanned.file, search.effort) or full.has(scanned.file):
            continue
        new = {each.name: each for each in reversed(scanned.functions) if hashed(each) not in known}
        defined = set(_defined(scanned.file)) if len(new) >= search.fewest else set()
        kept = [each for each in reversed(new.values()) if each.name in defined][: search.most]
        if len(kept) >= search.fewest:
            known.update(map(hashed, kept))
            yield scanned.file, kept


@dataclass(slots=True)
class _Full:
    """Packages of which enough was told."""

    search: Search
    recorded: Recorded
    packages: Counter[str] = field(default_factory=Counter)
    seen: int = 0

    def has(self, file: Path) -> bool:
        new = self.recorded.told[self.seen :]
        self.seen += len(new)
        self.packages.update(self.search.package(each.file) for each in new if each.counts)
        return self.packages[self.search.package(str(file))] >= self.search.each


@cache
def _headers() -> str:
    """Of the compiler itself, which the library that parses does not have."""
    asked = [compiler() or "gcc", "-print-file-name=include"]
    return subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout.strip()


@lru_cache(maxsize=1)
def _parsed(file: Path) -> TranslationUnit | None:
    """None if it cannot be read as it stands."""
    arguments = ["-std=gnu17", "-isystem", _headers(), *(f"-I{folder}" for folder in includes(file))]
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


def _defined(file: Path) -> Iterator[str]:
    for cursor in _bodies(file):
        if str(cursor.location.file) == str(file) and not _is_hard(cursor) and _is_whole(cursor):
            yield cursor.spelling


def _is_whole(function: Cursor) -> bool:
    """Whether what it uses is defined here, or the system's: no run gets past what is missing."""
    used = (each.referenced for each in function.walk_preorder() if each.kind == CursorKind.DECL_REF_EXPR)
    own = (each for each in used if each and each.kind in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL))
    return all(map(_is_there, own))


def _is_there(used: Cursor) -> bool:
    if used.get_definition() or str(used.location.file).startswith(_SYSTEM):
        return True
    return bool(used.kind == CursorKind.VAR_DECL and used.storage_class != StorageClass.EXTERN)


def _is_hard(cursor: Cursor) -> bool:
    """Whether it has parameters or a result that are neither numbers nor pointers to them."""
    types = [each.type.get_canonical() for each in cursor.get_arguments()]
    aims = [each.get_pointee().get_canonical() if each.kind == TypeKind.POINTER else each for each in types]
    numbers = _UNSIGNED | _SIGNED
    is_simple = all(each.kind in numbers for each in aims)
    result = cursor.result_type.get_canonical().kind in (*numbers, TypeKind.VOID)
    variadic = cursor.type.kind == TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic()
    return not (is_simple and result) or variadic


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
        own = type.get_canonical()
        if own.kind == TypeKind.POINTER:
            own, name = own.get_pointee().get_canonical(), f"*{name}"
        kind, size = own.kind, own.get_size() * 8
        if kind in _UNSIGNED:
            yield name, 1 if kind == TypeKind.BOOL else size
        elif kind in _SIGNED:
            yield name, -size


if __name__ == "__main__":
    sys.exit(main())
