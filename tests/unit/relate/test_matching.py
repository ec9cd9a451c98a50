"""Loops and recursion of two versions that belong together are compared by induction, and never wrongly."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Kind
from sorrel.relate.matching import matched
from sorrel.relate.versions import versions

SUM = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"
DOWN = "int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }"
TICK = "int t; int f(int n) { while (n > 0) { t = t + n; n--; } return t; }"
CHECKED = "#include <assert.h>\nint f(int n) { while (n > 0) { assert(n != 7); n--; } return n; }"


def read(text: str) -> Program:
    kinds = frozenset({Kind.ASSERTION, Kind.ERROR_CALL})
    return instrument(c.read([Source("a.c", text)], c.CSettings(function="f")), kinds)


def same(old: str, new: str) -> bool:
    """Whether all questions are answered at sight: nothing calls anything in them."""
    asked = matched(versions(read(old), read(new), "f"))
    if asked is None:
        return False
    systems = [encode(each, Arithmetic.IDEAL).system for each in asked]
    trivial = [{p.name: terms.TRUE for p in system.predicates} for system in systems]
    return all(isinstance(check_summaries(*each), Accepted) for each in zip(systems, trivial, strict=True))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SUM, SUM.replace("s += i", "s = i + s")),
        (SUM, "int f(int n) { int s = 0; int k = 0; while (!(k >= n)) { s = k + s; k = k + 1; } return s; }"),
        (DOWN, DOWN.replace("return 1 + f(n - 1);", "int m = f(n - 1); return m + 1;")),
        (TICK, TICK.replace("t = t + n; n--;", "int m = n; n = n - 1; t += m;")),
        (CHECKED, CHECKED.replace("n != 7", "n < 7 || n > 7")),
    ],
)
def test_loops_that_do_the_same_in_each_round_do_the_same(old: str, new: str) -> None:
    assert same(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SUM, SUM.replace("s += i", "s += i + (i == 90)")),
        (SUM, SUM.replace("int s = 0", "int s = 1")),
        (SUM, SUM.replace("return s", "return s + (s == 4950)")),
        (SUM, SUM.replace("i < n", "i <= n")),
        (SUM, SUM.replace("int i = 0", "int i = 1").replace("s += i", "s += i - 1")),
        (DOWN, DOWN.replace("n - 1", "n - 2")),
        (DOWN, DOWN.replace("return 0", "return n == -50 ? 1 : 0")),
        (TICK, TICK.replace("t = t + n; n--;", "n--; t = t + n;")),
        (TICK, TICK.replace("return t;", "t++; return t;")),
        (CHECKED, CHECKED.replace("n != 7", "n != 8")),
        (CHECKED, CHECKED.replace("assert(n != 7); ", "")),
    ],
)
def test_no_difference_is_overlooked(old: str, new: str) -> None:
    assert not same(old, new)


def test_loops_that_choose_are_no_functions() -> None:
    text = (
        "extern int __VERIFIER_nondet_int(void); int f(int n) { while (n > 0) n = __VERIFIER_nondet_int(); return n; }"
    )
    assert matched(versions(read(text), read(text), "f")) is None


def test_a_loop_without_another_one_belongs_to_none() -> None:
    assert matched(versions(read(SUM), read("int f(int n) { return n * (n - 1) / 2; }"), "f")) is None
