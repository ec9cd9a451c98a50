"""Clauses as they were before several ways between the same loops became one clause with a disjunction.

There each way says by equations what the arguments of the head are. Who looks for what is passed on, kept or counted
looks at the ways one by one; what is proved is proved of the clauses as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_WAYS = 64
"""Of one clause; one with more is looked at as it is."""


def one_by_one(system: HornSystem) -> HornSystem:
    """The system with a clause for each way."""
    return system.with_clauses(way for clause in system.clauses for way in _ways(clause))


def _ways(clause: Clause) -> Iterator[Clause]:
    """The largest disjunction of the clause taken apart; what equations say of variables is put in their place."""
    parts = terms.conjuncts(clause.constraint)
    widest = max(parts, key=lambda part: len(terms.disjuncts(part)), default=terms.TRUE)
    found = terms.disjuncts(widest)
    if not 2 <= len(found) <= MOST_WAYS:
        yield clause.substitute(_names(clause, clause.constraint))
        return
    rest = [part for part in parts if part is not widest]
    for number, way in enumerate(found):
        solved = replace(clause, name=f"{clause.name}|{number}", constraint=terms.conjunction([way, *rest]))
        names = _names(clause, way)
        solved = solved.substitute(names)
        told = _values(solved, terms.substitute(way, names))
        # A value may be told by another one.
        yield solved.substitute(told).substitute(told)


def _names(clause: Clause, way: Term) -> list[tuple[Term, Term]]:
    """Of variables that the way says are equal, one for all, of a call if there is one: what one call returns is what
    another one is given."""
    called = _called(clause)
    known: dict[str, Term] = {}
    renamed: list[Term] = []

    def one_of(variable: Term) -> Term:
        while terms.name(variable) in known:
            variable = known[terms.name(variable)]
        return variable

    for part in terms.conjuncts(way):
        if terms.is_equation(part) and all(map(terms.is_variable, terms.children(part))):
            one, other = map(one_of, terms.children(part))
            if not terms.same(one, other):
                kept, left = (other, one) if terms.name(one) not in called else (one, other)
                known[terms.name(left)] = kept
                renamed.append(left)
    return [(variable, one_of(variable)) for variable in renamed]


def _called(clause: Clause) -> set[str]:
    return {terms.name(v) for atom in clause.body for v in walk.free_variables(*atom.arguments)}


def _values(clause: Clause, way: Term) -> list[tuple[Term, Term]]:
    """What equations of the way say of variables that no call has."""
    called = _called(clause)
    values: dict[str, tuple[Term, Term]] = {}
    for part in terms.conjuncts(way):
        for one, other in permutations(terms.children(part)) if terms.is_equation(part) else ():
            if not terms.is_variable(one) or terms.name(one) in called or terms.name(one) in values:
                continue
            if terms.name(one) not in map(terms.name, walk.free_variables(other)):
                values[terms.name(one)] = (one, other)
                break
    return list(values.values())
