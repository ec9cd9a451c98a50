"""What is guessed about loops that run side by side.

Equalities and orders between the runs, also strict ones; how far variables have come since the loop began; signs that
go together or against each other; and implications that speak of runs which have both not changed a variable yet: "as
long as neither has found a difference, both are at one index".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

Key = tuple[int, str]
"""A variable of a run."""
Environment = Mapping[Key, Term]
Candidate = Callable[[Environment], Term]

MOST_CANDIDATES = 1200
MOST_VARIABLES = 10
_ZERO, _ONE = terms.integer(0), terms.integer(1)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """`changing` variables of the runs, `fixed` ones, and the values with which the changing ones come to the loop."""

    changing: Sequence[Key]
    fixed: Sequence[Key]
    initial: Environment
    constants: Sequence[int]


def candidates(words: Vocabulary) -> list[Candidate]:
    return list(islice(_all(words), MOST_CANDIDATES))


def _all(words: Vocabulary) -> Iterator[Candidate]:
    yield from _between_runs(words)
    for key in words.changing:
        yield from _alone(words, key)
    yield from _together(words)
    yield from _not_yet_changed(words)
    yield from _signs(words)
    yield from _three_signs(words)


def _alone(words: Vocabulary, key: Key) -> Iterator[Candidate]:
    before = words.initial[key]
    yield lambda at: operations.equal(at[key], before)
    if not terms.is_arithmetic(before):
        return
    yield lambda at: operations.at_most(before, at[key])
    yield lambda at: operations.at_most(at[key], before)
    for number in words.constants:
        constant = terms.integer(number)
        if terms.is_integer(before):
            yield lambda at, c=constant: operations.at_most(c, at[key])  # type: ignore[misc]
            yield lambda at, c=constant: operations.at_most(at[key], c)  # type: ignore[misc]
    for other in words.fixed:
        if other[0] == key[0] and terms.same_sort(before, words.initial[other]):
            yield lambda at, o=other: operations.at_most(at[key], at[o])  # type: ignore[misc]
            yield lambda at, o=other: operations.at_most(at[o], at[key])  # type: ignore[misc]


def _pairs(words: Vocabulary) -> Iterator[tuple[Key, Key]]:
    """Variables of different runs of one sort; those of one name first."""
    found = [
        (one, other)
        for one, other in combinations(words.changing, 2)
        if one[0] != other[0] and terms.same_sort(words.initial[one], words.initial[other])
    ]
    yield from sorted(found, key=lambda pair: pair[0][1] != pair[1][1])


def _between_runs(words: Vocabulary) -> Iterator[Candidate]:
    for one, other in _pairs(words):
        yield lambda at, a=one, b=other: operations.equal(at[a], at[b])  # type: ignore[misc]
        if terms.is_arithmetic(words.initial[one]):
            yield lambda at, a=one, b=other: operations.at_most(at[a], at[b])  # type: ignore[misc]
            yield lambda at, a=one, b=other: operations.at_most(at[b], at[a])  # type: ignore[misc]
            yield lambda at, a=one, b=other: operations.less(at[a], at[b])  # type: ignore[misc]
            yield lambda at, a=one, b=other: operations.less(at[b], at[a])  # type: ignore[misc]
            yield lambda at, a=one, b=other: operations.equal(operations.add(at[a], at[b]), _ZERO)  # type: ignore[misc]
            if one[1] == other[1]:
                yield from _as_far(words, one, other)
    for one in words.changing:
        for fixed in words.fixed:
            if one[0] != fixed[0] and terms.same_sort(words.initial[one], words.initial[fixed]):
                yield lambda at, a=one, b=fixed: operations.equal(at[a], at[b])  # type: ignore[misc]


def _as_far(words: Vocabulary, one: Key, other: Key) -> Iterator[Candidate]:
    """How far the variable has come in two runs since the loop began: equally far, or in one no farther."""

    def moved(at: Environment, key: Key) -> Term:
        return operations.subtract(at[key], words.initial[key])

    yield lambda at: operations.equal(moved(at, one), moved(at, other))
    yield lambda at: operations.at_most(moved(at, one), moved(at, other))
    yield lambda at: operations.at_most(moved(at, other), moved(at, one))


def _together(words: Vocabulary) -> Iterator[Candidate]:
    """Two variables of one run whose sum or difference is what it was."""
    for one, other in combinations(words.changing, 2):
        before, after = words.initial[one], words.initial[other]
        if one[0] != other[0] or not (terms.is_integer(before) and terms.is_integer(after)):
            continue
        for join in (operations.add, operations.subtract):
            start = join(before, after)
            yield lambda at, j=join, a=one, b=other, s=start: operations.equal(j(at[a], at[b]), s)  # type: ignore[misc]


def _not_yet_changed(words: Vocabulary) -> Iterator[Candidate]:
    """While neither run has changed a variable, another one is the same in both: no difference found, one index."""
    for mark, other_mark in _pairs(words):
        if mark[1] != other_mark[1]:
            continue
        for one, other in _pairs(words):
            if one[1] == other[1] and one != mark and (one[0], other[0]) == (mark[0], other_mark[0]):
                yield _guarded(words, (mark, other_mark), (one, other))


def _guarded(words: Vocabulary, marks: tuple[Key, Key], pair: tuple[Key, Key]) -> Candidate:
    def make(at: Environment) -> Term:
        unchanged = terms.conjunction(operations.equal(at[mark], words.initial[mark]) for mark in marks)
        return operations.implies(unchanged, operations.equal(at[pair[0]], at[pair[1]]))

    return make


_SIGNS: Mapping[str, Callable[[Term], Term]] = {
    "positive": lambda term: operations.at_most(_ONE, term),
    "negative": lambda term: operations.less(term, _ZERO),
    "zero": lambda term: operations.equal(term, _ZERO),
}
_OPPOSITE = {"positive": "negative", "negative": "positive", "zero": "zero"}


def _signs(words: Vocabulary) -> Iterator[Candidate]:
    """Signs that agree, or are opposite, in two runs."""
    for one, other in _pairs(words):
        if not terms.is_integer(words.initial[one]):
            continue
        for here, there in ((one, other), (other, one)):
            for sign in _SIGNS:
                for meant in dict.fromkeys((_OPPOSITE[sign], sign)):
                    yield _implied([(here, sign)], (there, meant))


def _three_signs(words: Vocabulary) -> Iterator[Candidate]:
    """Transitivity: what two runs say decides what the third one says."""
    names = dict.fromkeys(name for _, name in words.changing)
    runs = sorted({run for run, _ in words.changing})
    for name in names:
        for a, b, c in permutations(runs, 3):
            keys = [(a, name), (b, name), (c, name)]
            if a < b and all(key in words.initial and terms.is_integer(words.initial[key]) for key in keys):
                for first, second, third in (("positive",) * 3, ("negative",) * 3, ("zero",) * 3):
                    yield _implied([(keys[0], first), (keys[1], second)], (keys[2], third))


def _implied(premises: Sequence[tuple[Key, str]], conclusion: tuple[Key, str]) -> Candidate:
    def make(at: Environment) -> Term:
        known = terms.conjunction(_SIGNS[sign](at[key]) for key, sign in premises)
        return operations.implies(known, _SIGNS[conclusion[1]](at[conclusion[0]]))

    return make
