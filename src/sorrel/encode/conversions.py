"""Results that wrap round, as a person says them: (unsigned int)(a + b), not a + b less 2³² where it is too large."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.logic import linear, operations, terms, walk
from sorrel.logic.linear import Sum
from sorrel.logic.terms import Term
from sorrel.program.types import Machine, Type
from sorrel.smt.solver import Oracle, Unsat

WIDTHS = (8, 16, 32, 64)
"""Bits of types that have a name in C."""


def is_conversion(value: Term) -> bool:
    """Whether it is what a conversion to an unsigned type leaves of a number."""
    return _divisor(value) in {1 << bits for bits in WIDTHS}


def wraps(value: Term) -> bool:
    """Whether it is such a conversion, or a sum with a multiple of a remainder that is one: 8·(x mod 2²⁹) + 3."""
    sizes = {1 << bits for bits in WIDTHS}
    return any(abs(factor) * (_divisor(term) or 0) in sizes for term, factor in linear.linear(value).terms.values())


def with_conversions(table: Term, type: Type, background: Sequence[Term], oracle: Oracle) -> Term:
    """The table of an unsigned output, in which values that are the same but for a wrap are one."""
    if not isinstance(type, Machine) or type.signed or type.bits not in WIDTHS:
        return table
    output, value = terms.children(table)
    conditions: list[Term] = []
    values: list[Term] = []
    while terms.is_ite(value):
        condition, then, value = terms.children(value)
        conditions.append(condition)
        values.append(then)
    values.append(value)
    modulus = 1 << type.bits
    plain = [linear.as_term(_ordered(linear.linear(each))) for each in values]
    small = [linear.as_term(_reduced(each, modulus)) for each in values]
    wrapped = {terms.identity(new) for old, new in zip(plain, small, strict=True) if not terms.same(old, new)}
    said = [
        operations.modulo(new, terms.integer(modulus)) if terms.identity(new) in wrapped and _is_open(new) else old
        for old, new in zip(values, small, strict=True)
    ]
    return operations.equation(output, _chain(conditions, said, background, oracle)) if wrapped else table


def _is_open(value: Term) -> bool:
    return bool(walk.free_variables(value))


def _divisor(value: Term) -> int | None:
    return operations.literal(terms.children(value)[1]) if terms.is_modulo(value) else None


def _reduced(value: Term, modulus: int) -> Sum:
    """The same number but for multiples of the modulus: without remainders by it, and with small numbers."""
    found = Sum({}, 0)
    waiting = [(value, 1)]
    while waiting:
        term, factor = waiting.pop()
        sum_ = linear.linear(term).scaled(factor)
        # a·(t mod m) is a·t but for multiples of a·m.
        same = {k for k, (t, a) in sum_.terms.items() if _divisor(t) and a * (_divisor(t) or 0) % modulus == 0}
        found = _plus(found, Sum({k: v for k, v in sum_.terms.items() if k not in same}, sum_.constant))
        waiting += [(terms.children(t)[0], a) for k, (t, a) in sum_.terms.items() if k in same]
    small = {k: (t, _nearest(a, modulus)) for k, (t, a) in found.terms.items()}
    return _ordered(Sum({k: (t, a) for k, (t, a) in small.items() if a}, _nearest(found.constant, modulus)))


def _nearest(number: int, modulus: int) -> int:
    """The number of the same class that is nearest to zero."""
    return (number + modulus // 2 - 1) % modulus - (modulus // 2 - 1)


def _plus(one: Sum, other: Sum) -> Sum:
    found = dict(one.terms)
    for key, (term, factor) in other.terms.items():
        found[key] = (term, factor + (found[key][1] if key in found else 0))
    return Sum({k: (t, a) for k, (t, a) in found.items() if a}, one.constant + other.constant)


def _ordered(sum_: Sum) -> Sum:
    """Sums of the same terms as the same term; names come in the order of the alphabet."""
    return Sum(dict(sorted(sum_.terms.items(), key=lambda part: str(part[1][0]))), sum_.constant)


def _chain(conditions: Sequence[Term], said: Sequence[Term], background: Sequence[Term], oracle: Oracle) -> Term:
    """Without rows that say what is said in the end, where no row between applies to the same arguments."""
    *rows, last = said
    value = last
    kept: list[Term] = []
    for condition, then in reversed(list(zip(conditions, rows, strict=True))):
        if terms.same(then, last) and all(_apart(condition, other, background, oracle) for other in kept):
            continue
        kept.append(condition)
        value = terms.ite(condition, then, value)
    return value


def _apart(one: Term, other: Term, background: Sequence[Term], oracle: Oracle) -> bool:
    return isinstance(oracle.check(*background, one, other, kind="tidy"), Unsat)
