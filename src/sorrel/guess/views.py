"""What guesses speak of: the arguments of a predicate, elements of its arrays, and an index that stands for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from sorrel.guess.points import Point
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_ELEMENTS = 24
MOST_INDICES = 12


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A term over the formals; for an element of an array, `index` is the position of the view that is its index.

    `near`: it is an element beside the index, by which others are told; nothing is guessed about it alone.
    """

    term: Term
    label: str
    index: int | None = None
    near: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The views of one predicate. Where `bound` is given, every guess is meant for all its values."""

    predicate: Predicate
    views: tuple[View, ...]
    bound: Term | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(view.term for view in self.views)

    def close(self, guess: Term) -> Term:
        return guess if self.bound is None else terms.forall([self.bound], guess)

    def points(self, values: Sequence[dict[Term, Term]]) -> list[Point]:
        """Each assignment to the formals as numbers; once for each index worth trying, if one is bound."""
        found: dict[Point, None] = {}
        for assignment in values:
            for extended in self._extended(assignment):
                point = tuple(terms.as_number(evaluate(view.term, extended)) for view in self.views)
                found[point] = None
        return list(found)

    def _extended(self, assignment: dict[Term, Term]) -> Iterator[dict[Term, Term]]:
        if self.bound is None:
            yield assignment
            return
        for index in _indices(assignment):
            yield {**assignment, self.bound: terms.integer(index)}


def formal_views(predicate: Predicate) -> list[View]:
    return [View(formal, terms.name(formal)) for formal in predicate.formals]


def frame(predicate: Predicate) -> Frame:
    """Arguments, and elements of array arguments at integer arguments."""
    formals = formal_views(predicate)
    return Frame(predicate, (*formals, *islice(_elements(formals), MOST_ELEMENTS)))


def quantified_frame(predicate: Predicate, ends: Sequence[Term] = (), offsets: Sequence[int] = ()) -> Frame | None:
    """Arguments, an index that stands for all, and the elements at it; None where nothing could be said of them.

    `ends` are further terms over the formals at which ranges of elements may end. With `offsets` elements of several
    arrays also that far from the index on either side.
    """
    bound = terms.variable("index!", terms.INT)
    formals = formal_views(predicate)
    index = len(formals)
    elements = [
        View(terms.select(view.term, bound), f"{view.label}[index!]", index)
        for view in formals
        if terms.is_integer_indexed(view.term)
    ]
    if len(elements) > 1:
        for step in (sign * offset for offset in offsets for sign in (-1, 1)):
            elements += [
                View(terms.select(view.term, bound + step), f"{view.label}[index! + {step}]", index, near=True)
                for view in formals
                if terms.is_integer_indexed(view.term)
            ]
    further = [View(term, str(term)) for term in ends]
    return Frame(predicate, (*formals, View(bound, "index!"), *elements, *further), bound) if elements else None


def _elements(formals: Sequence[View]) -> Iterator[View]:
    for position, at in enumerate(formals):
        if terms.is_integer(at.term):
            for view in formals:
                if terms.is_integer_indexed(view.term):
                    yield View(terms.select(view.term, at.term), f"{view.label}[{at.label}]", position)


def _indices(assignment: dict[Term, Term]) -> list[int]:
    """Integers among the values and their neighbours: where elements differ, if they do."""
    numbers = [terms.as_number(value) for formal, value in assignment.items() if terms.is_integer(formal)]
    near = [int(n) + d for n in numbers if n is not None for d in (0, -1, 1)]
    return list(dict.fromkeys([*near, 0, 1]))[:MOST_INDICES]
