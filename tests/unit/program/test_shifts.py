"""What was written as a shift is told as one."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.source import Source
from sorrel.program.shifts import shifted


@pytest.mark.parametrize(
    ("body", "amounts"),
    [("x >> 3", {3}), ("x / 8", set()), ("(x >> 3) + x / 8", set()), ("(x >> 3) + x / 4", {3}), ("x >> x", set())],
)
def test_amounts_are_those_that_no_division_stands_for(body: str, amounts: set[int]) -> None:
    text = f"unsigned f(unsigned x) {{ return {body}; }}"
    program = c.read([Source("f.c", text)], c.CSettings(c.DataModel.LP64, function="f"))
    assert shifted(program) == amounts
