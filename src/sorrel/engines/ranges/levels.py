"""Which of its limits each form of a predicate has."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import field

from sorrel.engines.ranges.forms import Form, Template
from sorrel.engines.ranges.hull import Hull
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

PATIENCE = 40
"""So many visits raise a limit by no more than they have to."""


@dataclass
class Levels:
    """For each form of a predicate the number of its limit, or how many there are if it has none; and equations.

    `loose`: forms whose limit was raised further than a clause asked for.
    """

    template: Template
    reached: bool = False
    hull: Hull = field(default_factory=Hull)
    loose: set[int] = field(default_factory=set)
    level: list[int] = field(init=False)
    times: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.level = [0] * len(self.forms)
        self.times = [0] * len(self.forms)

    @property
    def forms(self) -> Sequence[Form]:
        return self.template.forms

    def equations(self) -> list[Term]:
        """What is equal, over the formals."""
        return [
            terms.equal(terms.weighted(zip(factors, self.template.numbers, strict=True)), terms.integer(constant))
            for factors, constant in self.hull.equations()
        ]

    @property
    def bounded(self) -> list[int]:
        return [number for number, level in enumerate(self.level) if level < self.top(number)]

    def top(self, number: int) -> int:
        """The level of a form without a limit."""
        return len(self.forms[number].limits)

    def limit(self, number: int) -> int:
        return self.forms[number].limits[self.level[number]]

    def claim(self, number: int) -> Term:
        return self.forms[number].bounded(self.limit(number))

    def needed(self, number: int, value: int) -> int:
        """The level that allows for the value."""
        return max(self.level[number], bisect_left(self.forms[number].limits, value))

    def widen(self, raised: Iterable[int]) -> None:
        """A limit that was raised many times before is raised further each time, to be lowered again in the end."""
        for number in raised:
            self.times[number] += 1
            if self.times[number] > PATIENCE:
                further = self.level[number] + 2 ** (self.times[number] - PATIENCE)
                self.level[number] = min(further, self.top(number))
                self.loose.add(number)
