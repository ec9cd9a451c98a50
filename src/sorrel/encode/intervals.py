"""Alternatives that are intervals of one variable, joined where they touch: x = 9 ∨ x = 10 ∨ x = 11 is 9 ≤ x ≤ 11."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.logic import linear, operations, terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

FEWEST = 3
"""So many numbers in a row are a range; two are named."""


@dataclass(frozen=True, slots=True, eq=False)
class _Interval:
    """From `low` to `high`, without a limit where that is None; `position` is that of the first alternative in it."""

    variable: Term
    low: int | None
    high: int | None
    position: int
    joined: int = 1

    def meets(self, later: _Interval) -> bool:
        """Whether one that does not begin before it begins in it or next to it."""
        return self.high is None or later.low is None or later.low <= self.high + 1

    def with_(self, later: _Interval) -> _Interval:
        high = None if self.high is None or later.high is None else max(self.high, later.high)
        first = min(self.position, later.position)
        return _Interval(self.variable, self.low, high, first, self.joined + later.joined)

    @property
    def is_short(self) -> bool:
        return self.low is not None and self.high is not None and self.high - self.low < FEWEST - 1

    def formula(self) -> Term:
        if self.low is not None and self.low == self.high:
            return operations.equation(self.variable, terms.integer(self.low))
        parts = []
        if self.low is not None:
            parts.append(operations.not_less(self.variable, terms.integer(self.low)))
        if self.high is not None:
            parts.append(operations.not_more(self.variable, terms.integer(self.high)))
        return terms.conjunction(parts)


def joined(ways: Sequence[Term]) -> list[Term]:
    """As much, with fewer alternatives if some are intervals that touch; in the order of the first of each."""
    found = dict(enumerate(ways))
    groups: dict[int, list[_Interval]] = {}
    for position, way in found.items():
        interval = _interval(way, position)
        if interval is not None:
            groups.setdefault(terms.identity(interval.variable), []).append(interval)
    for group in groups.values():
        for run in _runs(group):
            whole = run[0]
            for each in run[1:]:
                whole = whole.with_(each)
            if whole.joined > 1 and not whole.is_short:
                for each in run:
                    del found[each.position]
                found[whole.position] = whole.formula()
    return [found[position] for position in sorted(found)]


def _runs(group: Sequence[_Interval]) -> list[list[_Interval]]:
    """Those that touch, together."""
    runs: list[list[_Interval]] = []
    reached: _Interval | None = None
    for each in sorted(group, key=lambda one: (one.low is not None, one.low or 0)):
        if reached is not None and reached.meets(each):
            runs[-1].append(each)
            reached = reached.with_(each)
        else:
            runs.append([each])
            reached = each
    return runs


def _interval(way: Term, position: int) -> _Interval | None:
    """What it says, if that is between which numbers one variable is."""
    variable: Term | None = None
    low: int | None = None
    high: int | None = None
    for part in terms.conjuncts(way):
        atom = linear.atom(part)
        if atom is None or atom.sign not in ("≤", "=") or len(atom.sum.terms) != 1:
            return None
        ((term, factor),) = atom.sum.terms.values()
        if abs(factor) != 1 or not terms.is_variable(term):
            return None
        if variable is not None and not terms.same(variable, term):
            return None
        variable = term
        limit = -atom.sum.constant * factor
        if atom.sign == "=" or factor > 0:
            high = limit if high is None else min(high, limit)
        if atom.sign == "=" or factor < 0:
            low = limit if low is None else max(low, limit)
    if variable is None or (low is not None and high is not None and low > high):
        return None
    return _Interval(variable, low, high, position)
