"""Stretches of elements: what holds of all elements between two places, as far as points tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sorrel.guess.atoms import (
    MOST_ENDS,
    Guess,
    Views,
    boolean_views,
    congruence_atom,
    linear_atoms,
    scalar_views,
    truth_atom,
)
from sorrel.guess.elements import MOST_FITTED, element_atoms
from sorrel.guess.points import Point
from sorrel.guess.views import Frame
from sorrel.guess.vocabulary import Vocabulary
from sorrel.logic import terms
from sorrel.model.values import dataclass

MOST_CLAIMS, MOST_WAYS = 150, 2
LEAST_COVERED = 3


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """A condition on the index, and the points that meet it, as a mask.

    `usual`: from a number up to an argument, which is 1, or 2 if the argument itself is not in it.
    """

    guard: Guess | None
    covered: int
    usual: int = 0


def claims(frame: Frame, points: Sequence[Point], words: Vocabulary, asked: Sequence[int]) -> list[Guess]:
    """Implications about the frame's index, those that say most first; `asked` are conditions of the program."""
    everything = (1 << len(points)) - 1
    index = next(i for i, view in enumerate(frame.views) if frame.bound is not None and view.term.eq(frame.bound))
    fixed = [(guess, _mask(guess, points)) for guess in _conclusions(frame.views, index, points, words, asked)]
    found: list[tuple[_Stretch, Guess]] = []
    fitted: dict[int, list[Guess]] = {}
    elements = [i for i, view in enumerate(frame.views) if view.index == index and not view.near]
    hopeless: dict[int, list[int]] = {i: [] for i in elements}
    # The short ones first: what no equation fits there, none fits further out.
    for stretch in sorted(_stretches(frame.views, index, points, words), key=lambda each: each.covered.bit_count()):
        covered = stretch.covered
        if covered not in fitted:
            inside = [point for n, point in enumerate(points) if covered >> n & 1]
            without = {i for i in elements if any(not mask & ~covered for mask in hopeless[i])}
            fitted[covered] = list(element_atoms(frame.views, inside, words.squares, without))
            told = {i for guess in fitted[covered] for i in guess.about}
            for i in elements if len(inside) >= MOST_FITTED else ():
                if i not in told and i not in without:
                    hopeless[i].append(covered)
        held = [guess for guess, mask in fixed if not covered & ~mask]
        found += [(stretch, guess) for guess in _sharp(fitted[covered], held)]
    return [
        guess if stretch.covered == everything and stretch.guard is None else guess.under(_guard(stretch))
        for stretch, guess in _widest(found)
    ][:MOST_CLAIMS]


def _guard(stretch: _Stretch) -> Guess:
    return stretch.guard or Guess(lambda _: True, lambda _: terms.TRUE, "true")


# What holds


def _conclusions(
    views: Views, index: int, points: Sequence[Point], words: Vocabulary, asked: Sequence[int]
) -> Iterator[Guess]:
    yield from (truth_atom(views, i, True) for i in asked)
    here = [i for i, view in enumerate(views) if view.index == index and not view.near]
    places = [i for i, view in enumerate(views) if view.index not in (None, index)]
    numbers = [i for i in here if terms.is_integer(views[i].term)]
    for i in numbers:
        for j in (*_distinct(scalar_views(views), points), *places, *(other for other in numbers if other > i)):
            if terms.same_sort(views[i].term, views[j].term):
                yield from _ordered(views, {i: 1, j: -1}, 0)
        for c in words.constants:
            yield from _ordered(views, {i: 1}, c)
        for modulus in words.moduli[:2]:
            for rest in range(modulus):
                yield congruence_atom(f"1*{views[i].label}", {i: 1}, modulus, rest, True)
    for i in here:
        if i in boolean_views(views):
            yield from (truth_atom(views, i, True), truth_atom(views, i, False))


def _ordered(views: Views, weights: dict[int, int], c: int) -> Iterator[Guess]:
    """At least, at most, and equal. That elements differ from something is guessed only where the program asks so."""
    return (guess for guess in linear_atoms(views, weights, c) if guess.direction != "!=")


def _distinct(numbers: Iterable[int], points: Sequence[Point]) -> list[int]:
    """Without those that are the same as an earlier one at all points, as lengths of arrays often are."""
    columns = {tuple(point[i] for point in points): i for i in reversed(list(numbers))}
    return sorted(columns.values())


def _sharp(fitted: Sequence[Guess], held: Sequence[Guess]) -> list[Guess]:
    """Without what others among them imply: where an element is told exactly, nothing is said of its order."""
    exact = {i for guess in (*fitted, *held) if guess.direction == "==" for i in guess.about}
    values = {guess.about for guess in held if guess.direction == "=="}
    best: dict[tuple[str, str], int] = {}
    for guess in held:
        key = guess.subject, guess.direction
        best[key] = min(best.get(key, guess.rank), guess.rank)
    told = [g for g in fitted if g.about not in values]
    return told + [
        g
        for g in held
        if not g.subject
        or g.direction == "=="
        or (exact.isdisjoint(g.about) and g.rank == best[g.subject, g.direction])
    ]


def _widest(found: Sequence[tuple[_Stretch, Guess]]) -> list[tuple[_Stretch, Guess]]:
    """Of each conclusion the stretches that lie in no other, a few of them, and the usual ones; equations first."""
    by_text: dict[str, list[tuple[_Stretch, Guess]]] = {}
    for stretch, guess in found:
        by_text.setdefault(guess.text, []).append((stretch, guess))
    kept: list[tuple[_Stretch, Guess]] = []
    for every in by_text.values():
        # What holds further out may do so by chance, so that there is one of each kind.
        wide = {m for kind in range(3) for m in _outermost({s.covered for s, _ in every if s.usual >= kind})}
        kept += [(stretch, guess) for stretch, guess in every if stretch.covered in wide]
    order = {"==": 0, "": 1}
    return sorted(kept, key=lambda each: order.get(each[1].direction, 2))


def _outermost(masks: set[int]) -> set[int]:
    return {mask for mask in masks if not any(mask != other and not mask & ~other for other in masks)}


# Where


def _stretches(views: Views, index: int, points: Sequence[Point], words: Vocabulary) -> Iterator[_Stretch]:
    """All indices, those from a place on, those before one, and those between two; also only every second or third."""
    ends = _distinct((i for i in scalar_views(views) if i != index and terms.is_integer(views[i].term)), points)
    constants = [next(linear_atoms(views, {index: 1}, c)) for c in dict.fromkeys((0, 1, *words.offsets))]
    lows = [(g, _mask(g, points)) for g in (*constants, *_from(views, index, ends))]
    highs = [(g, _mask(g, points)) for g in _before(views, index, ends, words)]
    everything = (1 << len(points)) - 1
    # Points of one state follow each other: bit n is set if the next one is of the same state.
    together = sum(1 << n for n in range(len(points) - 1) if (points[n][index] or 0) < (points[n + 1][index] or 0))
    seen: dict[int, int] = {}

    def fresh(covered: int, stride: int = 1) -> bool:
        """Not seen too often, and more than one element of some state: of single ones others say more."""
        seen[covered] = seen.get(covered, 0) + 1
        long = covered & (covered >> 1) & together if stride == 1 else covered
        return bool(long) and seen[covered] <= MOST_WAYS and covered.bit_count() >= LEAST_COVERED

    if fresh(everything):
        yield _Stretch(None, everything)
    for number, (low, from_there) in enumerate(lows):
        for place, (high, until) in enumerate(highs):
            if low.about != high.about and fresh(from_there & until):
                usual = 0 if number >= len(constants) else 1 if place % 2 else 2
                yield _Stretch(low.and_also(high), from_there & until, usual)
    for guard, covered in (*lows, *highs):
        if fresh(covered):
            yield _Stretch(guard, covered)
    for stride in words.strides:
        for rest in range(stride):
            every = congruence_atom(f"1*{views[index].label}", {index: 1}, stride, rest, True)
            those = _mask(every, points) & lows[0][1]
            for high, until in highs:
                if fresh(those & until, stride):
                    yield _Stretch(lows[0][0].and_also(high).and_also(every), those & until, 2)


def _before(views: Views, index: int, ends: Iterable[int], words: Vocabulary) -> Iterator[Guess]:
    """index < end and index ≤ end by turns."""
    for end in ends:
        yield _in_order(views, index, end, strictly=True)
        yield _in_order(views, index, end, strictly=False)
    for c in sorted((c for c in words.constants if c > 1), reverse=True)[:MOST_ENDS]:
        for last in (c - 1, c):
            yield list(linear_atoms(views, {index: 1}, last))[1]


def _from(views: Views, index: int, ends: Iterable[int]) -> Iterator[Guess]:
    """index ≥ end and index > end."""
    for end in ends:
        yield _in_order(views, end, index, strictly=False)
        yield _in_order(views, end, index, strictly=True)


def _in_order(views: Views, i: int, j: int, *, strictly: bool) -> Guess:
    def holds(point: Point) -> bool:
        left, right = point[i] or 0, point[j] or 0
        return left < right if strictly else left <= right

    return Guess(
        holds,
        lambda v: v[i] < v[j] if strictly else v[i] <= v[j],
        f"{views[i].label} {'<' if strictly else '<='} {views[j].label}",
        about=frozenset({i, j}),
    )


def _mask(guess: Guess, points: Sequence[Point]) -> int:
    return sum(1 << number for number, point in enumerate(points) if guess.holds(point))
