"""Division and remainder as linear constraints on fresh variables, for those who reason about inequalities only."""

from __future__ import annotations

import z3

from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term


def linearised(formula: Term) -> Term:
    """A formula that is implied, with fresh variables in place of quotients, remainders and products.

    By a constant the description of quotient and remainder is exact; by anything else it bounds the remainder.
    """
    names = Names(terms.name_of(v) for v in walk.free_variables(formula))
    known: list[tuple[Term, Term]] = []
    added: list[Term] = []
    quotients: dict[tuple[int, int], tuple[Term, Term]] = {}
    for part in walk.subterms(formula):
        if not (z3.is_app_of(part, z3.Z3_OP_IDIV) or z3.is_app_of(part, z3.Z3_OP_MOD)):
            continue
        key = (part.arg(0).get_id(), part.arg(1).get_id())
        if key not in quotients:
            quotients[key] = (names.variable("quotient", terms.INT), names.variable("remainder", terms.INT))
            added.append(_described(part.arg(0), part.arg(1), *quotients[key]))
        quotient, remainder = quotients[key]
        known.append((part, quotient if z3.is_app_of(part, z3.Z3_OP_IDIV) else remainder))
    if not known:
        return formula
    return terms.substitute(terms.conjunction([formula, *added]), known)


def _described(dividend: Term, divisor: Term, quotient: Term, remainder: Term) -> Term:
    """SMT-LIB's division: dividend = divisor · quotient + remainder, and 0 ≤ remainder < |divisor|."""
    if z3.is_int_value(divisor):
        number = divisor.as_long()
        if number == 0:
            return terms.TRUE
        exact = dividend == number * quotient + remainder
        return terms.conjunction([exact, remainder >= 0, remainder <= abs(number) - 1])
    cases = [
        terms.conjunction(
            [
                divisor >= 1,
                remainder >= 0,
                remainder <= divisor - 1,
                terms.disjunction([dividend <= -1, remainder <= dividend]),
            ]
        ),
        terms.conjunction([divisor <= -1, remainder >= 0, remainder <= -divisor - 1]),
        terms.equal(divisor, terms.integer(0)),
    ]
    return terms.disjunction(cases)
