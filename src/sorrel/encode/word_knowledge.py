"""What is known about bit-vectors on a path: between which numbers they lie, read as signed ones."""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.encode.knowledge import EVERYTHING, Comparison, Interval, Knowledge, exactly
from sorrel.logic import operations, terms, words
from sorrel.logic.terms import Term

SHALLOW, DEEP = 1, 4
"""How far below a term it is looked for what it is made of: where it is used, and when it gets a name."""


class WordKnowledge(Knowledge):
    """Knowledge about bit-vectors in place of integers."""

    def of(self, term: Term) -> Interval:
        return self._within(term, SHALLOW)

    def remember(self, term: Term) -> None:
        """A value that a variable gets, so that what it is made of need not be looked at again."""
        if operations.is_bitvector(term) and words.parts(term) is not None:
            self.note(term, self._within(term, DEEP))

    def merged(self, other: Knowledge, pairs: Iterable[tuple[Term, Term, Term]]) -> Knowledge:
        """Only what differs says something new, and only of numbers."""
        return super().merged(other, (each for each in pairs if _may_tell(*each)))

    def _within(self, term: Term, depth: int) -> Interval:
        if not operations.is_bitvector(term):
            return super().of(term)
        noted = super().of(term)
        if not depth or noted.low == noted.high:
            return noted
        made = words.parts(term)
        return noted if made is None else noted.meet(self._made(made, operations.width(term), depth - 1))

    def _seen_in(self, term: Term) -> Interval:
        value = operations.bits_literal(term)
        size = operations.width(term)
        if value is not None:
            return exactly(value - (1 << size) if value >> (size - 1) else value)
        return Interval(-(1 << (size - 1)), (1 << (size - 1)) - 1)

    def _by_itself(self, term: Term) -> Interval:
        return super()._by_itself(term) if operations.is_bitvector(term) else EVERYTHING

    def _made(self, made: words.Parts, size: int, depth: int) -> Interval:
        """What is known of a term from what it is made of."""
        below = [self._within(each, depth) for each in made.operands]
        match made.sign, below:
            case "ite", [then, otherwise]:
                return then.hull(otherwise)
            case "sign extension", [only]:
                return only
            case "zero extension", [only]:
                inner = operations.width(made.operands[0])
                return only if only.within(0, 1 << inner) else Interval(0, (1 << inner) - 1)
            case "low bits", [only]:
                return _if_it_fits(only, size)
            case "+", [left, right]:
                return _if_it_fits(left.plus(right), size)
            case "-", [left, right]:
                return _if_it_fits(left.plus(right.negated()), size)
            case "*", [left, right]:
                return _if_it_fits(left.times(right), size)
            case "&", [left, right]:
                highs = [each.high for each in (left, right) if each.low is not None and each.low >= 0]
                bounds = [high for high in highs if high is not None]
                return Interval(0, min(bounds)) if bounds else EVERYTHING
            case "signed %" | "unsigned %", [left, Interval(low, high)] if low is not None and low == high and low > 0:
                if left.low is not None and left.low >= 0:
                    return Interval(0, low - 1)
                return Interval(1 - low, low - 1) if made.sign == "signed %" else Interval(0, low - 1)
            case "signed /" | "unsigned /", [left, Interval(low, high)] if low is not None and low == high and low > 0:
                if _is_natural(left) and left.high is not None:
                    return Interval((left.low or 0) // low, left.high // low)
            case "unsigned >>" | "signed >>", [Interval(low, high), right] if _is_natural(below[0]):
                shift = right.low or 0 if right.low == right.high and right.low in range(size) else 0
                return Interval((low or 0) >> shift if shift else 0, None if high is None else high >> shift)
        return EVERYTHING

    def _taken_apart(self, literal: Term) -> Comparison:
        return words.taken_apart(literal)

    def learn(self, literal: Term) -> None:
        match self._comparison(literal):
            case ("unsigned ≤", smaller, larger, by):
                most = self.of(larger)
                if _is_natural(most) and most.high is not None:
                    self.note(smaller, Interval(0, most.high - by))
                if _is_natural(self.of(smaller)) and _is_natural(most):
                    self._ordered(smaller, larger, by)
            case _:
                super().learn(literal)

    def decide(self, literal: Term) -> bool | None:
        comparison = self._comparison(literal)
        if comparison is None or comparison[0] != "unsigned ≤":
            return super().decide(literal)
        _, left, right, by = comparison
        here, there = self.of(left), self.of(right)
        return here.is_below(there, by) if _is_natural(here) and _is_natural(there) else None


def _may_tell(here: Term, there: Term, both: Term) -> bool:
    return operations.is_bitvector(both) and not terms.same(here, there)


def _is_natural(interval: Interval) -> bool:
    return interval.low is not None and interval.low >= 0


def _if_it_fits(interval: Interval, size: int) -> Interval:
    return interval if interval.within(-(1 << (size - 1)), (1 << (size - 1)) - 1) else EVERYTHING
