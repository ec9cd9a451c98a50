"""Functions of cases are told as the tables that they are, where the clauses say so."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.explain.cases import cases
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.contract_lines import laid_out
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.smt.solver import Oracle

DAYS = "int f(int m) { switch (m) { case 2: return 28; case 4: case 6: return 30; default: return 31; } }"


def told(text: str) -> list[str]:
    """What is said of f, as its contract tells it."""
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    encoding = encode(instrument(program, frozenset()), Arithmetic.IDEAL, alone=True)
    oracle = Oracle(Budget(seconds=20.0).start(), query_seconds=2.0)
    nothing = {predicate.name: terms.TRUE for predicate in encoding.system.predicates}
    found = cases(encoding.system, nothing, oracle)
    summaries = {name: terms.conjunction(found.get(name, ())) for name in nothing}
    return [
        text
        for each in encoding.told(summaries, oracle)
        if each.point.procedure == "f"
        for text in each.contract.conjuncts
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DAYS, "\\result == (m == 2 ? 28 : m == 4 || m == 6 ? 30 : 31)"),
        ("int f(int a, int b) { return a > b ? a : b; }", "\\result == (a <= b ? b : a)"),
        (
            "int f(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }",
            "\\result == (x < lo ? lo : x <= hi ? x : hi)",
        ),
        ("int f(int c) { return c >= 48 && c <= 57; }", "\\result == (48 <= c <= 57 ? 1 : 0)"),
        (
            "int most(int a, int b) { return a > b ? a : b; } int f(int x) { return most(x, 0); }",
            "\\result == (x <= 0 ? 0 : x)",
        ),
        ("unsigned long f(unsigned long a, unsigned long b) { return a < b ? a : b; }", "\\result == (a >= b ? b : a)"),
        ("int g; int f(int v) { g++; return g > v ? g : v; }", "\\result == (v > \\old(g) ? v : \\old(g) + 1)"),
        (
            "int f(int a) { int r = 0; switch (a) { case 1: r = 1; case 2: r += 2; break; case 3: r = 9; } return r; }",
            "\\result == (a == 1 ? 3 : a == 2 ? 2 : a == 3 ? 9 : 0)",
        ),
        ("int g; void f(int x) { if (x > 0) g = x; }", "g == (x <= 0 ? \\old(g) : x)"),
        (
            "int f(int c) { if (c < 0 || c > 255) return 0; if (c <= 31 || c == 127) return 0; return 1; }",
            "\\result == (c > 255 || c <= 31 || c == 127 ? 0 : 1)",
        ),
        ("_Bool f(int c) { return c >= 48 && c <= 57; }", "\\result <==> 48 <= c <= 57"),
        (
            "_Bool f(int c) { if (c == 3) return 1; if (c < 10) return 0; return c != 12; }",
            "\\result <==> c == 3 || c >= 10 && c != 12",
        ),
        ("int f(int a, int b) { return a < b ? -1 : a > b ? 1 : 0; }", "\\result == (a == b ? 0 : a < b ? -1 : 1)"),
        ("unsigned g; void f(void) { if (g) g = 0; }", "g == 0"),
        ("int f(unsigned x) { return x <= 0; }", "\\result == (x == 0 ? 1 : 0)"),
        ("int f(unsigned x) { return x < 16 && x + 1 != 16 ? 5 : 6; }", "\\result == (x < 15 ? 5 : 6)"),
        ("int f(int a, int b) { return a + (b - a) / 2; }", "\\result == a + (b - a) / 2"),
        (
            "int f(unsigned b) { if (b < 26) return b + 65; if (b < 52) return b + 71; return b == 62 ? 43 : 47; }",
            "\\result == (b < 26 ? b + 65 : b < 52 ? b + 71 : b == 62 ? 43 : 47)",
        ),
        ("unsigned f(unsigned a, unsigned m) { if (a >= m) a -= m; return a; }", "\\result == (a >= m ? a - m : a)"),
        (
            "int f(int c) { return c == 9 || c == 10 || c == 11 || c == 12 || c == 13 || c == 32; }",
            "\\result == (9 <= c <= 13 || c == 32 ? 1 : 0)",
        ),
        (
            "int digit(int c) { return c >= 48 && c <= 57; }\n"
            "int f(int c) { return digit(c) || (c >= 97 && c <= 102); }",
            "\\result == (48 <= c <= 57 || 97 <= c <= 102 ? 1 : 0)",
        ),
        (
            "unsigned char f(int v) { return !(v & ~255) ? (unsigned char)v : v < 0 ? 0 : 255; }",
            "\\result == (v == (unsigned char)v ? v : v >= 0 ? 255 : 0)",
        ),
        ("int f(int e) { return e <= 35 && e != 14 && e >= 0; }", "\\result == (0 <= e <= 35 && e != 14 ? 1 : 0)"),
        ("_Bool f(unsigned x) { return x >= 0; }", "\\result"),
        ("unsigned f(unsigned n) { return 16 + 32 * n; }", "\\result == (unsigned int)(32 * n + 16)"),
        ("int f(int c, int v) { return c > 3 ? v >> 2 : v & 7; }", "\\result == (c <= 3 ? v & 7 : v >> 2)"),
    ],
)
def test_a_function_of_cases_is_told_as_one(text: str, expected: str) -> None:
    assert expected in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "int any(void); int f(int x) { return x > 0 ? any() : 0; }",
        "int f(int x) { while (x > 10) x -= 3; return x > 0 ? 1 : 2; }",
        "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }",
        "int f(const int *a, int i) { return a[i] > 0 ? 1 : 0; }",
        "unsigned f(unsigned low, unsigned high) { return low + (high - low) / 2; }",
    ],
)
def test_what_does_not_depend_on_arguments_alone_is_no_table(text: str) -> None:
    assert told(text) == []


def test_quotients_round_towards_zero_as_in_c() -> None:
    assert told("int f(int a) { return a < 0 ? a / 2 : a % 3; }") == ["\\result == (a >= 0 ? a % 3 : -((-a) / 2))"]


def test_a_table_has_a_row_for_each_value() -> None:
    (fact,) = told(DAYS)
    assert laid_out(fact) == (
        "\\result ==",
        "  28  if m == 2",
        "  30  else if m == 4 || m == 6",
        "  31  otherwise",
    )


@pytest.mark.parametrize(
    "fact",
    [
        "\\result == (a <= b ? b : a)",
        "\\result == (a ? 1 : b ? 2 : 3) + 1",
        "a == (b ? 1 : (c ? 2 : 3)) || c == (d ? 1 : 2)",
        "x > 0 ==> y == (a ? 1 : b ? 2 : 3)",
        "\\result == (a ? b ? 1 : 2 : 3)",
    ],
)
def test_what_is_no_table_stays_a_line(fact: str) -> None:
    assert laid_out(fact) == (fact,)
