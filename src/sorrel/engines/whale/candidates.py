"""What to guess about a function from executions of it: bounds, values that never meet, and bounds under a value.

Control programs live on these: flags and small timers have few values, and which of them occur together is the
invariant. Values that were not seen are guessed about as well, if the program's text mentions them: what excludes them
may be what is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from operator import add, sub

from sorrel.guess.affine import affine_combinations
from sorrel.logic import terms
from sorrel.logic.terms import Term

FEW_VALUES = 4
"""An argument with at most so many values is a flag or a small timer."""
SMALL = (0, 1, 2)
MOST_CANDIDATES = 4000
MOST_BOUNDS = 2
ENOUGH = 8
"""So many executions under a condition show where bounds are; of fewer, every bound that they allow may be guessed."""
SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
Point = Sequence[int]


Range = tuple[float, float]
NOWHERE: Range = (-math.inf, math.inf)


class Guard:
    """A condition, and the executions that it holds of."""

    def __init__(self, formula: Term, inside: Sequence[Point], about: frozenset[int] = frozenset()) -> None:
        self.formula = formula
        self.about = about
        self.support = len(inside)
        self._columns = list(zip(*inside, strict=True))
        self._ranges = [_range(column) for column in self._columns]
        self._pairs: dict[tuple[int, int, int], Range] = {}

    def range(self, i: int, j: int, sign: int) -> Range:
        """Between which numbers xᵢ + sign·xⱼ was."""
        if not self.support:
            return _range(())
        if sign == 0:
            return self._ranges[i]
        if (i, j, sign) not in self._pairs:
            self._pairs[i, j, sign] = _range(list(map(add if sign > 0 else sub, self._columns[i], self._columns[j])))
        return self._pairs[i, j, sign]

    def box(self, i: int, j: int, sign: int) -> Range:
        """What the ranges of xᵢ and xⱼ imply about it."""
        return _sum(self._ranges[i], self._ranges[j], sign)

    def threefold(self, i: int, j: int, k: int, signs: tuple[int, int]) -> tuple[Range, Range]:
        """Between which numbers xᵢ ± xⱼ ± xₖ was, and what ranges of its parts imply about it."""
        second, third = signs
        together = map(add if second > 0 else sub, self._columns[i], self._columns[j])
        seen = _range(list(map(add if third > 0 else sub, together, self._columns[k])))
        # xⱼ and xₖ together, with the sign of xⱼ in front.
        rest = self.range(j, k, second * third)
        implied = _tighter(_sum(self.range(i, j, second), self._ranges[k], third), _sum(self._ranges[i], rest, second))
        return seen, _tighter(implied, _sum(self.range(i, k, third), self._ranges[j], second))


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
        self._large = [i for i in self.places if i not in self._small or self._is_quantity(i)]
        self._everything = Guard(terms.TRUE, self._points)

    def _has_few_values(self, i: int) -> bool:
        return terms.is_boolean(self._formals[i]) or len({point[i] for point in self._points}) <= FEW_VALUES

    def _is_quantity(self, i: int) -> bool:
        """An argument that was never a small number counts something, however few values it had."""
        return terms.is_integer(self._formals[i]) and all(point[i] > FEW_VALUES for point in self._points)

    def _domain(self, i: int) -> list[int]:
        if terms.is_boolean(self._formals[i]):
            return [0, 1]
        return sorted({*SMALL, *(point[i] for point in self._points)})

    def exclusive(self, together: int) -> list[Term]:
        """Bounds, and values that exclude each other; `together` is the number of arguments that may be involved."""
        exclusions = (each for size in range(2, together + 1) for each in self._exclusions(size))
        return _few(chain(self._bounds(), exclusions))

    def unconditional(self) -> list[Term]:
        """Bounds on sums and differences, and pairs of values that exclude each other."""
        return _few(chain(self._bounds(), self._larger(), self._related(self._everything), self._exclusions(2)))

    def conditional(self) -> list[Term]:
        """Bounds on arguments, sums and differences where another argument has a certain value, or is positive."""
        return _few(terms.implication(guard.formula, bound) for guard in self._guards() for bound in self._under(guard))

    def under_rare_values(self) -> list[list[Term]]:
        """Bounds of all sizes where an argument has a value that it hardly ever had, argument by argument.

        A value in a gap of those that were seen was missed rather than excluded: such arguments come first.
        """
        found: dict[int, list[Guard]] = {}
        for i in self._small:
            rare = [guard for guard in self._values(i) if guard.support < ENOUGH]
            if rare:
                found[i] = rare
        order = sorted(found, key=lambda i: min(guard.support for guard in found[i]))
        return [_few(chain.from_iterable(map(self._at_all, found[i]))) for i in order]

    def equations(self) -> list[Term]:
        """Linear equations between arguments that count something."""
        return _few(self._equations())

    def threefold(self) -> list[Term]:
        """Bounds on sums of three arguments with signs, where those of two say less."""
        return _few(self._of_three())

    def _of_three(self) -> Iterator[Term]:
        for (i, j, k), signs in product(combinations(self._large, 3), SIGNS):
            parts = [self._formals[place] for place in (i, j, k)]
            if all(map(terms.is_integer, parts)):
                seen, implied = self._everything.threefold(i, j, k, signs)
                term = terms.weighted(zip((1, *signs), parts, strict=True))
                yield from self._between(term, seen, implied, 1)

    def _equations(self) -> Iterator[Term]:
        """What all points satisfy, and each half of it: the one may hold where the other does not."""
        places = [i for i in self._large if terms.is_integer(self._formals[i])]
        rows = [[point[i] for i in places] for point in self._points]
        for *weights, constant in affine_combinations(rows, len(places)):
            term = terms.weighted((w, self._formals[i]) for w, i in zip(weights, places, strict=True) if w)
            yield terms.equal(term, terms.integer(-constant))
            yield term <= -constant
            yield term >= -constant

    def _is(self, i: int, value: int) -> Term:
        formal = self._formals[i]
        if terms.is_boolean(formal):
            return formal if value else terms.negation(formal)
        return terms.equal(formal, terms.integer(value))

    def _bounds(self) -> Iterator[Term]:
        for i in self.places:
            if terms.is_integer(self._formals[i]):
                yield from self._between(self._formals[i], _range([point[i] for point in self._points]), NOWHERE)

    def _between(self, term: Term, seen: Range, implied: Range, most: int = MOST_BOUNDS) -> Iterator[Term]:
        """The tightest bounds that the program's constants give, nothing seen contradicts and nothing implies."""
        low = [c for c in self._constants if implied[0] < c <= seen[0]][-most:]
        high = [c for c in self._constants if implied[1] > c >= seen[1]][:most]
        yield from (term >= c for c in low)
        yield from (term <= c for c in high)

    def _related(self, guard: Guard) -> Iterator[Term]:
        """Bounds on sums and differences of arguments with many values, which say more than bounds on these."""
        for i, j, sign, term in self._combined():
            implied = _tighter(guard.box(i, j, sign), self._anyway(guard, i, j, sign))
            yield from self._between(term, guard.range(i, j, sign), implied)

    def _larger(self) -> Iterator[Term]:
        """Which of two was never the smaller, even where ranges are far apart: what was met may be less than all."""
        for i, j, sign, term in self._combined():
            low, high = self._everything.range(i, j, sign)
            if sign < 0 <= low:
                yield term >= 0
            elif sign < 0 and high <= 0:
                yield term <= 0

    def _combined(self) -> Iterator[tuple[int, int, int, Term]]:
        """Sums and differences, with the places of their parts and the sign between them."""
        for i, j in combinations(self._large, 2):
            left, right = self._formals[i], self._formals[j]
            if terms.same_sort(left, right):
                yield i, j, 1, left + right
                yield i, j, -1, left - right

    def _anyway(self, guard: Guard, i: int, j: int, sign: int) -> Range:
        """The bounds without the guard, which need not be guessed once more."""
        if guard is self._everything:
            return NOWHERE
        return self._rounded(self._everything.range(i, j, sign))

    def _rounded(self, seen: Range) -> Range:
        """The next constants around a range."""
        low = [c for c in self._constants if c <= seen[0]]
        high = [c for c in self._constants if c >= seen[1]]
        return (low[-1] if low else NOWHERE[0], high[0] if high else NOWHERE[1])

    def _under(self, guard: Guard) -> Iterator[Term]:
        for i in self._large:
            if i not in guard.about:
                anyway = self._rounded(self._everything.range(i, i, 0))
                yield from self._between(self._formals[i], guard.range(i, i, 0), anyway)
        yield from self._related(guard)

    def _at_all(self, guard: Guard) -> Iterator[Term]:
        """Under a condition all bounds that nothing contradicts and that do not hold without it."""
        alone = ((i, i, 0, self._formals[i]) for i in self._large)
        for i, j, sign, term in chain(alone, self._combined()):
            implied = self._anyway(guard, i, j, sign)
            for bound in self._between(term, guard.range(i, j, sign), implied, len(self._constants)):
                yield terms.implication(guard.formula, bound)

    def _exclusions(self, size: int) -> Iterator[Term]:
        """Values of so many arguments that never come together, though fewer of them do."""
        for chosen in combinations(self._small, size):
            seen = {tuple(point[i] for i in chosen) for point in self._points}
            for values in product(*(self._small[i] for i in chosen)):
                if values not in seen:
                    pairs = zip(chosen, values, strict=True)
                    yield terms.negation(terms.conjunction(self._is(i, value) for i, value in pairs))

    def _guards(self) -> Iterator[Guard]:
        for i in self._large:
            inside = [point for point in self._points if point[i] > 0]
            if 0 < len(inside) < len(self._points):
                yield Guard(self._formals[i] > 0, inside, frozenset({i}))
        for i in self._small:
            yield from (guard for guard in self._values(i) if guard.support)

    def _values(self, i: int) -> Iterator[Guard]:
        """The values that an argument had, and those between them that it may have."""
        low, high = _range([point[i] for point in self._points])
        for value in self._small[i]:
            if low <= value <= high:
                inside = [point for point in self._points if point[i] == value]
                yield Guard(self._is(i, value), inside, frozenset({i}))


def _range(values: Sequence[int]) -> Range:
    return (min(values), max(values)) if values else (math.inf, -math.inf)


def _sum(left: Range, right: Range, sign: int) -> Range:
    return (left[0] + right[0], left[1] + right[1]) if sign > 0 else (left[0] - right[1], left[1] - right[0])


def _tighter(left: Range, right: Range) -> Range:
    return max(left[0], right[0]), min(left[1], right[1])


def _few(found: Iterable[Term]) -> list[Term]:
    return list(islice({terms.identity(term): term for term in found}.values(), MOST_CANDIDATES))
