"""What is never near a secret needs no proof about pairs of runs: labels of variables settle it at once."""

from __future__ import annotations

from sorrel.evidence.door import Labels, accept
from sorrel.evidence.effort import Effort
from sorrel.model.outcome import Answer, Outcome
from sorrel.program.program import Program
from sorrel.relate.labels import labelled

NAME = "labels"


def proved(program: Program, effort: Effort) -> Outcome | None:
    """Safe if labels show that nothing that is compared in the program depends on what is high; else nothing."""
    labelling = labelled(program)
    if labelling is None:
        return None
    about = Outcome(Answer.UNKNOWN, engine=NAME, notes=("no compared value depends on a secret",))
    outcome = accept(Labels(program, labelling, about), effort)
    if outcome.answer is not Answer.SAFE:
        return None
    effort.without_numbers.append("by the same labels")
    return outcome
