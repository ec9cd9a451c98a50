"""Clauses as they were before several ways between the same loops became one clause with a disjunction.

There each way says by equations what the arguments of the head are. Who looks for what is passed on, kept or counted
looks at the ways one by one; what is proved is proved of the clauses as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.transform.equations import solve_for_locals

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
        yield clause
        return
    rest = [part for part in parts if part is not widest]
    for number, way in enumerate(found):
        yield solve_for_locals(
            replace(clause, name=f"{clause.name}|{number}", constraint=terms.conjunction([way, *rest]))
        )
