"""One question for every kind of evidence."""

from __future__ import annotations

from typing import assert_never

from sorrel.checking.derivation import check_derivation
from sorrel.checking.result import Result
from sorrel.checking.summaries import check_summaries
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unsafe


def check(system: HornSystem, verdict: Safe | Unsafe, seconds: float = 60.0) -> Result:
    match verdict:
        case Safe(summaries):
            return check_summaries(system, summaries, seconds)
        case Unsafe(derivation):
            return check_derivation(system, derivation, seconds)
        case _:
            assert_never(verdict)
