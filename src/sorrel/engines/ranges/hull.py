"""Equations between numbers of a predicate: the least affine space that has all that was reached.

Karr, *Affine relationships among variables of a program*, Acta Informatica 1976; points come from models (Reps, Sagiv
and Yorsh, VMCAI 2004), so that a space grows at most as often as it has dimensions. Numbers whose difference is always
the same are kept beside it: they stay what they are when one of them is taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from math import lcm

from sorrel.model.values import dataclass

LARGEST_FACTOR, LARGEST_CONSTANT = 64, 2**20
"""Of equations that are claimed: others are seldom about the program."""

Equation = tuple[tuple[int, ...], int]
"""Factors of the numbers, and what their sum is."""


@dataclass
class Hull:
    """A point, and directions in reduced echelon form, by the number in which each is one and all others are zero.

    `together`: numbers that differ from one another as they do in the point. As long as none was taken out, that
    follows from the directions (`loose` is false).
    """

    origin: Sequence[int] | None = None
    directions: dict[int, list[Fraction]] = field(default_factory=dict)
    together: list[list[int]] = field(default_factory=list)
    loose: bool = False

    def add(self, point: Sequence[int]) -> bool:
        """Was the point outside?"""
        if self.origin is None:
            self.origin = tuple(point)
            self.together = [list(range(len(point)))]
            return True
        moved = [one - other for one, other in zip(point, self.origin, strict=True)]
        outside = self._tell_apart(moved)
        if self._free([Fraction(each) for each in moved]):
            outside = True
            while (number := self._odd()) is not None:
                self.loose = True
                self._free([Fraction(int(number == other)) for other in range(len(point))])
        return outside

    def _tell_apart(self, moved: Sequence[int]) -> bool:
        """Numbers that moved by different amounts are no longer together; were any?"""
        finer: list[list[int]] = []
        for numbers in self.together:
            by_amount: dict[int, list[int]] = {}
            for number in numbers:
                by_amount.setdefault(moved[number], []).append(number)
            finer += by_amount.values()
        changed = len(finer) > len(self.together)
        self.together = finer
        return changed

    def _free(self, rest: list[Fraction]) -> bool:
        """Let points move in this direction, too; could they not?"""
        for pivot, direction in self.directions.items():
            if factor := rest[pivot]:
                rest = _without(rest, direction, factor)
        first = next((number for number, value in enumerate(rest) if value), None)
        if first is None:
            return False
        rest = [value / rest[first] for value in rest]
        for other, direction in self.directions.items():
            if factor := direction[first]:
                self.directions[other] = _without(direction, rest, factor)
        self.directions[first] = rest
        return True

    def _odd(self) -> int | None:
        """A number that stands in an equation by accident of the points, and hides what the others have in common:
        that with the largest numerator or denominator, if an equation has large factors.
        """
        for number in range(len(self.origin or ())):
            if number not in self.directions:
                parts = {pivot: direction[number] for pivot, direction in self.directions.items() if direction[number]}
                if lcm(*(part.denominator for part in parts.values())) > LARGEST_FACTOR or any(
                    abs(part) > LARGEST_FACTOR for part in parts.values()
                ):
                    odd = max(parts, key=lambda pivot: max(abs(parts[pivot].numerator), parts[pivot].denominator))
                    return number if parts[odd].denominator == 1 else odd
        return None

    def forget(self) -> None:
        """From now on there are no equations."""
        size = len(self.origin or ())
        self.directions = {number: [Fraction(int(number == other)) for other in range(size)] for number in range(size)}
        self.together = [[number] for number in range(size)]

    @property
    def version(self) -> tuple[int, int]:
        return len(self.directions), len(self.together)

    def equations(self) -> list[Equation]:
        """Those that have small numbers: what they say of each number that is not free."""
        if self.origin is None:
            return []
        found = (self._equation(number, self.origin) for number in range(len(self.origin)))
        return [*(each for each in found if each is not None), *self._same(self.origin)]

    def _same(self, origin: Sequence[int]) -> Iterator[Equation]:
        """Differences that never changed."""
        for first, *others in self.together if self.loose else ():
            for other in others:
                constant = origin[other] - origin[first]
                if abs(constant) <= LARGEST_CONSTANT:
                    factors = {other: 1, first: -1}
                    yield tuple(factors.get(number, 0) for number in range(len(origin))), constant

    def _equation(self, number: int, origin: Sequence[int]) -> Equation | None:
        if number in self.directions:
            return None
        factors = [Fraction(0)] * len(origin)
        factors[number] = Fraction(1)
        for pivot, direction in self.directions.items():
            factors[pivot] -= direction[number]
        scale = lcm(*(factor.denominator for factor in factors))
        whole = tuple(int(factor * scale) for factor in factors)
        constant = sum(factor * value for factor, value in zip(whole, origin, strict=True))
        small = max(map(abs, whole)) <= LARGEST_FACTOR and abs(constant) <= LARGEST_CONSTANT
        return (whole, constant) if small else None


def _without(one: Sequence[Fraction], other: Sequence[Fraction], factor: Fraction) -> list[Fraction]:
    return [left - factor * right for left, right in zip(one, other, strict=True)]
