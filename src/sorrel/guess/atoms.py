"""Atoms to guess: truth values, signs, equations, orders and congruences between the views of a predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice

from sorrel.guess.affine import affine_combinations
from sorrel.guess.points import Number, Point
from sorrel.guess.views import View
from sorrel.guess.vocabulary import Vocabulary
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

Terms = Sequence[Term]
Views = Sequence[View]
MOST_RELATED = 10
MOST_ENDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """`build` takes the terms of the views.

    Of guesses with the same subject and direction the one with the lowest rank implies the others; an equation
    implies whatever else holds of its subject. `about` are the positions of the views that it speaks of.
    """

    holds: Callable[[Point], bool]
    build: Callable[[Terms], Term]
    text: str  # identifies the guess
    subject: str = ""
    direction: str = ""
    rank: int = 0
    about: frozenset[int] = frozenset()

    def under(self, guard: Guess) -> Guess:
        """guard ⇒ this."""
        return Guess(
            lambda point: not guard.holds(point) or self.holds(point),
            lambda views: terms.implication(guard.build(views), self.build(views)),
            f"{guard.text} => {self.text}",
            about=self.about | guard.about,
        )

    def and_also(self, other: Guess) -> Guess:
        return Guess(
            lambda point: self.holds(point) and other.holds(point),
            lambda views: terms.conjunction([self.build(views), other.build(views)]),
            f"{self.text} & {other.text}",
            about=self.about | other.about,
        )


# Atoms


def numeric_views(views: Views) -> list[int]:
    return [i for i, v in enumerate(views) if terms.is_arithmetic(v.term) and not v.near]


def scalar_views(views: Views) -> list[int]:
    return [i for i in numeric_views(views) if views[i].index is None]


def _elements(views: Views) -> list[int]:
    return [i for i in numeric_views(views) if views[i].index is not None]


def related_pairs(views: Views) -> Iterator[tuple[int, int]]:
    """Pairs of arguments to relate: all of the first few, and neighbours, where product programs keep their copies."""
    numeric = scalar_views(views)
    near = zip(numeric[MOST_RELATED:], numeric[MOST_RELATED + 1 :], strict=False)
    for i, j in [*combinations(numeric[:MOST_RELATED], 2), *near]:
        if terms.same_sort(views[i].term, views[j].term):
            yield i, j


def _element_pairs(views: Views) -> Iterator[tuple[int, int]]:
    """Elements at the same index, and an element with an argument that is not its index."""
    elements = _elements(views)
    for i, j in combinations(elements, 2):
        if views[i].index == views[j].index and terms.same_sort(views[i].term, views[j].term):
            yield i, j
    for i in scalar_views(views)[:MOST_RELATED]:
        for j in elements:
            if views[j].index != i and terms.same_sort(views[i].term, views[j].term):
                yield i, j


def boolean_views(views: Views) -> list[int]:
    return [i for i, v in enumerate(views) if terms.is_boolean(v.term)]


def atoms_of(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    yield from _truths(views)
    for i in numeric_views(views):
        seen = [number for p in points if abs(number := int(p[i] or 0)) < 10**6]
        extremes: tuple[int, ...] = (min(seen), max(seen)) if seen else ()
        for c in sorted({*words.constants, *extremes}):
            yield from linear_atoms(views, {i: 1}, c)
        if terms.is_integer(views[i].term) and views[i].index is None:
            yield from congruence_atoms(views, {i: 1}, words)
    for i, j in related_pairs(views):
        small = [c for c in words.constants if abs(c) <= 2] + [c for c in words.constants if abs(c) > 2][:4]
        for c in small:
            yield from linear_atoms(views, {i: 1, j: -1}, c)
            yield from linear_atoms(views, {i: 1, j: 1}, c)
        if terms.is_integer(views[i].term):
            yield from congruence_atoms(views, {i: 1, j: -1}, words)
            yield from congruence_atoms(views, {i: 1, j: 1}, words)
    for i, j in _element_pairs(views):
        yield from linear_atoms(views, {i: 1, j: -1}, 0)
        yield equation_atom(views, {i: 1, j: 1}, 0)
    yield from bitvector_atoms(views, words)


def definite_atoms(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    """Conclusions that say much: truths, values, equalities and residues, and bounds next to zero."""
    yield from _truths(views)
    for i in numeric_views(views):
        seen = {int(p[i] or 0) for p in points}
        for c in sorted({*words.constants, *(v for v in seen if len(seen) <= 12)}):
            yield equation_atom(views, {i: 1}, c)
        for c in (-1, 0, 1):
            yield from islice(linear_atoms(views, {i: 1}, c), 2)
        if terms.is_integer(views[i].term) and views[i].index is None:
            yield from (g for g in congruence_atoms(views, {i: 1}, words) if "!=" not in g.text)
    for i, j in chain(related_pairs(views), _element_pairs(views)):
        for c in (0, 1, -1):
            yield equation_atom(views, {i: 1, j: -1}, c)
        yield from islice(linear_atoms(views, {i: 1, j: -1}, 0), 2)
        if views[j].index is not None:
            yield equation_atom(views, {i: 1, j: 1}, 0)
        if views[j].index is None and terms.is_integer(views[i].term):
            for weights in ({i: 1, j: -1}, {i: 1, j: 1}):
                yield from (g for g in congruence_atoms(views, weights, words) if "!=" not in g.text)


def _truths(views: Views) -> Iterator[Guess]:
    for i in boolean_views(views):
        yield truth_atom(views, i, True)
        yield truth_atom(views, i, False)
    for i, j in combinations(boolean_views(views), 2):
        yield _same_truth(views, i, j, True)
        yield _same_truth(views, i, j, False)


def truth_atom(views: Views, i: int, positive: bool) -> Guess:
    name = views[i].label
    return Guess(
        lambda p: bool(p[i]) is positive,
        lambda v: v[i] if positive else terms.negation(v[i]),
        name if positive else f"!{name}",
        about=frozenset({i}),
    )


def _same_truth(views: Views, i: int, j: int, alike: bool) -> Guess:
    return Guess(
        lambda p: (bool(p[i]) == bool(p[j])) is alike,
        lambda v: terms.equal(v[i], v[j]) if alike else terms.distinct(v[i], v[j]),
        f"{views[i].label} {'<=>' if alike else '<!>'} {views[j].label}",
        about=frozenset({i, j}),
    )


def value_of(point: Point, weights: dict[int, int]) -> Number:
    total: Number = 0
    for i, weight in weights.items():  # asked for millions of times: a generator takes twice as long
        total += weight * (point[i] or 0)
    return total


def _sum(views: Terms, weights: dict[int, int]) -> Term:
    weighted = [(views[i], weight) for i, weight in weights.items()]
    return terms.total([v if weight == 1 else -v if weight == -1 else weight * v for v, weight in weighted])


def _shown(views: Views, weights: dict[int, int]) -> str:
    return " + ".join(f"{w}*{views[i].label}" for i, w in weights.items())


def linear_atoms(views: Views, weights: dict[int, int], c: int) -> Iterator[Guess]:
    shown, about = _shown(views, weights), frozenset(weights)

    def more(point: Point) -> bool:
        return value_of(point, weights) >= c

    def less(point: Point) -> bool:
        return value_of(point, weights) <= c

    yield Guess(more, lambda v: _sum(v, weights) >= c, f"{shown} >= {c}", shown, ">=", -c, about)
    yield Guess(less, lambda v: _sum(v, weights) <= c, f"{shown} <= {c}", shown, "<=", c, about)
    # Each one that is wrong costs a model of its own: only the likeliest is tried.
    if c == 0:
        yield Guess(
            lambda p: value_of(p, weights) != 0, lambda v: _sum(v, weights) != 0, f"{shown} != 0", shown, "!=", 0, about
        )
    yield equation_atom(views, weights, c)


def equation_atom(views: Views, weights: dict[int, int], c: int) -> Guess:
    shown = _shown(views, weights)
    return Guess(
        lambda p: value_of(p, weights) == c,
        lambda v: _sum(v, weights) == c,
        f"{shown} == {c}",
        shown,
        "==",
        about=frozenset(weights),
    )


def congruence_atoms(views: Views, weights: dict[int, int], words: Vocabulary) -> Iterator[Guess]:
    shown = _shown(views, weights)
    for m in words.moduli:
        for r in range(m):
            yield congruence_atom(shown, weights, m, r, True)
            if m > 2:
                yield congruence_atom(shown, weights, m, r, False)


def congruence_atom(shown: str, weights: dict[int, int], m: int, r: int, alike: bool) -> Guess:
    return Guess(
        lambda p: (value_of(p, weights) % m == r) is alike,
        lambda v: (_sum(v, weights) % m == r) if alike else (_sum(v, weights) % m != r),
        f"{shown} {'=' if alike else '!='} {r} mod {m}",
        shown,
        f"mod {m}",
        0 if alike else 1,
        frozenset(weights),
    )


# Affine equations


def affine_atoms(views: Views, points: Sequence[Point], among: Sequence[int] | None = None) -> Iterator[Guess]:
    """Equations that span the affine hull of the points, between all numeric arguments or the given ones.

    Elements of arrays are related pair by pair instead.
    """
    chosen = scalar_views(views) if among is None else among
    numeric = [i for i in chosen if all(p[i] is not None for p in points)]
    if len(numeric) < (2 if among is None else 1) or len(points) < 2:
        return
    if len({terms.sort_name(views[i].term) for i in numeric}) > 1:
        return
    for *whole, constant in affine_combinations(([p[i] or 0 for i in numeric] for p in points), len(numeric)):
        weights = {i: w for i, w in zip(numeric, whole, strict=True) if w}
        if not weights:
            continue
        # One of the two ways to write it, the one of the other templates.
        sign = 1 if next(iter(weights.values())) > 0 else -1
        yield equation_atom(views, {i: sign * w for i, w in weights.items()}, -sign * constant)


# Bit-vectors


def bitvector_atoms(views: Views, words: Vocabulary) -> Iterator[Guess]:
    """Unsigned and signed bounds, equalities, low bits and single bits, and order between arguments."""
    vectors = [i for i, v in enumerate(views) if terms.is_bitvector(v.term)]
    for i in vectors:
        width = terms.width(views[i].term)
        constants = dict.fromkeys(c % 2**width for c in (*words.bit_patterns, 2 ** (width - 1) - 1))
        for c in constants:
            yield from _unsigned_bounds(views, i, c, width)
        for mask in [m for m in (1, 3, 7) if m < 2**width]:
            for r in range(mask + 1):
                yield _low_bits(views, i, mask, r, width)
        for sign in (True, False):
            yield _signed(views, i, sign, width)
    for i, j in combinations(vectors[:MOST_RELATED], 2):
        if terms.same_sort(views[i].term, views[j].term):
            yield from _vector_order(views, i, j)


def _unsigned_bounds(views: Views, i: int, c: int, width: int) -> Iterator[Guess]:
    name = views[i].label
    value = terms.bitvector(c, width)
    yield Guess(lambda p: int(p[i] or 0) <= c, lambda v: terms.unsigned_at_most(v[i], value), f"{name} <=u {c}")
    yield Guess(lambda p: int(p[i] or 0) >= c, lambda v: terms.unsigned_at_most(value, v[i]), f"{name} >=u {c}")
    yield Guess(lambda p: int(p[i] or 0) == c, lambda v: terms.equal(v[i], value), f"{name} == {c}")
    yield Guess(lambda p: int(p[i] or 0) != c, lambda v: terms.distinct(v[i], value), f"{name} != {c}")


def _low_bits(views: Views, i: int, mask: int, r: int, width: int) -> Guess:
    return Guess(
        lambda p: int(p[i] or 0) & mask == r,
        lambda v: terms.equal(v[i] & mask, terms.bitvector(r, width)),
        f"{views[i].label} & {mask} == {r}",
    )


def _signed(views: Views, i: int, negative: bool, width: int) -> Guess:
    zero = terms.bitvector(0, width)
    return Guess(
        lambda p: (int(p[i] or 0) >= 2 ** (width - 1)) is negative,
        lambda v: terms.negation(terms.signed_at_most(zero, v[i])) if negative else terms.signed_at_most(zero, v[i]),
        f"{views[i].label} {'<' if negative else '>='}s 0",
    )


def _vector_order(views: Views, i: int, j: int) -> Iterator[Guess]:
    one, other = views[i].label, views[j].label
    yield Guess(lambda p: p[i] == p[j], lambda v: terms.equal(v[i], v[j]), f"{one} == {other}")
    yield Guess(lambda p: p[i] != p[j], lambda v: terms.distinct(v[i], v[j]), f"{one} != {other}")
    for a, b in ((i, j), (j, i)):
        yield _unsigned_order(views, a, b)
        yield _signed_order(views, a, b)


def _unsigned_order(views: Views, i: int, j: int) -> Guess:
    return Guess(
        lambda p: int(p[i] or 0) <= int(p[j] or 0),
        lambda v: terms.unsigned_at_most(v[i], v[j]),
        f"{views[i].label} <=u {views[j].label}",
    )


def _signed_order(views: Views, i: int, j: int) -> Guess:
    top: int = 2 ** (terms.width(views[i].term) - 1)

    def signed(value: Number | None) -> int:
        return (int(value or 0) + top) % (2 * top) - top

    return Guess(
        lambda p: signed(p[i]) <= signed(p[j]),
        lambda v: terms.signed_at_most(v[i], v[j]),
        f"{views[i].label} <=s {views[j].label}",
    )
