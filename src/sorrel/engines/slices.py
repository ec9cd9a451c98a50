"""Spacer in several variants and other engines in slices of time: what one of them leaves, another often solves.

No variant is best everywhere, and what a variant solves it solves soon as a rule. So each gets a short slice of the
processor's time, and when all had theirs, each gets one of twice the length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from sorrel.engines import registry
from sorrel.engines.engine import Circumstances, Engine
from sorrel.engines.options import (
    EVALUATION,
    INDUCTION,
    PATHS,
    RANGES,
    TREES,
    BackwardOptions,
    EvaluationOptions,
    NoOptions,
    PathsOptions,
    SlicesOptions,
    SpacerOptions,
    TreesOptions,
)
from sorrel.engines.plan import PLAN
from sorrel.engines.spacer import Spacer
from sorrel.horn.exchange import ALONE
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Unknown, Verdict
from sorrel.logic.cells import dimensions
from sorrel.logic.datatypes import is_datatype
from sorrel.measures.library import GROUPS
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.transform.lift import Transformed
from sorrel.transform.preparation import ALIGNED, CONTROL, FIT, LOOPS, NUMBERS, PAIR, SERIES
from sorrel.transform.simplify import simplify


@dataclass(frozen=True, slots=True)
class Slice:
    """A variant, told in words, and the seconds of its first slice."""

    name: str
    variant: SpacerOptions | PathsOptions | EvaluationOptions | TreesOptions | BackwardOptions | NoOptions
    seconds: float
    by: str = "spacer"  # the engine

    @property
    def wants_simplified(self) -> bool:
        """Whether somebody else has to simplify the clauses for it."""
        return registry.entry(self.by).simplify

    def engine(self, refute_share: float) -> Engine:
        variant = self.variant
        if isinstance(variant, SpacerOptions):
            variant = replace(variant, refute_share=refute_share)
        made: Engine = registry.entry(self.by).made(variant)
        return made


LOOP_LEVELS = 24
"""Steps of paths on which loops are taken at once: those that need more are left to other variants."""
GUIDED = SpacerOptions(guidance=True, restarts=True, inlining=False)
TELLING = Slice("Spacer that tells its lemmas", SpacerOptions(lemmas=True), 1.5)
ONE_CELL = Slice(
    "Spacer with global guidance on one cell at the strides of arrays",
    replace(GUIDED, passes=f"{CONTROL}+{NUMBERS}+{ALIGNED}"),
    1.5,
)
TWO_CELLS = Slice(
    "Spacer with global guidance on two cells at the strides of arrays",
    replace(GUIDED, passes=f"{CONTROL}+{NUMBERS}+{PAIR}"),
    6.0,
)
ROUND: Sequence[Slice] = (
    Slice("Spacer", SpacerOptions(), 0.5),
    ONE_CELL,
    Slice(
        f"{PATHS} with loops taken many times at once", PathsOptions(passes=LOOPS, levels=LOOP_LEVELS), 1.0, by="paths"
    ),
    Slice(f"{PATHS} with sums taken at once", PathsOptions(passes=SERIES, levels=LOOP_LEVELS), 1.0, by="paths"),
    Slice("Spacer", SpacerOptions(), 3.0),
    Slice("Spacer with loops taken many times at once", SpacerOptions(passes=LOOPS), 2.0),
    Slice(RANGES, NoOptions(), 1.0, by="ranges"),
    Slice(TREES, TreesOptions(), 1.5, by="trees"),
    TELLING,
    Slice(EVALUATION, EvaluationOptions(), 2.5, by="evaluation"),
    Slice(PATHS, PathsOptions(), 3.0, by="paths"),
    Slice(INDUCTION, BackwardOptions(), 1.5, by="induction"),
    Slice(
        "Spacer with global guidance and restarts on prepared clauses",
        replace(GUIDED, passes=FIT),
        6.0,
    ),
    TWO_CELLS,
    Slice("Spacer with another arithmetic", SpacerOptions(arithmetic=6), 4.0),
    Slice("Spacer with symbolic obligations", SpacerOptions(ground=False, equalities=True), 1.0),
    Slice(
        "Spacer with global guidance and another arithmetic on prepared clauses",
        replace(GUIDED, arithmetic=6, passes=FIT),
        3.0,
    ),
)

MEASURED = tuple(Slice(f"Spacer on {group} of data", replace(GUIDED, passes=group), 1.5) for group in GROUPS)
"""For clauses about algebraic datatypes, after a first short slice: what a measure decides it decides soon."""
AGAIN = (Cause.TIME, Cause.UNCONFIRMED)
INFORMED = "Spacer with facts that others have proved"


class Informed:
    """Spacer on simplified clauses, which is what other engines prove facts about, strengthened by these."""

    def __init__(self, system: HornSystem) -> None:
        self._system = system
        self._used: Summaries = {}

    @cached_property
    def simpler(self) -> Transformed:
        return simplify(self._system)

    def solve(self, run: Circumstances, seeds: Summaries, seconds: float) -> Verdict:
        nothing = Unknown(Reason(Cause.INCOMPLETE, "nothing new is known"))
        if run.exchange is ALONE or seeds:  # with seeds every predicate is kept, and clauses are others
            return nothing
        facts = run.exchange.known(self.simpler.system)
        if not facts or all(name in self._used and self._used[name].eq(fact) for name, fact in facts.items()):
            return nothing
        self._used = facts
        run.progress({"phase": INFORMED})
        own = replace(run, clock=run.clock.share(1.0, seconds), evidence=run.clock, all_evidence=False)
        verdict = Spacer(SpacerOptions()).solve(self.simpler.system, own, facts)
        if isinstance(verdict, Unknown):
            return verdict
        return self.simpler.lift(replace(verdict, by=INFORMED), run.oracle())


class Slices:
    """The first variant with an answer has it; its evidence is checked like any other."""

    def __init__(self, options: SlicesOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return Spacer(SpacerOptions()).unsupported(system)

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        tried: dict[str, Reason] = {}
        informed = Informed(system)
        for number, going in enumerate(self._rounds(_first(system, self._options.facts), tried)):
            # Whoever asks for facts may have to wait for them: what is solved at once does without.
            if number and self._options.facts:
                known = informed.solve(run, seeds, PLAN.facts * self._options.slice)
                if not isinstance(known, Unknown):
                    return known
            for each in going:
                if run.clock.expired():
                    return Unknown(_reason(tried))
                run.progress({"phase": each.name})
                seconds = each.seconds * self._options.slice * 2**number
                evidence = run.clock.share(1.0, max(PLAN.evidence_least, PLAN.evidence_slices * seconds))
                own = replace(run, clock=run.clock.share(1.0, seconds), evidence=evidence)
                engine = each.engine(self._options.refute_share)
                if each.wants_simplified:
                    found = engine.solve(informed.simpler.system, own, {})
                    verdict = informed.simpler.lift(found, run.oracle())
                else:
                    verdict = engine.solve(system, own, seeds)
                if not isinstance(verdict, Unknown):
                    return replace(verdict, by=each.name)
                tried[each.name] = verdict.reason
        return Unknown(_reason(tried))

    def _rounds(self, first: list[Slice], tried: dict[str, Reason]) -> Iterator[list[Slice]]:
        """Round after round; a variant that gave up, but for time or evidence, does not get another turn."""
        going = first
        while going:
            yield going
            going = [each for each in going if each.name in tried and tried[each.name].cause in AGAIN]


def _first(system: HornSystem, facts: bool) -> list[Slice]:
    """The first round: with measures of data where there are data to be measured, with cells where there are arrays."""
    sorts = [argument.sort for predicate in system.predicates for argument in predicate.arguments]
    measured = MEASURED if any(map(is_datatype, sorts)) else ()
    left_out = [*(() if facts else (TELLING,)), *(() if any(map(dimensions, sorts)) else (ONE_CELL, TWO_CELLS))]
    first, *others = ROUND
    return [first, *measured, *(each for each in others if each not in left_out)]


def _reason(tried: dict[str, Reason]) -> Reason:
    if not tried:
        return Reason(Cause.TIME, "there was no time for any variant of Spacer")
    late = any(reason.cause in AGAIN for reason in tried.values())
    said = "; ".join(f"{name}: {reason.message}" for name, reason in tried.items())
    return Reason(Cause.TIME if late else Cause.INCOMPLETE, said)
