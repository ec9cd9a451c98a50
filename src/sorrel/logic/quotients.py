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
    _, *values = terms.children(choice)
    for plain, other in (values, values[::-1]):
        below = [each for each in walk.subterms(other) if _is_quotient(each)]
        if _is_quotient(plain) and len(below) == 1 and not terms.same(plain, below[0]):
            divisors = [terms.children(each)[1] for each in (plain, below[0])]
            if terms.same(*divisors) and plain.decl().kind() == below[0].decl().kind():
                return _shorter(plain, below[0])
    return None


def _shorter(one: Term, other: Term) -> Term:
    """The one whose dividend is not negated."""
    return min(one, other, key=walk.size)


def _is_quotient(term: Term) -> bool:
    return z3.is_app(term) and term.decl().kind() in _ROUNDED and terms.is_value(terms.children(term)[1])
