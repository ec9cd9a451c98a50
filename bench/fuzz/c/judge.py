"""The compiler as the judge: many programs compiled as one file, each run with all its inputs.

Undefined behaviour is seen by the compiler's own checks, whose handlers are ours: each run ends with a word
that says how.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from bench.fuzz.c.program import Input

_CHECKS = "signed-integer-overflow,shift,integer-divide-by-zero,bounds,null,object-size,unreachable,vla-bound"
_LIMIT = 120.0


class End(StrEnum):
    """How a run of a compiled program ended."""

    RETURNED = "returned"
    REFUSED = "refused"
    ERROR = "error"
    OVERFLOW = "overflow"
    DIVISION = "division"
    BOUNDS = "bounds"
    UNDEFINED = "undefined"
    EXITED = "exited"
    LATE = "late"
    CRASHED = "crashed"


_ENDS = tuple(End)

HARNESS = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static struct { long long used; long long end; long long seen[256][2]; long long given; } *shared;
static long long vector[16];
static int position;
__attribute__((noreturn)) static void finish(int how) { shared->end = how; _exit(0); }
static long long next(void) { return position < 16 ? vector[position++] : 0; }
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
_Bool __VERIFIER_nondet_bool(void) { return (_Bool)next(); }
void __VERIFIER_assume(int condition) { if (!condition) finish(1); }
void reach_error(void) { finish(2); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { finish(2); }
void observe(int slot, long long value) {
  if (shared->used < 256) { shared->seen[shared->used][0] = slot; shared->seen[shared->used++][1] = value; }
}
void sorrel_low(long value) { observe(100, value); }
void sorrel_assert_low(long value) { observe(101, value); }
#define HANDLER(name, how) void __ubsan_handle_##name##_abort() { finish(how); }
HANDLER(add_overflow, 3) HANDLER(sub_overflow, 3) HANDLER(mul_overflow, 3) HANDLER(negate_overflow, 3)
HANDLER(out_of_bounds, 5) HANDLER(type_mismatch_v1, 5) HANDLER(type_mismatch, 5) HANDLER(pointer_overflow, 6)
HANDLER(shift_out_of_bounds, 6) HANDLER(vla_bound_not_positive, 6)
void __ubsan_handle_builtin_unreachable() { finish(6); }
void __ubsan_handle_divrem_overflow_abort(void *data, unsigned long one, unsigned long other) { finish(other ? 3 : 4); }
void __asan_on_error(void) { finish(5); }
static void late(int number) { finish(8); }
static void crashed(int number) { finish(9); }
typedef struct { int (*start)(void); int inputs; long long low[8], high[8]; } Program;
"""

_MAIN = r"""
static void run(Program *program) {
  struct itimerval limit = { .it_value = { 0, 150000 } };
  shared->used = 0; shared->end = 7; position = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGVTALRM, late); signal(SIGSEGV, crashed); signal(SIGBUS, crashed); signal(SIGFPE, crashed);
    setitimer(ITIMER_VIRTUAL, &limit, 0);
    int result = program->start();
    observe(102, result);
    finish(0);
  }
  int status;
  waitpid(child, &status, 0);
}
int main(int count, char **arguments) {
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (unsigned at = 0; at < sizeof programs / sizeof *programs; at++) {
    Program *program = &programs[at];
    for (int i = 0; i < program->inputs; i++) vector[i] = program->low[i];
    int lates = 0;
    for (;;) {
      run(program);
      printf("%u %lld", at, shared->end);
      for (int i = 0; i < program->inputs; i++) printf(" %lld", vector[i]);
      printf(" |");
      for (int i = 0; i < shared->used; i++) printf(" %lld %lld", shared->seen[i][0], shared->seen[i][1]);
      printf("\n");
      if (shared->end == 8 && ++lates >= 2) break;
      int i = 0;
      while (i < program->inputs && ++vector[i] > program->high[i]) { vector[i] = program->low[i]; i++; }
      if (i == program->inputs) break;
    }
  }
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its inputs, how it ended, and what was observed on the way, as pairs of a slot and a value."""

    inputs: tuple[int, ...]
    end: End
    seen: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """A program as part of a file with others."""

    tag: str
    text: str
    inputs: tuple[Input, ...]


@cache
def compiler() -> str | None:
    return shutil.which("gcc")


def judged(subjects: Sequence[Subject], *, addresses: bool = False, judge: str = "gcc") -> list[tuple[Run, ...] | None]:
    """All runs of each program; None for one that does not compile. With `addresses`, accesses are watched as well."""
    if not subjects:
        return []
    found = _executed(subjects, addresses, judge)
    if found is not None:
        return list(found)
    if len(subjects) == 1:
        return [None]
    half = len(subjects) // 2
    return [
        run for part in (subjects[:half], subjects[half:]) for run in judged(part, addresses=addresses, judge=judge)
    ]


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sorrel-fuzz-") as name:
        yield Path(name)


def _executed(subjects: Sequence[Subject], addresses: bool, judge: str) -> list[tuple[Run, ...]] | None:
    table = ",\n".join(
        f"  {{ main_{each.tag}, {len(each.inputs)}, {{ {', '.join(str(i.low) for i in each.inputs) or 0} }}, "
        f"{{ {', '.join(str(i.high) for i in each.inputs) or 0} }} }}"
        for each in subjects
    )
    text = HARNESS + "".join(each.text for each in subjects) + f"static Program programs[] = {{\n{table}\n}};\n" + _MAIN
    with _folder() as folder:
        source, binary = folder / "batch.c", folder / "batch"
        source.write_text(text, encoding="utf-8")
        checks = [f"-fsanitize={_CHECKS}", "-fno-sanitize-recover=all"]
        watch = ["-fsanitize=address"] if addresses else []
        flags = ["-O0", "-w", "-std=gnu17", *checks, *watch]
        command = [judge, *flags, "-c", str(source), "-o", f"{binary}.o"]
        link = [judge, *watch, f"{binary}.o", "-o", str(binary)]
        for step in (command, link):
            if subprocess.run(step, capture_output=True, timeout=_LIMIT, check=False).returncode:
                return None
        done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=_LIMIT, check=True)
    return _read(done.stdout, subjects)


def _read(output: str, subjects: Sequence[Subject]) -> list[tuple[Run, ...]]:
    found: list[list[Run]] = [[] for _ in subjects]
    for line in output.splitlines():
        left, _, right = line.partition("|")
        number, end, *inputs = map(int, left.split())
        seen = list(map(int, right.split()))
        pairs = tuple(zip(seen[::2], seen[1::2], strict=True))
        found[number].append(Run(tuple(inputs), _ENDS[end], pairs))
    return [tuple(runs) for runs in found]
