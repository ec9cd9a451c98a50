"""What reports show of functional programs: functions, calls, and assertions with what became of them."""

from __future__ import annotations

import pytest

from sorrel.model.options import Options
from sorrel.model.outline import ObligationStatus
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request

TEXT = """let rec length l = match l with [] -> 0 | _ :: rest -> 1 + length rest
let check l = assert (length l >= 0)
let () = check [1; 2]; assert (length [1] = {length})
"""


@pytest.mark.parametrize(("length", "last"), [(1, ObligationStatus.PROVED), (2, ObligationStatus.REFUTED)])
def test_functions_with_their_calls_and_assertions_with_their_owners(length: int, last: ObligationStatus) -> None:
    source = Source("list.ml", TEXT.format(length=length))
    (task,) = request([source]).tasks
    outcome = pipeline.verify(task, Options())
    calls = {each.name: [call.procedure for call in each.calls] for each in outcome.procedures}
    assert calls == {"length": ["length"], "check": ["length"]}
    found = {each.span.line: (each.procedure, each.status) for each in outcome.obligations}
    assert found[3] == ("", last)
    assert found[2][0] == "check"
