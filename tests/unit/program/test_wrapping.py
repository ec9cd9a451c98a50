"""Signed results that wrap around: the same runs where nothing overflows, and two's complement elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import choices, programs
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.source import Source
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Stopped, Undefined
from sorrel.program.wrapping import wrapping

SMALLEST, LARGEST = -(2**31), 2**31 - 1


def computing(expression: str) -> Program:
    text = f"extern int __VERIFIER_nondet_int(void);\nint f(int a, int b) {{ return {expression}; }}\n"
    main = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return f(a, b); }\n"
    return read((Source("f.c", text + main),), CSettings(DataModel("LP64"), (), (), "main"))


def returned(program: Program, a: int, b: int) -> int | None:
    end = run(program, [a, b], steps=1_000).end
    assert isinstance(end, Finished)
    (value,) = end.outputs
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize(
    ("expression", "a", "b", "result"),
    [
        ("a - b", SMALLEST, 1, LARGEST),
        ("a + b", LARGEST, LARGEST, -2),
        ("a * b", 65536, 65536, 0),
        ("-a", SMALLEST, 0, SMALLEST),
        ("a << b", -1, 31, SMALLEST),
        ("(a - b) - b < 0", SMALLEST, 1, 0),
    ],
)
def test_what_leaves_its_type_comes_back_by_whole_turns(expression: str, a: int, b: int, result: int) -> None:
    program = computing(expression)
    assert isinstance(run(program, [a, b], steps=1_000).end, Undefined)
    assert returned(wrapping(program), a, b) == result


@pytest.mark.parametrize(("expression", "a", "b"), [("a / b", SMALLEST, -1), ("a << b", 1, 32), ("a % b", 1, 0)])
def test_what_has_no_value_even_then_stays_undefined(expression: str, a: int, b: int) -> None:
    assert isinstance(run(wrapping(computing(expression)), [a, b], steps=1_000).end, Undefined)


@given(programs(), st.integers(0, 1000))
def test_runs_that_do_not_overflow_are_the_same(program: Program, seed: int) -> None:
    plain = run(program, choices(seed), steps=500)
    if isinstance(plain.end, Finished | Stopped):
        wrapped = run(wrapping(program), choices(seed), steps=500)
        assert (wrapped.end, wrapped.used) == (plain.end, plain.used)
