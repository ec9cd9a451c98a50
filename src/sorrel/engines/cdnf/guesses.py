"""What to guess about a finite function: comparisons, parity and implications that no run contradicts.

The ideas are those of the room `guess` for integers; here truth is a bit for each known run, so that thousands
of implications are filtered by a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

from sorrel.finite.function import FiniteFunction, FiniteProgram
from sorrel.logic import terms, words
from sorrel.logic.compiled import Values, compiled
from sorrel.logic.listing import width_of
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_CONSTANTS = 8
MOST_IMPLICATIONS = 4000
MOST_POINTS = 1500


@dataclass(frozen=True, slots=True, eq=False)
class _Atom:
    formula: Term
    truth: int  # bit i: it holds of run i
    about_results: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What guesses are made of: numbers, and whether words are compared as signed numbers, unsigned ones, or both."""

    numbers: tuple[int, ...]
    signed: bool
    unsigned: bool


def vocabulary(program: FiniteProgram) -> Vocabulary:
    """Small numbers, and the numbers of the program and its properties, most frequent first."""
    seen: Counter[int] = Counter()
    signed = unsigned = False
    for term in _terms(program):
        seen.update(words.literals(term))
        signed = signed or words.is_signed(term)
        unsigned = unsigned or words.is_unsigned(term)
    common = [n for n, _ in seen.most_common()]
    numbers = tuple(dict.fromkeys([0, 1, 2, *common, *(n + 1 for n in common)]))[:MOST_CONSTANTS]
    return Vocabulary(numbers, signed, unsigned or not signed)


def _terms(program: FiniteProgram) -> Iterator[Term]:
    for function in program.functions:
        for path in function.paths:
            for call in path.calls:
                yield from (call.guard, *call.arguments)
            yield from (path.guard, *path.results)
    yield from (wanted.formula for wanted in program.properties)


class Guesses:
    """The guesses about one function that hold on all its known runs."""

    def __init__(self, function: FiniteFunction, runs: Sequence[Values], known: Vocabulary) -> None:
        self._function = function
        self._runs = _spread(runs)
        self._everywhere = (1 << len(self._runs)) - 1
        self._atoms = self._judged([*_atoms(function, known), *_sums(function, self._runs)])

    def _judged(self, formulas: Sequence[tuple[Term, bool]]) -> list[_Atom]:
        if not formulas:
            return []
        run = compiled(self._function.formals, [formula for formula, _ in formulas])
        truths = [0] * len(formulas)
        for number, values in enumerate(self._runs):
            for place, value in enumerate(run(values)):
                truths[place] |= value << number
        return [_Atom(f, truth, results) for (f, results), truth in zip(formulas, truths, strict=True)]

    def plain(self) -> list[Term]:
        return [atom.formula for atom in self._atoms if atom.truth == self._everywhere]

    def implications(self, more: Iterable[Term] = ()) -> list[Term]:
        """Under one condition on the parameters, or two; none that some run does not try."""
        guards = [a for a in self._atoms if not a.about_results and 0 < a.truth < self._everywhere]
        pairs = [
            _Atom(terms.conjunction([a.formula, b.formula]), a.truth & b.truth, False)
            for a, b in combinations(guards, 2)
            if a.truth & b.truth not in (0, a.truth, b.truth)
        ]
        conclusions = [a for a in self._atoms if a.about_results and a.truth != self._everywhere]
        found = list(_implied(guards, conclusions))
        # Two conditions say something new only where neither of them is enough.
        found += _implied(pairs, conclusions)
        return list(dict.fromkeys((*more, *found)))[:MOST_IMPLICATIONS]


def _implied(guards: Sequence[_Atom], conclusions: Sequence[_Atom]) -> Iterator[Term]:
    for guard in guards:
        if guard.truth:
            for conclusion in conclusions:
                if not guard.truth & ~conclusion.truth:
                    yield terms.implication(guard.formula, conclusion.formula)


def _spread(runs: Sequence[Values]) -> list[Values]:
    """Not too many, from everywhere."""
    distinct = sorted(set(runs))
    step = max(1, len(distinct) // MOST_POINTS)
    return distinct[::step]


def _atoms(function: FiniteFunction, known: Vocabulary) -> Iterator[tuple[Term, bool]]:
    """Formulas, and whether they speak of results."""
    formals = function.formals
    count = len(function.parameters)
    for place, formal in enumerate(formals):
        for formula in _about_one(formal, known):
            yield formula, place >= count
    for (i, left), (j, right) in combinations(enumerate(formals), 2):
        for formula in _about_two(left, right, known):
            yield formula, max(i, j) >= count


def _sums(function: FiniteFunction, runs: Sequence[Values]) -> Iterator[tuple[Term, bool]]:
    """A result as a parameter and a number, or as two parameters added or subtracted, if many runs look like that."""
    count = len(function.parameters)
    for place, result in enumerate(function.formals[count:], start=count):
        same = [i for i, p in enumerate(function.parameters) if terms.same_sort(p, result)]
        if terms.is_boolean(result) or not same:
            continue
        width = width_of(result.sort())
        for i in same:
            for number in _common((run[place] - run[i]) % (1 << width) for run in runs):
                yield terms.equal(result, words.plus(function.parameters[i], number)), True
        for i, j in permutations(same, 2):
            left, right = function.parameters[i], function.parameters[j]
            if i < j and _often((run[i] + run[j] - run[place]) % (1 << width) == 0 for run in runs):
                yield terms.equal(result, left + right), True
            if _often((run[i] - run[j] - run[place]) % (1 << width) == 0 for run in runs):
                yield terms.equal(result, left - right), True


def _common(numbers: Iterable[int]) -> list[int]:
    """The numbers other than 0 that occur most; two at most, and none that may be chance."""
    return [n for n, times in Counter(numbers).most_common(3) if n and times > 2][:2]


def _often(truths: Iterable[bool]) -> bool:
    seen = list(truths)
    return len(seen) > 2 and 3 * sum(seen) > len(seen)


def _about_one(formal: Term, known: Vocabulary) -> Iterator[Term]:
    if terms.is_boolean(formal):
        yield formal
        yield terms.negation(formal)
        return
    width = width_of(formal.sort())
    yield words.is_even(formal)
    yield terms.negation(words.is_even(formal))
    for number in known.numbers:
        if number >> width:
            continue
        value = words.number(number, width)
        yield terms.equal(formal, value)
        yield terms.distinct(formal, value)
        if number and known.unsigned:
            yield words.at_least(formal, value)
            yield words.less(formal, value)
        if known.signed:
            yield words.signed_at_most(value, formal)
            yield words.signed_less(formal, value)


def _about_two(left: Term, right: Term, known: Vocabulary) -> Iterator[Term]:
    if not terms.same_sort(left, right):
        return
    yield terms.equal(left, right)
    yield terms.distinct(left, right)
    if terms.is_boolean(left):
        return
    if known.unsigned:
        yield words.at_most(left, right)
        yield words.at_least(left, right)
        yield words.less(left, right)
        yield words.more(left, right)
    if known.signed:
        yield words.signed_at_most(left, right)
        yield words.signed_at_most(right, left)
        yield words.signed_less(left, right)
        yield words.signed_less(right, left)
