"""What to guess: bounds, octagons, congruences, affine equations, bit masks, and implications between them.

A guess knows how to judge a point in plain Python and how to become a term; only guesses that hold on every
known point are built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice
from math import gcd, lcm
from typing import TypeAlias

from sorrel.guess.points import Number, Point
from sorrel.guess.views import Frame, View, formal_views
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term

Terms = Sequence[Term]
Views = Sequence[View]

MOST_GUESSES = 500
MOST_IMPLICATIONS = 4000
MOST_SHARP = 120
MOST_UNDER_ONE_GUARD = 150
MOST_UNDER_TWO_GUARDS = 40
MOST_RELATED = 10
MOST_DOUBLE_GUARDS = 300
LARGEST_WEIGHT = 1000
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


def guesses(frame: Frame, points: Sequence[Point], words: Vocabulary) -> list[Guess]:
    """Guesses without guards; all of them hold on the points."""
    plain = chain(_affine(frame.views, points), _atoms(frame.views, points, words))
    return list(islice((g for g in plain if all(map(g.holds, points))), MOST_GUESSES))


def guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """Implications whose conclusion is not known to hold by itself; `weak` are texts of guesses that failed."""
    atoms = list(_atoms(frame.views, points, words))
    found = _implications(frame, points, _guards(frame.views, words), atoms, set(weak), MOST_UNDER_ONE_GUARD)
    return [implied for _, _, implied in found][:MOST_GUESSES]


def sharply_guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """The same without what others imply, as far as the points tell: a set that is quickly thinned."""
    definite = list(_definite(frame.views, points, words))
    guards = _guards(frame.views, words)
    return _sharpest(_implications(frame, points, guards, definite, set(weak), MOST_UNDER_ONE_GUARD))


def doubly_guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """Implications under two guards at once: an index between two others, or values of two arguments."""
    views = frame.views
    definite = list(_definite(views, points, words))
    guards = chain(_intervals(views, words), islice(_double_guards(views, points, words), MOST_DOUBLE_GUARDS))
    return _sharpest(_implications(frame, points, guards, definite, set(weak), MOST_UNDER_TWO_GUARDS))


Implied: TypeAlias = tuple[int, Guess, Guess]
"""Where the guard holds, as a mask of points; the conclusion; and the implication."""


def _implications(
    frame: Frame,
    points: Sequence[Point],
    guards: Iterable[Guess],
    conclusions: Sequence[Guess],
    failed: set[str],
    most: int,
) -> list[Implied]:
    """Bit n of a mask stands for point n: what holds where is asked once, and not for every implication."""
    everywhere = (1 << len(points)) - 1
    masks = [(guess, _mask(guess, points)) for guess in conclusions]
    found: dict[str, Implied] = {}
    affine: dict[int, list[tuple[Guess, int]]] = {}  # by where the guard holds
    for guard in guards:
        covered = _mask(guard, points)
        if not covered:
            continue
        before = len(found)
        if covered not in affine:
            inside = [p for n, p in enumerate(points) if covered >> n & 1]
            affine[covered] = [(guess, _mask(guess, points)) for guess in _affine(frame.views, inside)]
        for guess, mask in chain(affine[covered], masks):
            if covered & ~mask or guess.text == guard.text or (mask == everywhere and guess.text not in failed):
                continue
            implied = guess.under(guard)
            found.setdefault(implied.text, (covered, guess, implied))
            if len(found) >= before + most:
                break
        if len(found) >= MOST_IMPLICATIONS:
            break
    return list(found.values())


def _sharpest(found: Sequence[Implied]) -> list[Guess]:
    """The widest guards of each conclusion, and under one guard the sharpest conclusions about each subject."""
    widest: dict[str, list[int]] = {}
    for covered, guess, _ in found:
        widest.setdefault(guess.text, []).append(covered)
    wide = [
        (covered, guess, implied)
        for covered, guess, implied in found
        if not any(covered != other and covered & ~other == 0 for other in widest[guess.text])
    ]
    best: dict[tuple[int, str, str], int] = {}
    for covered, guess, _ in wide:
        key = covered, guess.subject, guess.direction
        best[key] = min(best.get(key, guess.rank), guess.rank)
    return [
        implied
        for covered, guess, implied in wide
        if not guess.subject
        or guess.direction == "=="
        or (
            (covered, guess.subject, "==") not in best
            and guess.direction != "!="
            and guess.rank == best[covered, guess.subject, guess.direction]
        )
    ][:MOST_SHARP]


def _mask(guess: Guess, points: Sequence[Point]) -> int:
    return sum(1 << number for number, point in enumerate(points) if guess.holds(point))


# Contracts: from what goes in to what comes out


def equations(predicate: Predicate, points: Sequence[Point], outputs: frozenset[int]) -> Iterator[Guess]:
    """Affine equations and truth values that hold on the points and speak of outputs.

    What an argument that is always the same contributes is said by the constant alone.
    """
    views = formal_views(predicate)
    varying = [i for i in _numeric(views) if i in outputs or len({p[i] for p in points}) > 1]
    for guess in _affine(views, points, varying):
        if not outputs.isdisjoint(guess.about):
            yield guess
    for i in sorted(outputs.intersection(_boolean(views))):
        for positive in (True, False):
            guess = _literal(views, i, positive)
            if all(map(guess.holds, points)):
                yield guess


def bounds(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """The tightest bounds on outputs, and on their sums and differences with others, that hold on the points.

    The next looser one too: the tightest often holds by accident, for want of points.
    """
    views = formal_views(predicate)
    alone = [{i: 1} for i in _numeric(views) if i in outputs]
    pairs = [(i, j) for i, j in _pairs(views) if i in outputs or j in outputs]
    both = [{i: 1, j: sign} for i, j in pairs for sign in (-1, 1)]
    for weights in (*alone, *both):
        values = [int(_value(p, weights)) for p in points]
        constants = sorted({*words.constants, *((min(values), max(values)) if len(weights) == 1 and values else ())})
        below = [c for c in constants if all(v >= c for v in values)][-2:]
        above = [c for c in constants if all(v <= c for v in values)][:2]
        for c in below:
            yield from islice(_linear(views, weights, c), 0, 1)
        for c in above:
            yield from islice(_linear(views, weights, c), 1, 2)


def congruences(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """What outputs leave over when divided by a modulus."""
    views = formal_views(predicate)
    for i in _numeric(views):
        if i in outputs and terms.is_integer(views[i].term):
            for guess in _congruences(views, {i: 1}, words):
                if "!=" not in guess.text and all(map(guess.holds, points)):
                    yield guess


def conditions(predicate: Predicate, words: Vocabulary, outputs: frozenset[int]) -> Iterator[Guess]:
    """Conditions on inputs that a contract may depend on: signs, constants of the program, order, parity."""
    views = formal_views(predicate)
    inputs = [i for i in _numeric(views) if i not in outputs]
    for i in _boolean(views):
        if i not in outputs:
            yield from (_literal(views, i, True), _literal(views, i, False))
    for i in inputs:
        for c in words.literal:
            ge, le, *_, eq = _linear(views, {i: 1}, c)
            more, *_ = _linear(views, {i: 1}, c + 1)
            _, less, *_ = _linear(views, {i: 1}, c - 1)
            yield from (ge, less, le, more, eq)
    for i, j in _pairs(views):
        if i in inputs and j in inputs:
            ge, le, *_, eq = _linear(views, {i: 1, j: -1}, 0)
            yield from (ge, le, eq)
    for i in inputs:
        if terms.is_integer(views[i].term):
            for m in words.moduli:
                yield from (_congruence(views[i].label, {i: 1}, m, r, True) for r in range(m))


# Atoms


def _numeric(views: Views) -> list[int]:
    return [i for i, v in enumerate(views) if terms.is_arithmetic(v.term)]


def _scalars(views: Views) -> list[int]:
    return [i for i in _numeric(views) if views[i].index is None]


def _elements(views: Views) -> list[int]:
    return [i for i in _numeric(views) if views[i].index is not None]


def _pairs(views: Views) -> Iterator[tuple[int, int]]:
    """Pairs of arguments to relate: all of the first few, and neighbours, where product programs keep their copies."""
    numeric = _scalars(views)
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
    for i in _scalars(views)[:MOST_RELATED]:
        for j in elements:
            if views[j].index != i and terms.same_sort(views[i].term, views[j].term):
                yield i, j


def _boolean(views: Views) -> list[int]:
    return [i for i, v in enumerate(views) if terms.is_boolean(v.term)]


def _atoms(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    yield from _truths(views)
    for i in _numeric(views):
        seen = [number for p in points if abs(number := int(p[i] or 0)) < 10**6]
        extremes: tuple[int, ...] = (min(seen), max(seen)) if seen else ()
        for c in sorted({*words.constants, *extremes}):
            yield from _linear(views, {i: 1}, c)
        if terms.is_integer(views[i].term) and views[i].index is None:
            yield from _congruences(views, {i: 1}, words)
    for i, j in _pairs(views):
        small = [c for c in words.constants if abs(c) <= 2] + [c for c in words.constants if abs(c) > 2][:4]
        for c in small:
            yield from _linear(views, {i: 1, j: -1}, c)
            yield from _linear(views, {i: 1, j: 1}, c)
        if terms.is_integer(views[i].term):
            yield from _congruences(views, {i: 1, j: -1}, words)
            yield from _congruences(views, {i: 1, j: 1}, words)
    for i, j in _element_pairs(views):
        yield from _linear(views, {i: 1, j: -1}, 0)
        yield _equation(views, {i: 1, j: 1}, 0)
    yield from _bitvector_atoms(views, words)


def _definite(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    """Conclusions that say much: truths, values, equalities and residues, and bounds next to zero."""
    yield from _truths(views)
    for i in _numeric(views):
        seen = {int(p[i] or 0) for p in points}
        for c in sorted({*words.constants, *(v for v in seen if len(seen) <= 12)}):
            yield _equation(views, {i: 1}, c)
        for c in (-1, 0, 1):
            yield from islice(_linear(views, {i: 1}, c), 2)
        if terms.is_integer(views[i].term) and views[i].index is None:
            yield from (g for g in _congruences(views, {i: 1}, words) if "!=" not in g.text)
    for i, j in chain(_pairs(views), _element_pairs(views)):
        for c in (0, 1, -1):
            yield _equation(views, {i: 1, j: -1}, c)
        yield from islice(_linear(views, {i: 1, j: -1}, 0), 2)
        if views[j].index is not None:
            yield _equation(views, {i: 1, j: 1}, 0)
        if views[j].index is None and terms.is_integer(views[i].term):
            for weights in ({i: 1, j: -1}, {i: 1, j: 1}):
                yield from (g for g in _congruences(views, weights, words) if "!=" not in g.text)


def _truths(views: Views) -> Iterator[Guess]:
    for i in _boolean(views):
        yield _literal(views, i, True)
        yield _literal(views, i, False)
    for i, j in combinations(_boolean(views), 2):
        yield _same_truth(views, i, j, True)
        yield _same_truth(views, i, j, False)


def _literal(views: Views, i: int, positive: bool) -> Guess:
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


def _value(point: Point, weights: dict[int, int]) -> Number:
    return sum((w * (point[i] or 0) for i, w in weights.items()), start=0)


def _sum(views: Terms, weights: dict[int, int]) -> Term:
    weighted = [(views[i], weight) for i, weight in weights.items()]
    return terms.total([v if weight == 1 else -v if weight == -1 else weight * v for v, weight in weighted])


def _shown(views: Views, weights: dict[int, int]) -> str:
    return " + ".join(f"{w}*{views[i].label}" for i, w in weights.items())


def _linear(views: Views, weights: dict[int, int], c: int) -> Iterator[Guess]:
    shown, about = _shown(views, weights), frozenset(weights)

    def more(point: Point) -> bool:
        return _value(point, weights) >= c

    def less(point: Point) -> bool:
        return _value(point, weights) <= c

    yield Guess(more, lambda v: _sum(v, weights) >= c, f"{shown} >= {c}", shown, ">=", -c, about)
    yield Guess(less, lambda v: _sum(v, weights) <= c, f"{shown} <= {c}", shown, "<=", c, about)
    # Each one that is wrong costs a model of its own: only the likeliest is tried.
    if c == 0:
        yield Guess(
            lambda p: _value(p, weights) != 0, lambda v: _sum(v, weights) != 0, f"{shown} != 0", shown, "!=", 0, about
        )
    yield _equation(views, weights, c)


def _equation(views: Views, weights: dict[int, int], c: int) -> Guess:
    shown = _shown(views, weights)
    return Guess(
        lambda p: _value(p, weights) == c,
        lambda v: _sum(v, weights) == c,
        f"{shown} == {c}",
        shown,
        "==",
        about=frozenset(weights),
    )


def _congruences(views: Views, weights: dict[int, int], words: Vocabulary) -> Iterator[Guess]:
    shown = _shown(views, weights)
    for m in words.moduli:
        for r in range(m):
            yield _congruence(shown, weights, m, r, True)
            if m > 2:
                yield _congruence(shown, weights, m, r, False)


def _congruence(shown: str, weights: dict[int, int], m: int, r: int, alike: bool) -> Guess:
    return Guess(
        lambda p: (_value(p, weights) % m == r) is alike,
        lambda v: (_sum(v, weights) % m == r) if alike else (_sum(v, weights) % m != r),
        f"{shown} {'=' if alike else '!='} {r} mod {m}",
        shown,
        f"mod {m}",
        0 if alike else 1,
        frozenset(weights),
    )


# Guards


def _guards(views: Views, words: Vocabulary) -> Iterator[Guess]:
    """What contracts are usually conditional on, the likeliest first."""
    for i in _boolean(views):
        yield _literal(views, i, True)
        yield _literal(views, i, False)
    for i, j in _pairs(views):
        yield from _linear(views, {i: 1, j: -1}, 0)
        if any(v.index is not None for v in views):  # cells before, and from the end on
            yield _strictly_less(views, i, j)
            yield _strictly_less(views, j, i)
    near = [c for c in words.constants if -1 <= c <= 1]
    far = [c for c in words.constants if not -1 <= c <= 1][:8]
    for constants in (near, far):
        for i in _scalars(views):
            for c in constants:
                yield from (g for g in _linear(views, {i: 1}, c) if g.direction != "!=")
        for i in _scalars(views):
            if terms.is_integer(views[i].term) and constants is near:
                yield from _congruences(views, {i: 1}, Vocabulary((), words.moduli[:6]))
    for guess in _bitvector_atoms(views, words):
        if "==" in guess.text:
            yield guess


def _strictly_less(views: Views, i: int, j: int) -> Guess:
    return Guess(
        lambda p: (p[i] or 0) < (p[j] or 0),
        lambda v: v[i] < v[j],
        f"{views[i].label} < {views[j].label}",
        about=frozenset({i, j}),
    )


def _intervals(views: Views, words: Vocabulary) -> Iterator[Guess]:
    """low ≤ i < high for indices of elements, where low may be a small constant and high any; and what is outside."""
    used = dict.fromkeys(view.index for view in views if view.index is not None)
    scalars = [i for i in _scalars(views) if terms.is_integer(views[i].term)]
    ends = sorted((c for c in words.constants if c > 1), reverse=True)[:MOST_ENDS]
    for i in used:
        bounds = [j for j in scalars if j != i]
        for j in bounds:
            yield _strictly_less(views, i, j)
            yield _linear_at_least(views, i, j)
        for low, high in ((a, b) for a in bounds for b in bounds if a != b):
            yield _linear_at_least(views, i, low).and_also(_strictly_less(views, i, high))
        from_zero, from_one = (next(_linear(views, {i: 1}, c)) for c in (0, 1))
        for high in bounds:
            yield from_zero.and_also(_strictly_less(views, i, high))
            yield from_zero.and_also(_linear_at_least(views, high, i))
            yield from_one.and_also(_strictly_less(views, i, high))
        for end in ends:
            yield from_zero.and_also(_linear_at_most(views, i, end - 1))


def _linear_at_most(views: Views, i: int, c: int) -> Guess:
    return next(islice(_linear(views, {i: 1}, c), 1, 2))


def _linear_at_least(views: Views, i: int, j: int) -> Guess:
    return next(_linear(views, {i: 1, j: -1}, 0))


def _double_guards(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    """Two simple guards about different arguments that hold together on some point and add to each other."""
    simple = [(guard, _mask(guard, points)) for guard in _simple_guards(views, points, words)]
    seen: set[int] = set()
    for (one, here), (other, there) in combinations(simple, 2):
        both = here & there
        if both and both not in seen and both not in (here, there):
            seen.add(both)
            yield one.and_also(other)


def _simple_guards(views: Views, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    for i in _boolean(views):
        yield _literal(views, i, True)
        yield _literal(views, i, False)
    for i in _scalars(views):
        for c in sorted({int(p[i] or 0) for p in points}, key=abs)[:8]:
            yield _equation(views, {i: 1}, c)
        yield from islice(_linear(views, {i: 1}, 0), 2)
        if terms.is_integer(views[i].term):
            small = Vocabulary((), words.moduli[:3])
            yield from (g for g in _congruences(views, {i: 1}, small) if "!=" not in g.text)


# Affine equations


def _affine(views: Views, points: Sequence[Point], among: Sequence[int] | None = None) -> Iterator[Guess]:
    """Equations that span the affine hull of the points, between all numeric arguments or the given ones.

    Elements of arrays are related pair by pair instead.
    """
    chosen = _scalars(views) if among is None else among
    numeric = [i for i in chosen if all(p[i] is not None for p in points)]
    if len(numeric) < (2 if among is None else 1) or len(points) < 2:
        return
    if len({terms.sort_name(views[i].term) for i in numeric}) > 1:
        return
    for *whole, constant in affine_combinations([[p[i] or 0 for i in numeric] for p in points]):
        weights = {i: w for i, w in zip(numeric, whole, strict=True) if w}
        if not weights:
            continue
        # One of the two ways to write it, the one of the other templates.
        sign = 1 if next(iter(weights.values())) > 0 else -1
        yield _equation(views, {i: sign * w for i, w in weights.items()}, -sign * constant)


def affine_combinations(rows: Sequence[Sequence[Number]]) -> Iterator[list[int]]:
    """Whole weights, and a constant at the end, with which the entries of every row add up to zero; small ones only."""
    extended = [[*map(Fraction, row), Fraction(1)] for row in rows]
    for solution in _null_space(extended, len(extended[0])):
        scale = lcm(*(x.denominator for x in solution))
        whole = [int(x * scale) for x in solution]
        divisor = gcd(*whole) or 1
        whole = [x // divisor for x in whole]
        if max(map(abs, whole)) <= LARGEST_WEIGHT:
            yield whole


def _null_space(rows: Sequence[Sequence[Fraction]], width: int) -> Iterator[list[Fraction]]:
    """A basis of the vectors orthogonal to all rows, by elimination over the rationals."""
    reduced: list[list[Fraction]] = []
    pivots: list[int] = []
    for row in rows:
        rest = list(row)
        for pivot, base in zip(pivots, reduced, strict=True):
            if rest[pivot]:
                factor = rest[pivot]
                rest = [a - factor * b for a, b in zip(rest, base, strict=True)]
        lead = next((i for i, x in enumerate(rest) if x), None)
        if lead is None:
            continue
        rest = [x / rest[lead] for x in rest]
        for index, base in enumerate(reduced):
            if base[lead]:
                factor = base[lead]
                reduced[index] = [a - factor * b for a, b in zip(base, rest, strict=True)]
        reduced.append(rest)
        pivots.append(lead)
        if len(pivots) == width:
            return
    for free in (i for i in range(width) if i not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for pivot, base in zip(pivots, reduced, strict=True):
            vector[pivot] = -base[free]
        yield vector


# Bit-vectors


def _bitvector_atoms(views: Views, words: Vocabulary) -> Iterator[Guess]:
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
