"""Clauses as they were before several ways between the same loops became one clause with a disjunction.

There each way says by equations what the arguments of the head are. Who looks for what is passed on, kept or counted
looks at the ways one by one; what is proved is proved of the clauses as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_WAYS = 64
"""Of one clause; one with more is looked at as it is."""


def one_by_one(system: HornSystem) -> HornSystem:
    """The system with a clause for each way."""
    return system.with_clauses(way for clause in system.clauses for way in _ways(clause))


def _ways(clause: Clause) -> Iterator[Clause]:
    found = terms.disjuncts(clause.constraint)
    if clause.head is None or not 2 <= len(found) <= MOST_WAYS:
        yield clause
        return
    called = {terms.name(v) for atom in clause.body for v in walk.free_variables(*atom.arguments)}
    own = {terms.name(each) for each in clause.head.arguments if terms.is_variable(each)} - called
    for number, way in enumerate(found):
        head = _with_values(clause.head, way, own)
        yield replace(clause, name=f"{clause.name}|{number}", head=head, constraint=way)


def _with_values(head: Atom, way: Term, own: set[str]) -> Atom:
    """The head with what an equation of the way says of its own variables."""
    values: dict[str, tuple[Term, Term]] = {}
    for part in terms.conjuncts(way):
        if terms.is_equation(part):
            left, right = terms.children(part)
            for one, other in ((left, right), (right, left)):
                if terms.is_variable(one) and terms.name(one) in own:
                    values.setdefault(terms.name(one), (one, other))
                    break
    pairs = list(values.values())
    return replace(head, arguments=tuple(terms.substitute(each, pairs) for each in head.arguments))
