"""Operations on terms, with constants folded on the way: arithmetic, comparisons, arrays, bit-vectors.

Folding keeps what is built from a program as small as the program's author would write it, and lets a caller see
that a condition is decided without asking a solver.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.terms import Sort, Term


def real(value: Fraction) -> Term:
    return z3.RealVal(f"{value.numerator}/{value.denominator}")


def real_zero() -> Term:
    return z3.RealVal(0)


def literal(term: Term) -> int | None:
    """The value of an integer numeral."""
    node = pointers.address(term)
    if pointers.operator(node) != z3.Z3_OP_ANUM or pointers.sort_kind(node) != z3.Z3_INT_SORT:
        return None
    return int(pointers.numeral(node))


def as_real(term: Term) -> Term:
    """An integer among the real numbers."""
    value = literal(term)
    return z3.ToReal(term) if value is None else real(Fraction(value))


def truth(value: bool) -> Term:
    return terms.TRUE if value else terms.FALSE


# Integers and reals


def add(left: Term, right: Term) -> Term:
    """x + c is kept with its constant last, so that sums of constants meet."""
    if literal(left) is not None:
        left, right = right, left
    constant = literal(right)
    if constant is None:
        return left + right
    known = literal(left)
    if known is not None:
        return terms.integer(known + constant)
    if z3.is_add(left) and left.num_args() == 2 and (inner := literal(left.arg(1))) is not None:
        return add(left.arg(0), terms.integer(inner + constant))
    return left + right if constant else left


def subtract(left: Term, right: Term) -> Term:
    constant = literal(right)
    if constant is not None:
        return add(left, terms.integer(-constant))
    return terms.integer(0) if terms.is_integer(left) and terms.same(left, right) else left - right


def negate(term: Term) -> Term:
    value = literal(term)
    if value is not None:
        return terms.integer(-value)
    return term.arg(0) if z3.is_app_of(term, z3.Z3_OP_UMINUS) else -term


def multiply(left: Term, right: Term) -> Term:
    """A constant factor stands first."""
    if literal(right) is not None:
        left, right = right, left
    factor, known = literal(left), literal(right)
    if factor is None:
        return left * right
    if known is not None:
        return terms.integer(factor * known)
    if factor == 0:
        return left
    return right if factor == 1 else left * right


def divide(left: Term, right: Term) -> Term:
    """SMT-LIB's `div`, whose remainder is never negative; of reals, the quotient."""
    x, y = literal(left), literal(right)
    if y == 1:
        return left
    if x is not None and y:
        return terms.integer(x // y if y > 0 else -(x // -y))
    return left / right


def modulo(left: Term, right: Term) -> Term:
    """SMT-LIB's `mod`: the remainder of `divide`."""
    x, y = literal(left), literal(right)
    if x is not None and y:
        return terms.integer(x % abs(y))
    return terms.integer(0) if y == 1 else left % right


# Comparisons


def equal(left: Term, right: Term) -> Term:
    if terms.same(left, right):
        return terms.TRUE
    if terms.is_boolean(left):
        for one, other in ((left, right), (right, left)):
            if terms.is_true(one):
                return other
            if terms.is_false(one):
                return terms.negation(other)
    elif _are_different(left, right):
        return terms.FALSE
    return equation(left, right)


def equation(left: Term, right: Term) -> Term:
    """left = right as it stands. Python would let the more special of the two classes build it, the other way round."""
    return z3.ExprRef.__eq__(left, right)


def _are_different(left: Term, right: Term) -> bool:
    """Two scalar values that are not one; arrays are values in more than one form."""
    return not terms.is_array(left) and terms.is_value(left) and terms.is_value(right)


def unequal(left: Term, right: Term) -> Term:
    return terms.negation(equal(left, right))


def at_most(left: Term, right: Term) -> Term:
    x, y = literal(left), literal(right)
    if x is not None and y is not None:
        return truth(x <= y)
    return terms.TRUE if terms.same(left, right) else not_more(left, right)


def not_more(left: Term, right: Term) -> Term:
    """left ≤ right as it stands."""
    return z3.ArithRef.__le__(left, right)


def not_less(left: Term, right: Term) -> Term:
    """left ≥ right as it stands."""
    return z3.ArithRef.__ge__(left, right)


def more(left: Term, right: Term) -> Term:
    """left > right as it stands."""
    return z3.ArithRef.__gt__(left, right)


def less(left: Term, right: Term) -> Term:
    x, y = literal(left), literal(right)
    if x is not None and y is not None:
        return truth(x < y)
    return terms.FALSE if terms.same(left, right) else z3.ArithRef.__lt__(left, right)


_COMPARISONS = {z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}


def comparison(atom: Term) -> tuple[str, Term, Term] | None:
    """The sign (<=, < or =) and both sides, if the atom compares integers; ≥ and > are turned round."""
    sign = _COMPARISONS.get(pointers.operator(pointers.address(atom)))
    if sign is None:
        return None
    left, right = terms.children(atom)
    if not terms.is_integer(left):
        return None
    return (sign, left, right) if sign[0] != ">" else (sign.replace(">", "<"), right, left)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if terms.is_true(condition) or terms.same(then, otherwise):
        return then
    if terms.is_false(condition):
        return otherwise
    if terms.is_boolean(then) and (terms.is_value(then) or terms.is_value(otherwise)):
        return _boolean_ite(condition, then, otherwise)
    if terms.is_not(condition):
        return terms.ite(terms.negation(condition), otherwise, then)
    return terms.ite(condition, then, otherwise)


def _boolean_ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if terms.is_true(then):
        return terms.disjunction([condition, otherwise])
    if terms.is_false(then):
        return terms.conjunction([terms.negation(condition), otherwise])
    if terms.is_true(otherwise):
        return terms.disjunction([terms.negation(condition), then])
    return terms.conjunction([condition, then])


def implies(left: Term, right: Term) -> Term:
    return terms.disjunction([terms.negation(left), right])


# Arrays


def select(array: Term, index: Term) -> Term:
    """The element; looked up through stores as long as indices are values."""
    while z3.is_store(array):
        below, place, value = array.children()
        if terms.same(place, index):
            return value
        if not (terms.is_value(place) and terms.is_value(index)):
            break
        array = below
    return array.arg(0) if z3.is_K(array) else z3.Select(array, index)


def store(array: Term, index: Term, value: Term) -> Term:
    return z3.Store(array, index, value)


def filled(index: Sort, value: Term) -> Term:
    return z3.K(index, value)


def array_entries(value: Term) -> tuple[dict[Term, Term], Term] | None:
    """The stores over a constant array, by index, and the element everywhere else; None if it is no such array."""
    entries: dict[Term, Term] = {}
    while z3.is_store(value):
        below, index, element = value.children()
        entries.setdefault(index, element)
        value = below
    return (entries, value.arg(0)) if z3.is_K(value) else None


# Bit-vectors


def is_bitvector(term: Term) -> bool:
    return pointers.sort_kind(pointers.address(term)) == z3.Z3_BV_SORT


def width(term: Term) -> int:
    return pointers.width(pointers.address(term))


@lru_cache(maxsize=4096)
def bits(value: int, size: int) -> Term:
    return z3.BitVecVal(value, size)


def bits_of(number: Term, size: int) -> Term:
    """An integer modulo 2 to the power of the size."""
    value = literal(number)
    return z3.Int2BV(number, size) if value is None else bits(value % (1 << size), size)


def bits_literal(term: Term) -> int | None:
    """The value of a bit-vector literal, read as unsigned."""
    node = pointers.address(term)
    return int(pointers.numeral(node)) if pointers.operator(node) == z3.Z3_OP_BNUM else None


def extend(term: Term, size: int, signed: bool) -> Term:
    """The same number in `size` bits, which are at least as many."""
    more = size - width(term)
    if not more:
        return term
    value = bits_literal(term)
    if value is not None:
        return bits(value - (1 << width(term)) if signed and value >> (width(term) - 1) else value, size)
    return pointers.sign_extended(term, more) if signed else pointers.zero_extended(term, more)


def truncate(term: Term, size: int) -> Term:
    """The lowest bits."""
    if width(term) == size:
        return term
    value = bits_literal(term)
    return pointers.low_bits(term, size) if value is None else bits(value, size)


BIT_OPERATIONS: dict[str, Callable[[Term, Term], Term]] = {
    sign: pointers.bit_operation(f"Z3_mk_bv{name}")
    for sign, name in (
        ("+", "add"),
        ("-", "sub"),
        ("*", "mul"),
        ("&", "and"),
        ("|", "or"),
        ("^", "xor"),
        ("<<", "shl"),
        ("signed /", "sdiv"),
        ("signed %", "srem"),
        ("signed >>", "ashr"),
        ("signed <", "slt"),
        ("signed <=", "sle"),
        ("unsigned /", "udiv"),
        ("unsigned %", "urem"),
        ("unsigned >>", "lshr"),
        ("unsigned <", "ult"),
        ("unsigned <=", "ule"),
    )
}
"""By C's sign, with the signedness where it matters; division and remainder truncate towards zero."""


def bit_operation(name: str, left: Term, right: Term) -> Term:
    result = BIT_OPERATIONS[name](left, right)
    return terms.simplify(result) if terms.is_value(left) and terms.is_value(right) else result


def complement(term: Term) -> Term:
    return ~term


def as_integer(term: Term, signed: bool) -> Term:
    """The number that the bits stand for."""
    value = bits_literal(term)
    if value is not None:
        return terms.integer(value - (1 << width(term)) if signed and value >> (width(term) - 1) else value)
    return z3.BV2Int(term, is_signed=signed)


def from_integer(term: Term, size: int) -> Term:
    """The lowest bits of an integer in two's complement."""
    value = literal(term)
    return z3.Int2BV(term, size) if value is None else bits(value, size)


def compares(term: Term) -> bool:
    """A sum, a comparison, a choice or an access: what numbers are added to, compared with or passed through.

    In a product, or as a divisor, a number is a scale.
    """
    return pointers.operator(pointers.address(term)) in _COMPARING


_COMPARING = (
    *(z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ, z3.Z3_OP_ITE),
    *(z3.Z3_OP_DISTINCT, z3.Z3_OP_SELECT, z3.Z3_OP_STORE),
)


def taken_apart(literal: Term) -> tuple[str, Term, Term, int] | None:
    """A comparison of integers, or the negation of one: left + more ≤ right, or = or ≠ of both; None for others."""
    negated = terms.is_not(literal)
    found = comparison(terms.negation(literal) if negated else literal)
    if found is None:
        return None
    sign, left, right = found
    if sign == "=":
        return ("≠" if negated else "="), left, right, 0
    strict = sign == "<"
    return ("≤", right, left, int(not strict)) if negated else ("≤", left, right, int(strict))
