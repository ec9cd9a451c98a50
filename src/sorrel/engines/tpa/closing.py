"""When a relation for some steps is one for any number of steps, and the invariant that follows."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.tpa.plan import PLAN
from sorrel.engines.tpa.powers import Powers
from sorrel.engines.tpa.transition import Formula, Point
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.interpolation import interpolate
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Unsat

LARGEST_PERIOD = 16
"""Steps of which an invariant of one step is made; the paper's are for 2^n steps at once."""


class Closing:
    """Looks at powers between the initial states and the bad ones."""

    def __init__(self, powers: Powers) -> None:
        self._powers = powers
        self._system = powers.system
        self._oracle = powers.oracle
        self._middle = self._system.copy("between")

    def invariant(self, power: int) -> Term | None:
        """Closed under steps, with all initial states and no bad one; None if this power gives none."""
        candidates = self._candidates(power)
        found = self._from_the_left(candidates)
        if found is None:
            found = self._from_the_right(candidates)
        if found is None and self._powers.split and 2**power <= LARGEST_PERIOD:
            found = self._periodic(power)
        return found

    def _candidates(self, power: int) -> list[Term]:
        """What was learned for so many steps, and for fewer: some of that may hold of any number of them."""
        found: list[Term] = []
        for number in range(power, 0, -1):
            relations = [self._powers.exactly(number)]
            relations += [self._powers.less(number)] if self._powers.split else []
            found += [part for relation in relations for part in relation.parts]
        return list({part.get_id(): part for part in found}.values())

    # --- one step more --------------------------------------------------------------------------------------

    def _from_the_left(self, parts: Sequence[Term]) -> Term | None:
        """Initial ∘ R, where R ∘ T is in R: conjuncts that do not hold after one more step are left out."""
        start, middle, end = self._system.state, self._middle, self._system.later
        initial = self._system.initial.at((), "source")
        step = self._placed(self._system.step, middle, end)
        kept = self._closed(parts, [initial, step], (start, middle), (start, end))
        bad = self._system.bad.at(zip(start, end, strict=True), "target")
        if not self._refuted(initial, *kept, bad):
            return None
        return self._states(terms.conjunction([initial, *kept]), end)

    def _from_the_right(self, parts: Sequence[Term]) -> Term | None:
        """Not R ∘ bad, where T ∘ R is in R."""
        start, middle, end = self._system.state, self._middle, self._system.later
        bad = self._system.bad.at(zip(start, end, strict=True), "target")
        step = self._placed(self._system.step, start, middle)
        kept = self._closed(parts, [bad, step], (middle, end), (start, end))
        if not self._refuted(self._system.initial.at((), "source"), *kept, bad):
            return None
        there = self._states(terms.conjunction([bad, *kept]), start)
        return None if there is None else terms.negation(there)

    def _closed(
        self, parts: Sequence[Term], given: Sequence[Term], before: tuple[Point, Point], after: tuple[Point, Point]
    ) -> list[Term]:
        """The largest part that holds of no steps, and after the step that is `given` if it did before."""
        same = terms.conjunction(map(terms.equal, self._system.state, self._system.later))
        kept = [part for part in parts if self._refuted(same, terms.negation(part))]
        while kept:
            session = self._oracle.plain_session("tpa.closed")
            session.add(*given, *(self._moved(part, *before) for part in kept))
            holding = [
                part
                for part in kept
                if isinstance(
                    session.check_with([terms.negation(self._moved(part, *after))], seconds=PLAN.closed), Unsat
                )
            ]
            if len(holding) == len(kept):
                break
            kept = holding
        return kept

    # --- many steps at once ---------------------------------------------------------------------------------

    def _periodic(self, power: int) -> Term | None:
        """States that 2^n steps keep, then for each step of such a period what lies between them and bad ones.

        E ∘ E_n is in E for a part E of the relation for 2^n steps: then initial states, and what E leads to from
        there, are closed under 2^n steps. No bad state is less than 2^n steps away from them.
        """
        start, middle, end = self._system.state, self._middle, self._system.later
        exactly = self._powers.exactly(power)
        initial = self._system.initial.at((), "source")
        again = self._powers.placed(exactly, middle, end, "again")
        kept = self._kept_by(exactly.parts, initial, again)
        if not kept:
            return None
        reached = self._states(terms.conjunction([initial, *kept]), end)
        first = self._states(initial, start)
        if reached is None or first is None:
            return None
        beginning = terms.disjunction([first, reached])
        soon = self._powers.placed(self._powers.less(power), start, end, "soon")
        if not self._refuted(beginning, soon, self._system.bad.at(zip(start, end, strict=True), "target")):
            return None
        return self._around(beginning, 2**power)

    def _kept_by(self, parts: Sequence[Term], initial: Term, again: Term) -> list[Term]:
        start, middle = self._system.state, self._middle
        kept = list(parts)
        while kept:
            before = [initial, again, *(self._moved(part, start, middle) for part in kept)]
            holding = [part for part in kept if self._refuted(*before, terms.negation(part))]
            if len(holding) == len(kept):
                break
            kept = holding
        return kept

    def _around(self, beginning: Term, period: int) -> Term | None:
        """The union of states after each step of a period, each as weak as what follows in the period allows."""
        found = [beginning]
        for done in range(1, period):
            image = terms.conjunction([found[-1], self._system.step.at((), "step")])
            there = zip(self._system.state, self._system.later, strict=True)
            unwanted = terms.substitute(self._unwanted(beginning, period - done), there)
            between = interpolate(self._oracle, image, unwanted, self._system.later, PLAN.image)
            if between is None:
                return None
            back = zip(self._system.later, self._system.state, strict=True)
            found.append(terms.substitute(between, back))
        return terms.disjunction(found)

    def _unwanted(self, beginning: Term, left: int) -> Term:
        """States with a bad one less than so many steps away, or outside of the beginning after all of them."""
        copies = [self._system.state, *(self._system.copy(f"after{number}") for number in range(1, left + 1))]
        cases: list[Term] = []
        path: list[Term] = []
        for number, copy in enumerate(copies[:-1]):
            pairs = list(zip(self._system.state, copy, strict=True))
            cases.append(terms.conjunction([*path, self._system.bad.at(pairs, f"bad{number}")]))
            path.append(self._placed(self._system.step, copy, copies[number + 1], f"step{number}"))
        outside = terms.substitute(beginning, zip(self._system.state, copies[-1], strict=True))
        cases.append(terms.conjunction([*path, terms.negation(outside)]))
        return terms.disjunction(cases)

    # --- what all of them ask -------------------------------------------------------------------------------

    def _moved(self, part: Term, start: Point, end: Point) -> Term:
        pairs = [*zip(self._system.state, start, strict=True), *zip(self._system.later, end, strict=True)]
        return terms.substitute(part, pairs)

    def _placed(self, formula: Formula, start: Point, end: Point, tag: str = "step") -> Term:
        pairs = [*zip(self._system.state, start, strict=True), *zip(self._system.later, end, strict=True)]
        return formula.at(pairs, tag)

    def _refuted(self, *formulas: Term) -> bool:
        return isinstance(self._oracle.check(*formulas, kind="tpa.closed", seconds=PLAN.closed), Unsat)

    def _states(self, formula: Term, copy: Point) -> Term | None:
        """What it says of one copy of the state, as states of the system."""
        kept = {variable.get_id() for variable in copy}
        others = [variable for variable in walk.free_variables(formula) if variable.get_id() not in kept]
        found = project_exact(self._oracle, formula, others, PLAN.image)
        return None if found is None else terms.substitute(found, zip(copy, self._system.state, strict=True))
