"""Versions of a function: a difference is an input that was run, the same is a proof, and all else is not shown."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.budget import Budget
from sorrel.model.source import Source
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
