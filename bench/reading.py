"""How much of other people's C is read: the functions of each file of a folder, one by one, as `--function` does.

python bench/reading.py FOLDER [--seconds 10] [--apart NAME ...] [--reasons 20] [--only NAME ...]

Each folder inside FOLDER is a library; headers are looked for in its folders that have some, and in those around them.
A file that the compiler does not read is left out and counted. Libraries that are named `--apart` were not looked at
while Sorrel was built: they have a line of their own. Nothing is verified: what counts is whether the function becomes
a program, and why not.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sorrel.frontends.c import CSettings, DataModel, read_each
from sorrel.model.errors import SorrelError, Unsupported
from sorrel.model.source import Source
from sorrel.program.program import Program
from sorrel.program.statement import Choice, Havoc

READ, LEFT_OPEN = "read", "read, with values that are not modelled"


@dataclass(slots=True)
class Tally:
    """What became of the functions of some files."""

    functions: int = 0
    read: int = 0
    left_open: int = 0
    left_out: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.functions += other.functions
        self.read += other.read
        self.left_open += other.left_open
        self.left_out += other.left_out
        self.reasons.update(other.reasons)

    def __str__(self) -> str:
        share = f"{self.read / self.functions:.1%}" if self.functions else "-"
        left_open = f", {self.left_open} of them with values that are not modelled" if self.left_open else ""
        left_out = f", {self.left_out} files left out" if self.left_out else ""
        return f"{self.read} of {self.functions} functions, {share}{left_open}{left_out}"


def reason(read: Callable[[], Program], seconds: int) -> str:
    """Why a function is not read, in few words that others have, too; or one of the two words for what is read.

    In a process of its own.
    """
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.write(sending, _told(read).encode()[:4000])
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving, encoding="utf-8", errors="replace") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return text.strip() if status == 0 else "takes too long"


def _told(read: Callable[[], Program]) -> str:
    try:
        program = read()
    except Unsupported as problem:
        return problem.construct
    except Exception as problem:  # whatever goes wrong with one function, the others are counted
        return f"mistake of ours: {type(problem).__name__}: {problem}"
    statements = (each for procedure in program.procedures for block in procedure.blocks for each in block.statements)
    open_ = any(isinstance(each, Havoc) and each.choice is Choice.ABSTRACTION for each in statements)
    return LEFT_OPEN if open_ else READ


def file_tally(path: Path, folders: tuple[str, ...], seconds: int, told: bool) -> Tally:
    tally = Tally()
    settings = CSettings(DataModel.LP64, folders, ("_GNU_SOURCE",))
    try:
        for name, read in read_each((Source(str(path)),), settings):
            tally.functions += 1
            why = reason(read, seconds)
            read_at_all = why in (READ, LEFT_OPEN)
            tally.read += read_at_all
            tally.left_open += why == LEFT_OPEN
            if not read_at_all:
                tally.reasons[why] += 1
            if not read_at_all and told:
                print(f"  {path.name}: {name}: {why}")
    except SorrelError as problem:
        tally.left_out += 1
        if told:
            print(f"  {path}: {str(problem).splitlines()[0]}")
    return tally


def library_tally(folder: Path, seconds: int, told: bool) -> Tally:
    holding = {header.parent for header in folder.rglob("*.h")}
    around = {path.parent for path in holding if path != folder}
    folders = tuple(str(path) for path in (*sorted(holding), *sorted(around - holding)))
    total = Tally()
    for path in sorted(folder.rglob("*.c")):
        total.add(file_tally(path, folders, seconds, told))
    return total


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="The share of functions of C libraries that are read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=int, default=10, help="of the processor, for each function")
    parser.add_argument("--apart", nargs="*", default=[], metavar="NAME", help="libraries to be counted apart")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these libraries alone")
    parser.add_argument("--reasons", type=int, default=20, help="how many reasons to show")
    parser.add_argument("--told", action="store_true", help="name each function that is not read, with the reason")
    given = parser.parse_args(arguments)
    known, apart = Tally(), Tally()
    for folder in sorted(path for path in given.folder.iterdir() if path.is_dir()):
        if given.only and folder.name not in given.only:
            continue
        tally = library_tally(folder, given.seconds, given.told)
        print(f"{folder.name}: {tally}", flush=True)
        (apart if folder.name in given.apart else known).add(tally)
    print(f"together: {known}")
    for words, count in known.reasons.most_common(given.reasons):
        print(f"  {count:5}  {words}")
    if given.apart:
        print(f"apart: {apart}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
