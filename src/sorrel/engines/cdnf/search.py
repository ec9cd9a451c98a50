"""The teacher and the loop around the learner: one property after the other, each from what is known.

Safe rests on two questions to the SAT solver alone (s ⇒ p and τ(s) ⇒ s), and the certificate is checked again by
others; unsafe rests on a completed run. So wrong answers to membership queries, such as `no` for a run that
exceeds its budget, can cost time and termination, never a verdict.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import product
from typing import TypeAlias

from sorrel.engines.cdnf.conjuncts import BitClause, Conjunct, Formula, Learned, fact
from sorrel.engines.cdnf.guesses import Guesses, vocabulary
from sorrel.engines.cdnf.houdini import inductive_part, needed_part
from sorrel.engines.cdnf.layout import Behaviour, Layout
from sorrel.engines.cdnf.learner import Around, Learner, Point
from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.cdnf.path_formula import Escape, PathFormula
from sorrel.engines.cdnf.plan import PLAN
from sorrel.engines.engine import Circumstances
from sorrel.finite.function import FiniteFunction, FiniteProgram, Property
from sorrel.finite.simulate import OutOfSteps, Result, Returned, Simulator
from sorrel.logic.compiled import Values
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.sat import Circuit

MOST_SAMPLES = 400
MOST_BITS_TO_TRY = 16
MOST_RUNS_TO_AVOID = 2000
FIRST_QUERIES = 40
DEEPEST_BLOCKING = 20


@dataclass(frozen=True, slots=True)
class Violated:
    """A run that returns what the property forbids."""

    behaviour: Behaviour


@dataclass(frozen=True, slots=True)
class Proved:
    summary: tuple[Conjunct, ...]
    by: str


@dataclass(frozen=True, slots=True)
class OutOfTime:
    pass


Finding: TypeAlias = Proved | Violated | OutOfTime


@dataclass
class Counts:
    """What Table I is about."""

    membership: int = 0
    equivalence: int = 0
    facts: int = 0
    clauses: int = 0
    forgotten: int = 0


@dataclass
class _Summary:
    """The candidate s: what is proved, what is assumed, and what was learned."""

    known: list[Conjunct] = field(default_factory=list)  # inductive by themselves
    extra: list[Conjunct] = field(default_factory=list)  # the property, facts
    clauses: list[BitClause] = field(default_factory=list)
    learned: dict[int, Learned] = field(default_factory=dict)  # by id of the learner's part

    def conjuncts(self) -> list[Conjunct]:
        return [*self.known, *self.extra, *self.clauses, *self.learned.values()]


class Search:
    def __init__(self, program: FiniteProgram, options: CdnfOptions, run: Circumstances) -> None:
        self._program = program
        self._options = options
        self._run = run
        self._layout = Layout(program)
        self.simulator = Simulator(program)
        self._formula = PathFormula(program, self._layout, Circuit(run.statistics))
        self._random = random.Random(run.seed)
        self._known: list[Conjunct] = []
        self._proved: list[tuple[Formula, str]] = []
        self._deep = 4 * options.steps + 1
        self.counts = Counts()
        self._reset()

    def _reset(self) -> None:
        self._summary = _Summary(known=list(self._known))
        self._learner = Learner(self._member)

    def assume_known(self, function: FiniteFunction, formula: Term) -> None:
        """A formula that is inductive together with the others given so."""
        self._known.append(Formula(function, formula))

    def prove(self, wanted: Property) -> Finding:
        """Goes on from what earlier properties needed; what is found is kept for later ones."""
        function = self._program.function[wanted.function]
        goal = Formula(function, wanted.formula)
        self._reset()
        if self._options.start:
            self._summary.extra.append(Formula(goal.function, goal.formula))
        found: Finding | None = self._sampled(goal) or self._settled(goal, "the summary known before")
        if self._options.templates:
            guesses = self._guesses
            found = found or self._keep(goal, [(f, g.plain()) for f, g in guesses()])
            # Properties of single points need a few facts, which are found sooner than the right implications.
            found = found or (self._learn(goal, FIRST_QUERIES) if self._options.facts else None)
            found = found or self._tried_all(goal)
            found = found or self._keep(goal, [(f, g.implications()) for f, g in guesses()])
        found = found or self._learn(goal)
        if isinstance(found, Proved):
            found = self._tidied(found, goal)
            self._known = list(found.summary)
            self._proved.append((goal, function.name))
        return found or OutOfTime()

    # Membership

    def _member(self, point: Point) -> bool:
        """Is this a behaviour of the functions within the budget that satisfies the property?"""
        self.counts.membership += 1
        behaviour = self._layout.behaviour(point)
        if behaviour is None or not self._goal.holds(self._layout, behaviour):
            return False
        return self._is_real(behaviour, self._simulate(behaviour))

    def _simulate(self, behaviour: Behaviour, steps: int = 0) -> Result:
        return self.simulator.run(behaviour.function, behaviour.arguments, steps or self._options.steps)

    def _refutes(self, behaviour: Behaviour) -> bool:
        """Is it real, though it violates the property? Such a run may take longer: each time twice as long."""
        result = self._simulate(behaviour)
        if isinstance(result, OutOfSteps) and self._deep <= self._options.deep_steps:
            result = self._simulate(behaviour, self._deep)
            self._deep *= 2
        return self._is_real(behaviour, result)

    @staticmethod
    def _is_real(behaviour: Behaviour, result: Result) -> bool:
        return isinstance(result, Returned) and result.values == behaviour.results

    # Samples

    def _sampled(self, goal: Formula) -> Violated | None:
        """Run on small and on random arguments: what contradicts the property is found, guesses get their points."""
        self._goal = goal
        if not (self._options.templates or self._options.facts):
            return None
        return self._violating(goal, self._samples(goal.function))

    def _tried_all(self, goal: Formula) -> Violated | None:
        """Small arguments first, so that larger ones find their calls in the cache: a deep violation costs no more."""
        widths = goal.function.widths[: len(goal.function.parameters)]
        if sum(widths) > MOST_BITS_TO_TRY:
            return None
        self._run.progress({"phase": "all arguments"})
        return self._violating(goal, product(*(range(1 << width) for width in widths)))

    def _violating(self, goal: Formula, samples: Iterable[Values]) -> Violated | None:
        for arguments in samples:
            result = self.simulator.run(goal.function.name, arguments, self._options.steps)
            if isinstance(result, Returned):
                behaviour = Behaviour(goal.function.name, arguments, result.values)
                if not goal.holds(self._layout, behaviour):
                    return Violated(behaviour)
            if self._run.clock.expired():
                break
        return None

    def _samples(self, function: FiniteFunction) -> Iterator[Values]:
        widths = function.widths[: len(function.parameters)]
        if sum(widths) <= 8:
            yield from product(*(range(1 << width) for width in widths))
            return
        each = max(2, int(MOST_SAMPLES ** (1 / max(1, len(widths)))))
        yield from product(*(range(min(1 << width, each)) for width in widths))
        for _ in range(50):
            yield tuple(self._random.getrandbits(self._random.randint(1, width)) for width in widths)

    # Guess and check

    def _guesses(self) -> Iterator[tuple[FiniteFunction, Guesses]]:
        known = vocabulary(self._program)
        for function in self._program.functions:
            runs = [(*arguments, *results) for arguments, results in self.simulator.known(function.name)]
            if runs:
                yield function, Guesses(function, runs, known)

    def _keep(self, goal: Formula, guessed: Sequence[tuple[FiniteFunction, Sequence[Term]]]) -> Proved | None:
        """What is inductive among the guesses and the property becomes known; is it enough?"""
        self._run.progress({"phase": "guess"})
        candidates: list[Conjunct] = [Formula(goal.function, goal.formula)]
        candidates += (Formula(function, formula) for function, formulas in guessed for formula in formulas)
        clock = PLAN.guesses.of(self._run.clock)
        self._summary.known += inductive_part(self._formula, self._summary.known, candidates, clock)
        return self._settled(goal, "guessed facts")

    def _settled(self, goal: Formula, by: str) -> Proved | None:
        """Do the conjuncts that are known to be inductive imply the property?"""
        known = self._summary.known
        if self._formula.violation(known, goal, goal.function.name) is None:
            return Proved(tuple(known), by)
        return None

    # Learning

    def _learn(self, goal: Formula, queries: int | None = None) -> Finding | None:
        """Until something is found, time is up, or that many equivalence queries are asked."""
        last = None if queries is None else self.counts.equivalence + queries
        while not self._run.clock.expired() and self.counts.equivalence != last:
            self.counts.equivalence += 1
            if self.counts.equivalence % 50 == 0:
                self._run.progress({"phase": "learn", "equivalence queries": self.counts.equivalence})
            finding = self._ask(goal)
            if finding is not None:
                return finding
        return None

    def _ask(self, goal: Formula) -> Finding | None:
        """One equivalence query (Fig. 4), and what to learn from its counterexample."""
        summary = self._summary.conjuncts()
        wrong = self._formula.violation(summary, goal, goal.function.name)
        if wrong is not None:
            if self._refutes(wrong):
                return Violated(wrong)
            self._exclude(wrong)
            return None
        escape = self._formula.escape(summary)
        if escape is None:
            return Proved(tuple(summary), "learned clauses")
        return self._analyse(escape, goal)

    def _analyse(self, escape: Escape, goal: Formula) -> Violated | None:
        """Section V: s has too few behaviours if the head is real, or too many at one of its calls."""
        head = escape.head
        is_violation = not goal.holds(self._layout, head)
        if is_violation:
            if self._refutes(head):
                return Violated(head)
        elif self._is_real(head, self._simulate(head)):
            self._include(head)
            return None
        doubtful: Behaviour | None = None
        for call in escape.calls:
            match self._simulate(call):
                case Returned(values) if values == call.results:
                    continue
                case OutOfSteps():
                    doubtful = doubtful or call
                case _:
                    self._exclude(call)
                    return None
        if doubtful is not None:
            self._exclude(doubtful)
        elif self._is_real(head, self._simulate(head)):  # all its calls are in the cache by now
            if is_violation:
                return Violated(head)
            self._include(head)
        else:
            raise InternalError(f"all calls of {head} are real, but it is not")
        return None

    def _include(self, real: Behaviour) -> None:
        """A behaviour that s lacks: drop the clauses it refutes, and let the learner add it."""
        point = self._layout.point(real)
        refuted = [clause for clause in self._summary.clauses if not clause.holds(self._layout, real)]
        for clause in refuted:
            self._summary.clauses.remove(clause)
            self._formula.retire(clause)
        forgotten = [a for a in self._learner.hypothesis if a.base == point]
        for around in forgotten:  # it was taken for negative when its run exceeded the budget
            self.counts.forgotten += 1
            self._learner.forget(around)
            self._formula.retire(self._summary.learned.pop(id(around)))
        if not self._learner.holds(point):
            self._update(self._learner.refine(point))
        elif not refuted and not forgotten:
            raise InternalError(f"{real} is real, and nothing in the summary excludes it")

    def _exclude(self, wrong: Behaviour) -> None:
        """A behaviour that s has and the functions do not (or not within the budget)."""
        result = self._simulate(wrong)
        function = self._program.function[wrong.function]
        if self._options.facts and isinstance(result, Returned):
            self.counts.facts += 1
            self._summary.extra.append(fact(function, wrong.arguments, result.values))
        elif not (self._options.generalise and self._block(wrong, DEEPEST_BLOCKING)):
            point = self._layout.point(wrong)
            if not self._learner.holds(point):
                raise InternalError(f"{wrong} is in the summary, but not in its learned part")
            self._update(self._learner.refine(point))

    def _update(self, changed: Sequence[Around]) -> None:
        for around in changed:
            before = self._summary.learned.get(id(around))
            if before is not None:
                self._formula.retire(before)
            self._summary.learned[id(around)] = Learned(around)

    # Generalisation

    def _block(self, wrong: Behaviour, depth: int) -> bool:
        """A clause that excludes the behaviour and is inductive relative to s; first those of its calls, if needed."""
        point = self._layout.point(wrong)
        mask = sum(((1 << width) - 1) << at for at, width in self._layout.words(wrong.function))
        while depth and not self._run.clock.expired():
            clause = BitClause(wrong.function, mask, point)
            found = self._blocked(clause)
            if isinstance(found, int):
                self._summary.clauses.append(self._shortened(BitClause(wrong.function, found, point)))
                self.counts.clauses += 1
                self._formula.retire(clause)
                return True
            self._formula.retire(clause)
            depth -= 1
            reason = next((c for c in found.calls if not self._is_real(c, self._simulate(c))), None)
            if reason is None or reason == wrong or not self._block(reason, depth):
                return False
        return False

    def _blocked(self, clause: BitClause) -> int | Escape:
        summary = self._summary.conjuncts()
        return self._formula.blocked(summary, clause, clause.function, clause.mask, clause.value)

    def _shortened(self, clause: BitClause) -> BitClause:
        """Leave out bits as long as the clause stays inductive relative to s and no known run refutes it."""
        known = self.simulator.known(clause.function)[-MOST_RUNS_TO_AVOID:]
        runs = [self._layout.point(Behaviour(clause.function, a, r)) for a, r in known]
        clause = self._away_from(clause, runs)
        bits = [1 << place for place in range(self._layout.size) if clause.mask >> place & 1]
        for bit in reversed(bits):
            if not clause.mask & bit:
                continue
            tried = BitClause(clause.function, clause.mask & ~bit, clause.value)
            if not tried.mask or any(run & tried.mask == tried.value & tried.mask for run in runs):
                continue
            found = self._blocked(tried)
            self._formula.retire(tried)
            if isinstance(found, int):
                clause = self._away_from(BitClause(clause.function, found, clause.value), runs, tried.mask)
        return clause

    def _away_from(self, clause: BitClause, runs: Sequence[Point], more: int = 0) -> BitClause:
        """With bits added again until no known run is in the cube."""
        mask = clause.mask
        full = more or sum(((1 << width) - 1) << at for at, width in self._layout.words(clause.function))
        for run in runs:
            if run & mask == clause.value & mask:
                difference = (run ^ clause.value) & full
                mask |= difference & -difference
        return BitClause(clause.function, mask, clause.value)

    # The end

    def _tidied(self, found: Proved, goal: Formula) -> Proved:
        """Conjuncts that are not needed for this property or an earlier one are left out."""
        wanted = [*self._proved, (goal, goal.function.name)]
        summary: Sequence[Conjunct] = found.summary
        if self._options.readable and any(not isinstance(c, Formula) for c in summary):
            summary = self._in_arithmetic(summary, wanted) or summary
        kept = needed_part(self._formula, summary, wanted, PLAN.tidying.of(self._run.clock))
        return Proved(tuple(kept), found.by)

    def _in_arithmetic(
        self, summary: Sequence[Conjunct], wanted: Sequence[tuple[Formula, str]]
    ) -> list[Conjunct] | None:
        """Formulas that say no more than what was learned, if they are enough."""
        candidates: list[Conjunct] = [Formula(g.function, g.formula) for g, _ in wanted]
        candidates += (Formula(function, f) for function, guessed in self._guesses() for f in guessed.plain())
        kept = inductive_part(self._formula, [], candidates, PLAN.in_arithmetic.of(self._run.clock))
        enough = all(self._formula.violation(kept, goal, name) is None for goal, name in wanted)
        return kept if enough else None
