"""Ranges as an engine: limits from the facts on, and then the queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import RANGES, NoOptions
from sorrel.engines.ranges.analysis import Ranges
from sorrel.engines.ranges.forms import Form, Template, templates
from sorrel.engines.ranges.plan import PLAN
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.nonlinear import is_nonlinear, linear, unbounded
from sorrel.smt.wraps import has_wraps, without_wraps
from sorrel.transform.contexts import with_contexts
from sorrel.transform.equal_arguments import merge_equal_arguments
from sorrel.transform.lift import unchanged
from sorrel.transform.products import with_products

ROUNDS = 3
"""Limits are lowered so many times at most."""


class RangesEngine:
    """Proves what follows from ranges; refutes nothing."""

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        """Equal arguments are one, and where procedures call themselves limits are those of calls that are made."""
        merged = unchanged(system) if seeds else merge_equal_arguments(system)  # seeds speak of all arguments
        called = with_contexts(merged.system) or unchanged(merged.system)
        return merged.lift(called.lift(self._solve(called.system, run, seeds), run.oracle()), run.oracle())

    def _solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        """Where numbers wrap around, first as if they were any: that takes a small part of the time."""
        verdict: Verdict | None = None
        if has_wraps(system):
            verdict = self._with_products(without_wraps(system), replace(run, clock=PLAN.wraps.of(run.clock)), seeds)
        return verdict if isinstance(verdict, Safe) else self._with_products(system, run, seeds)

    def _with_products(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        verdict: Verdict | None = None
        if is_nonlinear(system):
            products = with_products(system) or unchanged(system)
            made = templates(unbounded(products.system))
            part = replace(run, clock=PLAN.linear.of(run.clock))
            verdict = products.lift(self._attempt(linear(products.system), made, part, seeds), run.oracle())
        return verdict if isinstance(verdict, Safe) else self._attempt(system, templates(system), run, seeds)

    def _attempt(
        self, system: HornSystem, made: Mapping[str, Template], run: Circumstances, seeds: Summaries
    ) -> Verdict:
        """By numbers alone, which is fast and often enough; then by what these show, and by cases, flags and elements.

        Cases are looked at without what has a limit already, flags and elements with all numbers anew.
        """
        known: set[Form] = set()
        verdict = self._settled(system, {name: each.plain() for name, each in made.items()}, run, seeds, known)
        for more in (Template.with_cases, Template.with_flags, Template.with_elements):
            anew = more is not Template.with_cases
            chosen = {name: more(each) if anew else more(each).without(known) for name, each in made.items()}
            if isinstance(verdict, Safe) or run.clock.expired():
                break
            if _is_new(chosen, more):
                verdict = self._settled(system, chosen, run, verdict.facts or seeds, known)
        return Unknown(verdict.reason) if isinstance(verdict, Unknown) else verdict

    def _settled(
        self,
        system: HornSystem,
        made: Mapping[str, Template],
        run: Circumstances,
        seeds: Summaries,
        known: set[Form],
    ) -> Safe | Unknown:
        """What has a limit becomes known."""
        ranges = Ranges(system, made, run.oracle(PLAN.query), seeds)
        run.progress({"phase": "limits"})
        if not ranges.settle():
            return Unknown(Reason(Cause.TIME, "the ranges did not converge in time"))
        left = ranges.possible()
        for _ in range(ROUNDS):
            if not left or not ranges.lower():
                break
            left = ranges.possible()
        known.update(ranges.bounded())
        found = {
            name: terms.conjunction([seeds[name], said]) if name in seeds else said
            for name, said in ranges.summaries().items()
        }
        if left:
            places = ", ".join(dict.fromkeys(query.place for query in left))
            return Unknown(Reason(Cause.INCOMPLETE, f"ranges do not exclude {places}"), found)
        return Safe(found, by=RANGES)


def _is_new(chosen: Mapping[str, Template], more: Callable[[Template], Template]) -> bool:
    """Whether there is anything of the kind that is looked at now."""
    kinds: dict[Callable[[Template], Template], Callable[[Form], bool]] = {
        Template.with_cases: lambda form: form.is_case,
        Template.with_flags: lambda form: form.if_flagged,
        Template.with_elements: lambda form: form.of_elements,
    }
    return any(kinds[more](form) for template in chosen.values() for form in template.forms)
