"""Programs of the corpora with an error planted in them, or with a small fault, compiled and run with random inputs.

If a run reaches the error, no answer may be safe. If Sorrel calls a program unsafe, its counterexample must reach the
error in the compiled program. Corpora are folders of this repository, and the C programs below the folder SORREL_BENCH.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from clang.cindex import Cursor, CursorKind, Index, TokenKind, TypeKind

from bench.fuzz import warm
from bench.fuzz.c.judge import compiler
from bench.fuzz.report import Report, Trial, save
from sorrel.model.outcome import Answer, ReplayResult
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task

LIMIT = 8.0
RUNS = 40
_FOLDERS = ("tests/corpus/c/safe", "tests/corpus/c/unsafe", "bench/programs")
_LONGEST = 20_000
_INTEGERS = {
    TypeKind.INT,
    TypeKind.UINT,
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.UCHAR,
    TypeKind.SHORT,
    TypeKind.USHORT,
    TypeKind.LONG,
    TypeKind.ULONG,
    TypeKind.BOOL,
}
_SWAPS = {
    "<": ("<=", ">"),
    "<=": ("<", "=="),
    ">": (">=", "<"),
    ">=": (">", "=="),
    "==": ("!=", "<="),
    "!=": ("==", "<"),
    "+": ("-",),
    "-": ("+",),
    "&&": ("||",),
    "||": ("&&",),
    "++": ("--",),
    "+=": ("-=",),
    "-=": ("+=",),
}
_DECLARED = "extern void reach_error(void);\n"

HARNESS = r"""
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static unsigned long state;
static int spread;
static unsigned long next(void) { state = state * 6364136223846793005UL + 1442695040888963407UL; return state >> 33; }
static long value(void) {
  static const long ends[] = { 0, 1, -1, 2147483647, -2147483647 - 1, 10, 100, 1000 };
  if (spread == 0) return next() % 2;
  if (spread == 1) return (long)(next() % 9) - 3;
  if (spread == 2) return (long)(next() % 200) - 20;
  return next() % 4 ? (long)(next() % 12) : ends[next() % 8];
}
#define INPUT(type, name) type __VERIFIER_nondet_##name(void) { return (type)value(); }
INPUT(int, int) INPUT(unsigned, uint) INPUT(char, char) INPUT(unsigned char, uchar) INPUT(short, short)
INPUT(unsigned short, ushort) INPUT(long, long) INPUT(unsigned long, ulong) INPUT(_Bool, bool) INPUT(_Bool, _Bool)
INPUT(long long, longlong) INPUT(unsigned long long, ulonglong) INPUT(unsigned, unsigned) INPUT(unsigned, u32)
void __VERIFIER_assume(int condition) { if (!condition) _exit(1); }
__attribute__((weak)) void reach_error(void) { _exit(77); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(77); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _exit(77); }
__attribute__((weak)) void sorrel_low(long value) { }
__attribute__((weak)) void sorrel_declassify(long value) { }
__attribute__((weak)) void sorrel_assert_low(long value) { }
static void over(int number) { _exit(3); }
int program_main();
int main(int count, char **arguments) {
  struct itimerval limit = { .it_value = { 0, 200000 } };
  signal(SIGVTALRM, over);
  setitimer(ITIMER_VIRTUAL, &limit, 0);
  state = strtoul(arguments[1], 0, 10) * 2654435761UL + 1;
  spread = strtoul(arguments[1], 0, 10) % 4;
  program_main();
  _exit(0);
}
"""
_REACHED = 77
_UNDEFINED = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """The text of a program that differs from one of a corpus in one place, and how."""

    origin: str
    how: str
    text: str


def run(seed: int, seconds: float, folder: Path) -> Report:
    if compiler() is None:
        return Report("mutants", seed, (), 0.0, skipped="there is no gcc")
    started = time.monotonic()
    trials: list[Trial] = []
    failures: list[Path] = []
    number = 0
    programs = corpus()
    while time.monotonic() - started < seconds:
        number += 1
        chance = Random(f"mutants/{seed}/{number}")
        mutant = mutated(chance, chance.choice(programs))
        if mutant is None or (reached := reaches(mutant.text, RUNS)) is None:
            continue
        trial, detail = tried(mutant, reached)
        trials.append(trial)
        if trial.wrong:
            files = {"program.c": mutant.text, "detail.txt": detail}
            command = f"sorrel verify --replay program.c  # {mutant.origin}: {mutant.how}"
            name = f"{seed}-{number}"
            failures.append(save(folder, "mutants", name, files, seed=seed, command=command, wrong=trial.wrong))
    return Report("mutants", seed, tuple(trials), time.monotonic() - started, tuple(failures))


@cache
def corpus() -> tuple[Path, ...]:
    """C programs of one file that are not too long and have no threads."""
    shared = os.environ.get("SORREL_BENCH", "")
    folders = [Path(folder) for folder in _FOLDERS] + ([Path(shared) / "c"] if shared else [])
    found = []
    for file in sorted(each for folder in folders for each in folder.rglob("*.c")):
        text = file.read_text(encoding="utf-8", errors="replace")
        if re.search(r"\bmain\s*\(", text) and "pthread" not in text and len(text) < _LONGEST:
            found.append(file)
    return tuple(found)


def tried(mutant: Mutant, reached: bool) -> tuple[Trial, str]:
    task = Task((Source("program.c", mutant.text),), Property.ASSERTIONS)
    reply = warm.verify(task, LIMIT, replay=True)
    wrong = reply.wrong(Answer.UNSAFE) if reached else reply.wrong(Answer(reply.answer))
    replay = reply.outcome.replay if reply.outcome else None
    if not wrong and reply.answer == Answer.UNSAFE and replay and replay.result is ReplayResult.MISSED:
        wrong = "unsafe, but the compiled program does not reach the error with the values of the counterexample"
    constructs = frozenset({mutant.how, "error reached" if reached else "error not reached"})
    return Trial(mutant.how, reply.verdict, reply.reason, wrong, constructs, reply.seconds), reply.detail or str(replay)


# Running


def reaches(text: str, runs: int) -> bool | None:
    """Whether some random run reaches the error without undefined behaviour before; None if it cannot be compiled."""
    with tempfile.TemporaryDirectory(prefix="sorrel-fuzz-") as name:
        folder = Path(name)
        plain = _compiled(text, folder, "plain", [])
        if plain is None:
            return None
        reaching = [number for number in range(runs) if _ends(plain, number) == _REACHED]
        if not reaching:
            return False
        watched = _compiled(text, folder, "watched", _UNDEFINED)
        return watched is not None and any(_ends(watched, number) == _REACHED for number in reaching[:10])


def _compiled(text: str, folder: Path, name: str, checks: Sequence[str]) -> Path | None:
    program, harness, binary = folder / "program.c", folder / "harness.c", folder / name
    program.write_text(text, encoding="utf-8")
    harness.write_text(HARNESS, encoding="utf-8")
    flags = ["-O0", "-w", "-std=gnu17", "-fno-builtin", *checks]
    command = [compiler() or "gcc", *flags, "-Dmain=program_main", "-c", str(program), "-o", str(folder / "program.o")]
    link = [compiler() or "gcc", "-w", *checks, str(harness), str(folder / "program.o"), "-o", str(binary)]
    for step in (command, link):
        if subprocess.run(step, capture_output=True, timeout=60, check=False).returncode:
            return None
    return binary


def _ends(binary: Path, number: int) -> int:
    try:
        done = subprocess.run([str(binary), str(number)], capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return -1
    return done.returncode


# Changing


def mutated(chance: Random, file: Path) -> Mutant | None:
    text = file.read_text(encoding="utf-8", errors="replace")
    if chance.random() < 0.6:
        found = _planted(chance, file, text)
        how = "error planted"
    else:
        found = _faulty(chance, file, text)
        how = "operator or number changed"
    return Mutant(str(file), how, found) if found else None


@cache
def _tree(file: Path) -> Cursor:
    return Index.create().parse(str(file), args=["-std=gnu17"])


def _planted(chance: Random, file: Path, text: str) -> str | None:
    """if (…) reach_error(); before a statement, about variables that can be seen there."""
    places = list(_places(_tree(file).cursor, str(file)))
    if not places:
        return None
    offset, names = chance.choice(places)
    one, number = chance.choice(names), chance.choice((0, 1, 2, 3, 5, 10, -1, chance.randint(-20, 200)))
    tests = [
        f"{one} == {number}",
        f"{one} > {number}",
        f"{one} < {number}",
        f"{one} == {chance.choice(names)} + {number}",
    ]
    data = text.encode()
    line = f"if ({chance.choice(tests)}) reach_error(); ".encode()
    return _DECLARED + (data[:offset] + line + data[offset:]).decode(errors="replace")


def _places(root: Cursor, file: str) -> Iterator[tuple[int, list[str]]]:
    """Beginnings of statements in blocks, with the integer variables that can be seen there."""
    outside: list[str] = []
    for cursor in root.get_children():
        if cursor.kind == CursorKind.VAR_DECL and cursor.type.get_canonical().kind in _INTEGERS:
            outside.append(cursor.spelling)
        if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition() and str(cursor.location.file) == file:
            if cursor.spelling in ("reach_error", "__VERIFIER_assert"):
                continue
            given = [each.spelling for each in cursor.get_arguments() if each.type.get_canonical().kind in _INTEGERS]
            yield from _inside(cursor, [*outside, *given])


def _inside(cursor: Cursor, names: list[str]) -> Iterator[tuple[int, list[str]]]:
    known = list(names)
    for child in cursor.get_children():
        if cursor.kind == CursorKind.COMPOUND_STMT and known and child.kind not in (CursorKind.LABEL_STMT,):
            yield child.extent.start.offset, list(known)
        if child.kind == CursorKind.DECL_STMT:
            own = [each for each in child.get_children() if each.kind == CursorKind.VAR_DECL]
            known += [each.spelling for each in own if each.type.get_canonical().kind in _INTEGERS]
        else:
            yield from _inside(child, known)


def _faulty(chance: Random, file: Path, text: str) -> str | None:
    """One operator or number of a function, changed."""
    unit = _tree(file)
    places: list[tuple[int, int, str]] = []
    for token in unit.get_tokens(extent=unit.cursor.extent):
        start, end = token.extent.start.offset, token.extent.end.offset
        if token.kind == TokenKind.LITERAL and token.spelling.isdigit():
            number = int(token.spelling)
            places += [(start, end, str(number + 1)), (start, end, str(max(number - 1, 0)))]
        elif token.kind == TokenKind.PUNCTUATION:
            places += [(start, end, other) for other in _SWAPS.get(token.spelling, ())]
    if not places:
        return None
    start, end, word = chance.choice(places)
    data = text.encode()
    return (data[:start] + word.encode() + data[end:]).decode(errors="replace")
