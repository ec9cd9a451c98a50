"""Labels of what may differ between two runs, checked statement by statement: evidence that no comparison fails."""

from __future__ import annotations

import time
from dataclasses import replace

from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.program.program import Program
from sorrel.relate.labels import Labelling, faults


def accept_labelling(program: Program, labelling: Labelling, about: Outcome) -> Outcome:
    """Safe if every statement of the program respects the labels, whatever its numbers are."""
    started = time.monotonic()
    fault = next(faults(program, labelling), None)
    seconds = time.monotonic() - started
    if fault is not None:
        return unknown(Cause.UNCONFIRMED, f"the labels are not those of the program: {fault}")
    detail = f"{len(labelling.blocks)} ways to call {len({each.procedure for each in labelling.blocks})} procedures"
    confirmed = Confirmation("the security labels of every statement", True, seconds, detail)
    return replace(about, answer=Answer.SAFE, reason=None, confirmations=(*about.confirmations, confirmed))
