"""Expressions that go over several lines."""

from __future__ import annotations

import pytest

from sorrel.testing.extents import extents


def _extents(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.stop - 1) for each in extents(text.split("\n"))]


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("a = b;\nc = d;", [(1, 1), (2, 2)]),
        ("return a\n  && b;\nc = d;", [(1, 2), (1, 2), (3, 3)]),
        ("return a &&\n  b;", [(1, 2), (1, 2)]),
        ("f(a,\n  b,\n  c);\nd();", [(1, 3), (1, 3), (1, 3), (4, 4)]),
        ("for (i = 0;\n  i < n; i++) {\n  x++;\n}", [(1, 2), (1, 2), (3, 3), (4, 4)]),
        ("if (a)\n  b = 1;\nelse\n  b = 2;", [(1, 1), (2, 2), (3, 3), (4, 4)]),
        ("a = b /* ( */\n  + c; // && (\nd();", [(1, 2), (1, 2), (3, 3)]),
        ('f("(");\ng();', [(1, 1), (2, 2)]),
        ("case 1:\n  f();\nx = a ? b :\n  c;", [(1, 1), (2, 2), (3, 4), (3, 4)]),
        ("#if A &&\n#define B 1\nf();", [(1, 1), (2, 2), (3, 3)]),
        ("/* two\n   lines */ f();\n\ng();", [(1, 1), (2, 3), (2, 3), (4, 4)]),
        ("", [(1, 1)]),
    ],
)
def test_lines_of_one_expression_are_together(text: str, together: list[tuple[int, int]]) -> None:
    assert _extents(text) == together
