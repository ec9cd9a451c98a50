"""Texts of users."""

from __future__ import annotations

import pytest

from sorrel.model.source import lines_of


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nb", "\n\n", "a\rb\r", "x\n\ny"])
def test_lines_are_those_of_python_where_only_line_ends_end_them(text: str) -> None:
    assert lines_of(text) == text.splitlines()
    assert lines_of(text, keep_ends=True) == text.splitlines(keepends=True)


def test_a_form_feed_ends_no_line() -> None:
    assert lines_of("a\fb\vc\u2028d\x85e\nf") == ["a\fb\vc\u2028d\x85e", "f"]
