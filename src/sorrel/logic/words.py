"""The vocabulary of words: bit-vector terms read as unsigned numbers, and as signed ones where a name says so."""

from __future__ import annotations

import z3

from sorrel.logic import terms, walk
from sorrel.logic.listing import BOOLEAN, width_of
from sorrel.logic.terms import Sort, Term


def sort_of_width(width: int) -> Sort:
    return terms.BOOL if width == BOOLEAN else z3.BitVecSort(width)


def number(value: int, width: int) -> Term:
    """A value of that width; 0 and 1 are the truth values."""
    if width == BOOLEAN:
        return terms.TRUE if value else terms.FALSE
    return z3.BitVecVal(value, width)


def all_ones(width: int) -> Term:
    return number((1 << max(1, width)) - 1, width)


def plus(term: Term, value: int) -> Term:
    """The word and a number modulo 2^width, written as a difference if that is shorter."""
    width = width_of(term.sort())
    if value >> (width - 1):
        return term - number((1 << width) - value, width)
    return term + number(value, width)


def less(left: Term, right: Term) -> Term:
    return z3.ULT(left, right)


def at_most(left: Term, right: Term) -> Term:
    return z3.ULE(left, right)


def more(left: Term, right: Term) -> Term:
    return z3.UGT(left, right)


def at_least(left: Term, right: Term) -> Term:
    return z3.UGE(left, right)


def signed_less(left: Term, right: Term) -> Term:
    return left < right


def signed_at_most(left: Term, right: Term) -> Term:
    return left <= right


def is_signed(term: Term) -> bool:
    """Whether something in the term is compared as a signed number."""
    return any(t.decl().kind() in _SIGNED_RELATIONS for t in walk.subterms(term))


def is_unsigned(term: Term) -> bool:
    """Whether something in the term is compared as an unsigned number."""
    return any(t.decl().kind() in _UNSIGNED_RELATIONS for t in walk.subterms(term))


_SIGNED_RELATIONS = frozenset((z3.Z3_OP_SLT, z3.Z3_OP_SLEQ, z3.Z3_OP_SGT, z3.Z3_OP_SGEQ))
_UNSIGNED_RELATIONS = frozenset((z3.Z3_OP_ULT, z3.Z3_OP_ULEQ, z3.Z3_OP_UGT, z3.Z3_OP_UGEQ))


def quotient(left: Term, right: Term) -> Term:
    return z3.UDiv(left, right)


def remainder(left: Term, right: Term) -> Term:
    return z3.URem(left, right)


def shifted_right(left: Term, right: Term) -> Term:
    return z3.LShR(left, right)


def exclusive(left: Term, right: Term) -> Term:
    return z3.Xor(left, right) if terms.is_boolean(left) else left ^ right


def is_even(term: Term) -> Term:
    width = width_of(term.sort())
    return term & z3.BitVecVal(1, width) == z3.BitVecVal(0, width)


def sum_fits(left: Term, right: Term) -> Term:
    return z3.ULE(left, left + right)


def product_fits(left: Term, right: Term) -> Term:
    """The upper half of the product in twice the width is zero."""
    width = width_of(left.sort())
    product = z3.ZeroExt(width, left) * z3.ZeroExt(width, right)
    return z3.Extract(2 * width - 1, width, product) == z3.BitVecVal(0, width)


def literals(term: Term) -> list[int]:
    """The bit-vector literals of a term as numbers."""
    return [int(t.as_long()) for t in walk.subterms(term) if z3.is_bv_value(t)]
