"""Lines between what loops change: a sum of elements, each at most nine, is at most nine times what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.guess.atoms import Guess, Views, linear_atoms
from sorrel.guess.points import Point
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk

MOST_CHANGED = 5
STEEPEST = 1000


def changed(system: HornSystem) -> set[str]:
    """Names of arguments that some round of a loop changes, and those of arrays that are written."""
    groups = {name: number for number, group in enumerate(system.call_graph.components) for name in group}
    found: set[str] = set()
    for clause in system.clauses:
        for call in clause.body:
            if clause.head is None or groups[call.predicate.name] != groups[clause.head.predicate.name]:
                continue
            before = {terms.name(formal): argument for formal, argument in call.bind()}
            for formal, after in clause.head.bind():
                name = terms.name(formal)
                if name not in before or not terms.same(before[name], after):
                    found.add(name)
    return found


def slopes(views: Views, points: Sequence[Point], words: Vocabulary, moving: set[str]) -> Iterator[Guess]:
    """x ≤ c·y + d and x ≥ c·y + d, with c and d from the clauses: the least and the greatest d that fit the points."""
    chosen = [
        i
        for i, view in enumerate(views)
        if view.index is None
        and terms.is_integer(view.term)
        and any(terms.name(v) in moving for v in walk.free_variables(view.term))
    ][:MOST_CHANGED]
    steep = [c for c in words.constants if 2 <= abs(c) <= STEEPEST]
    for x in chosen:
        for y in chosen:
            for c in steep if x != y else ():
                over = [int(p[x] or 0) - c * int(p[y] or 0) for p in points]
                weights = {x: 1, y: -c}
                if over and min(over) in words.constants:
                    yield next(linear_atoms(views, weights, min(over)))
                if over and max(over) in words.constants:
                    yield list(linear_atoms(views, weights, max(over)))[1]
