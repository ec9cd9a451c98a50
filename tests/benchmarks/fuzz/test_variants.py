"""Conditions in other words are the same; conditions with another meaning are not."""

from __future__ import annotations

import pytest

from bench.fuzz.variants import canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x < 5", "x <= 4"),
        ("x > 5", "6 <= x"),
        ("x == y", "y == x"),
        ("x + y == 3", "3 == y + x"),
        ("x >= 3 ==> \\result == 0", "\\result != 0 ==> x < 3"),
        ("x >= 3 ==> !\\result", "\\result != 0 ==> x <= 2"),
        ("a > 0 && b > 0", "b >= 1 && a >= 1"),
        ("a > 0 ==> b > 0 ==> c > 0", "a > 0 && b > 0 ==> c > 0"),
        ("!(a > 0 || b > 0)", "a <= 0 && b <= 0"),
    ],
)
def test_variants_are_the_same(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x < 5", "x < 6"),
        ("x - y == 3", "y - x == 3"),
        ("x >= 3 ==> \\result == 0", "\\result == 0 ==> x >= 3"),
        ("x == \\old(x)", "x == x"),
        ("p[0] == 1", "p[1] == 1"),
        ("\\result == (x > 0 ? 1 : 0)", "\\result == (x > 0 ? 0 : 1)"),
        ("(unsigned char)x == 1", "(unsigned short)x == 1"),
    ],
)
def test_other_meanings_are_not(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)
