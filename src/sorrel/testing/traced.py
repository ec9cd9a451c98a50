"""Numbers that know how they depend on what a run takes from outside, so that a comparison tells which input to change.

A traced number is a sum of multiples of inputs and of something that does not depend on them, as far as sums, multiples
and conversions go; for a product it is known how much it changes if an input changes a little. Comparing one tells the
difference of the sides and what it depends on: another input makes the sides equal, or turns them round. (Aschermann
and others, *REDQUEEN: Fuzzing with input-to-state correspondence*, NDSS 2019, look for inputs among the sides.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Factors: TypeAlias = Mapping[int, int]
"""By how much a number grows if an input grows by one; inputs by their position among all."""
Listener: TypeAlias = Callable[[int, Factors], None]
"""Hears of each comparison the difference of its sides."""
MOST_INPUTS = 8
"""A number that depends on more inputs is known to depend on the last of them."""


class Traced(int):
    factors: Factors
    listener: Listener

    @staticmethod
    def of(value: int, factors: Factors, listener: Listener) -> Traced:
        made = Traced(value)
        made.factors = factors
        made.listener = listener
        return made

    def _like(self, value: int, factors: Factors | None = None) -> Traced:
        return Traced.of(value, self.factors if factors is None else factors, self.listener)

    def _and(self, value: int, ours: int, other: int, theirs: int) -> Traced:
        total = {key: ours * factor for key, factor in self.factors.items()}
        for key, factor in factors_of(other).items():
            total[key] = total.get(key, 0) + theirs * factor
        known = [(key, factor) for key, factor in total.items() if factor]
        return self._like(value, dict(known[-MOST_INPUTS:]))

    def __add__(self, other: int) -> int:
        return self._and(int(self) + int(other), 1, other, 1)

    def __radd__(self, other: int) -> int:
        return self._and(int(other) + int(self), 1, other, 1)

    def __sub__(self, other: int) -> int:
        return self._and(int(self) - int(other), 1, other, -1)

    def __rsub__(self, other: int) -> int:
        return self._and(int(other) - int(self), -1, other, 1)

    def __mul__(self, other: int) -> int:
        return self._and(int(self) * int(other), int(other), other, int(self))

    def __rmul__(self, other: int) -> int:
        return self._and(int(other) * int(self), int(other), other, int(self))

    def __lshift__(self, amount: int) -> int:
        factors = {key: factor << int(amount) for key, factor in self.factors.items()}
        return self._like(int(self) << int(amount), factors)

    def __neg__(self) -> int:
        return self._like(-int(self), {key: -factor for key, factor in self.factors.items()})

    def __pos__(self) -> int:
        return self

    def __and__(self, mask: int) -> int:
        """Of a mask of low bits the rest by a power of two, as in conversions."""
        bits = int(mask)
        rest = int(self) & bits
        return self._like(rest) if bits & (bits + 1) == 0 else rest

    def __mod__(self, divisor: int) -> int:
        return self._like(int(self) % int(divisor))

    def _told(self, other: object) -> int | None:
        """The difference to the other side, of which the listener hears."""
        if not isinstance(other, int):
            return None
        difference = int(self) - int(other)
        self.listener(difference, self._and(difference, 1, other, -1).factors)
        return difference

    def __eq__(self, other: object) -> bool:
        return self._told(other) == 0

    def __ne__(self, other: object) -> bool:
        return self._told(other) != 0

    def __lt__(self, other: int) -> bool:
        return (self._told(other) or 0) < 0

    def __le__(self, other: int) -> bool:
        return (self._told(other) or 0) <= 0

    def __gt__(self, other: int) -> bool:
        return (self._told(other) or 0) > 0

    def __ge__(self, other: int) -> bool:
        return (self._told(other) or 0) >= 0

    __hash__ = int.__hash__


def factors_of(number: object) -> Factors:
    """Of a number that depends on no input there are none."""
    return number.factors if isinstance(number, Traced) else {}
