"""Limits that hold if a flag is set: while data are awaited, fewer have come than were announced.

A flag is an argument that has one of a few values, or a counter, which is positive once there was a round. Numbers and
sums that are compared beside it have a limit of their own for each of its values.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from sorrel.engines.ranges.cases import few_values
from sorrel.engines.ranges.names import Survey
from sorrel.engines.ranges.sums import steps
from sorrel.horn.clause import Clause, Predicate
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_FLAGGED = 32
"""Numbers and sums of a predicate that are looked at for values of flags."""


def flags(survey: Survey) -> dict[str, list[tuple[Term, frozenset[str]]]]:
    """For each predicate what a flag is, and which arguments are compared where the flag is."""
    values, counters = few_values(survey.system), _counters(survey)
    beside: dict[tuple[str, str], dict[str, None]] = {}
    for clause in survey.system.clauses:
        compared = list(_compared(survey, clause))
        for predicate, names in survey.known(clause):
            there = [names[name] for name in compared if name in names]
            for flag in there:
                if (predicate, flag) in values or (predicate, flag) in counters:
                    beside.setdefault((predicate, flag), {}).update(dict.fromkeys(there))
    return {p.name: list(_of(p, values, counters, beside)) for p in survey.system.predicates}


def _of(
    predicate: Predicate,
    values: Mapping[tuple[str, str], Mapping[int, None]],
    counters: Container[tuple[str, str]],
    beside: Mapping[tuple[str, str], Mapping[str, None]],
) -> Iterator[tuple[Term, frozenset[str]]]:
    for formal in predicate.formals:
        key = predicate.name, terms.name(formal)
        others = frozenset(beside.get(key, {}).keys() - {terms.name(formal)})
        if others and key in counters:
            yield formal >= 1, others | {terms.name(formal)}  # a sum may count in the rounds themselves
        if others:
            yield from ((terms.equal(formal, terms.integer(value)), others) for value in sorted(values.get(key, ())))


def _counters(survey: Survey) -> set[tuple[str, str]]:
    """Arguments that a loop counts up: where one is positive there was a round, in which something was found."""
    rules = [(clause.body, clause.head) for clause in survey.system.clauses if clause.head is not None]
    return {
        (head.predicate.name, name)
        for calls, head in rules
        if [call.predicate.name for call in calls] == [head.predicate.name]
        for name, step in steps(calls[0], head).items()
        if step > 0
    }


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
        if (names := _names(body)) <= others and names != _names(flag)
    ]
    return found[:MOST_FLAGGED]


def _names(term: Term) -> set[str]:
    return set(map(terms.name, walk.free_variables(term)))
