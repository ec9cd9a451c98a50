"""Whether a formula holds whatever its variables are, as long as there is time to ask."""

from __future__ import annotations

import time

import z3

from sorrel.evidence.result import Accepted, NotConfirmed, Result
from sorrel.logic import terms
from sorrel.logic.terms import Term


def valid(formula: Term, deadline: float, otherwise: Result) -> Result:
    """Accepted if it holds everywhere, `otherwise` if there are values for which it does not."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        return NotConfirmed("time ran out")
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(terms.negation(formula))
    answer = solver.check()
    if answer == z3.unsat:
        return Accepted()
    if answer == z3.sat:
        return otherwise
    return NotConfirmed(f"the solver could not decide it: {solver.reason_unknown()}")
