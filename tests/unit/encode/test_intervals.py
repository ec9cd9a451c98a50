"""Alternatives that touch are one."""

from __future__ import annotations

import pytest
import z3

from sorrel.encode.intervals import joined

x, y = z3.Ints("x y")


@pytest.mark.parametrize(
    ("ways", "expected"),
    [
        ([x == 9, x == 11, x == 32, x == 10], [z3.And(x >= 9, x <= 11), x == 32]),
        ([x == 10, x == 11], [x == 10, x == 11]),
        ([x == 7, x < 7], [x <= 7]),
        ([x <= 5, z3.And(x >= 3, x <= 8), y == 9], [x <= 8, y == 9]),
        ([x <= 5, x > 5], [z3.BoolVal(True)]),
        ([x <= 5, x >= 7], [x <= 5, x >= 7]),
        ([z3.And(x >= 1, y == 2), x == 0], [z3.And(x >= 1, y == 2), x == 0]),
        ([z3.Not(x == 3), x == 3], [z3.Not(x == 3), x == 3]),
        ([z3.And(x >= 4, x <= 2), x == 3], [z3.And(x >= 4, x <= 2), x == 3]),
        ([2 * x <= 5, x == 3], [x <= 3]),
        ([x + y <= 5, x == 6], [x + y <= 5, x == 6]),
    ],
)
def test_intervals_that_touch_are_joined(ways: list[z3.BoolRef], expected: list[z3.BoolRef]) -> None:
    found = joined(ways)
    assert [str(each) for each in found] == [str(each) for each in expected]
    solver = z3.Solver()
    solver.add(z3.Or(ways) != z3.Or(found))
    assert solver.check() == z3.unsat
