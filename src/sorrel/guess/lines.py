"""Guesses about real numbers: limits that the clauses mention, and lines along counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import operations, terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_LIMITS, MOST_COUNTS, MOST_LARGE = 16, 10, 4
"""Real numbers that arguments are compared with, integers, and numbers that stand for the end of a type."""
MOST_LINES = 300
SLACK = Fraction(1, 100)
"""By so much of a step a line may be steeper, or less steep, than the step that it follows."""
_LEAST, _MOST, _LARGE = Fraction(1, 1 << 40), Fraction(1 << 60), Fraction(1 << 100)
_ROUNDING = Fraction(1, 1 << 20)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a system mentions: `limits` and `large` are real numbers, `counts` integers."""

    limits: tuple[Fraction, ...]
    large: tuple[Fraction, ...]
    counts: tuple[int, ...]


def numbers_of(system: HornSystem) -> Numbers:
    found: dict[Fraction, None] = {}
    counts: dict[int, None] = {0: None, 1: None}
    for clause in system.clauses:
        atoms = (*clause.body, *([clause.head] if clause.head else []))
        for formula in (clause.constraint, *(argument for atom in atoms for argument in atom.arguments)):
            found.update(dict.fromkeys(walk.real_numerals(formula)))
            counts.update(dict.fromkeys(walk.numerals(formula)))
    sizes = dict.fromkeys(map(abs, found))
    plain = [size for size in sizes if size == 1 or (_LEAST <= size <= _MOST and abs(size - 1) > _ROUNDING)]
    return Numbers(
        tuple(plain[:MOST_LIMITS]),
        tuple(sorted(size for size in sizes if size > _LARGE)[:MOST_LARGE]),
        tuple(count for count in counts if abs(count) < _MOST)[:MOST_COUNTS],
    )


def candidates(predicate: Predicate, numbers: Numbers) -> list[Term]:
    """Formulas over the formals of a predicate, of which some may be true."""
    reals = [formal for formal in predicate.formals if terms.is_real(formal)]
    integers = [formal for formal in predicate.formals if terms.is_integer(formal)]
    found = [*_limits(reals, numbers), *_counts(integers, numbers)]
    found += islice(_lines(reals, integers, numbers), MOST_LINES)
    return found


def _limits(reals: Sequence[Term], numbers: Numbers) -> Iterator[Term]:
    sizes = (Fraction(0), *numbers.limits, *(2 * limit for limit in numbers.limits), *numbers.large)
    ends = [operations.real(end) for end in dict.fromkeys((*sizes, *(-size for size in sizes)))]
    for formal in reals:
        for end in ends:
            yield operations.not_more(formal, end)
            yield operations.not_less(formal, end)
    for one, other in permutations(reals, 2):
        yield operations.not_more(one, other)


def _counts(integers: Sequence[Term], numbers: Numbers) -> Iterator[Term]:
    for formal in integers:
        for count in numbers.counts:
            yield operations.not_more(formal, terms.integer(count))
            yield operations.not_less(formal, terms.integer(count))
    for one, other in permutations(integers, 2):
        yield operations.not_more(one, other)


def _lines(reals: Sequence[Term], integers: Sequence[Term], numbers: Numbers) -> Iterator[Term]:
    """From zero, or another number, to what is allowed at the end of a count; or along a step, with room for errors."""
    targets = [limit / abs(count) for count in numbers.counts if abs(count) > 1 for limit in numbers.limits]
    steps = [limit * (1 + sign * SLACK) for limit in numbers.limits for sign in (1, -1)]
    slopes = dict.fromkeys((*(each for each in targets if each not in numbers.limits), *steps))
    for start in (Fraction(0), *numbers.limits[:2]):
        for slope in slopes:
            for formal in reals:
                for counter in integers:
                    rise = operations.multiply(operations.real(slope), operations.as_real(counter))
                    line = operations.add(rise, operations.real(start)) if start else rise
                    yield operations.not_more(formal, line)
                    yield operations.not_less(formal, operations.negate(line))
                    if not start:
                        yield operations.not_less(formal, line)
