"""What the nodes of trees may ask of a point: sums of arguments compared with numbers, remainders, truth values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd

from sorrel.guess.affine import affine_combinations
from sorrel.guess.points import Number, Point
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.clause import Atom, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import operations, terms, walk
from sorrel.logic.linear import linear
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_PAIRED = 12
"""Sums and differences of two arguments are asked for of predicates with at most so many numbers."""
MOST_MINED = 24
Direction = tuple[tuple[int, int], ...]
"""Arguments, by number, with their weights."""


@dataclass(frozen=True, slots=True)
class AtMost:
    """A weighted sum of arguments is at most a number."""

    sum: Direction
    limit: Number

    def holds(self, point: Point) -> bool:
        return value(self.sum, point) <= self.limit

    def term(self, formals: Sequence[Term]) -> Term:
        return _weighted(self.sum, formals) <= _numeral(self.limit)


@dataclass(frozen=True, slots=True)
class Remains:
    """A weighted sum of arguments has this remainder."""

    sum: Direction
    modulus: int
    remainder: int

    def holds(self, point: Point) -> bool:
        return value(self.sum, point) % self.modulus == self.remainder

    def term(self, formals: Sequence[Term]) -> Term:
        left = operations.modulo(_weighted(self.sum, formals), terms.integer(self.modulus))
        return terms.equal(left, terms.integer(self.remainder))


@dataclass(frozen=True, slots=True)
class IsTrue:
    """An argument is true."""

    argument: int

    def holds(self, point: Point) -> bool:
        return bool(point[self.argument])

    def term(self, formals: Sequence[Term]) -> Term:
        return formals[self.argument]


Condition = AtMost | Remains | IsTrue


@dataclass(frozen=True, slots=True)
class Split:
    """A condition, how many points it holds of, and how many of these are true."""

    condition: Condition
    inside: int
    true: int


@dataclass(frozen=True, slots=True)
class Questions:
    """What may be asked of the points of a predicate."""

    truths: tuple[int, ...]
    numbers: tuple[int, ...]
    sums: tuple[Direction, ...]
    integers: frozenset[int]
    words: Vocabulary

    def sums_of(self, true: Sequence[Point]) -> tuple[Direction, ...]:
        """The sums to ask for, those among them that are the same at all points that are true."""
        known = set(self.sums)
        found: list[Direction] = []
        rows = [[point[n] or 0 for n in self.numbers] for point in true]
        for weights in affine_combinations(rows, len(self.numbers)) if len(rows) > 1 else ():
            chosen = {n: weight for n, weight in zip(self.numbers, weights, strict=False) if weight}
            if chosen and (direction := _normal(chosen)) not in known:
                found.append(direction)
        return (*self.sums, *found)

    def asked(self, sums: Sequence[Direction], points: Sequence[Point], labels: Sequence[bool]) -> Iterator[Split]:
        """Conditions that may tell the labels apart; limits only where the label changes."""
        for argument in self.truths:
            holds = [label for point, label in zip(points, labels, strict=True) if point[argument]]
            yield Split(IsTrue(argument), len(holds), sum(holds))
        for direction in sums:
            counts: dict[Number, list[int]] = {}
            for point, label in zip(points, labels, strict=True):
                count = counts.setdefault(value(direction, point), [0, 0])
                count[0] += 1
                count[1] += label
            whole = all(argument in self.integers for argument, _ in direction)
            yield from self._limits(direction, counts, whole)
            if whole and len(direction) <= 2:
                yield from self._remainders(direction, counts)

    def _limits(self, direction: Direction, counts: Mapping[Number, Sequence[int]], whole: bool) -> Iterator[Split]:
        inside = true = 0
        for low, high in pairwise(sorted(counts)):
            here, next_ = counts[low], counts[high]
            inside += here[0]
            true += here[1]
            if 0 < here[1] + next_[1] < here[0] + next_[0]:
                yield Split(AtMost(direction, self._between(low, high, whole)), inside, true)

    def _remainders(self, direction: Direction, counts: Mapping[Number, Sequence[int]]) -> Iterator[Split]:
        for modulus in self.words.moduli:
            classes: dict[int, list[int]] = {}
            for number, (inside, true) in counts.items():
                found = classes.setdefault(int(number) % modulus, [0, 0])
                found[0] += inside
                found[1] += true
            for remainder, (inside, true) in classes.items():
                yield Split(Remains(direction, modulus, remainder), inside, true)

    def _between(self, low: Number, high: Number, whole: bool) -> Number:
        """The limit that is likeliest: a number of the program, else the nearest to zero."""
        last = high - 1 if whole else low
        known = [c for c in self.words.constants if low <= c <= last]
        if known:
            return min(known, key=abs)
        return 0 if low <= 0 <= last else low if low > 0 else last


def questions(system: HornSystem, predicate: Predicate, words: Vocabulary) -> Questions:
    formals = predicate.formals
    numbers = [n for n, formal in enumerate(formals) if terms.is_arithmetic(formal)]
    sums: dict[Direction, None] = {((n, 1),): None for n in numbers}
    mined = list(_mined(system, predicate))[:MOST_MINED]
    sums.update(dict.fromkeys(mined))
    if len(numbers) <= MOST_PAIRED:
        for i, j in combinations(numbers, 2):
            if terms.is_integer(formals[i]) == terms.is_integer(formals[j]):
                sums.update(dict.fromkeys([((i, 1), (j, -1)), ((i, 1), (j, 1))]))
    truths = tuple(n for n, formal in enumerate(formals) if terms.is_boolean(formal))
    integers = frozenset(n for n in numbers if terms.is_integer(formals[n]))
    return Questions(truths, tuple(numbers), tuple(sums), integers, words)


def _mined(system: HornSystem, predicate: Predicate) -> Iterator[Direction]:
    """Sums that clauses compare, where all their variables are arguments of one atom of the predicate."""
    for clause in system.clauses:
        atoms = [*clause.body, *([clause.head] if clause.head else [])]
        here = [_places(atom) for atom in atoms if atom.predicate.name == predicate.name]
        for comparison in walk.subterms(clause.constraint) if here else ():
            if not (terms.is_comparison(comparison) or terms.is_equation(comparison)):
                continue
            left, right = terms.children(comparison)
            if not terms.is_integer(left):
                continue
            weights = linear(operations.subtract(left, right)).terms
            for places in here:
                if weights and all(identity in places for identity in weights):
                    yield _normal({places[identity]: weight for identity, (_, weight) in weights.items()})


def _places(atom: Atom) -> dict[int, int]:
    return {terms.identity(argument): number for number, argument in enumerate(atom.arguments)}


def _normal(weights: Mapping[int, int]) -> Direction:
    ordered = sorted(weights.items())
    divisor = gcd(*weights.values()) * (1 if ordered[0][1] > 0 else -1)
    return tuple((argument, weight // divisor) for argument, weight in ordered)


def value(direction: Direction, point: Point) -> Number:
    total: int | Fraction = 0
    for argument, weight in direction:
        total += weight * (point[argument] or 0)
    return total


def _weighted(direction: Direction, formals: Sequence[Term]) -> Term:
    return terms.weighted([(weight, formals[argument]) for argument, weight in direction])


def _numeral(number: Number) -> Term:
    return terms.integer(number) if isinstance(number, int) else operations.real(number)
