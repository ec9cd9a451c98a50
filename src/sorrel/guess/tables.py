"""Entries of tables: which inputs to look at, and how a few values become an entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from sorrel.guess.pieces import Signature
from sorrel.guess.points import Number
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

MOST_CONSTANTS = 12
MOST_CHOICES = 4096


@dataclass
class Shift:
    """An output that may differ from an input by a constant, as positions among both; and how often it did not."""

    free: int
    moved: int
    failures: int = 0


def small_inputs(about: Signature, words: Vocabulary) -> Iterator[tuple[Number, ...]]:
    """Inputs of small size, the smallest first; constants of the clauses where there is one input only."""
    formals = [about.predicate.formals[i] for i in about.inputs]
    reach = {1: 10, 2: 4, 3: 2}.get(len(formals), 1)
    numbers: list[Number] = [*range(-2, reach + 1)]
    if len(formals) == 1:
        numbers += [c + d for c in words.literal for d in (-1, 0, 1, 2) if abs(c) > reach]
    choices = [[False, True] if terms.is_boolean(formal) else numbers for formal in formals]
    yield from sorted(islice(product(*choices), MOST_CHOICES), key=size_of)


def size_of(point: tuple[Number, ...]) -> tuple[Number, bool]:
    """Far from zero is large, and negative is larger."""
    return sum(number if number > 0 else -number for number in point), any(number < 0 for number in point)


def exactly(about: Signature, values: Sequence[Term]) -> list[list[Term]]:
    """For each input, what says that it has this value: two bounds, or a literal."""
    found = []
    for position, value in zip(about.inputs, values, strict=True):
        formal = about.predicate.formals[position]
        if terms.is_boolean(formal):
            found.append([formal if terms.is_true(value) else terms.negation(formal)])
        else:
            found.append([formal >= value, formal <= value])
    return found


def possible_shifts(about: Signature) -> list[Shift]:
    formals = about.predicate.formals
    return [
        Shift(free, moved)
        for free, one in enumerate(about.inputs)
        for moved, other in enumerate(about.outputs)
        if terms.is_integer(formals[one]) and terms.is_integer(formals[other])
    ]


def joined_bounds(about: Signature, guard: Term) -> Term:
    """The guard with two bounds that meet as one equation."""
    literals = {terms.identity(literal): literal for literal in terms.conjuncts(guard)}
    for position in about.inputs:
        formal = about.predicate.formals[position]
        for below in [literal for literal in literals.values() if terms.is_comparison(literal)]:
            left, bound = terms.children(below)
            above = formal >= bound
            if terms.same(left, formal) and terms.same(below, formal <= bound) and terms.identity(above) in literals:
                del literals[terms.identity(above)]
                literals[terms.identity(below)] = terms.equal(formal, bound)
    return terms.conjunction(literals.values())


def constants_of(system: HornSystem) -> list[int]:
    """Numbers of the clauses and their neighbours, in order: small and large ones before those between."""
    mentioned = {n for clause in system.clauses for n in walk.numerals(clause.constraint)}
    near = sorted({c + d for c in mentioned for d in (-1, 0, 1)}, key=abs)
    return sorted({*near[:MOST_CONSTANTS], *near[-MOST_CONSTANTS:]})


def value_of(formal: Term, number: Number) -> Term:
    if terms.is_boolean(formal):
        return terms.TRUE if number else terms.FALSE
    return terms.integer(int(number))
