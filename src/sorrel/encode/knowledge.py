"""What is known about terms on a path, as intervals: enough to see that most operations cannot wrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

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

    def is_below(self, other: Interval, by: int) -> bool | None:
        """Whether a number here and `by` more are at most any number there; None: some are and some are not."""
        if self.high is not None and other.low is not None and self.high + by <= other.low:
            return True
        return False if self.low is not None and other.high is not None and self.low + by > other.high else None

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

Comparison: TypeAlias = tuple[str, Term, Term, int] | None
"""≤, = or ≠, both sides, and for ≤ a number: left + number ≤ right. None: not a comparison of integers."""


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
        # Shared by all that start from one: taking terms apart costs more than looking them up.
        self._comparisons: dict[int, tuple[Term, Comparison]] = outer._comparisons if outer else {}
        self._given: dict[int, tuple[Term, Interval]] = outer._given if outer else {}

    def copy(self) -> Knowledge:
        made = type(self)(self._outer)
        made._comparisons, made._given = self._comparisons, self._given
        made._known = dict(self._known)
        return made

    def of(self, term: Term) -> Interval:
        identity = terms.identity(term)
        where: Knowledge | None = self
        while where is not None:
            found = where._known.get(identity)
            if found:
                return found[1]
            where = where._outer
        return self._by_itself(term)

    def _by_itself(self, term: Term) -> Interval:
        """What a term says of its values wherever it stands."""
        identity = terms.identity(term)
        given = self._given.get(identity)
        if given is None:
            given = self._given[identity] = (term, self._seen_in(term))
        return given[1]

    def _seen_in(self, term: Term) -> Interval:
        value = operations.literal(term)
        return EVERYTHING if value is None else exactly(value)

    def note(self, term: Term, interval: Interval) -> None:
        if interval == EVERYTHING:
            return
        known = self.of(term)
        tighter = known.meet(interval)
        # A value that is known cannot be known better, and a number needs no entry.
        if tighter != known and (known.low != known.high or known.low is None):
            self._known[terms.identity(term)] = (term, tighter)

    def inside(self) -> Knowledge:
        """For what is evaluated under a condition: what is learned there stays there."""
        return type(self)(self)

    def fresh(self) -> Knowledge:
        """Nothing known, but sharing what was taken apart already."""
        made = type(self)()
        made._comparisons, made._given = self._comparisons, self._given
        return made

    def mentioned(self, literal: Term) -> tuple[Term, ...]:
        """Both sides of a comparison."""
        comparison = self._comparison(literal)
        return () if comparison is None else (comparison[1], comparison[2])

    def merged(self, other: Knowledge, pairs: Iterable[tuple[Term, Term, Term]]) -> Knowledge:
        """What holds on both paths; each triple is a term here, one there, and the one that stands for both."""
        made = self.fresh()
        for identity, (term, interval) in self._known.items():
            if identity in other._known:
                made.note(term, interval.hull(other._known[identity][1]))
        for here, there, both in pairs:
            made.note(both, self.of(here).hull(other.of(there)))
        return made

    def _comparison(self, literal: Term) -> Comparison:
        identity = terms.identity(literal)
        found = self._comparisons.get(identity)
        if found is None:
            found = self._comparisons[identity] = (literal, self._taken_apart(literal))
        return found[1]

    def _taken_apart(self, literal: Term) -> Comparison:
        return operations.taken_apart(literal)

    def learn(self, literal: Term) -> None:
        """Draw the conclusions from a condition that holds from now on."""
        match self._comparison(literal):
            case ("≤", smaller, larger, by):
                self._ordered(smaller, larger, by)
            case ("=", left, right, _):
                both = self.of(left).meet(self.of(right))
                self.note(left, both)
                self.note(right, both)
            case ("≠", left, right, _):
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
        comparison = self._comparison(literal)
        if comparison is None:
            return None
        sign, left, right, by = comparison
        here, there = self.of(left), self.of(right)
        if sign != "≤":
            return sign == "≠" if here.meet(there).is_empty else None
        return here.is_below(there, by)
