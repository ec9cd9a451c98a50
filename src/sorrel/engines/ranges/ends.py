"""Ends of texts: at a place or behind it there is a zero in the buffer, so that whoever looks for it stays inside.

An array whose elements are compared with numbers, and whose indices are compared with a small number, is looked at as a
text in a buffer of that size. *There is a zero* is said place by place: no quantifier, and nothing to be found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import islice, permutations

from sorrel.engines.ranges.names import Survey, choices, part_of
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.logic import terms
from sorrel.logic.operations import literal
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

LARGEST_TEXT = 96
"""Places of a buffer that is looked at as a text."""
MOST_ENDS = 24
"""Places of one predicate from which on a zero is looked for."""

MOST_PASSED_OVER = 4
"""Pairs of places of one predicate between which none is looked for."""

Text = tuple[str, int]
"""An array, and the size of the buffer."""


@dataclass
class _Texts:
    """Texts of a predicate, each with the arguments that are places at which it is read, or was."""

    places: dict[Text, dict[str, None]] = field(default_factory=dict)

    def note(self, text: Text, place: str | None) -> bool:
        """Is that new?"""
        known = self.places.setdefault(text, {})
        before = len(known)
        if place is not None and before < MOST_ENDS:
            known.setdefault(place)
        return len(known) > before


def missing_ends(survey: Survey) -> dict[str, tuple[list[Term], list[Term]]]:
    """For each predicate: from some place on there is no zero in a buffer; and there is one between two places."""
    found = {predicate.name: _Texts() for predicate in survey.system.predicates}
    for clause in survey.system.clauses:
        for array, place, size in _read(survey, clause):
            for predicate, names in survey.known(clause):
                if (text := names.get(array)) is not None:
                    found[predicate].note((text, size), names.get(place))
    _pass_on(survey, found)
    return {
        p.name: (
            list(islice(_missing(p, found[p.name]), MOST_ENDS)),
            list(islice(_passed_over(p, found[p.name]), MOST_PASSED_OVER)),
        )
        for p in survey.system.predicates
    }


def _missing(predicate: Predicate, texts: _Texts) -> Iterator[Term]:
    formals = {terms.name(formal): formal for formal in predicate.formals}
    for (array, size), places in texts.places.items():
        yield _no_zero(formals[array], None, size)
        for place in places:
            # Between the test and the next round the place is still the one that was looked at.
            yield from (_no_zero(formals[array], formals[place] + step, size) for step in (0, 1))


def _passed_over(predicate: Predicate, texts: _Texts) -> Iterator[Term]:
    """Whoever stops at the end of a text does not go beyond it."""
    formals = {terms.name(formal): formal for formal in predicate.formals}
    for (array, size), places in texts.places.items():
        for one, other in permutations(places, 2):
            yield terms.disjunction(
                terms.conjunction(
                    [
                        terms.integer(place) >= formals[one],
                        formals[other] >= place + 1,
                        terms.equal(terms.select(formals[array], terms.integer(place)), terms.integer(0)),
                    ]
                )
                for place in range(size)
            )


def _no_zero(array: Term, start: Term | None, size: int) -> Term:
    others = (terms.distinct(terms.select(array, terms.integer(place)), terms.integer(0)) for place in range(size))
    if start is None:
        return terms.conjunction(others)
    return terms.conjunction(terms.disjunction([start >= place + 1, each]) for place, each in enumerate(others))


def _read(survey: Survey, clause: Clause) -> Iterator[tuple[str, str, int]]:
    """Arrays whose elements are compared with numbers, at which place, and what may be the size of the buffer."""
    sizes = _sizes(survey, clause)
    for left, right, is_equation in survey.comparisons(clause):
        for one, other in ((left, right), (right, left)):
            part = part_of(one) if is_equation and literal(other) is not None else None
            if part is not None and len(part) > 1 and part[1] in sizes:
                yield part[0], part[1], sizes[part[1]]


def _sizes(survey: Survey, clause: Clause) -> dict[str, int]:
    """The largest number that a variable is compared with, if it may be the size of a text."""
    found: dict[str, int] = {}
    for left, right, _ in survey.comparisons(clause):
        for one, other in ((left, right), (right, left)):
            number = literal(other)
            if number is not None and 1 < number <= LARGEST_TEXT and terms.is_variable(one):
                found[terms.name(one)] = max(number, found.get(terms.name(one), 0))
    return found


def _pass_on(survey: Survey, found: dict[str, _Texts]) -> None:
    """Texts are handed over, and so are places in them."""
    rules = [(clause.body, clause.head, _handed_to(clause.head)) for clause in survey.system.clauses if clause.head]
    changed = True
    while changed:
        changed = False
        for calls, head, handed in rules:
            for call in calls:
                back = {terms.name(f): terms.name(a) for f, a in call.bind() if terms.is_variable(a)}
                for (array, size), known in list(found[call.predicate.name].places.items()):
                    places = [name for place in known for name in handed.get(back.get(place, ""), ())]
                    for text in handed.get(back.get(array, ""), ()):
                        for place in (None, *places):
                            changed |= found[head.predicate.name].note((text, size), place)


def _handed_to(head: Atom) -> dict[str, list[str]]:
    """What variables of a clause are called at its head: arrays, though written to, and numbers, though moved."""
    found: dict[str, list[str]] = {}
    for formal, argument in head.bind():
        base = _written(argument) if terms.is_array(argument) else _moved(argument)
        if base is not None and terms.same_sort(base, formal):
            found.setdefault(terms.name(base), []).append(terms.name(formal))
    return found


def _written(array: Term) -> Term | None:
    while not terms.is_variable(array) and (parts := terms.children(array)):
        array = parts[1] if terms.is_ite(array) else parts[0]
    return array if terms.is_variable(array) else None


def _moved(number: Term) -> Term | None:
    if not terms.is_integer(number):
        return None
    parts = [part for part, _ in next(choices(number)).values()]
    return parts[0] if len(parts) == 1 and terms.is_variable(parts[0]) else None
