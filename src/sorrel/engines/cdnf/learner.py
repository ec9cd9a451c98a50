"""The CDNF algorithm (Bshouty, *Exact learning Boolean functions via the monotone theory*, 1995).

An assignment to n Boolean variables is an integer: bit i is the value of variable i. The target f is seen only
through a teacher. The hypothesis is a conjunction of monotone disjunctions, each around a base point a where f
is false: H_a(x) = ⋁ over terms t of ⋀ over i in t of (xᵢ ≠ aᵢ). A counterexample that lies in every H_a is
negative and becomes a new base point; any other is positive, and every H_a that misses it gets one more minimal
term. The terms of H_a are minimal terms of the smallest a-monotone function above f, of which there are no more
than terms in the smallest DNF of f; no two base points falsify the same clause of the smallest CNF. So the
number of queries is polynomial in both sizes, as long as the teacher tells the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

Point: TypeAlias = int
Membership: TypeAlias = Callable[[Point], bool]


@dataclass
class Around:
    """H_a: true where an assignment differs from the base point on all variables of some term."""

    base: Point
    terms: list[int] = field(default_factory=list)

    def holds(self, point: Point) -> bool:
        difference = point ^ self.base
        return any(term & difference == term for term in self.terms)


class Learner:
    """The state of the algorithm between two equivalence queries. It starts with the hypothesis `true`."""

    def __init__(self, member: Membership) -> None:
        self._member = member
        self.hypothesis: list[Around] = []

    def holds(self, point: Point) -> bool:
        return all(around.holds(point) for around in self.hypothesis)

    def refine(self, counterexample: Point) -> list[Around]:
        """Take a point on which the hypothesis and the target differ; the parts that changed."""
        missing = [around for around in self.hypothesis if not around.holds(counterexample)]
        if not missing:
            return [self._new_base(counterexample)]
        for around in missing:
            around.terms.append(self.walk(counterexample, around.base) ^ around.base)
        return missing

    def _new_base(self, point: Point) -> Around:
        if any(around.base == point for around in self.hypothesis):
            raise InternalError("a point is negative twice: its part of the hypothesis should have excluded it")
        around = Around(point)
        self.hypothesis.append(around)
        return around

    def walk(self, point: Point, base: Point) -> Point:
        """From a positive point towards the base, one variable at a time, as long as it stays positive."""
        moved = True
        while moved:
            moved = False
            difference = point ^ base
            while difference:
                bit = difference & -difference
                difference ^= bit
                if self._member(point ^ bit):
                    point ^= bit
                    moved = True
        return point

    def forget(self, around: Around) -> None:
        """A base point that was taken for negative and is not: without it the hypothesis is only weaker."""
        self.hypothesis.remove(around)


def learn(member: Membership, equivalent: Callable[[Learner], Point | None]) -> Learner:
    """Exact learning: refine until the teacher knows no counterexample."""
    learner = Learner(member)
    while (counterexample := equivalent(learner)) is not None:
        learner.refine(counterexample)
    return learner
