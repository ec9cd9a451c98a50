"""Limits that hold if a flag is set: while data are awaited, fewer have come than were announced.

A flag is an argument that has one of a few values and is compared with one of them. Numbers and sums that are compared
beside it have a limit of their own for each of its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.engines.ranges.cases import few_values
from sorrel.engines.ranges.names import Survey
from sorrel.horn.clause import Clause, Predicate
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_FLAGGED = 32
"""Numbers and sums of a predicate that are looked at for values of flags."""


def flags(survey: Survey) -> dict[str, list[tuple[Term, frozenset[str]]]]:
    """For each predicate what a flag is, and which arguments are compared where the flag is."""
    values = few_values(survey.system)
    beside: dict[tuple[str, str], dict[str, None]] = {}
    for clause in survey.system.clauses:
        compared = list(_compared(survey, clause))
        for predicate, names in survey.known(clause):
            there = [names[name] for name in compared if name in names]
            for flag in there:
                if (predicate, flag) in values:
                    beside.setdefault((predicate, flag), {}).update(dict.fromkeys(there))
    return {p.name: list(_of(p, values, beside)) for p in survey.system.predicates}


def _of(
    predicate: Predicate,
    values: Mapping[tuple[str, str], Mapping[int, None]],
    beside: Mapping[tuple[str, str], Mapping[str, None]],
) -> Iterator[tuple[Term, frozenset[str]]]:
    for formal in predicate.formals:
        key = predicate.name, terms.name(formal)
        others = frozenset(beside.get(key, {}).keys() - {terms.name(formal)})
        if others:
            yield from ((terms.equal(formal, terms.integer(value)), others) for value in sorted(values[key]))


def _compared(survey: Survey, clause: Clause) -> Iterator[str]:
    for left, right, _ in survey.comparisons(clause):
        if terms.is_integer(left):
            yield from (terms.name(variable) for variable in walk.free_variables(left, right))


def flagged(
    sums: Sequence[Term], numbers: Sequence[Term], set_: Sequence[tuple[Term, frozenset[str]]]
) -> list[tuple[Term, Term]]:
    """What has a limit of its own if a flag is set, and which flag: sums first, which say more."""
    found = [
        (body, flag)
        for body in (*sums, *numbers)
        for flag, others in set_
        if others.issuperset(map(terms.name, walk.free_variables(body)))
    ]
    return found[:MOST_FLAGGED]
