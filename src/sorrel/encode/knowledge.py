"""What is known about terms on a path, as intervals: enough to see that most operations cannot wrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sorrel.logic import operations, terms
from sorrel.logic.terms import Term


class Interval(NamedTuple):
    """Integers between two bounds; None: no bound."""

    low: int | None
    high: int | None

    def meet(self, other: Interval) -> Interval:
        return Interval(_tighter(max, self.low, other.low), _tighter(min, self.high, other.high))

    def hull(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)

    def within(self, low: int, high: int) -> bool:
        return self.low is not None and self.high is not None and low <= self.low and self.high <= high

    @property
    def is_empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high

    def negated(self) -> Interval:
        return Interval(None if self.high is None else -self.high, None if self.low is None else -self.low)

    def plus(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return Interval(low, high)

    def times(self, other: Interval) -> Interval:
        if self.low is None or self.high is None or other.low is None or other.high is None:
            never_negative = self.low is not None and self.low >= 0 and other.low is not None and other.low >= 0
            return Interval(0, None) if never_negative else EVERYTHING
        products = [x * y for x in (self.low, self.high) for y in (other.low, other.high)]
        return Interval(min(products), max(products))


EVERYTHING = Interval(None, None)


def exactly(value: int) -> Interval:
    return Interval(value, value)


def _tighter(choose: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return choose(one, other)


class Knowledge:
    """Intervals of integer terms on one path. It only grows there, so what was concluded from it stays true.

    An inner one holds what is known besides `outer` while a side of a condition is evaluated.
    """

    def __init__(self, outer: Knowledge | None = None) -> None:
        # By identity, and with the term itself: an identity is good as long as its term lives.
        self._known: dict[int, tuple[Term, Interval]] = {}
        self._outer = outer

    def copy(self) -> Knowledge:
        made = Knowledge(self._outer)
        made._known = dict(self._known)
        return made

    def of(self, term: Term) -> Interval:
        value = operations.literal(term)
        if value is not None:
            return exactly(value)
        identity = term.get_id()
        where: Knowledge | None = self
        while where is not None:
            found = where._known.get(identity)
            if found:
                return found[1]
            where = where._outer
        return EVERYTHING

    def note(self, term: Term, interval: Interval) -> None:
        if interval != EVERYTHING and operations.literal(term) is None:
            self._known[term.get_id()] = (term, self.of(term).meet(interval))

    def merged(self, other: Knowledge, pairs: Iterable[tuple[Term, Term, Term]]) -> Knowledge:
        """What holds on both paths; each triple is a term here, one there, and the one that stands for both."""
        made = Knowledge()
        for identity, (term, interval) in self._known.items():
            if identity in other._known:
                made.note(term, interval.hull(other._known[identity][1]))
        for here, there, both in pairs:
            made.note(both, self.of(here).hull(other.of(there)))
        return made

    def learn(self, literal: Term) -> None:
        """Draw the conclusions from a condition that holds from now on."""
        negated = terms.is_not(literal)
        atom = terms.negation(literal) if negated else literal
        comparison = operations.comparison(atom)
        if comparison is None:
            return
        sign, left, right = comparison
        match (sign, negated):
            case ("<=", False):
                self._ordered(left, right, 0)
            case ("<", False):
                self._ordered(left, right, 1)
            case ("<=", True):
                self._ordered(right, left, 1)
            case ("<", True):
                self._ordered(right, left, 0)
            case ("=", False):
                both = self.of(left).meet(self.of(right))
                self.note(left, both)
                self.note(right, both)
            case ("=", True):
                self._different(left, right)
                self._different(right, left)

    def _ordered(self, smaller: Term, larger: Term, by: int) -> None:
        """smaller + by ≤ larger."""
        high, low = self.of(larger).high, self.of(smaller).low
        if high is not None:
            self.note(smaller, Interval(None, high - by))
        if low is not None:
            self.note(larger, Interval(low + by, None))

    def _different(self, term: Term, other: Term) -> None:
        """A value at the end of an interval is cut off."""
        value = operations.literal(other)
        known = self.of(term)
        if value is not None and value == known.low:
            self.note(term, Interval(value + 1, None))
        if value is not None and value == known.high:
            self.note(term, Interval(None, value - 1))

    def decide(self, literal: Term) -> bool | None:
        """Whether the condition holds on this path; None: the intervals do not tell."""
        if terms.is_true(literal) or terms.is_false(literal):
            return terms.is_true(literal)
        if terms.is_not(literal):
            found = self.decide(terms.negation(literal))
            return None if found is None else not found
        comparison = operations.comparison(literal)
        if comparison is None:
            return None
        sign, left, right = comparison
        here, there = self.of(left), self.of(right)
        if sign == "=":
            return False if here.meet(there).is_empty else None
        difference = there.plus(here.negated())
        least = 1 if sign == "<" else 0
        if difference.low is not None and difference.low >= least:
            return True
        return False if difference.high is not None and difference.high < least else None
