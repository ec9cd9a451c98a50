"""Ranges as an engine: limits from the facts on, and then the queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import NoOptions
from sorrel.engines.ranges.analysis import Ranges
from sorrel.engines.ranges.forms import Template, templates
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.nonlinear import is_nonlinear, linear

BY = "ranges"
QUERY_SECONDS = 2.0
LINEAR_SHARE = 0.5
"""Part of the time for clauses in which bounded variables stand for products."""
ROUNDS = 3
"""Limits are lowered so many times at most."""


class RangesEngine:
    """Proves what follows from ranges; refutes nothing."""

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        if system.obligations:
            return "ranges say nothing about well-foundedness"
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        verdict: Verdict | None = None
        if is_nonlinear(system):
            verdict = self._attempt(linear(system), replace(run, clock=run.clock.share(LINEAR_SHARE)), seeds)
        return verdict if isinstance(verdict, Safe) else self._attempt(system, run, seeds)

    def _attempt(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        """By numbers alone, which is fast and often enough; then by what these show, and by flags, and by elements."""
        made = templates(system)
        plain = {name: template.plain() for name, template in made.items()}
        verdict = self._settled(system, plain, run, seeds)
        for more in (Template.with_flags, Template.with_elements):
            chosen = {name: more(template) for name, template in made.items()}
            if isinstance(verdict, Safe) or run.clock.expired():
                break
            if any(len(chosen[name].forms) > len(plain[name].forms) for name in made):
                verdict = self._settled(system, chosen, run, verdict.facts or seeds)
        return Unknown(verdict.reason) if isinstance(verdict, Unknown) else verdict

    def _settled(
        self, system: HornSystem, made: Mapping[str, Template], run: Circumstances, seeds: Summaries
    ) -> Safe | Unknown:
        ranges = Ranges(system, made, run.oracle(QUERY_SECONDS), seeds)
        run.progress({"phase": BY})
        if not ranges.settle():
            return Unknown(Reason(Cause.TIME, "ranges were not settled in time"))
        left = ranges.possible()
        for _ in range(ROUNDS):
            if not left or not ranges.lower():
                break
            left = ranges.possible()
        found = {
            name: terms.conjunction([seeds[name], said]) if name in seeds else said
            for name, said in ranges.summaries().items()
        }
        if left:
            places = ", ".join(dict.fromkeys(str(query.origin) for query in left))
            return Unknown(Reason(Cause.INCOMPLETE, f"ranges do not exclude {places}"), found)
        return Safe(found, by=BY)
