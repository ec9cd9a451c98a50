"""Arrays that are the same: what a procedure is handed over is still what its caller has."""

from __future__ import annotations

from itertools import combinations

from sorrel.engines.ranges.names import Survey
from sorrel.logic import terms
from sorrel.logic.terms import Term

MOST_COPIES = 8
"""Pairs of arrays of one predicate."""


def copies(survey: Survey) -> dict[str, list[tuple[Term, Term]]]:
    """For each predicate pairs of arrays that some clause makes the same."""
    pairs: dict[tuple[str, str], None] = {}
    for clause in survey.system.clauses:
        given: dict[int, list[str]] = {}
        for formal, argument in clause.head.bind() if clause.head else ():
            if terms.is_array(argument):
                given.setdefault(terms.identity(argument), []).append(terms.name(formal))
        pairs.update((pair, None) for names in given.values() for pair in combinations(names, 2))
    found: dict[str, list[tuple[Term, Term]]] = {}
    for predicate in survey.system.predicates:
        formals = {terms.name(formal): formal for formal in predicate.formals}
        there = [(formals[one], formals[other]) for one, other in pairs if one in formals and other in formals]
        found[predicate.name] = [pair for pair in there if terms.same_sort(*pair)][:MOST_COPIES]
    return found
