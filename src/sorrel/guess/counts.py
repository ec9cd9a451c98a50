"""Relations that counts have: sums of two or three that are one number more, or one that is zero if another is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from sorrel.guess.houdini import Houdini
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle

MOST_NUMBERS = 8
"""Of predicates with more, sums of three are left out."""
COUNTING = "guessing relations of counts"


def counted(system: HornSystem, oracle: Oracle) -> Safe | None:
    """Relations that are inductive together and exclude every error, if there are some."""
    candidates = {each.name: list(_relations(each.formals)) for each in system.predicates}
    houdini = Houdini(system, candidates, oracle, {})
    houdini.run()
    found = houdini.support()
    if found is None:
        return None
    return Safe({name: terms.conjunction(parts) for name, parts in found.items()}, by=COUNTING)


def _relations(formals: Sequence[Term]) -> Iterator[Term]:
    numbers = [formal for formal in formals if terms.is_integer(formal)]
    zero, one = terms.integer(0), terms.integer(1)
    for x in numbers:
        yield from (x >= zero, x >= one, x <= zero)
    for x, y in permutations(numbers, 2):
        yield from (x <= y, x < y)
        yield terms.implication(terms.equal(x, zero), terms.equal(y, zero))
        yield terms.implication(x > zero, y > zero)
        yield terms.equal(x, y + one)
    for x, y in combinations(numbers, 2):
        yield terms.equal(x, y)
        for z in _others(numbers, x, y):
            yield terms.equal(x + y, z)
            yield terms.equal(x + y, z + one)
    if len(numbers) <= MOST_NUMBERS:
        for x, y, z in combinations(numbers, 3):
            yield from (terms.equal(x + y + z, total) for total in _others(numbers, x, y, z))


def _others(numbers: Sequence[Term], *chosen: Term) -> Iterator[Term]:
    return (each for each in numbers if all(each is not other for other in chosen))
