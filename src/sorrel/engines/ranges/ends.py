"""Ends of texts: at a place or behind it there is a zero in the buffer, so that whoever looks for it stays inside.

An array whose elements are compared with zero, and whose indices are compared with a small number, is looked at as a
text in a buffer of that size. *There is a zero* is said place by place: no quantifier, and nothing to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.engines.ranges.names import Part, Survey, part_of
from sorrel.horn.clause import Clause, Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term

LARGEST_TEXT = 96
"""Places of a buffer that is looked at as a text."""
MOST_ENDS = 12
"""Places of one predicate from which on a zero is looked for."""

Text = tuple[str, int]
"""An array, and the size of the buffer."""


def missing_ends(survey: Survey) -> dict[str, list[Term]]:
    """For each predicate: from some place on there is no zero in a buffer."""
    texts, readers = _texts(survey)
    found: dict[str, list[Term]] = {}
    for predicate in survey.system.predicates:
        there = (each for text in texts.get(predicate.name, ()) for each in _missing(predicate, text, readers))
        found[predicate.name] = [each for each, _ in zip(there, range(MOST_ENDS), strict=False)]
    return found


def _missing(predicate: Predicate, text: Text, readers: Mapping[tuple[str, str], Mapping[str, None]]) -> Iterator[Term]:
    array, size = text
    formals = {terms.name(formal): formal for formal in predicate.formals}
    places = [formals[index] for index in readers.get((predicate.name, array), ()) if index in formals]
    yield _no_zero(formals[array], terms.integer(0), size)
    for place in places:
        # Between the test and the next round the place is still the one that was looked at.
        yield from (_no_zero(formals[array], place + step, size) for step in (0, 1))


def _no_zero(array: Term, start: Term, size: int) -> Term:
    zero = terms.integer(0)
    return terms.conjunction(
        terms.disjunction([start >= place + 1, terms.distinct(terms.select(array, terms.integer(place)), zero)])
        for place in range(size)
    )


def _texts(survey: Survey) -> tuple[dict[str, dict[Text, None]], dict[tuple[str, str], dict[str, None]]]:
    """Texts of each predicate, and which of its arguments are places at which one is read."""
    ended = {array for clause in survey.system.clauses for array, _ in _ended(survey, clause)}
    texts: dict[str, dict[Text, None]] = {}
    readers: dict[tuple[str, str], dict[str, None]] = {}
    for clause in survey.system.clauses:
        sizes = _sizes(survey, clause)
        for part in survey.read(clause):
            if part[0] not in ended or part[1] not in sizes:
                continue
            for predicate, names in survey.known(clause):
                if (array := names.get(part[0])) is not None:
                    texts.setdefault(predicate, {}).setdefault((array, sizes[part[1]]))
                    if (index := names.get(part[1])) is not None:
                        readers.setdefault((predicate, array), {}).setdefault(index)
    return texts, readers


def _ended(survey: Survey, clause: Clause) -> Iterator[Part]:
    """Elements that are compared with zero."""
    for left, right, is_equation in survey.comparisons(clause):
        for one, other in ((left, right), (right, left)):
            if is_equation and terms.is_select(one) and _number(other) == 0:
                part = part_of(one)
                if part is not None:
                    yield part


def _sizes(survey: Survey, clause: Clause) -> dict[str, int]:
    """The largest number that a variable is compared with, if it may be the size of a text."""
    found: dict[str, int] = {}
    for left, right, _ in survey.comparisons(clause):
        for one, other in ((left, right), (right, left)):
            number = _number(other)
            if number is not None and 1 < number <= LARGEST_TEXT and terms.is_variable(one):
                found[terms.name(one)] = max(number, found.get(terms.name(one), 0))
    return found


def _number(term: Term) -> int | None:
    return int(terms.as_number(term) or 0) if terms.is_value(term) and terms.is_integer(term) else None
