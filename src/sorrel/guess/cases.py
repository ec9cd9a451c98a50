"""Arguments with few values, and in which class sums of others are for each of them: half = 8 ⇒ length mod 16 = 0.

Congruences are joined as by Granger (*Static analysis of arithmetical congruences*, 1989): what is r modulo m and
something else by d from it is r modulo the greatest common divisor of m and d; modulo 0 it is r itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import gcd

from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_VALUES = 8

Parts = tuple[tuple[int, int], ...]
"""Positions of arguments, in order, each with its factor."""


def sum_of(parts: Parts, arguments: Sequence[Term]) -> Term:
    found = None
    for position, factor in parts:
        summand = arguments[position] if factor == 1 else terms.integer(factor) * arguments[position]
        found = summand if found is None else found + summand
    return terms.integer(0) if found is None else found


def value_of(parts: Parts, values: Mapping[int, int]) -> int:
    return sum(factor * values[position] for position, factor in parts)


@dataclass(frozen=True, slots=True)
class Cases:
    """The argument whose values are told apart, and sums that may be in one class for each of them."""

    place: int
    sums: tuple[Parts, ...]


@dataclass
class CaseTable:
    """For each value so far, for each sum, modulus and remainder; nothing if there are too many values."""

    cases: Cases
    known: dict[int, list[tuple[int, int]]] | None = field(default_factory=dict)

    version: int = 0

    def admit(self, values: Mapping[int, int]) -> bool:
        """Allow for these values; had anything to be changed?"""
        if self.known is None:
            return False
        value = values[self.cases.place]
        found = [value_of(parts, values) for parts in self.cases.sums]
        if value not in self.known and len(self.known) == MOST_VALUES:
            self.drop()
            return True
        old = self.known.get(value)
        joined = [(0, each) for each in found] if old is None else list(map(_joined, old, found))
        if joined == old:
            return False
        self.known[value] = joined
        self.version += 1
        return True

    def drop(self) -> None:
        self.known = None
        self.version += 1

    def formulas(self, arguments: Sequence[Term]) -> Iterator[Term]:
        if self.known is None:
            return
        place = arguments[self.cases.place]
        yield terms.disjunction(terms.equal(place, terms.integer(value)) for value in self.known)
        for value, classes in self.known.items():
            case = terms.equal(place, terms.integer(value))
            for parts, (modulus, remainder) in zip(self.cases.sums, classes, strict=True):
                if modulus != 1:
                    total = sum_of(parts, arguments)
                    reduced = total % terms.integer(modulus) if modulus else total
                    yield terms.implication(case, terms.equal(reduced, terms.integer(remainder)))


def _joined(known: tuple[int, int], value: int) -> tuple[int, int]:
    modulus, remainder = known
    common = gcd(modulus, value - remainder)
    return (common, value % common) if common else (0, value)
