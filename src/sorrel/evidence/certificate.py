"""One question for every kind of evidence."""

from __future__ import annotations

import time
from typing import assert_never

from sorrel.evidence.derivation import check_derivation
from sorrel.evidence.ranking import check_ranks
from sorrel.evidence.result import Accepted, NotConfirmed, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.evidence.summaries import check_summaries
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Terminating, Unsafe


def check(system: HornSystem, verdict: Safe | Unsafe | Terminating, seconds: float = CHECKING) -> Result:
    match verdict:
        case Safe(summaries):
            if system.obligations:
                return NotConfirmed("the certificate has no ranks for the well-foundedness obligations")
            return check_summaries(system, summaries, seconds, verdict.recursion)
        case Unsafe(derivation):
            return check_derivation(system, derivation, seconds)
        case Terminating(summaries, ranks):
            deadline = time.monotonic() + seconds
            result = check_summaries(system, summaries, seconds)
            if not isinstance(result, Accepted):
                return result
            ranked = check_ranks(system, summaries, ranks, deadline - time.monotonic())
            return Accepted(f"{result.detail}, {ranked.detail}") if isinstance(ranked, Accepted) else ranked
        case _:
            assert_never(verdict)
