"""Facts as a person writes them."""

from __future__ import annotations

import pytest

from sorrel.contracts.arranging import arranged
from sorrel.contracts.reading import Dialect, read
from sorrel.model.contract_lines import together


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (["i >= 0", "i <= n"], ("0 <= i <= n",)),
        (["i < n", "i > 0"], ("0 < i < n",)),
        (["n >= i", "i >= 0"], ("0 <= i <= n",)),
        (["i >= j", "j >= 0", "i >= 1", "i < n"], ("1 <= i < n", "0 <= j <= i")),
        (["\\result <= n", "n <= 5"], ("n <= 5", "\\result <= n")),
        (["\\result <= 31", "\\result >= -1"], ("-1 <= \\result <= 31",)),
        (["x >= 0", "y <= 3"], ("x >= 0", "y <= 3")),
        (["x >= c", "x >= b", "x >= a"], ("a <= x", "b <= x", "c <= x")),
        (["a.length >= a.position", "n > i + w"], ("i + w < n", "a.position <= a.length")),
        (["\\result >= -n"], ("\\result >= -n",)),
        (["d <= -1 ==> \\result == 0", "n >= 1"], ("n >= 1", "d <= -1 ==> \\result == 0")),
        (["x >= 0", "x >= 0"], ("x >= 0",)),
        (["high >= low ==> \\result >= low"], ("low <= high ==> \\result >= low",)),
        (["n >= 1 ==> a >= b && b >= c"], ("n >= 1 ==> a >= b && b >= c",)),
        (["(x & 3) >= 1", "(x & 3) <= y + 1"], ("1 <= (x & 3) <= y + 1",)),
    ],
)
def test_two_bounds_are_a_range_and_small_facts_come_first(facts: list[str], expected: tuple[str, ...]) -> None:
    assert arranged(facts) == expected
    for text in expected:
        read(text, Dialect.ACSL)


def test_short_comparisons_share_a_line_and_conditions_do_not() -> None:
    facts = ("\\result >= a", "0 <= n <= 3", "c ==> \\result == 0", "\\result >= b")
    assert together(facts) == ("\\result >= a && 0 <= n <= 3", "c ==> \\result == 0", "\\result >= b")
    long = tuple(f"x >= {'y' * 30}{i}" for i in range(3))
    assert len(together(long)) == 2
