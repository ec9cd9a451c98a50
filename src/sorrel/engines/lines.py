"""Limits and lines of real numbers as an engine: guesses, the inductive part of them, and then the queries."""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import NoOptions
from sorrel.engines.plan import PLAN
from sorrel.guess.houdini import Houdini
from sorrel.guess.lines import candidates, numbers_of
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Reason

BY = "lines"


class Lines:
    """Proves what follows from limits that clauses mention and from lines along counters; refutes nothing."""

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        if not any(terms.is_real(formal) for predicate in system.predicates for formal in predicate.formals):
            return "there are no real numbers"
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        run.progress({"phase": BY})
        numbers = numbers_of(system)
        guessed = {predicate.name: candidates(predicate, numbers) for predicate in system.predicates}
        houdini = Houdini(system, guessed, run.oracle(PLAN.lines_question), seeds)
        houdini.run()
        found = houdini.support()
        if found is None:
            return Unknown(Reason(Cause.INCOMPLETE, "bounds and linear relations do not exclude an error"))
        kept = {name: [*parts, *([seeds[name]] if name in seeds else [])] for name, parts in found.items()}
        return Safe({name: terms.conjunction(parts) for name, parts in kept.items()}, by=BY)
