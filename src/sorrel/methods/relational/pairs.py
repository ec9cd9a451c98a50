"""Several runs that are told as a counterexample, with values that a person can take in."""

from __future__ import annotations

from sorrel.evidence.door import DifferingRuns, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.task import Task
from sorrel.program.interpreter import run
from sorrel.program.run import Run, Violated
from sorrel.program.shrinking import shrunk
from sorrel.relate.product import Product


def accept_differing(product: Product, task: Task, found: Run, outcome: Outcome, effort: Effort) -> Outcome:
    """The runs that a violating run of the product is made of; with smaller values if these differ as well."""
    if isinstance(found.end, Violated) and all(used.arguments is None for used in found.used):
        values = shrunk(product.program, [used.value for used in found.used], REPEATED_STEPS, together=True)
        smaller = run(product.program, values, steps=REPEATED_STEPS)
        if isinstance(smaller.end, Violated):
            told = accept(DifferingRuns(product, task, smaller, outcome), effort)
            if told.answer is Answer.UNSAFE:
                return told
    return accept(DifferingRuns(product, task, found, outcome), effort)
