"""The one door: evidence goes in, and what comes out is a verdict or the reason why it is none.

Nobody else makes an outcome that says safe or unsafe. What accepts a kind of evidence is loaded when there is some.
"""

from __future__ import annotations

from sorrel.evidence.claims import (
    AlignedRuns,
    AllInterleavings,
    AllRuns,
    ComingBack,
    DifferingRuns,
    EndlessCalls,
    ErrorExecution,
    ErrorRun,
    Evidence,
    InductiveFacts,
    Interleaving,
    Labels,
    NeverLeaving,
    OnlyExecution,
    OnlyRun,
    Solution,
    StuckThread,
)
from sorrel.evidence.clauses import accept_facts, confirm, confirm_encoded
from sorrel.evidence.effort import Effort
from sorrel.model.outcome import Outcome

__all__ = [
    "AlignedRuns",
    "AllInterleavings",
    "AllRuns",
    "ComingBack",
    "DifferingRuns",
    "EndlessCalls",
    "ErrorExecution",
    "ErrorRun",
    "Evidence",
    "InductiveFacts",
    "Interleaving",
    "Labels",
    "NeverLeaving",
    "OnlyExecution",
    "OnlyRun",
    "Solution",
    "StuckThread",
    "accept",
]


def accept(evidence: Evidence, effort: Effort) -> Outcome:
    """The verdict that the evidence supports, with who confirmed it; unknown with the reason if it supports none."""
    match evidence:
        case Solution(system, verdict, text) if text:
            return confirm(system, text, verdict, effort.options, effort.clock)
        case Solution(system, verdict):
            return confirm_encoded(system, verdict, effort)
        case InductiveFacts(system, facts):
            return accept_facts(system, facts, effort.clock)
        case ErrorExecution() | EndlessCalls() | OnlyExecution():
            from sorrel.evidence.about_functions import accept_about_functions

            return accept_about_functions(evidence, effort)
        case _:
            from sorrel.evidence.about_programs import accept_about_programs

            return accept_about_programs(evidence, effort)
