"""What is known when a function is called at any time: of variables that can vary, nothing, nor of their pointers."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, interpreted, program_of
from sorrel.frontends.c import Unsupported

_ERROR = "void reach_error(void);\n"
_VARYING = {
    "a pointer": "static int h, *g; void set(void) { g = &h; } int f(void) { if (g) reach_error(); return 0; }",
    "a pointer with a value": "int h, *g = &h; int f(void) { if (!g) reach_error(); return 0; }",
    "a pointer in a structure": "struct s { int n; int *p; } s; int f(void) { if (s.p) reach_error(); return 0; }",
    "a number beside a pointer": "struct s { int n; int *p; } s; int f(void) { if (s.n) reach_error(); return 0; }",
    "a function": "void (*hook)(void); int f(void) { if (hook) reach_error(); return 0; }",
    "a variable of the function": "int f(void) { static int n; n++; if (n != 1) reach_error(); return 0; }",
    "a pointer of the function": "int f(void) { static int *p; if (p) reach_error(); return 0; }",
    "a pointer that no file defines": "extern int *g; int f(void) { if (g) reach_error(); return 0; }",
}


@pytest.mark.parametrize("text", _VARYING.values(), ids=_VARYING)
def test_what_can_vary_has_any_value_when_a_function_is_called(text: str) -> None:
    program = program_of(_ERROR + text, function="f")
    found = {interpreted(program, choices) for choices in ([0] * 20, [5] * 20, [-1] * 20)}
    assert Behaviour("error") in found


def test_an_array_of_pointers_has_any_value_when_a_function_is_called() -> None:
    program = program_of("static int h, *t[3] = { &h }; int f(void) { return t[1] == 0; }", function="f")
    assert "t.object" in {variable.name for variable in program.globals}
    assert "t.object" not in program.initial


def test_a_pointer_that_no_file_defines_may_not_be_null() -> None:
    program = program_of(f"{_ERROR}extern int *g; int main(void) {{ if (g) reach_error(); return 0; }}")
    assert interpreted(program, [5]) == Behaviour("error")


@pytest.mark.parametrize(
    "text",
    [
        "static int h, *g; int f(void) { return g ? *g : 0; }",
        "static int h, *g; int f(void) { int *p = g; return p ? p[1] : 0; }",
        "struct s { int *p; } s; int f(void) { *s.p = 1; return 0; }",
        "struct s { int v; struct s *next; } *head; int f(void) { return head->v; }",
        "void (*hook)(void); void g(void) {} void set(void) { hook = g; } int f(void) { set(); hook(); return 0; }",
        "extern int *g; int f(void) { return *g; }",
        "struct q { int *p; }; int f(void *v) { struct q *q = v; return q->p == 0; }",
    ],
)
def test_where_a_pointer_leads_that_may_be_any_is_not_guessed(text: str) -> None:
    with pytest.raises(Unsupported):
        program_of(text, function="f")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('static const char *const names[] = { "ab", "c" }; int f(void) { return names[1][0]; }', 99),
        ("static int k(void) { return 1; } static int (*const t[])(void) = { k }; int f(void) { return t[0](); }", 1),
        ("static const int k = 4; int f(void) { static const int m = 3; return k * m; }", 12),
        ("static const struct { int a[2]; } s = { { 5, 6 } }; int f(void) { return s.a[1]; }", 6),
    ],
)
def test_constants_have_their_values(text: str, result: int) -> None:
    text = f"{_ERROR}{text} int g(void) {{ if (f() != {result}) reach_error(); return 0; }}"
    assert interpreted(program_of(text, function="g")) == Behaviour("returned")
