"""Linear integer atoms in a normal form: Σ aᵢ·xᵢ + c compared with zero, over terms that are not linear themselves."""

from __future__ import annotations

from math import gcd

import z3

from sorrel.logic import operations, pointers, terms
from sorrel.logic.pointers import Pointer
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """`terms` by identity, each with its coefficient, which is not zero."""

    terms: dict[int, tuple[Term, int]]
    constant: int

    def scaled(self, factor: int) -> Sum:
        return Sum({k: (t, a * factor) for k, (t, a) in self.terms.items()}, self.constant * factor)

    def same_terms(self, other: Sum) -> bool:
        mine = {k: a for k, (_, a) in self.terms.items()}
        return mine == {k: a for k, (_, a) in other.terms.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """sum ≤ 0, sum = 0 or sum ≠ 0, with coefficients that have no common divisor."""

    sign: str
    sum: Sum


def linear(term: Term) -> Sum:
    """The term as a sum."""
    found: dict[Pointer, int] = {}
    constant = 0
    stack = [(pointers.address(term), 1)]
    while stack:
        node, factor = stack.pop()
        kind = pointers.operator(node)
        if kind == z3.Z3_OP_ANUM and (value := _literal(node)) is not None:
            constant += factor * value
        elif kind == z3.Z3_OP_ADD:
            stack.extend((child, factor) for child in pointers.arguments(node))
        elif kind == z3.Z3_OP_SUB:
            first, *others = pointers.arguments(node)
            stack.append((first, factor))
            stack.extend((child, -factor) for child in others)
        elif kind == z3.Z3_OP_UMINUS:
            stack.append((pointers.arguments(node)[0], -factor))
        elif kind == z3.Z3_OP_MUL and (split := _constant_factor(node)) is not None:
            stack.append((split[1], factor * split[0]))
        else:
            found[node] = found.get(node, 0) + factor
    return Sum({node: (pointers.term(node), factor) for node, factor in found.items() if factor}, constant)


def _literal(node: Pointer) -> int | None:
    return int(pointers.numeral(node)) if pointers.sort_kind(node) == z3.Z3_INT_SORT else None


def _constant_factor(product: Pointer) -> tuple[int, Pointer] | None:
    """A product of a number and one other term."""
    factors = pointers.arguments(product)
    if len(factors) != 2:
        return None
    for one, other in (factors, factors[::-1]):
        if pointers.operator(one) == z3.Z3_OP_ANUM and (value := _literal(one)) is not None:
            return value, other
    return None


def atom(literal: Term) -> Atom | None:
    """A comparison of integers, or the negation of one, in normal form; None for anything else."""
    found = operations.taken_apart(literal)
    if found is None:
        return None
    sign, left, right, more = found
    difference = linear(operations.subtract(left, right))
    return _reduced(sign, Sum(difference.terms, difference.constant + more))


def _reduced(sign: str, sum_: Sum) -> Atom:
    divisor = gcd(*(a for _, a in sum_.terms.values())) if sum_.terms else 0
    if divisor <= 1 or (sign != "≤" and sum_.constant % divisor):
        return Atom(sign, sum_)
    # Σ a·x ≤ -c over the integers: what divides all coefficients rounds the bound down.
    reduced = {k: (t, a // divisor) for k, (t, a) in sum_.terms.items()}
    return Atom(sign, Sum(reduced, -(-sum_.constant // divisor)))


def as_term(sum_: Sum) -> Term:
    """The sum, positive terms first and the constant last; 3 - x rather than -x + 3."""
    parts = sorted(sum_.terms.values(), key=lambda part: part[1] < 0)
    if parts and parts[0][1] < 0 < sum_.constant:
        result: Term | None = terms.integer(sum_.constant)
        sum_ = Sum(sum_.terms, 0)
    else:
        result = None
    for term, factor in parts:
        if result is None:
            result = operations.multiply(terms.integer(factor), term) if factor != -1 else operations.negate(term)
        elif factor > 0:
            result = result + operations.multiply(terms.integer(factor), term)
        else:
            result = result - operations.multiply(terms.integer(-factor), term)
    if result is None:
        return terms.integer(sum_.constant)
    if sum_.constant:
        amount = terms.integer(abs(sum_.constant))
        result = result + amount if sum_.constant > 0 else result - amount
    return result
