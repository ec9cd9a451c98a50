"""Relations for 2^n steps, as weak as what was asked of them allows, and the paths that were found on the way.

E_n (TPA^{=n}) contains all pairs of states that are 2^n steps apart, L_n (TPA^{<n}) those that are fewer steps apart.
Two of them, one after the other, are asked whether they lead from a source to a target. If not, an interpolant
strengthens the next power; if so, the state between is asked for with powers that are one smaller, down to steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from sorrel.engines.tpa.plan import PLAN
from sorrel.engines.tpa.transition import Formula, Point, TransitionSystem
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.smt.interpolation import interpolate
from sorrel.smt.projection import project_model
from sorrel.smt.solver import Oracle, Sat, Session, Undecided, Unsat
from sorrel.smt.sums_between import sums_between

EXACT, LESS = "exactly", "less"


class GaveUpError(Exception):
    """A solver did not decide a question, or nothing between was found."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """At most two steps from the source, which `formula` has between the copies of the state."""

    formula: Term
    copies: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """`states` are reached from the source by steps: those of a leaf, or two paths one after the other."""

    states: Term
    how: Leaf | tuple[Reached, Reached]


@dataclass(slots=True, eq=False)
class Relation:
    """A conjunction over a state and a later one that grows, and the solvers that have to be told."""

    first: Formula
    parts: list[Term] = field(default_factory=list)
    listeners: list[Callable[[Term], None]] = field(default_factory=list)

    def add(self, part: Term) -> None:
        for each in terms.conjuncts(part):
            if not any(terms.same(each, known) for known in self.parts):
                self.parts.append(each)
                for listener in self.listeners:
                    listener(each)


class Powers:
    """`steps` are what exactly one step is: a step of the system, or, if not `split`, that or none."""

    def __init__(self, system: TransitionSystem, oracle: Oracle, *, split: bool) -> None:
        self.system = system
        self.oracle = oracle
        self.split = split
        same = terms.conjunction(map(terms.equal, system.state, system.later))
        step = system.step
        self.steps = step if split else Formula(terms.disjunction([same, step.body]), step.own)
        self._copies = (system.state, system.copy("between"), system.later)
        self._exact = [Relation(self.steps)]
        self._less = [Relation(Formula(same))]
        self._questions: dict[tuple[str, int], _Question] = {}
        self.refinements = 0

    def exactly(self, power: int) -> Relation:
        return _grown(self._exact, power)

    def less(self, power: int) -> Relation:
        return _grown(self._less, power)

    def placed(self, relation: Relation, start: Point, end: Point, tag: str) -> Term:
        """The relation between two copies of the state."""
        pairs = [*zip(self.system.state, start, strict=True), *zip(self.system.later, end, strict=True)]
        first = relation.first.at(pairs, tag)
        return terms.conjunction([first, *(terms.substitute(part, pairs) for part in relation.parts)])

    # --- questions ------------------------------------------------------------------------------------------

    def reach_exactly(self, power: int, source: Formula, target: Formula) -> Reached | None:
        """Target states after exactly 2^(power + 1) steps; if there are none, the next power says so."""
        question = self._question(EXACT, power)
        while True:
            model = question.ask(source, target)
            if model is None:
                self._refine(question, self.exactly(power + 1), source, target)
                return None
            if power == 0:
                return question.leaf(source, target, model)
            between = Formula(question.between(source, target, model))
            found = self._joined(
                self.reach_exactly(power - 1, source, between),
                lambda start: self.reach_exactly(power - 1, start, target),
            )
            if found is not None:
                return found

    def reach_less(self, power: int, source: Formula, target: Formula) -> Reached | None:
        """Target states after less than 2^(power + 1) steps."""
        question = self._question(LESS, power)
        while True:
            model = question.ask(source, target)
            if model is None:
                self._refine(question, self.less(power + 1), source, target)
                return None
            if power == 0:
                return question.leaf(source, target, model)
            if question.ends_between(model):
                found = self.reach_less(power - 1, source, target)
            else:
                between = Formula(question.between(source, target, model))
                found = self._joined(
                    self.reach_less(power - 1, source, between),
                    lambda start: self.reach_exactly(power - 1, start, target),
                )
            if found is not None:
                return found

    def _joined(self, first: Reached | None, then: Callable[[Formula], Reached | None]) -> Reached | None:
        if first is None:
            return None
        second = then(Formula(first.states))
        return None if second is None else Reached(second.states, (first, second))

    def _refine(self, question: _Question, relation: Relation, source: Formula, target: Formula) -> None:
        """An interpolant between what two smaller powers allow and the ends that are not reached by them."""
        self.refinements += 1
        shared = [*self.system.state, *self.system.later]
        body, ends = question.body(), terms.conjunction(question.ends(source, target))
        for way in (sums_between, interpolate):
            found = way(self.oracle, body, ends, shared, PLAN.interpolation)
            if found is not None:
                relation.add(found)
                return
        raise GaveUpError(Reason(Cause.INCOMPLETE, "no interpolant of two transition powers was found"))

    def _question(self, kind: str, power: int) -> _Question:
        found = self._questions.get((kind, power))
        if found is None:
            first, second = (
                (self.exactly(power), self.exactly(power)) if kind == EXACT else (self.less(power), self.exactly(power))
            )
            found = _Question(self, self._copies, first, second, kind == LESS)
            self._questions[(kind, power)] = found
        return found

    # --- paths ----------------------------------------------------------------------------------------------

    def points(self, reached: Reached) -> list[Point] | None:
        """States one after the other, from a source to one of those that are reached; some may be repeated."""
        model = self._model(reached.states)
        if model is None:
            return None
        found = [tuple(value_in(model, v) for v in self.system.state)]
        waiting = [reached]
        while waiting:
            current = waiting.pop()
            if isinstance(current.how, tuple):
                waiting += current.how
                continue
            before = self._before(current.how, found[-1])
            if before is None:
                return None
            found += before
        return found[::-1]

    def _before(self, leaf: Leaf, end: Point) -> list[Point] | None:
        """The states before the last one, that one first."""
        *others, last = leaf.copies
        model = self._model(terms.substitute(leaf.formula, zip(last, end, strict=True)))
        if model is None:
            return None
        return [tuple(value_in(model, v) for v in copy) for copy in reversed(others)]

    def _model(self, formula: Term) -> Model | None:
        match self.oracle.check(formula, kind="tpa.path"):
            case Sat(model):
                return model
        return None


def _grown(relations: list[Relation], power: int) -> Relation:
    while len(relations) <= power:
        relations.append(Relation(Formula(terms.TRUE)))
    return relations[power]


class _Question:
    """Two relations one after the other, told to one solver; the second may be left out if it is `optional`."""

    def __init__(
        self, powers: Powers, copies: Sequence[Point], first: Relation, second: Relation, optional: bool
    ) -> None:
        self._powers = powers
        self._start, self._middle, self._end = copies
        self._first, self._second, self._optional = first, second, optional
        self._stays = terms.conjunction(map(terms.equal, self._middle, self._end))
        self._session: Session = powers.oracle.plain_session("tpa")
        self._session.add(self.body())
        first.listeners.append(lambda part: self._tell(part, self._start, self._middle, optional=False))
        second.listeners.append(lambda part: self._tell(part, self._middle, self._end, optional=optional))

    def _tell(self, part: Term, start: Point, end: Point, *, optional: bool) -> None:
        system = self._powers.system
        pairs = [*zip(system.state, start, strict=True), *zip(system.later, end, strict=True)]
        placed = terms.substitute(part, pairs)
        self._session.add(terms.disjunction([self._stays, placed]) if optional else placed)

    def body(self) -> Term:
        first = self._powers.placed(self._first, self._start, self._middle, "first")
        second = self._powers.placed(self._second, self._middle, self._end, "second")
        if self._optional:
            second = terms.disjunction([self._stays, second])
        return terms.conjunction([first, second])

    def ends(self, source: Formula, target: Formula) -> list[Term]:
        system = self._powers.system
        return [
            source.at(zip(system.state, self._start, strict=True), "source"),
            target.at(zip(system.state, self._end, strict=True), "target"),
        ]

    def ask(self, source: Formula, target: Formula) -> Model | None:
        if self._powers.oracle.clock.expired():
            raise GaveUpError(Reason(Cause.TIME, "time ran out"))
        match self._session.check_with(self.ends(source, target)):
            case Sat(model):
                return model
            case Unsat():
                return None
            case Undecided(reason):
                cause = Cause.INCOMPLETE if "incomplete" in reason else Cause.TIME
                raise GaveUpError(Reason(cause, f"the solver could not decide a question: {reason}"))

    def ends_between(self, model: Model) -> bool:
        return terms.is_true(value_in(model, self._stays))

    def between(self, source: Formula, target: Formula, model: Model) -> Term:
        return self._projected(self._middle, source, target, model)

    def leaf(self, source: Formula, target: Formula, model: Model) -> Reached:
        whole = terms.conjunction([self.body(), *self.ends(source, target)])
        copies = (self._start, self._end) if self._optional else (self._start, self._middle, self._end)
        return Reached(self._projected(self._end, source, target, model), Leaf(whole, copies))

    def _projected(self, copy: Point, source: Formula, target: Formula, model: Model) -> Term:
        """States of that copy from which, and to which, the question has a yes; as states of the system."""
        whole = terms.conjunction([self.body(), *self.ends(source, target)])
        kept = {variable.get_id() for variable in copy}
        others = [variable for variable in walk.free_variables(whole) if variable.get_id() not in kept]
        cube = project_model(self._powers.oracle, whole, model, others)
        return terms.substitute(cube, zip(copy, self._powers.system.state, strict=True))
