"""Whether contracts of other people's C are short: lines, facts that others imply, and what callers need.

python bench/contracts.py FOLDER [--functions 60] [--seconds 20] [--seed 0] [--callers] [--told]

Each folder inside FOLDER is a library. Functions are drawn by chance, from as many libraries as possible; one that the
compiler does not read, or that has no contract, is not counted. Each is summarised in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.effort import Effort
from sorrel.explain.economy import callers, redundant
from sorrel.explain.inference import for_callers, infer, with_cases, with_pointers
from sorrel.explain.telling import short
from sorrel.frontends.c import CSettings, DataModel, read_each
from sorrel.model.budget import Budget
from sorrel.model.errors import SorrelError
from sorrel.model.options import Options
from sorrel.model.outcome import ContractKind
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.program import LIBRARY, Program
from sorrel.smt.solver import Oracle

TAKEN = 0.3
"""The share of the functions of a file that are tried, so that not all are from its beginning."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The contract of a function: its lines, facts that are implied, and clauses of callers."""

    lines: tuple[str, ...]
    redundant: tuple[str, ...]
    clauses: int
    need_more: int


def calls_others(program: Program, name: str) -> bool:
    """Whether another function of the file's own is among what is verified."""
    return any(each.name != name and "." not in each.name and LIBRARY not in each.name for each in program.procedures)


def weighed(read: Callable[[], Program], name: str, seconds: float, *, callers_only: bool) -> Weighed | None:
    program = read()
    if callers_only and not calls_others(program, name):
        return None
    options = Options(budget=Budget(seconds=seconds))
    effort = Effort(options, options.budget.start(), lambda _: None)
    encoding = encode(instrument(program, frozenset()), Arithmetic.IDEAL, alone=True)
    inferred = with_cases(encoding.system, infer(encoding.system, effort), effort)
    inferred = for_callers(encoding, with_pointers(encoding, inferred, effort), effort)
    oracle = Oracle(effort.clock, query_seconds=2.0)
    told = [replace(each, contract=short([each.contract])[0]) for each in encoding.told(inferred.told, oracle)]
    own = [each for each in told if each.point.procedure == name and each.contract.kind is ContractKind.FUNCTION]
    if not own or not own[0].contract.says_something:
        return None
    rest = callers(encoding, inferred.proved, told, oracle)
    lines = tuple(f"{word} {text}" for word, text in own[0].contract.clauses)
    return Weighed(lines, tuple(redundant(encoding, own[0], oracle)), rest.valid, rest.need_more)


def apart(work: Callable[[], Weighed | None], seconds: int) -> Weighed | None:
    """In a process of its own, which may fail."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        try:
            found = work()
            os.write(sending, json.dumps(asdict(found) if found else None).encode())
        finally:
            os._exit(0)
    os.close(sending)
    with os.fdopen(receiving, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    data = json.loads(text) if text else None
    return Weighed(**{**data, "lines": tuple(data["lines"]), "redundant": tuple(data["redundant"])}) if data else None


def drawn(folder: Path, chance: random.Random) -> Iterator[tuple[Path, Path]]:
    """Files with their libraries, one of each library in turn."""
    libraries = sorted(path for path in folder.iterdir() if path.is_dir())
    chance.shuffle(libraries)
    left = {library: sorted(library.rglob("*.c")) for library in libraries}
    for files in left.values():
        chance.shuffle(files)
    while any(left.values()):
        for library, files in left.items():
            if files:
                yield library, files.pop()


def functions(library: Path, path: Path, chance: random.Random) -> Iterator[tuple[str, Callable[[], Program]]]:
    """Some of the file's, while it is open."""
    holding = {header.parent for header in library.rglob("*.h")}
    around = {path.parent for path in holding if path != library}
    settings = CSettings(DataModel.LP64, tuple(map(str, sorted(holding | around))), ("_GNU_SOURCE",))
    for name, read in read_each((Source(str(path)),), settings):
        if chance.random() < TAKEN:
            yield name, read


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="How short contracts of other people's functions are.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--functions", type=int, default=60)
    parser.add_argument("--each", type=int, default=3, help="functions of one file that are tried")
    parser.add_argument("--seconds", type=int, default=20, help="of the processor, for each function")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--callers", action="store_true", help="only functions that call others")
    parser.add_argument("--told", action="store_true", help="print each contract")
    given = parser.parse_args(arguments)
    chance = random.Random(given.seed)
    found: list[Weighed] = []
    for library, path in drawn(given.folder, chance):
        try:
            for name, read in islice(functions(library, path, chance), given.each):
                work = partial(weighed, read, name, given.seconds / 2, callers_only=given.callers)
                one = apart(work, given.seconds)
                if one is None or (given.callers and not one.clauses):
                    continue
                found.append(one)
                if given.told or len(one.lines) > 3 or one.redundant or one.need_more:
                    print(
                        f"{path.name}: {name}",
                        *one.lines,
                        *(f"! {text}" for text in one.redundant),
                        sep="\n  ",
                        flush=True,
                    )
                if len(found) == given.functions:
                    break
        except SorrelError:
            continue
        if len(found) == given.functions:
            break
    longest = max((len(each.lines) for each in found), default=0)
    short = sum(len(each.lines) <= 3 for each in found)
    print(
        f"{len(found)} functions, {sum(len(each.lines) for each in found)} lines,"
        f" at most {longest}; {short} in three lines"
    )
    print(f"{sum(len(each.redundant) for each in found)} facts that others imply")
    print(
        f"{sum(e.clauses for e in found)} clauses of callers, {sum(e.need_more for e in found)} need more than is told"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
