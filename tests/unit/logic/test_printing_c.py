"""Formulas in the syntax of C and ACSL."""

from __future__ import annotations

import pytest
import z3

from sorrel.logic.printing_c import c_syntax
from sorrel.logic.quotients import without_signs
from sorrel.logic.ranges_c import as_implication, with_ranges

x, y, u, r = z3.Ints("x y u r")
b, c = z3.Bools("b c")
a = z3.Array("a", z3.IntSort(), z3.IntSort())
v, w = z3.BitVecs("v w", 32)
NAMES = {"r": "\\result", "x": "n", "y": "\\old(g)"}


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (r >= x - 1, "\\result >= n - 1"),
        (z3.Implies(x >= 0, r == y), "n >= 0 ==> \\result == \\old(g)"),
        (z3.If(x > 100, r == x - 10, r == 91), "n > 100 ? \\result == n - 10 : \\result == 91"),
        (z3.Not(x == 2), "n != 2"),
        (z3.Not(x <= 2), "n > 2"),
        (z3.And(b, z3.Not(c)), "b && !c"),
        (z3.Or(z3.And(b, c), x == 1), "b && c || n == 1"),
        (z3.And(z3.Or(b, c), x == 1), "(b || c) && n == 1"),
        (b == (x > 0), "b <==> n > 0"),
        (z3.Not(b == c), "b != c"),
        (u % 2 == 1, "u % 2 == 1"),
        (x % 2 == 1, "n % 2 != 0"),
        (x % 2 == 0, "n % 2 == 0"),
        (z3.Not(x % 3 == 0), "n % 3 != 0"),
        (x % 3 == 1, "(n % 3 + 3) % 3 == 1"),
        (u / 2 == 1, "u / 2 == 1"),
        (u / 2 == 0, "u < 2"),
        (z3.Not(u / 256 == 0), "u >= 256"),
        ((x % 16) / 4 == 0, "(n & 15) < 4"),
        (z3.Not((x % 256) / 128 == 0), "(unsigned char)n >= 128"),
        (x / 4 == 0, "(n >> 2) == 0"),
        (u / -4 == 0, "u / (-4) == 0"),
        (r == 3 * (u % 7) + 1, "\\result == 3 * (u % 7) + 1"),
        (r == u * (u / 7), "\\result == u * (u / 7)"),
        (r == 3 * u / 7 + u % 5, "\\result == 3 * u / 7 + u % 5"),
        (x / 2 == 1, "(n >> 1) == 1"),
        (x / 3 == 1, "(n - (n % 3 + 3) % 3) / 3 == 1"),
        (r == (x + y) / 32, "\\result == ((n + \\old(g)) >> 5)"),
        (r == x % 16, "\\result == (n & 15)"),
        (r == (x + 128) % 256 - 128, "\\result == (signed char)n"),
        (r == z3.Sum(z3.IntVal(2**31), x, y) % 2**32 - 2**31, "\\result == (int)(n + \\old(g))"),
        (r == (x + 128) % 256 + 128, "\\result == (unsigned char)(n + 128) + 128"),
        (r == (x + 127) % 256 - 128, "\\result == (unsigned char)(n + 127) - 128"),
        (r == 128 - (x + 128) % 256, "\\result == 128 - (unsigned char)(n + 128)"),
        (a[x] == 3, "a[n] == 3"),
        (a[-1 + x] == 5 + y, "a[n - 1] == \\old(g) + 5"),
        (r == 5 + -2 * x, "\\result == 5 - 2 * n"),
        (r == z3.Sum(z3.IntVal(-1), x, y), "\\result == -1 + n + \\old(g)"),
        (z3.Store(a, x, 1)[y] == 3, "{ a \\with [n] = 1 }[\\old(g)] == 3"),
        (x * (y + 1) == -3, "n * (\\old(g) + 1) == -3"),
        (v <= w, "v <= w"),
        (v <= -1, "v <= -1"),
        (z3.ULE(v, z3.BitVecVal(-1, 32)), "(unsigned)v <= 4294967295"),
        (z3.Not(z3.ULE(v, w)), "(unsigned)v > (unsigned)w"),
        (v == w - z3.BitVecVal(10, 32), "v == (int)(w - 10)"),
        (z3.BoolVal(True), "\\true"),
    ],
)
def test_acsl(term: z3.ExprRef, text: str) -> None:
    assert c_syntax(term, NAMES, unsigned=frozenset({"u"})) == text


def test_a_quantifier_names_its_variables() -> None:
    i = z3.Int("i")
    term = z3.ForAll([i], z3.Implies(z3.And(i >= 0, i < x), a[i] == 0))
    assert c_syntax(term, NAMES) == "\\forall integer i; i >= 0 && i < n ==> a[i] == 0"


def test_a_bound_variable_gets_an_identifier_that_no_other_has() -> None:
    one, other = z3.Int("n!some"), z3.Int("n!1")
    term = z3.And(z3.Exists([one], a[one] == x), z3.Exists([other], a[other] == 0))
    assert c_syntax(term, NAMES) == "(\\exists integer n1; a[n1] == n) && (\\exists integer n2; a[n2] == 0)"


def test_a_quotient_by_cases_of_its_sign_is_written_as_that_of_c() -> None:
    by_cases = r == z3.If(x >= 0, x / 3, -((-x) / 3))
    assert c_syntax(without_signs(by_cases), NAMES, truncating=True) == "\\result == n / 3"


def test_a_choice_between_other_quotients_stays_a_choice() -> None:
    assert without_signs(r == z3.If(x >= 0, x / 3, x / 4)).eq(r == z3.If(x >= 0, x / 3, x / 4))


@pytest.mark.parametrize(
    ("conjuncts", "subject", "expected"),
    [
        (["48 <= c", "c <= 57"], "", ["48 <= c <= 57"]),
        (["c < 57", "d == 3", "c >= 48"], "", ["48 <= c < 57", "d == 3"]),
        (["0 <= i", "i < n"], "", ["0 <= i", "i < n"]),
        (["k >= 0", "i > k"], "k", ["0 <= k < i"]),
        (["c <= 5", "c <= 6"], "", ["c <= 5", "c <= 6"]),
        (["a <= 5 || b", "3 <= a"], "", ["a <= 5 || b", "3 <= a"]),
    ],
)
def test_two_limits_are_a_range(conjuncts: list[str], subject: str, expected: list[str]) -> None:
    assert with_ranges(conjuncts, subject) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("!(k >= 0 && i > k) || a[k] == k", "0 <= k < i ==> a[k] == k"),
        ("!(k >= 0) && (b) || a[k] == k", "!(k >= 0) && (b) || a[k] == k"),
        ("!(f(k) > 0 && k > 0) || b", "f(k) > 0 && k > 0 ==> b"),
        ("k < 0 || a[k] == k", "k < 0 || a[k] == k"),
    ],
)
def test_what_is_so_under_a_condition_is_an_implication(body: str, expected: str) -> None:
    assert as_implication(body, "k") == expected
