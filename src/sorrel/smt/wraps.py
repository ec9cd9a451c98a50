"""Clauses in which numbers that are cut off at the width of a type are any of that type, and exact only if they fit.

A hash or a check sum is multiplied and cut off in every step. What it is does not matter to most proofs, and a solver
of linear arithmetic spends most of its time on it. Clauses without that are weaker: what is inductive for them is so
for the system.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.operations import literal
from sorrel.logic.terms import Term
from sorrel.smt.weaker import mentions, weaker

LEAST = 1 << 16
"""A remainder of a smaller number is an index or a byte, and may matter."""


def has_wraps(system: HornSystem) -> bool:
    return mentions(system, _remainders)


def without_wraps(system: HornSystem) -> HornSystem:
    """Bounded variables in place of remainders by large numbers."""
    return weaker(system, _remainders, lambda clause: _Remainders(clause).stand_in)


def _remainders(formula: Term) -> list[Term]:
    return [term for term in walk.subterms(formula) if terms.name_of(term) == "mod" and _modulus(term) >= LEAST]


def _modulus(remainder: Term) -> int:
    return literal(terms.children(remainder)[1]) or 0


class _Remainders:
    """Variables of one clause: the same remainder is the same variable."""

    def __init__(self, clause: Clause) -> None:
        self._names = Names(terms.name_of(each) for each in clause.variables)
        self._made: list[tuple[Term, Term]] = []

    def stand_in(self, term: Term) -> tuple[Term, Sequence[Term]]:
        number = terms.children(term)[0]
        largest = terms.integer(_modulus(term) - 1)
        value = next((made for known, made in self._made if terms.same(known, term)), None)
        if value is None:
            value = self._names.variable("wrapped", terms.INT)
            self._made.append((term, value))
        fits = terms.conjunction([number >= 0, number <= largest])
        return value, [value >= 0, value <= largest, terms.implication(fits, terms.equal(value, number))]
