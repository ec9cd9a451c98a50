"""A decision tree for each predicate that fits what is known of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import log2

from sorrel.engines.trees.conditions import AtMost, Condition, Direction, IsTrue, Questions, Remains, Split, questions
from sorrel.engines.trees.samples import Labels, Samples
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.system import HornSystem
from sorrel.logic import operations
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.model.work import METER

ASKING = 6
"""Units of work for asking a point something."""
UNUSUAL, JOINT, RESIDUAL = 0.03, 0.01, 0.06
"""How much worse than others that tell as much are limits that no clause has, sums, and remainders, for each point."""


@dataclass(slots=True)
class Learner:
    """Trees of all predicates together: what a leaf says of its points may decide points of other predicates."""

    samples: Samples
    formals: Mapping[str, tuple[Term, ...]]
    questions: Mapping[str, Questions]
    _labels: Labels = field(default_factory=dict)
    _sums: tuple[Direction, ...] = ()

    @staticmethod
    def of(system: HornSystem, samples: Samples) -> Learner:
        words = vocabulary(system)
        asked = {each.name: questions(system, each, words) for each in system.predicates}
        return Learner(samples, {each.name: each.formals for each in system.predicates}, asked)

    def candidate(self, *, least: bool = False) -> dict[str, Term] | None:
        """Formulas that agree with all implications; None if points differ in nothing that can be asked.

        `least`: no points are true but those that have to be.
        """
        self._labels = dict(self.samples.labels)
        if least:
            self._labels = {point: self._labels.get(point, False) for point in range(len(self.samples.points))}
        found: dict[str, Term] = {}
        for name in self.formals:
            true = [self.samples.points[p] for p in self.samples.of.get(name, ()) if self._labels.get(p) is True]
            self._sums = self.questions[name].sums_of(true)
            tree = self._tree(name, self.samples.of.get(name, []))
            if tree is None:
                return None
            found[name] = tree
        return found

    def _tree(self, name: str, points: Sequence[int]) -> Term | None:
        leaf = self._leaf(points)
        if leaf is not None:
            return operations.truth(leaf)
        condition = self._best(name, points)
        if condition is None:
            return None
        sides: tuple[list[int], list[int]] = ([], [])
        for point in points:
            sides[condition.holds(self.samples.points[point])].append(point)
        then = self._tree(name, sides[True])
        otherwise = self._tree(name, sides[False])
        if then is None or otherwise is None:
            return None
        return operations.ite(condition.term(self.formals[name]), then, otherwise)

    def _leaf(self, points: Sequence[int]) -> bool | None:
        """Whether all points can be true, or else false: the label, which they then have."""
        known = {self._labels[point] for point in points if point in self._labels}
        for label in (True, False):
            if (not label) in known:
                continue
            found = self.samples.consistent(self._labels, {p: label for p in points if p not in self._labels})
            if found is not None:
                self._labels = found
                return label
        return None

    def _best(self, name: str, points: Sequence[int]) -> Condition | None:
        """What tells most about labels; of points whose label is open only if all others have the same."""
        known = [point for point in points if point in self._labels]
        if len({self._labels[point] for point in known}) < 2:
            known = list(points)
        labels = [self._labels.get(point, False) for point in known]
        values = [self.samples.points[point] for point in known]
        best: Condition | None = None
        least = float("inf")
        asked = self.questions[name]
        METER.add(ASKING * len(values) * len(self._sums))
        for split in asked.asked(self._sums, values, labels):
            if 0 < split.inside < len(values):
                worth = _disorder(split, len(values), sum(labels))
                worth += _oddity(split.condition, asked) * len(values)
                if worth < least:
                    best, least = split.condition, worth
        return best


def _disorder(split: Split, points: int, true: int) -> float:
    """How mixed labels are, where the condition holds and where it does not."""
    total = 0.0
    for number, share in ((split.inside, split.true), (points - split.inside, true - split.true)):
        if 0 < share < number:
            total -= share * log2(share / number) + (number - share) * log2(1 - share / number)
    return total


def _oddity(condition: Condition, asked: Questions) -> float:
    match condition:
        case IsTrue():
            return 0.0
        case AtMost(direction, limit):
            return (0.0 if limit in asked.words.constants else UNUSUAL) + JOINT * (len(direction) - 1)
        case Remains(direction):
            return RESIDUAL + JOINT * (len(direction) - 1)
