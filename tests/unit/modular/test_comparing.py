"""Versions of a function: a difference is an input that was run, the same is a proof, and all else is not shown."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.modular.beginning import other_start, other_values
from sorrel.modular.comparing import Compared, compare
from sorrel.program.program import Program
from sorrel.project.difference import Behaviour

COUNT = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }"


def read(text: str) -> Program:
    return c.read([Source("a.c", text)], c.CSettings(function="f"))


def compared(old: str, new: str, seconds: float = 20.0) -> Compared:
    return compare(read(old), read(new), "f", Budget(seconds=seconds).start())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int f(int x, int y) { if (x < y) return x; return y; }", "int f(int a, int b) { return b > a ? a : b; }"),
        ("int f(int *p) { *p = 3; return *p; }", "int f(int *p) { int q = 3; *p = q; return q; }"),
        ("int t; void f(int n) { t = n; t = t + 1; }", "int t; void f(int n) { t = 1 + n; }"),
        ("extern void abort(void);\nint f(int n) { return n; }", "int f(int n) { return n + 0; }"),
    ],
)
def test_what_is_written_differently_and_does_the_same_is_proved_to(old: str, new: str) -> None:
    assert compared(old, new).behaviour is Behaviour.SAME


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (COUNT, COUNT.replace("i < n", "i <= n"), "the result"),
        ("int t; void f(int n) { t = n; }", "int t; void f(int n) { t = n + 1; }", "t"),
        ("int t; void f(int n) { t = n; }", "int t; void f(int n) { }", "t"),
        ("int f(int *p) { *p = 3; return 3; }", "int f(int *p) { *p = 4; return 3; }", "input.p"),
        (
            "static const int c = 1; int f(void) { return c; }",
            "static const int c = 2; int f(void) { return c; }",
            "the result",
        ),
        ("int t; int f(int n) { return t; }", "int t; int f(int n) { t++; return t - 1; }", "t"),
        (
            "int f(int n) { return n; }",
            "#include <assert.h>\nint f(int n) { assert(n != 5); return n; }",
            "whether an assertion fails",
        ),
    ],
)
def test_a_difference_is_shown_by_an_input(old: str, new: str, what: str) -> None:
    found = compared(old, new)
    assert found.behaviour is Behaviour.DIFFERENT
    assert found.example is not None
    assert found.example.differs == what
    assert found.example.old_run
    assert found.example.new_run


def test_what_happens_after_a_failed_assertion_is_no_difference() -> None:
    text = "#include <assert.h>\nint f(int n) {{ assert(n > 0); return n > 0 ? n : {other}; }}"
    assert compared(text.format(other=1), text.format(other=2)).behaviour is Behaviour.SAME


def test_values_that_somebody_else_chooses_are_no_difference() -> None:
    text = "extern int __VERIFIER_nondet_int(void);\nint f(int n) {{ return {body}; }}"
    found = compared(text.format(body="__VERIFIER_nondet_int()"), text.format(body="__VERIFIER_nondet_int() + 0"), 3.0)
    assert found.behaviour is Behaviour.NOT_SHOWN


def test_constants_in_tables_are_not_overlooked() -> None:
    text = "static const int c[3] = {{1, 2, {last}}}; int f(int n) {{ return n >= 0 && n < 3 ? c[n] : 0; }}"
    assert compared(text.format(last=3), text.format(last=4)).behaviour is not Behaviour.SAME


def test_other_parameters_are_not_compared() -> None:
    found = compared("int f(int n) { return n; }", "int f(int n, int m) { return n + m; }")
    assert found.behaviour is Behaviour.NOT_SHOWN
    assert "parameters" in found.how


def test_a_proof_that_takes_pointers_to_be_apart_says_so() -> None:
    text = "int f(int *p, int *q) { *p = 1; *q = 2; return *p; }"
    found = compared(text, text.replace("return *p", "return 1"))
    assert found.behaviour is Behaviour.SAME
    assert "different objects" in found.how


def test_what_runs_start_with_is_not_compared_as_if_it_were_called() -> None:
    old = c.read([Source("a.c", "int main(void) { return 1; }")], c.CSettings())
    new = c.read([Source("a.c", "int main(void) { return 2; }")], c.CSettings())
    assert compare(old, new, "main", Budget(seconds=5.0).start()).behaviour is Behaviour.NOT_SHOWN


def started(text: str) -> Program:
    return c.read([Source("a.c", text)], c.CSettings())


STARTED = """struct { int head; } string = {4};
static int table[3] = {1, 2, 3};
int f(int x) { static int n = 5; n += x; return n + table[x] + string.head; }
int main(void) { const char *s = "abc"; return f(s[0] > 4); }
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("n = 5", "n = 6", "n of f starts with 6, and with 5 before"),
        ("{4}", "{7}", "string.head starts with 7, and with 4 before"),
        ("3};", "9};", "table starts with"),
    ],
)
def test_other_values_at_the_start_are_told(old: str, new: str, told: str) -> None:
    (found,) = other_values(started(STARTED), started(STARTED.replace(old, new)))
    assert found.startswith(told)


def test_the_function_that_is_called_first_is_not_overlooked() -> None:
    assert other_start(started(STARTED), started(STARTED.replace("> 4", "> 5"))) == "main"
    moved = STARTED.replace("int f", "\n/* moved */ int f")
    assert other_start(started(STARTED), started(moved)) is None
    assert not list(other_values(started(STARTED), started(moved)))
