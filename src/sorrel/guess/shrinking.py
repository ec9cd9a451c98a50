"""A system with small numbers in place of large ones: what comes after a thousand steps is then a few steps away.

Derivable points filter guesses, and behind a loop that runs for long there are none within reach. The system with a
smaller bound is another one, but what holds of its points, with the large number put back, is worth trying on the
first. Nothing is concluded from it: guesses are proved or dropped where they are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

LARGE, HUGE = 16, 2**30
"""Numbers from the first on are made smaller; from the second on they are limits of types, which no loop runs up to."""
SMALLEST, LARGEST = 5, 12
FURTHEST, MOST_TIMES = 2, 8


@dataclass(frozen=True, slots=True, eq=False)
class Shrinking:
    """`system` is the smaller one; `pairs` are numbers of it with those they stand for."""

    system: HornSystem
    pairs: tuple[tuple[Term, Term], ...]

    def grow(self, term: Term) -> Term:
        """A term about the smaller system as one about the first."""
        return terms.substitute(term, self.pairs)


def shrink(system: HornSystem) -> Shrinking | None:
    """None if no number is large, or if no small ones are free to stand for them."""
    mentioned = {n for clause in system.clauses for n in _numbers(clause)}
    large = sorted({abs(n) for n in mentioned if LARGE <= abs(n) < HUGE})
    taken = {n for n in mentioned if abs(n) < LARGE} | {-1, 0, 1, 2}
    if not large:
        return None
    for unit in range(SMALLEST, LARGEST + 1):
        images = _images(large, unit)
        if images is not None and taken.isdisjoint(images):
            break
    else:
        return None
    back = {sign * image: sign * number for image, number in images.items() for sign in (1, -1)}
    pairs = [(terms.integer(image), terms.integer(number)) for image, number in back.items()]
    forth = [(number, image) for image, number in pairs]
    clauses = [replace(clause.substitute(forth), name=clause.name) for clause in system.clauses]
    return Shrinking(system.with_clauses(clauses), tuple(pairs))


def _numbers(clause: Clause) -> Iterable[int]:
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    for part in (clause.constraint, *(argument for atom in atoms for argument in atom.arguments)):
        yield from walk.numerals(part)


def _images(large: Sequence[int], unit: int) -> dict[int, int] | None:
    """Small numbers for large ones and their neighbours: multiples stay multiples, and near ones near."""
    anchors: list[tuple[int, int]] = []
    images: dict[int, int] = {}
    for number in large:
        image = next((i for anchor in anchors if (i := _multiple(number, *anchor)) is not None), None)
        if image is None:
            image = max(images, default=0) + unit
            anchors.append((number, image))
        for near in (0, -1, 1):
            if images.setdefault(image + near, number + near) != number + near:
                return None
    return images


def _multiple(number: int, base: int, unit: int) -> int | None:
    """The image of a number that is nearly a small multiple of one with an image."""
    times = (number + base // 2) // base
    rest = number - times * base
    return times * unit + rest if 1 <= times <= MOST_TIMES and abs(rest) <= FURTHEST else None
