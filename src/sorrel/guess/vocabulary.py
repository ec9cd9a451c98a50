"""Numbers worth trying in a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sorrel.guess.points import Number, Point
from sorrel.guess.tiles import offsets, strides
from sorrel.horn.system import HornSystem
from sorrel.logic import walk
from sorrel.model.values import dataclass
from sorrel.smt.nonlinear import is_nonlinear

MOST_CONSTANTS = 8
LARGEST_MODULUS = 13
LARGEST_EVIDENT_MODULUS = 64
MOST_EVIDENT_MODULI = 2


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Constants of the clauses and neighbours, moduli, constants of bit-vectors, and constants without neighbours.

    `squares`: the clauses multiply variables. `strides`: by how much indices grow in a round, where that is not one.
    `offsets`: how far from variables elements are read and written.
    """

    constants: tuple[int, ...]
    moduli: tuple[int, ...]
    bit_patterns: tuple[int, ...] = ()
    literal: tuple[int, ...] = ()
    squares: bool = False
    strides: tuple[int, ...] = ()
    offsets: tuple[int, ...] = ()


def vocabularies(system: HornSystem, points: Mapping[str, Sequence[Point]]) -> list[Vocabulary]:
    """A small one, and one with more moduli: only such as the points speak for, for many at once are hard to solve."""
    small = vocabulary(system)
    tried = dict.fromkeys([4, 5, 6, *(abs(c) for c in small.constants)])
    more = [m for m in tried if 2 <= m <= LARGEST_EVIDENT_MODULUS and m not in small.moduli]
    evident: list[int] = []
    for m in sorted(more):
        # A multiple of one that fits says more than the points do, as a rule.
        if all(m % smaller for smaller in evident) and any(_speaks_for(m, found) for found in points.values()):
            evident.append(m)
    if not evident:
        return [small]
    # Those of the system come last: guards are taken from the front.
    kept = [m for m in small.moduli if any(_speaks_for(m, found) for found in points.values())]
    evident = evident[:MOST_EVIDENT_MODULI]
    return [small, replace(small, moduli=(*evident, *kept))]


def vocabulary(system: HornSystem) -> Vocabulary:
    """Constants by how often clauses mention them; moduli of `mod` and `div`, and lengths of cycles of calls."""
    seen: Counter[int] = Counter()
    patterns: dict[int, None] = dict.fromkeys((0, 1))
    moduli: dict[int, None] = dict.fromkeys((2, 3))
    for clause in system.clauses:
        atoms = [*clause.body, *([clause.head] if clause.head else [])]
        for part in (clause.constraint, *(a for atom in atoms for a in atom.arguments)):
            for value in walk.numerals(part):
                seen[value] += 1
            patterns.update(dict.fromkeys(walk.bitvector_numerals(part)))
            moduli.update(dict.fromkeys(walk.divisors(part)))
    for group in system.call_graph.components:
        moduli[len(group)] = None
    common = [value for value, _ in seen.most_common() if abs(value) <= 10_000]
    constants = dict.fromkeys([0, 1, -1, *common])
    neighbours = dict.fromkeys([v for c in common for v in (c + 1, c - 1)])
    kept = [*list(constants)[:MOST_CONSTANTS], *(v for v in neighbours if v not in constants)][: 2 * MOST_CONSTANTS]
    return Vocabulary(
        tuple(sorted(set(kept))),
        tuple(m for m in moduli if 2 <= m <= LARGEST_MODULUS),
        tuple(patterns)[: 2 * MOST_CONSTANTS],
        tuple(sorted(list(constants)[:MOST_CONSTANTS])),
        is_nonlinear(system),
        strides(system),
        offsets(system),
    )


def _speaks_for(modulus: int, points: Sequence[Point]) -> bool:
    """Do the points suggest a congruence: a combination of two arguments in one class, or a class that decides?"""
    if len(points) < modulus // 2 + 3:
        return False
    columns = [i for i, value in enumerate(points[0]) if type(value) is int]
    for i, j in combinations(columns, 2):
        here, there = _column(points, i), _column(points, j)
        for combined in (
            [a - b for a, b in zip(here, there, strict=True)],
            [a + b for a, b in zip(here, there, strict=True)],
        ):
            if len(set(combined)) >= 3 and len({c % modulus for c in combined}) == 1:
                return True
    return any(
        _decides(modulus, _column(points, i), [p[j] for p in points])
        for i in columns
        for j in range(len(points[0]))
        if i != j
    )


def _column(points: Sequence[Point], i: int) -> list[int]:
    return [int(p[i] or 0) for p in points]


def _decides(modulus: int, keys: Sequence[int], values: Sequence[Number | None]) -> bool:
    """Is the value a function of the key modulo this number, but neither constant nor trivially so?"""
    known: dict[int, Number | None] = {}
    for key, value in zip(keys, values, strict=True):
        if known.setdefault(key % modulus, value) != value:
            return False
    return len(set(values)) > 1 and len(set(keys)) >= len(known) + 2 and _repeats(modulus, keys)


def _repeats(modulus: int, keys: Iterable[int]) -> bool:
    classes = Counter(key % modulus for key in set(keys))
    return sum(number > 1 for number in classes.values()) >= 2
