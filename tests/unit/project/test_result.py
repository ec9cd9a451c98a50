"""What a result says about a project as a whole."""

from __future__ import annotations

from sorrel.model.errors import Span
from sorrel.model.outcome import Answer
from sorrel.project.result import FunctionResult, ProjectResult, Verdict

WRONG = FunctionResult("main", "assertions", Verdict.REFUTED, Span("a.c", 4), entry=True, message="it fails")
RIGHT = FunctionResult("other", "assertions", Verdict.PROVED, Span("a.c", 9), entry=True)


def test_a_finding_that_a_baseline_knows_makes_no_project_safe() -> None:
    told = ProjectResult((WRONG, RIGHT)).without({WRONG.fingerprint})
    assert told.functions == (RIGHT,)
    assert told.answer is Answer.UNSAFE
    assert ProjectResult.from_json(told.to_json()) == told


def test_what_is_left_out_does_not_become_unknown_where_nothing_else_is() -> None:
    assert ProjectResult((WRONG,)).without({WRONG.fingerprint}).answer is Answer.UNSAFE
