"""What to guess: bounds, octagons, congruences, affine equations, bit masks, and implications between them.

A guess knows how to judge a point in plain Python and how to become a term; only guesses that hold on every
known point are built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import TypeAlias

from sorrel.guess.atoms import (
    MOST_ENDS,
    Guess,
    Views,
    affine_atoms,
    atoms_of,
    bitvector_atoms,
    boolean_views,
    congruence_atom,
    congruence_atoms,
    definite_atoms,
    equation_atom,
    linear_atoms,
    numeric_views,
    related_pairs,
    scalar_views,
    truth_atom,
    value_of,
)
from sorrel.guess.elements import element_atoms
from sorrel.guess.points import Point
from sorrel.guess.views import Frame, formal_views
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.clause import Predicate
from sorrel.logic import terms

MOST_GUESSES = 500
LOOSER = 2
MOST_IMPLICATIONS = 4000
MOST_SHARP = 120
MOST_UNDER_ONE_GUARD = 150
MOST_UNDER_TWO_GUARDS = 40
MOST_DOUBLE_GUARDS = 300


def guesses(frame: Frame, points: Sequence[Point], words: Vocabulary) -> list[Guess]:
    """Guesses without guards; all of them hold on the points."""
    plain = chain(_hull(frame, points, words), atoms_of(frame.views, points, words))
    return list(islice((g for g in plain if all(map(g.holds, points))), MOST_GUESSES))


def guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """Implications whose conclusion is not known to hold by itself; `weak` are texts of guesses that failed."""
    atoms = list(atoms_of(frame.views, points, words))
    guards = _guards(frame.views, words)
    found = _implications(frame, points, words, guards, atoms, set(weak), MOST_UNDER_ONE_GUARD)
    return [implied for _, _, implied in found][:MOST_GUESSES]


def sharply_guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """The same without what others imply, as far as the points tell: a set that is quickly thinned."""
    definite = list(definite_atoms(frame.views, points, words))
    guards = _guards(frame.views, words)
    return _sharpest(_implications(frame, points, words, guards, definite, set(weak), MOST_UNDER_ONE_GUARD))


def doubly_guarded(frame: Frame, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """Implications under two guards at once: an index between two others, or values of two arguments."""
    views = frame.views
    definite = list(definite_atoms(views, points, words))
    guards = chain(_intervals(views, words), islice(_double_guards(views, points, words), MOST_DOUBLE_GUARDS))
    return _sharpest(_implications(frame, points, words, guards, definite, set(weak), MOST_UNDER_TWO_GUARDS))


Implied: TypeAlias = tuple[int, Guess, Guess]
"""Where the guard holds, as a mask of points; the conclusion; and the implication."""


def _implications(
    frame: Frame,
    points: Sequence[Point],
    words: Vocabulary,
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
            affine[covered] = [(guess, _mask(guess, points)) for guess in _hull(frame, inside, words)]
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


def _hull(frame: Frame, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    """Equations that hold on the points: between arguments, and for the elements at any index."""
    between = affine_atoms(frame.views, points)
    return between if frame.bound is None else chain(between, element_atoms(frame.views, points, words.squares))


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
    sharp = [
        (guess, implied)
        for covered, guess, implied in wide
        if not guess.subject
        or guess.direction == "=="
        or (
            (covered, guess.subject, "==") not in best
            and guess.direction != "!="
            and guess.rank == best[covered, guess.subject, guess.direction]
        )
    ]
    # Equations say most: they are not the ones that there is no room for.
    return [implied for _, implied in sorted(sharp, key=lambda each: each[0].direction != "==")][:MOST_SHARP]


def _mask(guess: Guess, points: Sequence[Point]) -> int:
    return sum(1 << number for number, point in enumerate(points) if guess.holds(point))


# Contracts: from what goes in to what comes out


def equations(predicate: Predicate, points: Sequence[Point], outputs: frozenset[int]) -> Iterator[Guess]:
    """Affine equations and truth values that hold on the points and speak of outputs.

    What an argument that is always the same contributes is said by the constant alone.
    """
    views = formal_views(predicate)
    varying = [i for i in numeric_views(views) if i in outputs or len({p[i] for p in points}) > 1]
    for guess in affine_atoms(views, points, varying):
        if not outputs.isdisjoint(guess.about):
            yield guess
    for i in sorted(outputs.intersection(boolean_views(views))):
        for positive in (True, False):
            guess = truth_atom(views, i, positive)
            if all(map(guess.holds, points)):
                yield guess


def bounds(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """The tightest bounds on outputs, and on their sums and differences with others, that hold on the points.

    The next looser one too: the tightest often holds by accident, for want of points. Without points any may hold.
    """
    views = formal_views(predicate)
    most = LOOSER if points else len(words.constants)
    alone = [{i: 1} for i in numeric_views(views) if i in outputs]
    pairs = [(i, j) for i, j in related_pairs(views) if i in outputs or j in outputs]
    both = [{i: 1, j: sign} for i, j in pairs for sign in (-1, 1)]
    for weights in (*alone, *both):
        values = [int(value_of(p, weights)) for p in points]
        constants = sorted({*words.constants, *((min(values), max(values)) if len(weights) == 1 and values else ())})
        below = [c for c in constants if all(v >= c for v in values)][-most:]
        above = [c for c in constants if all(v <= c for v in values)][:most]
        for c in below:
            yield from islice(linear_atoms(views, weights, c), 0, 1)
        for c in above:
            yield from islice(linear_atoms(views, weights, c), 1, 2)


def congruences(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """What outputs leave over when divided by a modulus."""
    views = formal_views(predicate)
    for i in numeric_views(views):
        if i in outputs and terms.is_integer(views[i].term):
            for guess in congruence_atoms(views, {i: 1}, words):
                if "!=" not in guess.text and all(map(guess.holds, points)):
                    yield guess


def conditions(predicate: Predicate, words: Vocabulary, outputs: frozenset[int]) -> Iterator[Guess]:
    """Conditions on inputs that a contract may depend on: signs, constants of the program, order, parity."""
    views = formal_views(predicate)
    inputs = [i for i in numeric_views(views) if i not in outputs]
    for i in boolean_views(views):
        if i not in outputs:
            yield from (truth_atom(views, i, True), truth_atom(views, i, False))
    for i in inputs:
        for c in words.literal:
            ge, le, *_, eq = linear_atoms(views, {i: 1}, c)
            more, *_ = linear_atoms(views, {i: 1}, c + 1)
            _, less, *_ = linear_atoms(views, {i: 1}, c - 1)
            yield from (ge, less, le, more, eq)
    for i, j in related_pairs(views):
        if i in inputs and j in inputs:
            ge, le, *_, eq = linear_atoms(views, {i: 1, j: -1}, 0)
            yield from (ge, le, eq)
    for i in inputs:
        if terms.is_integer(views[i].term):
            for m in words.moduli:
                yield from (congruence_atom(views[i].label, {i: 1}, m, r, True) for r in range(m))


# Guards


def _guards(views: Views, words: Vocabulary) -> Iterator[Guess]:
    """What contracts are usually conditional on, the likeliest first."""
    for i in boolean_views(views):
        yield truth_atom(views, i, True)
        yield truth_atom(views, i, False)
    for i, j in related_pairs(views):
        yield from linear_atoms(views, {i: 1, j: -1}, 0)
        if any(v.index is not None for v in views):  # cells before, and from the end on
            yield _strictly_less(views, i, j)
            yield _strictly_less(views, j, i)
    near = [c for c in words.constants if -1 <= c <= 1]
    far = [c for c in words.constants if not -1 <= c <= 1][:8]
    for constants in (near, far):
        for i in scalar_views(views):
            for c in constants:
                yield from (g for g in linear_atoms(views, {i: 1}, c) if g.direction != "!=")
        for i in scalar_views(views):
            if terms.is_integer(views[i].term) and constants is near:
                yield from congruence_atoms(views, {i: 1}, Vocabulary((), words.moduli[:6]))
    for guess in bitvector_atoms(views, words):
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
    scalars = [i for i in scalar_views(views) if terms.is_integer(views[i].term)]
    ends = sorted((c for c in words.constants if c > 1), reverse=True)[:MOST_ENDS]
    for i in used:
        bounds = [j for j in scalars if j != i]
        for j in bounds:
            yield _strictly_less(views, i, j)
            yield _linear_at_least(views, i, j)
        for low, high in ((a, b) for a in bounds for b in bounds if a != b):
            yield _linear_at_least(views, i, low).and_also(_strictly_less(views, i, high))
        from_zero, from_one = (next(linear_atoms(views, {i: 1}, c)) for c in (0, 1))
        for stride in words.strides:
            for residue in range(stride):
                every = congruence_atom(views[i].label, {i: 1}, stride, residue, True)
                yield from (from_zero.and_also(_strictly_less(views, i, high)).and_also(every) for high in bounds)
        for high in bounds:
            yield from_zero.and_also(_strictly_less(views, i, high))
            yield from_zero.and_also(_linear_at_least(views, high, i))
            yield from_one.and_also(_strictly_less(views, i, high))
            for offset in words.offsets:
                yield next(linear_atoms(views, {i: 1}, offset)).and_also(_strictly_less(views, i, high))
        for end in ends:
            yield from_zero.and_also(_linear_at_most(views, i, end - 1))


def _linear_at_most(views: Views, i: int, c: int) -> Guess:
    return next(islice(linear_atoms(views, {i: 1}, c), 1, 2))


def _linear_at_least(views: Views, i: int, j: int) -> Guess:
    return next(linear_atoms(views, {i: 1, j: -1}, 0))


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
    for i in boolean_views(views):
        yield truth_atom(views, i, True)
        yield truth_atom(views, i, False)
    for i in scalar_views(views):
        for c in sorted({int(p[i] or 0) for p in points}, key=abs)[:8]:
            yield equation_atom(views, {i: 1}, c)
        yield from islice(linear_atoms(views, {i: 1}, 0), 2)
        if terms.is_integer(views[i].term):
            small = Vocabulary((), words.moduli[:3])
            yield from (g for g in congruence_atoms(views, {i: 1}, small) if "!=" not in g.text)
