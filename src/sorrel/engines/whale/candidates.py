"""What to guess about a function from executions of it: bounds, values that never meet, and bounds under a value.

Control programs live on these: flags and small timers have few values, and which of them occur together is the
invariant. Values that were not seen are guessed about as well, if the program's text mentions them: what excludes them
may be what is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, product

from sorrel.logic import terms
from sorrel.logic.terms import Term

FEW_VALUES = 4
"""An argument with at most so many values is a flag or a small timer."""
SMALL = (0, 1, 2)
MOST_CANDIDATES = 2000
MOST_BOUNDS = 2
Point = Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A condition, and the executions that it holds of."""

    formula: Term
    inside: Sequence[Point]
    about: frozenset[int] = field(default=frozenset())


class Candidates:
    """Formulas over the formals of a function, speaking of the arguments at the given places only.

    `executions` are values of all arguments; truth values count as 0 and 1. `constants` are those of the program.
    """

    def __init__(
        self, formals: Sequence[Term], places: Sequence[int], executions: Sequence[Point], constants: Sequence[int]
    ) -> None:
        self._formals = formals
        self._points = list({tuple(point) for point in executions})
        self._constants = sorted({*SMALL, -1, *constants})
        self.places = [i for i in places if terms.is_integer(formals[i]) or terms.is_boolean(formals[i])]
        self._small = {i: self._domain(i) for i in self.places if self._has_few_values(i)}
        self._large = [i for i in self.places if i not in self._small]

    def _has_few_values(self, i: int) -> bool:
        return terms.is_boolean(self._formals[i]) or len({point[i] for point in self._points}) <= FEW_VALUES

    def _domain(self, i: int) -> list[int]:
        if terms.is_boolean(self._formals[i]):
            return [0, 1]
        return sorted({*SMALL, *(point[i] for point in self._points)})

    def exclusive(self, together: int) -> list[Term]:
        """Bounds, and values that exclude each other; `together` is the number of arguments that may be involved."""
        exclusions = (each for size in range(2, together + 1) for each in self._exclusions(size))
        return _few(chain(self._bounds(), exclusions))

    def related(self) -> list[Term]:
        """Bounds on sums and differences, by themselves and where one argument has a certain value."""
        return _few(chain(self._bounds(), self._sums(Guard(terms.TRUE, self._points)), self._guarded()))

    def _is(self, i: int, value: int) -> Term:
        formal = self._formals[i]
        if terms.is_boolean(formal):
            return formal if value else terms.negation(formal)
        return terms.equal(formal, terms.integer(value))

    def _bounds(self) -> Iterator[Term]:
        for i in self.places:
            if terms.is_integer(self._formals[i]):
                yield from self._between(self._formals[i], [point[i] for point in self._points])

    def _between(self, term: Term, seen: Sequence[int]) -> Iterator[Term]:
        """The tightest bounds that the program's constants give and nothing seen contradicts."""
        low = [c for c in self._constants if all(c <= value for value in seen)][-MOST_BOUNDS:]
        high = [c for c in self._constants if all(c >= value for value in seen)][:MOST_BOUNDS]
        yield from (term >= c for c in low)
        yield from (term <= c for c in high)

    def _sums(self, guard: Guard) -> Iterator[Term]:
        """Bounds on sums and differences of arguments with many values."""
        for i, j in combinations(self._large, 2):
            left, right = self._formals[i], self._formals[j]
            if terms.same_sort(left, right):
                yield from self._between(left - right, [point[i] - point[j] for point in guard.inside])
                yield from self._between(left + right, [point[i] + point[j] for point in guard.inside])

    def _exclusions(self, size: int) -> Iterator[Term]:
        """Values of so many arguments that never come together, though fewer of them do."""
        for chosen in combinations(self._small, size):
            seen = {tuple(point[i] for i in chosen) for point in self._points}
            for values in product(*(self._small[i] for i in chosen)):
                if values not in seen:
                    pairs = zip(chosen, values, strict=True)
                    yield terms.negation(terms.conjunction(self._is(i, value) for i, value in pairs))

    def _guarded(self) -> Iterator[Term]:
        for guard in self._guards():
            for i in self._large:
                if i not in guard.about:
                    for bound in self._between(self._formals[i], [point[i] for point in guard.inside]):
                        yield terms.implication(guard.formula, bound)
            for bound in self._sums(guard):
                yield terms.implication(guard.formula, bound)

    def _guards(self) -> Iterator[Guard]:
        for i in self._large:
            inside = [point for point in self._points if point[i] > 0]
            if 0 < len(inside) < len(self._points):
                yield Guard(self._formals[i] > 0, inside, frozenset({i}))
        for i, values in self._small.items():
            for value in values:
                inside = [point for point in self._points if point[i] == value]
                yield Guard(self._is(i, value), inside, frozenset({i}))


def _few(found: Iterable[Term]) -> list[Term]:
    return list(islice({terms.identity(term): term for term in found}.values(), MOST_CANDIDATES))


def as_numbers(arguments: Sequence[Term]) -> Point:
    """The values of an execution; what is no number counts as 0, and nothing is guessed about it."""
    return [int(terms.as_number(value) or 0) for value in arguments]
