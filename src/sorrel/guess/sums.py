"""Which sums of arguments are looked at for bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sorrel.guess.bounds import Bounded, Form, Looked
from sorrel.guess.cases import Cases, Parts
from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.foreign import nonlinear_terms

LARGEST_LIMIT, MOST_LIMITS = 10_000, 40
NEAR, NEAREST = (-2, -1, 0, 1, 2), (-1, 0, 1)
"""What sums of two arguments, and larger ones, may be at most."""
MOST_IN_PAIRS, MOST_IN_TRIPLES, MOST_IN_CASES = 24, 12, 6
"""Of predicates with more arguments that matter only smaller sums are looked at."""


def sums(
    system: HornSystem,
    names: Sequence[str],
    relevant: Mapping[str, frozenset[int]],
    limits: tuple[int, ...],
    largest: int,
) -> dict[str, Bounded]:
    """Sums of at most so many arguments that are relevant, and of one with twice another."""
    return {name: _bounded(system.predicate[name], relevant[name], limits, largest) for name in names}


def limits_of(system: HornSystem) -> tuple[int, ...]:
    """The numbers of the clauses and their neighbours, of either sign: i < 16 bounds i by 15, 1 ≤ i bounds -i by -1."""
    found: dict[int, None] = dict.fromkeys(NEAR)
    for clause in system.clauses:
        for term in (clause.constraint, *(argument for atom in _atoms(clause) for argument in atom.arguments)):
            for value in walk.numerals(term):
                if abs(value) <= LARGEST_LIMIT:
                    found.update(dict.fromkeys((value, value - 1, value + 1)))
    return tuple(sorted({sign * value for value in list(found)[:MOST_LIMITS] for sign in (1, -1)}))


def _bounded(predicate: Predicate, relevant: frozenset[int], limits: tuple[int, ...], largest: int) -> Bounded:
    places = dict(enumerate(predicate.arguments))
    numbers = [place for place in places if place in relevant]
    inputs = [place for place in numbers if places[place].role is Role.INPUT]
    ok = next((place for place, argument in places.items() if argument.role is Role.OK), None)
    before, after = (Looked(tuple(_forms(chosen, limits, largest))) for chosen in (inputs, numbers))
    return Bounded(before, after, ok)


def with_cases(looked_at: Mapping[str, Bounded]) -> dict[str, Bounded]:
    """The same sums, beside cases of arguments with few values: for each, what the others and their differences are."""
    return {
        name: replace(bounded, before=_by_case(bounded.before), after=_by_case(bounded.after))
        for name, bounded in looked_at.items()
    }


def _by_case(looked: Looked) -> Looked:
    places = sorted(looked.places)[:MOST_IN_CASES]
    cases = []
    for place in places:
        others = [other for other in places if other != place]
        single: list[Parts] = [((other, 1),) for other in others]
        cases.append(Cases(place, (*single, *(((one, 1), (other, -1)) for one, other in combinations(others, 2)))))
    return replace(looked, cases=tuple(cases))


def _forms(places: Sequence[int], limits: tuple[int, ...], largest: int) -> Iterator[Form]:
    for place in places:
        yield from (Form(((place, sign),), limits) for sign in (1, -1))
    if len(places) <= MOST_IN_PAIRS:
        yield from (Form(parts, NEAR) for parts in _signed(places, 2))
    if len(places) <= MOST_IN_TRIPLES:
        yield from (Form(parts, NEAREST) for parts in _doubled(places))
    if largest > 2 and len(places) <= MOST_IN_TRIPLES:
        yield from (Form(parts, NEAREST) for parts in _signed(places, 3) if abs(sum(sign for _, sign in parts)) == 1)


def _signed(places: Sequence[int], number: int) -> Iterator[Parts]:
    for chosen in combinations(places, number):
        for signs in range(2**number):
            yield tuple((place, 1 if signs >> bit & 1 else -1) for bit, place in enumerate(chosen))


def _doubled(places: Sequence[int]) -> Iterator[Parts]:
    """One argument beside twice another, as the ends of halves and the steps of a doubling search."""
    for one, other in combinations(places, 2):
        for sign in (1, -1):
            yield ((one, 2 * sign), (other, -sign))
            yield ((one, sign), (other, -2 * sign))


# What matters


def compared(system: HornSystem) -> dict[str, frozenset[int]]:
    """Positions of the integers, by predicate, that decide linear comparisons, here or where they are passed.

    Elements of arrays that are only computed with have no bounds worth looking for, and there are many.
    """
    marked: dict[str, set[int]] = {p.name: set() for p in system.predicates}
    deciding = {clause.name: _deciding(clause) for clause in system.clauses}
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            changed |= _marked(clause, marked, deciding[clause.name])
    return {name: frozenset(places) for name, places in marked.items()}


def _atoms(clause: Clause) -> list[Atom]:
    return [*clause.body, *([clause.head] if clause.head else [])]


def _deciding(clause: Clause) -> set[int]:
    """Variables in comparisons that have neither elements of arrays nor products in them."""
    found: set[int] = set()
    for formula in (clause.constraint, *(argument for atom in _atoms(clause) for argument in atom.arguments)):
        for term in walk.subterms(formula):
            if terms.is_comparison(term) and _is_plain(term):
                found |= _integers(term)
    return found


def _is_plain(term: Term) -> bool:
    return not any(map(terms.is_array, walk.free_variables(term))) and not nonlinear_terms(term)


def _integers(term: Term) -> set[int]:
    return {terms.identity(v) for v in walk.free_variables(term) if terms.is_integer(v)}


def _marked(clause: Clause, marked: Mapping[str, set[int]], deciding: set[int]) -> bool:
    """Mark what is passed to marked places, and places that deciding variables are passed to."""
    before = len(deciding) + sum(map(len, marked.values()))
    for atom in _atoms(clause):
        places = marked[atom.predicate.name]
        for place, argument in enumerate(atom.arguments):
            if place in places and _is_plain(argument):
                deciding |= _integers(argument)
            elif terms.is_integer(argument) and terms.identity(argument) in deciding:
                places.add(place)
    for term in walk.subterms(clause.constraint):
        if terms.is_equation(term) and _is_plain(term):
            for value, definition in (terms.children(term), terms.children(term)[::-1]):
                if terms.identity(value) in deciding:
                    deciding |= _integers(definition)
    return len(deciding) + sum(map(len, marked.values())) > before
