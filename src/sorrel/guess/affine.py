"""The affine hull of points: linear combinations that are the same at all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import cast

from sorrel.guess.points import Number

LARGEST_WEIGHT = 1000


def affine_combinations(rows: Iterable[Sequence[Number]], width: int) -> Iterator[list[int]]:
    """Whole weights, and a constant at the end, with which the entries of every row add up to zero; small ones only.

    Of rows of that width no more are looked at than show that there is nothing to be found.
    """
    for solution in _null_space((_whole([*row, 1]) for row in rows), width + 1):
        if max(map(abs, solution)) <= LARGEST_WEIGHT:
            yield solution


def _whole(row: Sequence[Number]) -> list[int]:
    """A multiple of the row without fractions."""
    if all(type(entry) is int for entry in row):
        return cast("list[int]", row)
    scale = lcm(*(entry.denominator for entry in row if isinstance(entry, Fraction)))
    return [int(entry * scale) for entry in row]


def _null_space(rows: Iterable[list[int]], width: int) -> Iterator[list[int]]:
    """A basis of the vectors orthogonal to all rows, by elimination; numbers stay whole, which is much faster."""
    reduced: list[list[int]] = []
    pivots: list[int] = []
    for row in rows:
        rest = row
        for pivot, base in zip(pivots, reduced, strict=True):
            rest = _without(rest, base, pivot)
        lead = next((i for i, x in enumerate(rest) if x), None)
        if lead is None:
            continue
        reduced = [_without(base, rest, lead) for base in reduced]
        reduced.append(rest)
        pivots.append(lead)
        if len(pivots) == width:
            return
    for free in (i for i in range(width) if i not in pivots):
        scale = lcm(*(base[pivot] for pivot, base in zip(pivots, reduced, strict=True)))
        vector = [0] * width
        vector[free] = scale
        for pivot, base in zip(pivots, reduced, strict=True):
            vector[pivot] = -base[free] * scale // base[pivot]
        yield _shortened(vector)


def _without(row: list[int], base: list[int], place: int) -> list[int]:
    """A combination of both rows that is zero at the place; the base is not."""
    factor, own = row[place], base[place]
    if not factor:
        return row
    return _shortened([own * a - factor * b for a, b in zip(row, base, strict=True)])


def _shortened(row: list[int]) -> list[int]:
    divisor = gcd(*row)
    return [x // divisor for x in row] if divisor > 1 else row
