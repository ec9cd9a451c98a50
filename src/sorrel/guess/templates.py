"""What to guess: bounds, octagons, congruences, affine equations, and implications between them.

A guess knows how to judge a point in plain Python and how to become a term; only guesses that hold on every
known point are built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice
from math import gcd, lcm

from sorrel.guess.points import Number, Point
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

Formals = Sequence[Term]

MOST_CONSTANTS = 8
MOST_GUESSES = 500
MOST_UNDER_ONE_GUARD = 150
MOST_RELATED = 10


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    holds: Callable[[Point], bool]
    build: Callable[[Formals], Term]
    text: str  # identifies the guess
    about: frozenset[int] = frozenset()  # positions of the arguments that it speaks of

    def under(self, guard: Guess) -> Guess:
        """guard ⇒ this."""
        return Guess(
            lambda point: not guard.holds(point) or self.holds(point),
            lambda formals: terms.implication(guard.build(formals), self.build(formals)),
            f"{guard.text} => {self.text}",
            self.about | guard.about,
        )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Numbers worth trying in a system: constants of its clauses and neighbours, and moduli.

    `literal` are the constants without their neighbours.
    """

    constants: tuple[int, ...]
    moduli: tuple[int, ...]
    literal: tuple[int, ...] = ()


def vocabularies(system: HornSystem) -> list[Vocabulary]:
    """A small one, and one with more moduli: congruences modulo many numbers at once are hard for the solver."""
    small = vocabulary(system)
    more = [*small.moduli, 4, 5, 6, *(abs(c) for c in small.constants)]
    return [small, Vocabulary(small.constants, tuple(dict.fromkeys(m for m in more if 2 <= m <= 13)))]


def vocabulary(system: HornSystem) -> Vocabulary:
    """Constants by how often clauses mention them; moduli of `mod` and `div`, and lengths of cycles of calls."""
    seen: Counter[int] = Counter()
    moduli: dict[int, None] = dict.fromkeys((2, 3))
    for clause in system.clauses:
        atoms = [*clause.body, *([clause.head] if clause.head else [])]
        for part in (clause.constraint, *(a for atom in atoms for a in atom.arguments)):
            for value in walk.numerals(part):
                seen[value] += 1
            moduli.update(dict.fromkeys(walk.divisors(part)))
    for group in system.call_graph.components:
        moduli[len(group)] = None
    common = [value for value, _ in seen.most_common() if abs(value) <= 10_000]
    constants = dict.fromkeys([0, 1, -1, *common])
    neighbours = dict.fromkeys([v for c in common for v in (c + 1, c - 1)])
    kept = [*list(constants)[:MOST_CONSTANTS], *(v for v in neighbours if v not in constants)][: 2 * MOST_CONSTANTS]
    literal = tuple(sorted(list(constants)[:MOST_CONSTANTS]))
    return Vocabulary(tuple(sorted(set(kept))), tuple(m for m in moduli if 2 <= m <= 13), literal)


def guesses(predicate: Predicate, points: Sequence[Point], words: Vocabulary) -> list[Guess]:
    """Guesses without guards, then guarded ones that add something; all of them hold on the points."""
    formals = predicate.formals
    plain = chain(_affine(formals, points), _atoms(formals, points, words))
    return list(islice((g for g in plain if all(map(g.holds, points))), MOST_GUESSES))


def guarded(predicate: Predicate, points: Sequence[Point], words: Vocabulary, weak: Iterable[str]) -> list[Guess]:
    """Implications whose conclusion is not known to hold by itself; `weak` are texts of guesses that failed."""
    formals = predicate.formals
    failed = set(weak)
    atoms = list(_atoms(formals, points, words))
    found: dict[str, Guess] = {}
    for guard in _guards(formals, words):
        inside = [p for p in points if guard.holds(p)]
        if not inside:
            continue
        before = len(found)
        for guess in chain(_affine(formals, inside), atoms):
            everywhere = all(map(guess.holds, points))
            if (not everywhere or guess.text in failed) and all(map(guess.holds, inside)) and guess.text != guard.text:
                implied = guess.under(guard)
                found.setdefault(implied.text, implied)
            if len(found) >= before + MOST_UNDER_ONE_GUARD:
                break
        if len(found) >= MOST_GUESSES:
            break
    return list(found.values())[:MOST_GUESSES]


# Contracts: from what goes in to what comes out


def equations(predicate: Predicate, points: Sequence[Point], outputs: frozenset[int]) -> Iterator[Guess]:
    """Affine equations and truth values that hold on the points and speak of outputs.

    What an argument that is always the same contributes is said by the constant alone.
    """
    formals = predicate.formals
    varying = [i for i in _numeric(formals) if i in outputs or len({p[i] for p in points}) > 1]
    for guess in _affine(formals, points, varying):
        if not outputs.isdisjoint(guess.about):
            yield guess
    for i in sorted(outputs.intersection(_boolean(formals))):
        for positive in (True, False):
            guess = _literal(formals, i, positive)
            if all(map(guess.holds, points)):
                yield guess


def bounds(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """The tightest bounds on outputs, and on their sums and differences with others, that hold on the points.

    The next looser one too: the tightest often holds by accident, for want of points.
    """
    formals = predicate.formals
    alone = [{i: 1} for i in _numeric(formals) if i in outputs]
    pairs = [(i, j) for i, j in _pairs(formals) if i in outputs or j in outputs]
    both = [{i: 1, j: sign} for i, j in pairs for sign in (-1, 1)]
    for weights in (*alone, *both):
        values = [int(_value(p, weights)) for p in points]
        constants = sorted({*words.constants, *((min(values), max(values)) if len(weights) == 1 and values else ())})
        below = [c for c in constants if all(v >= c for v in values)][-2:]
        above = [c for c in constants if all(v <= c for v in values)][:2]
        for c in below:
            yield from islice(_linear(formals, weights, c), 0, 1)
        for c in above:
            yield from islice(_linear(formals, weights, c), 1, 2)


def congruences(
    predicate: Predicate, points: Sequence[Point], words: Vocabulary, outputs: frozenset[int]
) -> Iterator[Guess]:
    """What outputs leave over when divided by a modulus."""
    formals = predicate.formals
    for i in _numeric(formals):
        if i in outputs and terms.is_integer(formals[i]):
            for guess in _congruences(formals, {i: 1}, words):
                if "!=" not in guess.text and all(map(guess.holds, points)):
                    yield guess


def conditions(predicate: Predicate, words: Vocabulary, outputs: frozenset[int]) -> Iterator[Guess]:
    """Conditions on inputs that a contract may depend on: signs, constants of the program, order, parity."""
    formals = predicate.formals
    inputs = [i for i in _numeric(formals) if i not in outputs]
    for i in _boolean(formals):
        if i not in outputs:
            yield from (_literal(formals, i, True), _literal(formals, i, False))
    for i in inputs:
        for c in words.literal:
            ge, le, _, eq = _linear(formals, {i: 1}, c)
            more, _, _, _ = _linear(formals, {i: 1}, c + 1)
            _, less, _, _ = _linear(formals, {i: 1}, c - 1)
            yield from (ge, less, le, more, eq)
    for i, j in _pairs(formals):
        if i in inputs and j in inputs:
            ge, le, _, eq = _linear(formals, {i: 1, j: -1}, 0)
            yield from (ge, le, eq)
    for i in inputs:
        if terms.is_integer(formals[i]):
            for m in words.moduli:
                yield from (
                    _congruence({i: 1}, m, r, True, f"{terms.name(formals[i])} = {r} mod {m}") for r in range(m)
                )


# Atoms


def _numeric(formals: Formals) -> list[int]:
    return [i for i, f in enumerate(formals) if terms.is_arithmetic(f)]


def _pairs(formals: Formals) -> Iterator[tuple[int, int]]:
    """Pairs of arguments to relate: all of the first few, and neighbours, where product programs keep their copies."""
    numeric = _numeric(formals)
    near = zip(numeric[MOST_RELATED:], numeric[MOST_RELATED + 1 :], strict=False)
    for i, j in [*combinations(numeric[:MOST_RELATED], 2), *near]:
        if terms.same_sort(formals[i], formals[j]):
            yield i, j


def _boolean(formals: Formals) -> list[int]:
    return [i for i, f in enumerate(formals) if terms.is_boolean(f)]


def _atoms(formals: Formals, points: Sequence[Point], words: Vocabulary) -> Iterator[Guess]:
    for i in _boolean(formals):
        yield _literal(formals, i, True)
        yield _literal(formals, i, False)
    for i, j in combinations(_boolean(formals), 2):
        yield _same_truth(formals, i, j, True)
        yield _same_truth(formals, i, j, False)
    numeric = _numeric(formals)
    for i in numeric:
        seen = [number for p in points if abs(number := int(p[i] or 0)) < 10**6]
        extremes: tuple[int, ...] = (min(seen), max(seen)) if seen else ()
        for c in sorted({*words.constants, *extremes}):
            yield from _linear(formals, {i: 1}, c)
        if terms.is_integer(formals[i]):
            yield from _congruences(formals, {i: 1}, words)
    for i, j in _pairs(formals):
        small = [c for c in words.constants if abs(c) <= 2] + [c for c in words.constants if abs(c) > 2][:4]
        for c in small:
            yield from _linear(formals, {i: 1, j: -1}, c)
            yield from _linear(formals, {i: 1, j: 1}, c)
        if terms.is_integer(formals[i]):
            yield from _congruences(formals, {i: 1, j: -1}, words)
            yield from _congruences(formals, {i: 1, j: 1}, words)


def _literal(formals: Formals, i: int, positive: bool) -> Guess:
    name = terms.name(formals[i])
    return Guess(
        lambda p: bool(p[i]) is positive,
        lambda f: f[i] if positive else terms.negation(f[i]),
        name if positive else f"!{name}",
        frozenset({i}),
    )


def _same_truth(formals: Formals, i: int, j: int, alike: bool) -> Guess:
    return Guess(
        lambda p: (bool(p[i]) == bool(p[j])) is alike,
        lambda f: terms.equal(f[i], f[j]) if alike else terms.distinct(f[i], f[j]),
        f"{terms.name(formals[i])} {'<=>' if alike else '<!>'} {terms.name(formals[j])}",
        frozenset({i, j}),
    )


def _value(point: Point, weights: dict[int, int]) -> Number:
    return sum((w * (point[i] or 0) for i, w in weights.items()), start=0)


def _sum(formals: Formals, weights: dict[int, int]) -> Term:
    total = None
    for i, weight in weights.items():
        part = formals[i] if weight == 1 else -formals[i] if weight == -1 else weight * formals[i]
        total = part if total is None else total + part
    return total


def _linear(formals: Formals, weights: dict[int, int], c: int) -> Iterator[Guess]:
    about = frozenset(weights)
    shown = " + ".join(f"{w}*{terms.name(formals[i])}" for i, w in weights.items())
    yield Guess(lambda p: _value(p, weights) >= c, lambda f: _sum(f, weights) >= c, f"{shown} >= {c}", about)
    yield Guess(lambda p: _value(p, weights) <= c, lambda f: _sum(f, weights) <= c, f"{shown} <= {c}", about)
    yield Guess(lambda p: _value(p, weights) != c, lambda f: _sum(f, weights) != c, f"{shown} != {c}", about)
    yield Guess(lambda p: _value(p, weights) == c, lambda f: _sum(f, weights) == c, f"{shown} == {c}", about)


def _congruences(formals: Formals, weights: dict[int, int], words: Vocabulary) -> Iterator[Guess]:
    shown = " + ".join(f"{w}*{terms.name(formals[i])}" for i, w in weights.items())
    for m in words.moduli:
        for r in range(m):
            yield _congruence(weights, m, r, True, f"{shown} = {r} mod {m}")
            yield _congruence(weights, m, r, False, f"{shown} != {r} mod {m}")


def _congruence(weights: dict[int, int], m: int, r: int, alike: bool, text: str) -> Guess:
    return Guess(
        lambda p: (_value(p, weights) % m == r) is alike,
        lambda f: (_sum(f, weights) % m == r) if alike else (_sum(f, weights) % m != r),
        text,
        frozenset(weights),
    )


def _guards(formals: Formals, words: Vocabulary) -> Iterator[Guess]:
    """What contracts are usually conditional on, the likeliest first."""
    for i in _boolean(formals):
        yield _literal(formals, i, True)
        yield _literal(formals, i, False)
    for i, j in _pairs(formals):
        yield from _linear(formals, {i: 1, j: -1}, 0)
    near = [c for c in words.constants if -1 <= c <= 1]
    far = [c for c in words.constants if not -1 <= c <= 1][:8]
    for constants in (near, far):
        for i in _numeric(formals):
            for c in constants:
                ge, le, _, eq = _linear(formals, {i: 1}, c)
                yield from (ge, le, eq)
        for i in _numeric(formals):
            if terms.is_integer(formals[i]) and constants is near:
                yield from _congruences(formals, {i: 1}, Vocabulary((), words.moduli[:6]))


# Affine equations


def _affine(formals: Formals, points: Sequence[Point], among: Sequence[int] | None = None) -> Iterator[Guess]:
    """Equations that span the affine hull of the points, between all numeric arguments or the given ones."""
    chosen = _numeric(formals) if among is None else among
    numeric = [i for i in chosen if all(p[i] is not None for p in points)]
    if (
        (len(numeric) < 2 and among is None)
        or not numeric
        or len(points) < 2
        or len({terms.sort_name(formals[i]) for i in numeric}) > 1
    ):
        return
    rows = [[Fraction(p[i] or 0) for i in numeric] + [Fraction(1)] for p in points]
    for solution in _null_space(rows, len(numeric) + 1):
        scale = lcm(*(x.denominator for x in solution))
        whole = [int(x * scale) for x in solution]
        divisor = gcd(*whole) or 1
        whole = [x // divisor for x in whole]
        if max(map(abs, whole)) > 1000:
            continue
        weights = {i: w for i, w in zip(numeric, whole, strict=False) if w}
        if not weights:
            continue
        yield _equation(formals, weights, -whole[-1])


def _equation(formals: Formals, weights: dict[int, int], c: int) -> Guess:
    shown = " + ".join(f"{w}*{terms.name(formals[i])}" for i, w in weights.items())
    text = f"{shown} == {c}"
    return Guess(lambda p: _value(p, weights) == c, lambda f: _sum(f, weights) == c, text, frozenset(weights))


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
