"""Two versions of a project: what clauses leave open is not taken for sameness."""

from __future__ import annotations

from dataclasses import replace
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
        pytest.param(
            "int f(int x) { long double d = x; return d > 2; }",
            "int f(int x) { long double d = x; return d > 3; }",
            marks=pytest.mark.long,
        ),
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


def test_functions_of_one_name_in_two_files_are_told_by_their_files_and_not_mistaken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = "int other(int);\nstatic int f(int x) { return x; }\nint main(void) { return other(1) + f(2); }\n"
    second = "static int f(int x) { return x + 1; }\nint other(int x) { return f(x); }\n"
    changes = ((first, second), (first.replace("x;", "x + 5;"), second), (first, second.replace("+ 1", "+ 7")))
    sides = []
    for number, texts in enumerate(changes):
        folder = tmp_path / str(number)
        folder.mkdir()
        settings = replace(project(folder, texts[0], monkeypatch), sources=("a.c", "b.c"))
        (folder / "b.c").write_text(texts[1])
        sides.append(Side(str(number), settings, (asked(settings, Contents(), Here()),)))
    for new, file in ((sides[1], "a.c"), (sides[2], "b.c")):
        found = difference(sides[0], new, 3.0, lambda _: None)
        changed = [each for each in found.functions if each.span.file.endswith(file) and each.function.startswith("f")]
        assert [each.function in ("f", f"f ({file})") for each in changed] == [True]
        assert changed[0].behaviour in (Behaviour.DIFFERENT, Behaviour.NOT_SHOWN)
        assert not any("." in each.function.partition(" ")[0] for each in found.functions)
