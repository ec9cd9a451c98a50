"""Quotients as C means them: SMT-LIB rounds them down, C towards zero, and clauses say so by cases."""

from __future__ import annotations

import z3

from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

_ROUNDED = (z3.Z3_OP_IDIV, z3.Z3_OP_MOD)


def has_quotients(term: Term) -> bool:
    """Whether something in it is divided by a number."""
    return any(_is_quotient(each) for each in walk.subterms(term))


def without_signs(term: Term) -> Term:
    """With `x div k` in place of a choice between that and the same of -x: so C's quotient would be written.

    That is another formula unless quotients round towards zero; whoever prints it so has to look.
    """
    found = [(each, kept) for each in walk.subterms(term) if terms.is_ite(each) and (kept := _kept(each)) is not None]
    return terms.substitute(term, found)


def _kept(choice: Term) -> Term | None:
    """The value whose dividend is not negated, where the two have one quotient each, by the same number."""
    _, *values = terms.children(choice)
    quotients = [[each for each in walk.subterms(value) if _is_quotient(each)] for value in values]
    if [len(each) for each in quotients] != [1, 1]:
        return None
    (one,), (other,) = quotients
    if terms.same(one, other) or one.decl().kind() != other.decl().kind():
        return None
    if not terms.same(terms.children(one)[1], terms.children(other)[1]):
        return None
    return values[0] if walk.size(one) <= walk.size(other) else values[1]


def _is_quotient(term: Term) -> bool:
    return z3.is_app(term) and term.decl().kind() in _ROUNDED and terms.is_value(terms.children(term)[1])
