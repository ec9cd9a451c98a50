"""Memory that is freed, variables that end, and what is left in the end: as the compiler's sanitizers see it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from c_execution import program_of
from samples import some
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.assumption import AssumptionKind
from sorrel.model.source import Source
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Violated
from sorrel.program.statement import Choice, Kind
from sorrel.program.types import BOOLEAN, UNBOUNDED, Type
from sorrel.program.value import Value, zero
from sorrel.replay.compiler import compiler

_HEAD = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); void exit(int);\n"
_PROGRAMS = {
    "freed once": ("int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }", None),
    "null is freed": ("int main(void) { free(0); return 0; }", None),
    "used after free": ("int main(void) { int *p = malloc(4), *q = p; free(p); return *q; }", Kind.LIFETIME),
    "written after free": ("int main(void) { int *p = malloc(4), *q = p; free(p); *q = 1; return 0; }", Kind.LIFETIME),
    "a member used after free": (
        "struct s { int a, b; }; int main(void) { struct s *s = malloc(8); int *p = &s->b; free(s); return *p; }",
        Kind.LIFETIME,
    ),
    "freed twice": ("int main(void) { char *p = malloc(4), *q = p; free(p); free(q); return 0; }", Kind.FREE),
    "freed in the middle": ("int main(void) { char *p = malloc(4); free(p + 1); return 0; }", Kind.FREE),
    "a variable freed": ("int main(void) { int x = 0, *p = &x; free(p); return 0; }", Kind.FREE),
    "an array of the program freed": ("char a[4]; int main(void) { free(a); return 0; }", Kind.FREE),
    "the address of a variable returned": (
        "int *f(void) { int x = 3, *p = &x; return p; } int main(void) { int *q = f(); return *q; }",
        Kind.LIFETIME,
    ),
    "the variable of an earlier call": (
        "int *s; int f(void) { int x = 3; if (s) return *s; s = &x; return 0; } int main(void) { f(); return f(); }",
        Kind.LIFETIME,
    ),
    "the address of a variable used in time": (
        "void g(int *p) { *p = 2; } int main(void) { int x = 1; g(&x); return x - 2; }",
        None,
    ),
    "made and freed in a loop": (
        "int main(void) { for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; free(p); } return 0; }",
        None,
    ),
    "kept from the round before": (
        "int main(void) { int *o = 0; for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; if (o) *o = 1; free(p);"
        " o = p; } return 0; }",
        Kind.LIFETIME,
    ),
    "a variable of a block used after it": (
        "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
        Kind.LIFETIME,
    ),
    "a variable of a block used in it": (
        "int main(void) { int *p, s = 0; { int x = 1; p = &x; s = *p; } return s; }",
        None,
    ),
    "left by break": (
        "int main(void) { int *p; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) break; } return *p; }",
        Kind.LIFETIME,
    ),
    "left by continue": (
        "int main(void) { int *p = 0; for (int i = 0; i < 3; i++) { if (p) *p = 1; int x[2] = {i}; p = x; continue; }"
        " return 0; }",
        Kind.LIFETIME,
    ),
    "left by goto": (
        "int main(void) { int *p; { int x = 1; p = &x; goto out; } out: return *p; }",
        Kind.LIFETIME,
    ),
    "the counter of a loop": (
        "int main(void) { int *p = 0; for (int i = 0; i < 3; i++) p = &i; return *p; }",
        Kind.LIFETIME,
    ),
    "the next round sets it again": (
        "int main(void) { int *p, s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; s += *p; } return s; }",
        None,
    ),
    "a jump back inside of the block": (
        "int main(void) { int *p = 0, n = 0; { again: if (p) n += *p; int x = 1; p = &x; if (n < 2) goto again; }"
        " return n; }",
        None,
    ),
    "lost": ("int main(void) { char *p = malloc(4); p[0] = 1; p = 0; return 0; }", Kind.UNTRACKED),
    "freed by a function": (
        "void end(int *p) { free(p); } int main(void) { int *p = malloc(4); end(p); return *p; }",
        Kind.LIFETIME,
    ),
}
_REPORTS = {
    Kind.LIFETIME: ("heap-use-after-free", "stack-use-after-return", "stack-use-after-scope"),
    Kind.FREE: ("attempting double-free", "attempting free", "bad-free"),
    Kind.UNTRACKED: ("LeakSanitizer",),
}


class _Watching:
    """Chooses the watched object; where nothing is known whether memory is lost, it is."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __call__(self, type: Type) -> Value:
        if type != UNBOUNDED:
            return zero(type)
        number, self._number = self._number, 0
        return number


def _kinds(text: str) -> set[Kind]:
    """The first thing that goes wrong, whichever object is watched."""
    program = program_of(_HEAD + text)
    found: set[Kind] = set()
    for number in range(60):
        end = run(program, _Watching(number), steps=5000).end
        if isinstance(end, Violated) and end.assertion.kind is not Kind.NOT_FREED:
            found.add(end.assertion.kind)
    return found


@pytest.mark.parametrize(("text", "kind"), _PROGRAMS.values(), ids=_PROGRAMS)
def test_what_goes_wrong_with_memory(text: str, kind: Kind | None) -> None:
    found = _kinds(text)
    assert kind in found if kind is not None else not found


@pytest.mark.skipif(not compiler(), reason="no C compiler")
@pytest.mark.parametrize(("text", "kind"), some(_PROGRAMS.values(), 3), ids=_PROGRAMS)
def test_sanitizers_agree(text: str, kind: Kind | None, tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(_HEAD + text)
    words = [compiler(), "-w", "-g", "-O0", "-fsanitize=address", "-fno-builtin", str(source), "-o", str(program)]
    if subprocess.run(words, capture_output=True, timeout=60).returncode:
        pytest.skip("the compiler has no address sanitizer")
    options = {"ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1"}
    said = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, env=options).stderr
    assert any(words in said for words in _REPORTS[kind]) if kind is not None else "ERROR" not in said


def test_that_memory_which_was_freed_is_not_used_is_no_assumption() -> None:
    program = program_of(f"{_HEAD}int main(void) {{ int *p = malloc(4); free(p); return 0; }}")
    assert AssumptionKind.LIFETIME not in {premise.kind for premise in program.assumptions}


def test_whether_memory_is_lost_is_for_the_compiled_program_to_tell() -> None:
    program = program_of(f"{_HEAD}int main(void) {{ char *p = malloc(4); return !p; }}")
    found = run(program, _Watching(5), steps=500)
    assert Choice.ABSTRACTION in {used.choice for used in found.used}


def _with_failures(body: str) -> Program:
    settings = CSettings(DataModel.LP64, failing_allocation=True)
    text = f"{_HEAD}void *realloc(void *, unsigned long); int main(void) {{ {body} }}"
    return read([Source("program.c", text)], settings)


_NOTHING = "int *p = malloc(4), *q = realloc(p, 0);"


@pytest.mark.parametrize(
    ("body", "failures", "expected"),
    [
        ("int *p = malloc(4); *p = 1; free(p); return 0;", [True], Kind.BOUNDS),
        ("int *p = malloc(4); *p = 1; free(p); return 0;", [False], None),
        ("int *p = malloc(4); if (p) { *p = 1; free(p); } return 0;", [True], None),
        ("int *p = calloc(2, 4); return p[1];", [True], Kind.BOUNDS),
        ("int *p = malloc(4), *q = realloc(p, 8); free(q); return 0;", [False, True], Kind.NOT_FREED),
        ("int *p = malloc(4), *q = realloc(p, 8); free(q ? q : p); return 0;", [False, True], None),
        ("int *p = malloc(4), *q = realloc(p, 8); free(p); free(q); return 0;", [False, False], Kind.FREE),
        (f"{_NOTHING} if (!q) *p = 1; else free(q); return 0;", [False, False, True], Kind.LIFETIME),
        (f"{_NOTHING} if (!q) free(p); else free(q); return 0;", [False, False, True], Kind.FREE),
        (f"{_NOTHING} free(q); return 0;", [False, False, True], None),
        (f"{_NOTHING} free(q); return 0;", [False, False, False], None),
        (f"{_NOTHING} if (!q) *p = 1; free(q ? q : p); return 0;", [False, True, False], None),
        ("int *p = malloc(4), *q = realloc(p, 8); *q = 1; free(q); return 0;", [False, False, True], None),
    ],
)
def test_an_allocation_may_fail_if_that_is_asked_for(body: str, failures: list[bool], expected: Kind | None) -> None:
    program = _with_failures(body)
    assert all(premise.kind is not AssumptionKind.ALLOCATION for premise in program.assumptions)
    found = {_outcome(program, watched, failures) for watched in range(1, 60)} - {None}
    assert found == (set() if expected is None else {expected})


def _outcome(program: Program, watched: int, failures: list[bool]) -> Kind | None:
    remaining = iter(failures)

    def chosen(type: Type) -> Value:
        if type == BOOLEAN:
            return next(remaining, True)
        return watched if type == UNBOUNDED else zero(type)

    end = run(program, chosen, steps=5000).end
    return end.assertion.kind if isinstance(end, Violated) else None
