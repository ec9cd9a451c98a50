"""The affine hull of points: linear combinations that are the same at all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from sorrel.guess.points import Number

LARGEST_WEIGHT = 1000


def affine_combinations(rows: Sequence[Sequence[Number]]) -> Iterator[list[int]]:
    """Whole weights, and a constant at the end, with which the entries of every row add up to zero; small ones only."""
    extended = [[*map(Fraction, row), Fraction(1)] for row in rows]
    for solution in _null_space(extended, len(extended[0])):
        scale = lcm(*(x.denominator for x in solution))
        whole = [int(x * scale) for x in solution]
        divisor = gcd(*whole) or 1
        whole = [x // divisor for x in whole]
        if max(map(abs, whole)) <= LARGEST_WEIGHT:
            yield whole


def _null_space(rows: Sequence[Sequence[Fraction]], width: int) -> Iterator[list[Fraction]]:
    """A basis of the vectors orthogonal to all rows, by elimination over the rationals."""
    reduced: list[list[Fraction]] = []
    pivots: list[int] = []
    for row in rows:
        rest = list(row)
        for pivot, base in zip(pivots, reduced, strict=True):
            if rest[pivot]:
                factor = rest[pivot]
                rest = [a - factor * b for a, b in zip(rest, base, strict=True)]
        lead = next((i for i, x in enumerate(rest) if x), None)
        if lead is None:
            continue
        rest = [x / rest[lead] for x in rest]
        for index, base in enumerate(reduced):
            if base[lead]:
                factor = base[lead]
                reduced[index] = [a - factor * b for a, b in zip(base, rest, strict=True)]
        reduced.append(rest)
        pivots.append(lead)
        if len(pivots) == width:
            return
    for free in (i for i in range(width) if i not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for pivot, base in zip(pivots, reduced, strict=True):
            vector[pivot] = -base[free]
        yield vector
