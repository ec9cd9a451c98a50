"""The line below the table of a project."""

from __future__ import annotations

from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.project.result import FunctionResult, ProjectResult, Verdict
from sorrel.report.project import summary_line

HALF = FunctionResult("half", "assertions", Verdict.PROVED, Span("a.c", 1, 1))


def test_a_run_that_was_stopped_does_not_say_that_nothing_was_needed() -> None:
    stopped = ProjectResult((), seconds=2.0, interrupted=True)
    assert summary_line(stopped) == "no result; stopped before the end; 2.0 s"
    assert (
        summary_line(replace(stopped, functions=(HALF,), interrupted=False))
        == "1 result: 1 proved; no search needed; 2.0 s"
    )
    assert "3 needed a search" in summary_line(replace(stopped, proved_anew=3))
