"""A project as a page: its files, what is known of their functions, and each finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.model.errors import Span
from sorrel.project.result import FunctionResult, ProjectResult, Verdict
from sorrel.report.project_page import project_page

HALF = FunctionResult("half", "assertions", Verdict.PROVED, Span("a.c", 1, 1))
FETCH = FunctionResult("fetch", "assertions", Verdict.CONDITIONAL, Span("a.c", 2, 1), requires="i >= 0")
MAIN = FunctionResult(
    "main",
    "assertions",
    Verdict.REFUTED,
    Span("b.c", 1, 1),
    entry=True,
    message="assertion violated: x < 20",
    place=Span("b.c", 2, 5),
    values=("x = 20",),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text("int half(int x) { return x / 2; }\nint fetch(int i) { return i; }\n")
    (tmp_path / "b.c").write_text("int main(void) {\n    f();\n}\n")
    return tmp_path


def test_the_page_has_every_file_and_links_findings_to_their_lines(folder: Path) -> None:
    shown = project_page(ProjectResult((HALF, FETCH, MAIN)), folder, "1")
    assert all(f"<h2>{name}</h2>" in shown or f">{name}<" in shown for name in ("a.c", "b.c"))
    assert '<a href="#f1-2">main: assertion violated: x &lt; 20 with x = 20</a>' in shown
    assert "requires i &gt;= 0" in shown


def test_what_is_open_weakens_the_answer_on_the_page(folder: Path) -> None:
    entry = FunctionResult("half", "assertions", Verdict.PROVED, Span("a.c", 1, 1), entry=True)
    shown = project_page(ProjectResult((entry,), open=("no signed overflow",)), folder, "1")
    assert "safe, assuming no signed overflow" in shown


def test_a_file_that_went_away_costs_its_text_and_nothing_else(folder: Path) -> None:
    (folder / "b.c").unlink()
    shown = project_page(ProjectResult((HALF, MAIN)), folder, "1")
    assert "main: assertion violated" in shown


def test_a_project_without_functions_has_a_page(folder: Path) -> None:
    assert "unknown" in project_page(ProjectResult(()), folder, "1")


def test_calls_between_functions_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int half(int n);\nint fetch(int i);\n")
    shown = project_page(ProjectResult((HALF, replace(FETCH, calls=("half",)))), tmp_path, "1.0")
    assert shown.count('class="s-edge"') == 1


def test_the_page_shows_what_functions_ensure_and_assign(folder: Path) -> None:
    half = replace(HALF, ensures=("\\result == x / 2",), assigns=())
    shown = project_page(ProjectResult((half, MAIN)), folder, "1")
    assert "ensures \\result == x / 2" in shown
    assert "assigns \\nothing" in shown
