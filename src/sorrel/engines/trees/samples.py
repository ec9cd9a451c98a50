"""What is known of points: implications between them, and which are true or false in every solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from sorrel.guess.points import Point
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.model.work import METER

Labels = dict[int, bool]
"""Points, by number, that are true or false."""
LOOKING = 10
"""Units of work for looking at an implication once."""


@dataclass(frozen=True, slots=True, eq=False)
class Implication:
    """A clause at values of its variables: if all premises are true, so is the conclusion; None is false."""

    clause: str
    values: Mapping[Term, Term]
    premises: tuple[int, ...]
    conclusion: int | None


@dataclass(slots=True)
class Samples:
    """Points by number, the predicate and the arguments of each, and all implications seen.

    `labels` are those that hold in every solution: what follows by one implication after the other, which is all that
    follows, since each has one conclusion.
    """

    points: list[Point] = field(default_factory=list)
    of: dict[str, list[int]] = field(default_factory=dict)
    labels: Labels = field(default_factory=dict)
    refuted: Implication | None = None
    _numbers: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)
    _held: list[tuple[Term, ...]] = field(default_factory=list)
    _about: dict[int | None, list[Implication]] = field(default_factory=dict)
    _why: dict[int, Implication] = field(default_factory=dict)
    _new: Labels = field(default_factory=dict)  # labels of which not all that follows is noted
    _contradicted: bool = False

    def add(self, clause: Clause, values: Mapping[Term, Term]) -> bool:
        """The clause at these values; False if it was known."""
        premises = tuple(self._number(atom, values) for atom in clause.body)
        conclusion = self._number(clause.head, values) if clause.head else None
        if conclusion in premises or any(
            each.premises == premises and each.conclusion == conclusion for each in self._about.get(conclusion, ())
        ):
            return False
        implication = Implication(clause.name, values, premises, conclusion)
        for point in {*premises, conclusion}:
            self._about.setdefault(point, []).append(implication)
        self._settle(implication)
        return True

    def suppose(self, name: str, arguments: tuple[Term, ...]) -> None:
        """That the point is true, although how it is derived is not known."""
        self._note(self._point(name, arguments))

    def _note(self, point: int) -> None:
        self.labels[point] = self._new[point] = True

    def _number(self, atom: Atom, values: Mapping[Term, Term]) -> int:
        return self._point(atom.predicate.name, tuple(evaluate(argument, values) for argument in atom.arguments))

    def _point(self, name: str, arguments: tuple[Term, ...]) -> int:
        key = (name, tuple(map(terms.identity, arguments)))
        if key not in self._numbers:
            self._numbers[key] = len(self.points)
            self.of.setdefault(name, []).append(len(self.points))
            self.points.append(tuple(map(terms.as_number, arguments)))
            self._held.append(arguments)
        return self._numbers[key]

    def _settle(self, first: Implication) -> None:
        """Note what is true in every solution, and why, before what is false."""
        waiting = [first]
        while waiting:
            implication = waiting.pop()
            if not all(self.labels.get(point) is True for point in implication.premises):
                continue
            if implication.conclusion is None:
                self.refuted = self.refuted or implication
            elif self.labels.get(implication.conclusion) is not True:
                self._note(implication.conclusion)
                self._why[implication.conclusion] = implication
                waiting += self._about.get(implication.conclusion, ())
        if self.refuted is None and not self._contradicted:
            closed = self.consistent(self.labels, self._new, [first])
            self._contradicted = closed is None
            self.labels = closed or {point: True for point, label in self.labels.items() if label}
            self._new = {}

    def consistent(
        self, labels: Mapping[int, bool], more: Mapping[int, bool], added: Sequence[Implication] = ()
    ) -> Labels | None:
        """All that follows from the labels, which are closed already but for `more` and implications that were added.

        None if there is a contradiction.
        """
        found = {**labels, **more}
        waiting = [*added, *(each for point in more for each in self._about.get(point, ()))]
        while waiting:
            implication = waiting.pop()
            METER.add(LOOKING)
            forced = _forced(implication, found)
            if forced is None:
                continue
            point, label = forced
            if point is None or found.get(point, label) is not label:
                return None
            if point not in found:
                found[point] = label
                waiting += self._about.get(point, ())
        return found

    def derivation(self, refuted: Implication) -> Derivation | None:
        """How the query is derived that was refuted; None if that rests on points that were supposed to be true."""
        steps: list[Step] = []
        places: dict[int, int] = {}
        waiting: list[tuple[int | None, Implication]] = [(None, refuted)]
        while waiting:
            point, implication = waiting[-1]
            open_ = [p for p in implication.premises if p not in places]
            if open_ and open_[0] not in self._why:
                return None
            if open_:
                waiting.append((open_[0], self._why[open_[0]]))
                continue
            waiting.pop()
            if point is None or point not in places:
                steps.append(Step(implication.clause, implication.values, _at(implication.premises, places)))
                if point is not None:
                    places[point] = len(steps) - 1
        return Derivation(tuple(steps))


def _at(premises: Sequence[int], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places[point] for point in premises)


def _forced(implication: Implication, labels: Mapping[int, bool]) -> tuple[int | None, bool] | None:
    """The one point whose label follows; no point and False if the labels contradict the implication."""
    open_: set[int] = set()
    for point in implication.premises:
        label = labels.get(point)
        if label is False:
            return None
        if label is None:
            open_.add(point)
    conclusion = implication.conclusion
    is_true = labels.get(conclusion) if conclusion is not None else False
    if is_true is True:
        return None
    if not open_:
        return (conclusion, True) if is_true is None else (None, False)
    if is_true is False and len(open_) == 1:
        return open_.pop(), False
    return None
