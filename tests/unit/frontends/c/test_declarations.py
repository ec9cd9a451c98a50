"""What declarations promise: functions that do not return, elements that are there, names of the program itself."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler
from sorrel.frontends.c import Unsupported
from sorrel.program.expression import Binary, Constant
from sorrel.program.statement import Assume

_GUARDED = (
    "\nint a[4] = {1, 2, 3, 4}; extern int __VERIFIER_nondet_int(void); "
    "int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) die(); return a[i]; }"
)


@pytest.mark.parametrize(
    "declaration",
    [
        "_Noreturn void die(void);",
        "void die(void) __attribute__((noreturn));",
        "__attribute__((__noreturn__)) void die(void);",
        "[[noreturn]] void die(void);",
        "#include <stdnoreturn.h>\nnoreturn void die(void);",
        "#define NEVER __attribute__((noreturn))\nNEVER void die(void);",
        "void die(void); _Noreturn void die(void);",
        "typedef void function(void); __attribute__((noreturn)) function die;",
        "_Noreturn void die(void) {}",
        "static _Noreturn void die(void); static void die(void) {}",
    ],
)
def test_a_run_ends_in_a_function_that_does_not_return(declaration: str) -> None:
    program = program_of(declaration + _GUARDED)
    assert interpreted(program, [2]) == Behaviour("returned 3")
    assert interpreted(program, [7]) == Behaviour("stopped")
    assert any("die" in str(each) and "does not return" in str(each) for each in program.assumptions)


@pytest.mark.parametrize(
    "declaration",
    [
        "void die(void);",
        "int noreturn; void die(void) {}",
        "void (*die(void))(void) __attribute__((noreturn)) { return 0; }",
        "void die(); void other(void (*f)(void) __attribute__((noreturn))); void die(void) {}",
    ],
)
def test_a_run_goes_on_where_nothing_says_that_it_ends(declaration: str) -> None:
    assert interpreted(program_of(declaration + _GUARDED), [7]) == Behaviour("undefined")


def test_a_function_that_cannot_return_needs_no_promise() -> None:
    text = "#include <stdlib.h>\n_Noreturn void die(void) { exit(1); }" + _GUARDED
    assert not program_of(text).assumptions


@pytest.mark.parametrize(
    ("declaration", "least"),
    [
        ("int *a", 1),
        ("int a[4]", 1),
        ("int a[static 4]", 4),
        ("int a[static 2][3]", 6),
        ("int (*a)[3]", 3),
        ("S *a", 16),
        ("S a", 4),
    ],
)
def test_a_pointer_from_outside_points_to_what_its_type_promises(declaration: str, least: int) -> None:
    text = f"typedef unsigned char S[4][4]; int first({declaration}) {{ return a + 1 != 0; }}"
    program = program_of(text, function="first")
    entry = next(procedure for procedure in program.procedures if procedure.name == program.main)
    assumed = [each.condition for block in entry.blocks for each in block.statements if isinstance(each, Assume)]
    assert [each.right.value for each in assumed if isinstance(each, Binary) and isinstance(each.right, Constant)] == [
        least
    ]


@pytest.mark.parametrize(
    "text",
    [
        "int n; int counting(int x) { n++; return x; } int apply(int (*abs)(int)) { return 0 && abs(1); } "
        "int main(void) { int r = apply(counting); int (*labs)(int) = counting; r += 1 || labs(3); "
        "r += 1 && labs(4); return n * 10 + r; }",
        "struct s { int (*abs)(int); }; int n; int counting(int x) { n++; return x; } "
        "int main(void) { struct s s = {counting}; int r = (n == 0) ? s.abs(5) : 1; return r * 10 + n; }",
        "int n; static int abs(int x) { n++; return x; } int main(void) { int r = (n || abs(3)) + (n && abs(0)); "
        "return r * 10 + n; }",
        "static int n; static int malloc(int x) { return n += x; } static void exit(int x) { n += x; } "
        "int main(void) { exit(2); return malloc(3); }",
        "int main(void) { int exit = 3, malloc = 4, assert = 5; return exit * malloc * assert; }",
    ],
    ids=["parameters and variables", "members", "a body of its own", "static functions", "plain variables"],
)
def test_a_name_means_what_its_declaration_says(text: str) -> None:
    require_compiler()
    assert interpreted(program_of(text)) == executed(text)


@pytest.mark.parametrize(
    "declaration",
    [
        "__attribute__((constructor)) static void first(void) { g = 1; }",
        "#define FIRST __attribute__((unused, __constructor__(101)))\nFIRST static void first(void) { g = 1; }",
        "static void first(void) __attribute__((constructor)); static void first(void) { g = 1; }",
        "__attribute__((destructor)) static void last(void) { g = 1; }",
        "static void end(int *p) { g = *p; } static void used(void) { __attribute__((cleanup(end))) int x = 1; }",
        'extern int h __attribute__((alias("g")));',
        'static int f(void) { return 1; } int h(void) __attribute__((weak, alias("f")));',
        'int f(void) { return 1; } int h(void) __asm__("f");',
        'extern int h __asm__("g");',
    ],
)
def test_code_that_runs_without_a_call_and_second_names_are_refused(declaration: str) -> None:
    with pytest.raises(Unsupported, match=r"the attribute|the name"):
        program_of(f"int g;\n{declaration}\nstatic void used(void);\nint main(void) {{ used(); return g; }}")


@pytest.mark.parametrize(
    ("text", "beside", "said"),
    [
        ('int h(void) __asm__("f");', "int g; int f(void) { g = 1; return 1; }", "the name f for h"),
        ('int h(void) __asm__("f");', "int h(void) { return 1; }", "the name f for h"),
        ('extern int h __asm__("g");', "int g;", "the name g for h"),
        ("int h(void);", "int f(void) { return 1; }\n#pragma weak h = f\nint h(void);", "#pragma weak"),
        ("static int main(int x) { return x; }", "static int main(int x) { return -x; }", "main as the name of"),
    ],
)
def test_second_names_are_refused_across_files(text: str, beside: str, said: str) -> None:
    own = "" if "main" in text else "\nint main(void) { return 0; }"
    with pytest.raises(Unsupported, match=said):
        program_of(text + own, beside=[beside])


@pytest.mark.parametrize(
    "declaration",
    [
        "static int h __attribute__((unused, aligned(16)));",
        "__attribute__((noinline, pure)) static int twice(int n) { return 2 * n; }",
        'extern int scan(const char *, ...) __asm__("__isoc99_scan");',
    ],
)
def test_other_attributes_change_nothing(declaration: str) -> None:
    assert interpreted(program_of(f"{declaration}\nint main(void) {{ return 3; }}")) == Behaviour("returned 3")


_STATIC = "int sum(int a[static 4]) { return a[0]; } int rows(int m[static 2][3]) { return m[0][0]; }"


@pytest.mark.parametrize(
    ("statements", "kept"),
    [
        ("int a[4] = {1}; return sum(a) - 1;", True),
        ("int a[5] = {1}; return sum(a) - 1;", True),
        ("int a[5] = {1, 2}; return sum(a + 1) - 2;", True),
        ("int a[3] = {1}; return sum(a);", False),
        ("int a[5] = {1, 2}; return sum(a + 2);", False),
        ("int *p = malloc(4 * sizeof *p); p[0] = 0; return sum(p);", True),
        ("int *p = malloc(3 * sizeof *p); p[0] = 0; return sum(p);", False),
        ("int m[2][3] = {{0}}; return rows(m);", True),
        ("int m[3][3] = {{0}}; return rows(m + 1);", True),
        ("int m[3][3] = {{0}}; return rows(m + 2);", False),
        ("int a[3] = {0}; int (*f)(int *) = (int (*)(int *))sum; return f(a);", False),
    ],
)
def test_callers_must_give_as_many_elements_as_static_promises(statements: str, kept: bool) -> None:
    text = f"#include <stdlib.h>\n{_STATIC} int main(void) {{ {statements} }}"
    assert interpreted(program_of(text)) == Behaviour("returned 0" if kept else "undefined")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("int f(const int n) { int *p = (int *)&n; *p = 3; return n; }", "undefined"),
        ("int g(int *p) { *p = 1; return 0; } int f(const int n) { g((int *)&n); return n; }", "undefined"),
        ("int f(const int n) { const int *p = &n; return *p + n; }", "returned 4"),
        ("int f(const int n) { if (!n) return 0; const int *p = &n; return f(n - 1) + *p; }", "returned 3"),
        (
            "int g(const int a[2]) { int *p = (int *)a; p[0] = 5; return a[0]; } int f(int n) { return g(&n); }",
            "returned 5",
        ),
        ("int g(const int *p) { int *q = (int *)p; *q = 5; return *p; } int f(int n) { return g(&n); }", "returned 5"),
    ],
)
def test_a_parameter_that_is_constant_is_not_written_to(text: str, seen: str) -> None:
    assert interpreted(program_of(f"{text} int main(void) {{ return f(2); }}")) == Behaviour(seen)
