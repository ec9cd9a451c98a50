"""Guesses that ranks live on: how far apart two numbers can be, by themselves and under a bound on one of them.

McCarthy's function never returns less than its argument minus 10, and Hofstadter's sequences never more than their
argument plus 1 where that is not negative. Such constants are seldom written in the program, so they are read from
points that are derivable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_NUMBERS, MOST_CONSTANTS, MOST_GUESSES = 6, 4, 600
LARGEST = 10**6


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A term, and its value at each point."""

    term: Term
    values: tuple[int, ...]

    def at(self, places: Sequence[int]) -> list[int]:
        return [self.values[place] for place in places]


def differences(
    system: HornSystem, samples: Mapping[str, Sequence[dict[Term, Term]]], *, guarded: bool
) -> dict[str, list[Term]]:
    """For each predicate, bounds on its numbers, their sums and differences that hold on its samples.

    `guarded`: also those that hold on the samples in which some number is bounded by a constant.
    """
    constants = sorted(vocabulary(system).literal, key=abs)[:MOST_CONSTANTS]
    found: dict[str, list[Term]] = {}
    for predicate in system.predicates:
        guesses = _guesses(_numbers(predicate, samples.get(predicate.name, ())), constants, guarded)
        found[predicate.name] = list({terms.identity(guess): guess for guess in guesses}.values())[:MOST_GUESSES]
    return found


def _numbers(predicate: Predicate, samples: Sequence[dict[Term, Term]]) -> list[_Seen]:
    formals = [formal for formal in predicate.formals if terms.is_integer(formal)][:MOST_NUMBERS]
    rows = [[terms.as_number(point[formal]) for formal in formals] for point in samples]
    small = [[int(n) for n in row if n is not None] for row in rows if all(n is not None for n in row)]
    kept = [row for row in small if all(abs(number) < LARGEST for number in row)]
    return [_Seen(formal, tuple(row[i] for row in kept)) for i, formal in enumerate(formals)]


def _guesses(numbers: Sequence[_Seen], constants: Sequence[int], guarded: bool) -> Iterator[Term]:
    """Without guards first: what is true everywhere need not be said in cases."""
    if not numbers or not numbers[0].values:
        return
    everywhere = range(len(numbers[0].values))
    forms = list(_forms(numbers))
    for form in forms:
        yield from _bounds(form, everywhere, constants)
    for number in numbers if guarded else ():
        for constant in constants:
            above = [place for place in everywhere if number.values[place] >= constant]
            below = [place for place in everywhere if number.values[place] <= constant]
            for guard, places in ((number.term >= constant, above), (number.term <= constant, below)):
                if places:
                    yield from _guarded(guard, places, number, forms, constants)


def _guarded(
    guard: Term, places: Sequence[int], number: _Seen, forms: Sequence[_Seen], constants: Sequence[int]
) -> Iterator[Term]:
    for form in forms:
        if form is not number:
            for bound in _bounds(form, places, constants):
                yield terms.implication(guard, bound)


def _forms(numbers: Sequence[_Seen]) -> Iterator[_Seen]:
    yield from numbers
    for one, other in combinations(numbers, 2):
        pairs = list(zip(one.values, other.values, strict=True))
        yield _Seen(one.term - other.term, tuple(a - b for a, b in pairs))
        yield _Seen(one.term + other.term, tuple(a + b for a, b in pairs))


def _bounds(form: _Seen, places: Sequence[int], constants: Sequence[int]) -> Iterator[Term]:
    """The tightest ones, and the next looser ones at a constant: the tightest may hold for want of points."""
    values = form.at(places)
    low, high = min(values), max(values)
    for bound in dict.fromkeys((low, max((c for c in constants if c <= low), default=low))):
        yield form.term >= bound
    for bound in dict.fromkeys((high, min((c for c in constants if c >= high), default=high))):
        yield form.term <= bound
