"""Are these functions over datatypes well defined, and is what is said of them true of every value?"""

from __future__ import annotations

import time
from collections.abc import Iterator

import z3

from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.horn.recursion import Recursion
from sorrel.logic import terms, walk
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol


def check_recursion(recursion: Recursion, seconds: float = CHECKING) -> Result:
    """Definitions by structural recursion have exactly one meaning; lemmas are proved by induction, all together."""
    deadline = time.monotonic() + seconds
    problem = recursion.problem()
    if problem:
        return Rejected(problem)
    for lemma in recursion.lemmas:
        for step in recursion.induction_steps(lemma):
            solver = z3.Solver()
            solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
            solver.add(terms.negation(step))
            answer = solver.check()
            if answer == z3.sat:
                return Rejected(f"the lemma {lemma.formula} is not proved by induction")
            if answer != z3.unsat:
                return NotConfirmed(f"the solver could not decide the lemma {lemma.formula}")
    return Accepted(f"{len(recursion.functions)} functions, {len(recursion.lemmas)} lemmas by induction")


def lemmas_asserted(recursion: Recursion) -> str:
    """The lemmas as commands, for whoever may use them."""
    return " ".join(f"(assert {smtlib(terms.forall([lemma.formal], lemma.formula))})" for lemma in recursion.lemmas)


def induction_questions(recursion: Recursion) -> Iterator[str]:
    """Questions that are unsatisfiable if the lemmas are proved by induction, as commands."""
    for lemma in recursion.lemmas:
        for step in recursion.induction_steps(lemma):
            fields = walk.free_variables(step)
            declared = " ".join(f"(declare-fun {symbol(terms.name_of(v))} () {smtlib_sort(v.sort())})" for v in fields)
            yield f"{declared} (assert {smtlib(terms.negation(step))})"
