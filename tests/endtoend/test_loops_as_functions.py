"""Loops that are functions: where one code meets equal inputs in two places, it gives equal results."""

from __future__ import annotations

import pytest

from sorrel.methods.reading import checked
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.program import Program
from sorrel.program.validate import validate
from sorrel.relate.functions import with_functions

DIGITS = """
extern int __VERIFIER_nondet_int(void);
int base;
int compare(int x, int y) {
    int a = 0;
    while (x > 0) { a = a * 3 + x % 10 * x; x = x / 10; }
    int b = 0;
    while (y > 0) { b = b * 3 + y % 10 * y; y = y / LAST; }
    return a < b ? -1 : a > b;
}
int key(int n) { return n <= 0 ? 0 : key(n / 10) * 3 + n * n; }
int by_key(int x, int y) { return key(x) < key(y) ? -1 : key(x) > key(y); }
int one(int n) { int s = 7; for (int i = 0; i < n; i++) s = s * s + i; return s; }
int other(int m) { int t = 7; for (int k = 0; k < m; k++) t = t * t + k; return t; }
int third(int m) { int t = 7; for (int k = 0; k < m; k++) t = t * t - k; return t; }
int lucky(int x, int y) {
    int a = 0;
    while (x > 0) { a = __VERIFIER_nondet_int(); x--; }
    int b = 0;
    while (y > 0) { b = __VERIFIER_nondet_int(); y--; }
    return a - b;
}
int counting(int x, int y) {
    while (x > 0) { base++; x--; }
    while (y > 0) { base++; y--; }
    return base;
}
"""


def task(function: str, law: str, last: int = 10) -> Task:
    source = Source(text=DIGITS.replace("LAST", str(last)))
    return Task((source,), Property.SPECIFICATION, function=function, specification=law)


def verify(function: str, law: str, last: int = 10, seconds: float = 30.0) -> Outcome:
    options = Options(engine="functions+spacer", budget=Budget(seconds), assuming=("overflow",))
    return pipeline.verify(task(function, law, last), options)


def known(function: str, last: int = 10) -> tuple[Program, ...] | None:
    return with_functions([checked(task(function, "P1", last))])


@pytest.mark.parametrize("function", ["compare", "by_key"])
@pytest.mark.parametrize("law", ["P1", "P3", pytest.param("P2", marks=pytest.mark.long)])
def test_a_comparison_of_what_loops_compute_keeps_its_laws(function: str, law: str) -> None:
    outcome = verify(function, law)
    assert outcome.answer.is_proof
    assert all(confirmation.accepted for confirmation in outcome.confirmations)
    assert any("the same function" in note for note in outcome.notes)


def test_loops_of_different_code_are_different_functions() -> None:
    assert known("compare") is not None
    assert known("compare", last=9) is None
    assert not verify("compare", "P1", last=9, seconds=1.5).answer.is_proof


def test_a_program_that_knows_its_functions_is_valid() -> None:
    for program in known("compare") or ():
        validate(program)


@pytest.mark.parametrize("function", ["lucky", "counting"])
def test_loops_that_choose_or_write_globals_are_no_functions(function: str) -> None:
    assert known(function) is None


def test_functions_with_the_same_loop_are_the_same() -> None:
    assert verify("one", "P(a: one, b: other): requires a.n == b.m; ensures a.\\result == b.\\result;").answer.is_proof
    different = "P(a: one, b: third): requires a.n == b.m; ensures a.\\result == b.\\result;"
    assert not verify("one", different, seconds=1.5).answer.is_proof
