"""Integers as sums of products: Σ cᵢ · x · y · … over terms that are neither sums nor products."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

import z3

from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Monomial:
    """A number times a product, which is 1 if there are no factors."""

    number: int
    factors: tuple[Term, ...]

    @property
    def key(self) -> tuple[int, ...]:
        return tuple(sorted(map(terms.identity, self.factors)))

    def without(self, others: Iterable[Term]) -> tuple[Term, ...] | None:
        """The factors but for these; None if they are not among them."""
        left = list(self.factors)
        for other in others:
            found = next((i for i, each in enumerate(left) if terms.same(each, other)), None)
            if found is None:
                return None
            del left[found]
        return tuple(left)

    def term(self) -> Term:
        return operations.multiply(terms.integer(self.number), product(self.factors))


Polynomial = Mapping[tuple[int, ...], Monomial]
"""By their factors; none has the number 0."""


def expanded(term: Term) -> Term:
    """Equal integers, as far as multiplication tells, as one term."""
    if not terms.is_integer(term):
        return terms.simplify(term)
    # The first round leaves factors that are 1.
    return z3.simplify(z3.simplify(term, som=True), som=True)


def polynomial(term: Term) -> Polynomial:
    """An integer taken apart."""
    whole = expanded(term)
    found: dict[tuple[int, ...], Monomial] = {}
    for part in terms.children(whole) if z3.is_add(whole) else [whole]:
        factors = _factors(part)
        number = 1
        for value in map(operations.literal, factors):
            number *= 1 if value is None else value
        one = Monomial(number, tuple(f for f in factors if operations.literal(f) is None))
        before = found.get(one.key)
        found[one.key] = Monomial(number + (before.number if before else 0), one.factors)
    return {key: each for key, each in found.items() if each.number}


def _factors(term: Term) -> list[Term]:
    found, stack = [], [term]
    while stack:
        part = stack.pop()
        if z3.is_mul(part):
            stack.extend(reversed(terms.children(part)))
        else:
            found.append(part)
    return found


def product(factors: Iterable[Term]) -> Term:
    result = terms.integer(1)
    for factor in factors:
        result = operations.multiply(result, factor)
    return result


def total(monomials: Iterable[Monomial]) -> Term:
    result = terms.integer(0)
    for each in monomials:
        result = operations.add(result, each.term())
    return result


def rows(left: Term, right: Term) -> tuple[Term, Term, Term] | None:
    """The difference of two integers as length · row + column, where that is a product; all of them are linear."""
    difference = _reduced(left, right)
    products = [each for each in difference if len(each.factors) > 1]
    for length in products[0].factors if products else ():
        found = [each.without([length]) for each in products]
        if all(factors is not None and len(factors) == 1 for factors in found):
            # A factor alone is a row, too: n · (i + 1) has become n · i + n.
            divided = [(each, each.without([length])) for each in difference]
            row = total(Monomial(each.number, factors) for each, factors in divided if factors is not None)
            return length, row, total(each for each, factors in divided if factors is None)
    return None


def _reduced(left: Term, right: Term) -> list[Monomial]:
    """The difference, without a common divisor."""
    difference = list(polynomial(operations.subtract(left, right)).values())
    divisor = gcd(*(each.number for each in difference))
    return [Monomial(each.number // divisor, each.factors) for each in difference]


def equation(left: Term, right: Term) -> Term:
    """Whether two integers are equal, without a common divisor; true or false where their difference tells."""
    reduced = _reduced(left, right)
    if gcd(*(each.number for each in reduced if each.factors)) != 1:
        return operations.truth(not reduced)  # nothing but a constant, or what does not divide it
    positive = [each for each in reduced if each.number > 0]
    negative = [Monomial(-each.number, each.factors) for each in reduced if each.number < 0]
    return terms.equal(total(positive), total(negative))
