"""Runs of the interpreter beside runs of the compiled program: what was misread is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from c_execution import require_compiler
from folders import CORPUS, PROGRAMS
from sorrel.frontends.c import CSettings, read_with_globals
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process.pipeline import verify
from sorrel.program.expression import Constant, Expression
from sorrel.program.program import Program
from sorrel.program.statement import Block, Branch, Goto, Print
from sorrel.program.traversal import rewrite, rewrite_statement
from sorrel.program.validate import complaints
from sorrel.replay import coverage
from sorrel.replay.compiled_program import CompiledProgram
from sorrel.replay.compiler import compiler
from sorrel.testing.validation import Validated, compared, validate

TEXT = """#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { unsigned char c; short s[2]; };
int table[2][3];
static struct pair pairs[2];
_Bool flag;
unsigned long long big = 18446744073709551615ULL;
static int count(int n) {
  int i, sum = 0;
  for (i = 0; i < 4; i++) {
    if (i == n)
      sum += 10;
    else
      sum += 10;
  }
  return sum;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  table[1][2] = n;
  pairs[1].c = n;
  pairs[0].s[1] = count(n);
  flag = n != 0;
  printf("%d\\n", pairs[0].s[1] + 1);
  if (n == 7)
    exit(3);
  switch (n) {
    case 1:
      big = 77;
      break;
    case 2:
      reach_error();
  }
  return 2;
}
"""


_HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
_SORTED = (
    "int n, a[5] = {{5, 3, 4, 1, 2}}; int by(const void *x, const void *y) {{ {} return *(int *)x - *(int *)y; }}\n"
    "int main(void) {{ qsort(a, 5, sizeof *a, by); return n; }}"
)


def _task(text: str = TEXT) -> Task:
    require_compiler()
    return Task((Source("program.c", text),))


def _validated(text: str, misread: Callable[[Program], Program], folder: Path) -> Validated:
    task = _task(text)
    program, visible = read_with_globals(task.sources, CSettings())
    wrong = misread(program)
    assert not list(complaints(wrong))
    compiled = CompiledProgram(task, visible, folder)
    return compared(wrong, visible, compiled, {"program.c": text}, Budget().start(), 12)


def test_runs_of_a_program_agree_with_the_compiled_one() -> None:
    validated = validate(_task(), Budget().start(), 12)
    assert not validated.difference
    assert not validated.skipped
    assert validated.agreeing >= 6


def _with_blocks(program: Program, change: Callable[[Block], Block]) -> Program:
    procedures = (replace(each, blocks=tuple(map(change, each.blocks))) for each in program.procedures)
    return replace(program, procedures=tuple(procedures))


def _with_constants(program: Program, old: int, new: int) -> Program:
    def constant(node: Expression) -> Expression:
        return replace(node, value=new) if isinstance(node, Constant) and node.value == old else node

    def block(each: Block) -> Block:
        changed = (rewrite_statement(statement, lambda e: rewrite(e, constant)) for statement in each.statements)
        return replace(each, statements=tuple(changed))

    return _with_blocks(program, block)


def _branches_swapped(program: Program) -> Program:
    """Of the decision whose two sides do the same."""

    def block(each: Block) -> Block:
        end = each.terminator
        if isinstance(end, Branch) and end.span.line == 13:
            return replace(each, terminator=replace(end, then=end.otherwise, otherwise=end.then))
        return each

    return _with_blocks(program, block)


def _without_decision(program: Program) -> Program:
    def block(each: Block) -> Block:
        end = each.terminator
        if isinstance(end, Branch) and end.span.line == 27:
            return replace(each, terminator=Goto(end.then, end.span))
        return each

    return _with_blocks(program, block)


def _printing(program: Program) -> Program:
    def block(each: Block) -> Block:
        changed = (replace(s, format=s.format + "!") if isinstance(s, Print) else s for s in each.statements)
        return replace(each, statements=tuple(changed))

    return _with_blocks(program, block)


@pytest.mark.parametrize(
    ("misread", "told"),
    [
        (lambda program: _with_constants(program, 5, 4), "table"),  # another element of the array
        (lambda program: _with_constants(program, 77, 78), "big"),
        (lambda program: _with_constants(program, 10, 11), "printed"),
        (_printing, "printed"),
        (_without_decision, ""),
        (_branches_swapped, "program.c:1"),
    ],
    ids=["element", "global", "value", "text", "status", "branch"],
)
def test_a_program_that_was_misread_is_noticed(
    misread: Callable[[Program], Program], told: str, tmp_path: Path
) -> None:
    if "program.c" in told and not coverage.tool(compiler()):
        pytest.skip("there is no gcov")
    difference = _validated(TEXT, misread, tmp_path).difference
    assert difference
    assert told in difference


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(void) { int a[2] = {1, 2}; int i = 5; return a[i]; }", "violated"),
        ("int main(void) { int x = 2147483647; return x + 1; }", "undefined"),
        ("int main(void) { int x; return x + 1; }", "starved"),
        ("int main(void) { long double d = 1; return (d > 0) + 1; }", "starved"),
        ("int main(void) { for (;;) ; }", "exhausted"),
        ("int i; int f(void) { i = 1; return 1; } int main(void) { return i + f(); }", "is evaluated is open"),
        ("int putchar(int); int main(void) { return putchar(1) - putchar(2); }", "is evaluated is open"),
        (f"{_HEAD}int main(void) {{ int *p = malloc(4); free(p); free(p); return 0; }}", "frees it again"),
        (f"{_HEAD}int main(void) {{ int x, *p = &x; free(p); return 0; }}", "frees it again"),
        (f"{_HEAD}int main(void) {{ return calloc(1UL << 62, 8) == 0; }}", "an allocation gives null"),
        (f"{_HEAD}int main(void) {{ return realloc(malloc(4), 0) == 0; }}", "an allocation gives null"),
        (f"{_HEAD}{_SORTED.format('n++;')}", "is evaluated is open"),
        (f"{_HEAD}{_SORTED.format('putchar(65);')}", "is evaluated is open"),
        ("void f(int *); int main(void) { int x = 7; f(&x); return x; }", "what f does"),
        ("int f(int *); int main(void) { int x = 7; return f(&x) + x; }", "what f does"),
        (
            "struct s { int a, b; } f(void); int main(void) { struct s x = f(); return x.a + x.b; }",
            "what f returns",
        ),
        ("int *f(void); int main(void) { return f() == 0; }", "what f does"),
        (
            "int __VERIFIER_nondet_int(void); int main(void) { int (*f)(void) = __VERIFIER_nondet_int; return f(); }",
            "is not for a harness to choose",
        ),
    ],
)
def test_a_run_is_not_compared_where_the_compiled_program_may_do_as_it_likes(text: str, reason: str) -> None:
    validated = validate(_task(text), Budget().start())
    assert not validated.agreeing
    assert not validated.difference
    assert any(reason in skipped for skipped in validated.skipped)


@pytest.mark.parametrize(
    "declared",
    [
        "static void reach_error(void) {}",
        "static void __attribute__((noinline)) reach_error(void) {}",
        "static inline __attribute__((always_inline)) void reach_error(void) {}",
        "static\nvoid reach_error(void) {} // void reach_error();",
        "#define LOCAL static\nLOCAL void reach_error(void) {}",
        "#define ERROR_FUNCTION static void reach_error(void) {}\nERROR_FUNCTION",
        '#include "errors.h"',
        pytest.param("void reach_error(void) {}", marks=pytest.mark.long),
        pytest.param("extern void reach_error(void) __attribute__((noreturn));", marks=pytest.mark.long),
    ],
)
def test_error_functions_are_noticed_however_they_are_declared(declared: str, tmp_path: Path) -> None:
    (tmp_path / "errors.h").write_text("static void reach_error(void) {}\n")
    task = replace(_task(f"{declared}\nint main(void) {{ reach_error(); return 0; }}\n"), include=(str(tmp_path),))
    validated = validate(task, Budget().start())
    assert not validated.difference
    assert validated.agreeing


def test_inputs_of_all_types_are_given_to_the_compiled_program() -> None:
    types = {
        "bool": "_Bool",
        "char": "char",
        "uchar": "unsigned char",
        "short": "short",
        "ushort": "unsigned short",
        "int": "int",
        "uint": "unsigned",
        "long": "long",
        "ulong": "unsigned long",
        "double": "double",
        "float": "float",
        "longlong": "long long",
    }
    declared = "".join(f"{type} __VERIFIER_nondet_{name}(void);\n" for name, type in types.items())
    read = " ".join(f"h = h * 31 + (long)__VERIFIER_nondet_{name}();" for name in types)
    task = _task(
        f"{declared}_Bool given(void);\nint main(void) {{ unsigned long h = given(); {read} return h % 251; }}\n"
    )
    validated = validate(task, Budget().start())
    assert not validated.difference
    assert validated.agreeing > 1


def test_folders_of_headers_are_found_from_where_we_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "own.h").write_text("int g = 3;\n")
    monkeypatch.chdir(tmp_path)
    task = _task('#include "own.h"\nint main(void) { g++; return g; }')
    assert validate(replace(task, include=("headers",)), Budget().start()).agreeing == 1


def test_functions_and_other_texts_are_not_validated() -> None:
    task = replace(_task("int f(int x) { return x; }"), function="f")
    assert not validate(task, Budget().start()).agreeing


def test_names_that_the_program_hides_are_not_taken_for_others() -> None:
    text = "int x = 3;\nint main(void) { x = 4; return 0; }\n#define x 7\n"
    validated = validate(_task(text), Budget().start())
    assert validated.agreeing
    assert not validated.difference


def test_a_difference_is_an_internal_error_and_never_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorrel.testing.validation.validate", lambda *_: Validated(difference="x is 1, not 2"))
    outcome = verify(_task(), Options(validate=True))
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.INTERNAL
    assert "x is 1, not 2" in outcome.reason.message


def test_validation_is_told() -> None:
    text = "int main(void) { return 0; }"
    outcome = verify(_task(text), Options(budget=Budget(30), validate=True))
    assert outcome.answer is Answer.SAFE
    assert any("validated: 1 runs agree" in note for note in outcome.notes)


def _corpus() -> list[Path]:
    root = CORPUS / "c"
    return sorted(path for kind in ("safe", "unsafe") for path in (root / kind).glob("*.c"))


@pytest.mark.long
@pytest.mark.parametrize("chosen", range(4))
def test_every_program_of_the_corpus_is_a_valid_translation(chosen: int) -> None:
    require_compiler()
    agreeing = 0
    for path in _corpus()[chosen::4]:
        validated = validate(Task((Source(str(path)),)), Budget().start(), 3)
        assert not validated.difference, path
        agreeing += validated.agreeing
    assert agreeing >= len(_corpus()[chosen::4])


@pytest.mark.long
def test_programs_of_the_benchmarks_are_valid_translations(bench_folder: Path) -> None:
    own = PROGRAMS
    for path in sorted((*own.rglob("*.c"), *(bench_folder / "c").rglob("*.[ci]"))):
        outcome = verify(Task((Source(str(path)),)), Options(engine="unwind", budget=Budget(5), validate=True))
        assert outcome.reason is None or outcome.reason.cause is not Cause.INTERNAL, path


def test_an_expression_of_several_lines_may_be_counted_at_any_of_them() -> None:
    text = """int out;
static int within(int y, int m) {
  return y >= 1600 && y <= 3999
         && m <= 28 + y;
}
int main(void) {
  out = within(0, 0);
  return out;
}
"""
    read = validate(_task(text), Budget(30.0).start())
    assert not read.difference
    assert read.agreeing == 1


def test_the_end_of_a_variable_is_counted_at_any_line_that_leaves_its_block() -> None:
    text = """static void set(int *p) { *p = 3; }
static int twice(int n) {
  for (;;) {
    int length;
    if (n < 0)
      return -1;
    set(&length);
    if (n < length)
      return 0;
    n -= length;
  }
}
int out;
int main(void) {
  out = twice(7);
  return out;
}
"""
    read = validate(_task(text), Budget(30.0).start())
    assert not read.difference
    assert read.agreeing == 1
