"""What is known when a function is called at any time: of variables that can vary, nothing, nor of their pointers."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, interpreted, program_of, supply
from sorrel.program.interpreter import run
from sorrel.program.run import Violated
from sorrel.program.statement import Havoc, Kind

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


_UNSET = {
    "a variable": "int main(void) { int x, *p; if (n()) p = &x; if (p) reach_error(); return 0; }",
    "a member": "struct s { int k, *p; }; int main(void) { int x; struct s s; if (s.p) reach_error(); s.p = &x; }",
    "a function": "void g(void) {} int main(void) { void (*f)(void); if (n()) f = g; if (f) reach_error(); return 0; }",
}
_FOLLOWED = {
    "a variable": "int main(void) { int x, *p; if (n()) p = &x; if (p) *p = 1; return 0; }",
    "a member": "struct s { int k, *p; }; int main(void) { int x; struct s s; if (s.p) *s.p = 1; s.p = &x; }",
    "a function": "void g(void) {} int main(void) { void (*f)(void); if (n()) f = g; if (f) f(); return 0; }",
}
_CHOICES = ([0] * 9, [1] * 9, [0, 1] * 5, [1, 0] * 5)


@pytest.mark.parametrize("text", _UNSET.values(), ids=_UNSET)
def test_a_pointer_that_was_never_set_may_not_be_null(text: str) -> None:
    ends = _ends(text)
    assert {Kind.ERROR_CALL, None} <= ends


@pytest.mark.parametrize("text", _FOLLOWED.values(), ids=_FOLLOWED)
def test_a_pointer_that_was_never_set_leads_nowhere(text: str) -> None:
    ends = _ends(text)
    assert {Kind.BOUNDS, None} <= ends


def test_pointers_in_memory_that_was_never_set_have_any_value() -> None:
    text = """void *malloc(unsigned long); struct s { int k, *p; };
int main(void) { int x; struct s *s = malloc(sizeof *s); if (s->p) return 1; s->p = &x; return 0; }"""
    statements = [each for block in program_of(text).procedures[0].blocks for each in block.statements]
    forgotten = {each.target.name for each in statements if isinstance(each, Havoc)}
    assert any(name.startswith("dangling") for name in forgotten)  # null, or what is no object


def _ends(text: str) -> set[Kind | None]:
    """How runs end, by the assertion that fails; what is not set is chosen too."""
    program = program_of(f"{_ERROR}int n(void);\n{text}")
    found: set[Kind | None] = set()
    for choices in _CHOICES:
        end = run(program, supply(choices)).end
        found.add(end.assertion.kind if isinstance(end, Violated) else None)
    return found


def test_a_pointer_that_no_file_defines_may_not_be_null() -> None:
    program = program_of(f"{_ERROR}extern int *g; int main(void) {{ if (g) reach_error(); return 0; }}")
    assert interpreted(program, [5]) == Behaviour("error")


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
