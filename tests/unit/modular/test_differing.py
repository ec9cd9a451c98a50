"""Two versions of a project: what clauses leave open is not taken for sameness."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorrel.modular.differing import Side, difference
from sorrel.project.difference import Behaviour, Difference
from sorrel.store.lockfile import Contents

from .test_proving import Here, asked, project

G = "int g(int); void put(int);\n"


def differences(folder: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> Difference:
    sides = []
    for name, text in (("old", old), ("new", new)):
        (folder / name).mkdir()
        settings = project(folder / name, text, monkeypatch)
        sides.append(Side(name, settings, (asked(settings, Contents(), Here()),)))
    return difference(sides[0], sides[1], 3.0, lambda _: None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int f(int x) { return g(x); }", "int f(int x) { return g(x + 1); }"),
        ("int f(int x) { put(x); return x; }", "int f(int x) { put(x + 1); return x; }"),
        ("int f(int x) { long double d = x; return d > 2; }", "int f(int x) { long double d = x; return d > 3; }"),
    ],
)
def test_what_is_left_open_is_not_unchanged(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = differences(tmp_path, G + old, G + new, monkeypatch)
    assert [each.behaviour for each in found.functions] == [Behaviour.NOT_SHOWN]


def test_what_is_the_same_only_if_pointers_are_apart_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = "int f(int *p, int *q) { *p = 1; *q = 2; return *p; }"
    found = differences(tmp_path, old, old.replace("return *p", "return 1"), monkeypatch)
    assert [each.behaviour for each in found.functions] == [Behaviour.SAME]
    assert "point to different objects" in found.functions[0].how


def test_other_initial_values_are_told_where_there_is_no_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = "int f(void) { static int n = 1; return n++; }"
    found = differences(tmp_path, old, old.replace("= 1", "= 2"), monkeypatch)
    assert found.starting == ("n of f (a.c) starts with another value",)


def test_layout_and_names_of_its_own_leave_a_function_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = "int f(int x) { return g(x); }", "/* f */\nint f(int y)\n{ return g(y); }"
    found = differences(tmp_path, G + old, G + new, monkeypatch)
    assert (found.functions, found.unchanged, found.starting) == ((), 1, ())
