"""Evidence about functional programs, kind by kind."""

from __future__ import annotations

from typing import assert_never

from sorrel.evidence.claims import AboutFunctions, EndlessCalls, ErrorExecution, OnlyExecution
from sorrel.evidence.effort import Effort
from sorrel.evidence.execution import accept_endless_calls, accept_execution, accept_only_execution
from sorrel.model.outcome import Outcome


def accept_about_functions(evidence: AboutFunctions, effort: Effort) -> Outcome:
    match evidence:
        case ErrorExecution(program, execution, forbidden, texts, about):
            return accept_execution(program, execution, forbidden, about, texts, effort)
        case EndlessCalls(program, calls):
            return accept_endless_calls(program, calls)
        case OnlyExecution(program, forbidden):
            return accept_only_execution(program, forbidden)
        case _:
            assert_never(evidence)
