"""Clauses without nonlinear operations: weaker ones, so that whatever is inductive for them is so for the system.

Two ways to say less than an operation does. As a *function* that nothing is known of, except that products do not
depend on their order: equal operands give equal results, which is what contracts about information flow need. As a
*variable* that is bounded by linear facts: what is learned then speaks of the formals alone, in linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.operations import literal
from sorrel.logic.terms import Sort, Term
from sorrel.smt.foreign import nonlinear_terms
from sorrel.smt.weaker import StandIn, formulas, mentions, weaker, weaker_clause

MOST_COMPARED, MOST_ENDS = 6, 3
"""Products of one clause that another one is compared with; numbers that a factor is."""


def without_nonlinear(system: HornSystem) -> HornSystem:
    """Functions in place of nonlinear operations."""
    return weaker(system, nonlinear_terms, lambda clause: _function)


def exact_queries(system: HornSystem) -> list[Clause]:
    """The queries with the operations that they have, each beside the function that stands for it.

    For those who look for summaries without nonlinear operations and find that a query needs what they mean: it is
    satisfiable exactly if the query of the system is. Without nonlinear operations in queries there are none.
    """
    found = [query for query in system.queries if any(map(nonlinear_terms, formulas(query)))]
    return [_beside_functions(query) if query in found else query for query in system.queries] if found else []


def _beside_functions(query: Clause) -> Clause:
    without = weaker_clause(query, nonlinear_terms, _function)
    constraint = terms.conjunction([query.constraint, without.constraint])
    return Clause(f"{query.name}!exact", None, query.body, constraint, query.origin)


def linear(system: HornSystem) -> HornSystem:
    """Bounded variables in place of nonlinear operations."""
    return weaker(system, nonlinear_terms, lambda clause: _Variables(clause).stand_in)


def unbounded(system: HornSystem) -> HornSystem:
    """The same variables, and nothing is known of them: what clauses compare is what they say themselves."""

    def choose(clause: Clause) -> StandIn:
        made = _Variables(clause)
        return lambda term: (made.stand_in(term)[0], [])

    return weaker(system, nonlinear_terms, choose)


def is_nonlinear(system: HornSystem) -> bool:
    return mentions(system, nonlinear_terms)


def _function(term: Term) -> tuple[Term, list[Term]]:
    operands = terms.children(term)
    function = terms.declare(
        f"{terms.name_of(term)}!{len(operands)}", [terms.sort_of(o) for o in operands], terms.sort_of(term)
    )
    value = terms.apply(function, operands)
    commutes = terms.name_of(term) == "*" and len(operands) == 2
    return value, [terms.equal(value, terms.apply(function, operands[::-1]))] if commutes else []


class _Variables:
    """Variables of one clause: the same operation on the same operands is the same variable."""

    def __init__(self, clause: Clause) -> None:
        self._names = Names(terms.name_of(v) for v in clause.variables)
        self._ends = _ends(clause.constraint)
        self._made: list[tuple[str, Sequence[Term], Term]] = []

    def stand_in(self, term: Term) -> tuple[Term, list[Term]]:
        operands = terms.children(term)
        if terms.name_of(term) == "*":
            return self._product(operands)
        value = self._variable(terms.name_of(term), operands, terms.sort_of(term))
        return value, _quotient_facts(terms.name_of(term), value, operands)

    def _product(self, factors: Sequence[Term]) -> tuple[Term, list[Term]]:
        """Factors two at a time, in an order that does not depend on how they were written."""
        total, *others = sorted(factors, key=terms.identity)
        facts: list[Term] = []
        for factor in others:
            if terms.is_value(total) or terms.is_value(factor):
                total = total * factor
                continue
            pair = sorted((total, factor), key=terms.identity)
            others_made = [(those, value) for known, those, value in self._made if known == "*"][-MOST_COMPARED:]
            total = self._variable("*", pair, terms.sort_of(factor))
            facts += _product_facts(total, *pair)
            for one, other in (pair, pair[::-1]):
                facts += _within(total, one, other, self._ends.get(one.get_id(), ()))
            for those, value in others_made:
                facts += _grows(total, pair, value, those)
        return total, facts

    def _variable(self, operation: str, operands: Sequence[Term], sort: Sort) -> Term:
        for known, those, value in self._made:
            if known == operation and len(those) == len(operands) and all(map(terms.same, those, operands)):
                return value
        value = self._names.variable("product" if operation == "*" else "result", sort)
        self._made.append((operation, operands, value))
        return value


def _ends(constraint: Term) -> dict[int, list[int]]:
    """Numbers that integers are compared with, by their identity: the largest ones."""
    found: dict[int, set[int]] = {}
    for term in walk.subterms(constraint):
        if terms.is_comparison(term):
            for one, other in (terms.children(term), terms.children(term)[::-1]):
                number = literal(other) if terms.is_integer(one) else None
                if number is not None and not terms.is_value(one):
                    found.setdefault(one.get_id(), set()).add(number)
    return {key: sorted(values, key=abs)[-MOST_ENDS:] for key, values in found.items()}


def _within(value: Term, one: Term, other: Term, ends: Sequence[int]) -> Iterator[Term]:
    """Of an integer product: a·b ≤ c·b where a ≤ c and b is not negative, and from below (McCormick, 1976)."""
    for end in ends if terms.is_integer(value) else ():
        number = terms.integer(end)
        for premise, fact in ((one <= number, value <= number * other), (one >= number, value >= number * other)):
            yield terms.implication(terms.conjunction([other >= 0, premise]), fact)


def _grows(value: Term, factors: Sequence[Term], other: Term, others: Sequence[Term]) -> Iterator[Term]:
    """Of two integer products with a common factor c that is not negative: a·c + c ≤ b·c where a < b."""
    if not terms.is_integer(value) or terms.same(value, other):
        return
    for mine, common in (factors, factors[::-1]):
        for theirs, shared in (others, others[::-1]):
            if terms.same(common, shared):
                for less, product, more, larger in ((mine, value, theirs, other), (theirs, other, mine, value)):
                    premise = terms.conjunction([common >= 0, less < more])
                    yield terms.implication(premise, product + common <= larger)


def _product_facts(value: Term, left: Term, right: Term) -> list[Term]:
    """Signs, and factors 0, 1 and -1; for integers, that a product is no smaller than its factors."""
    zero = terms.default_value(terms.sort_of(value))
    if terms.same(left, right):
        facts = [value >= 0, terms.implication(terms.equal(value, zero), terms.equal(left, value))]
        return [*facts, value >= left, value >= -left] if terms.is_integer(value) else facts
    facts = [
        terms.equal(terms.equal(value, zero), terms.disjunction([terms.equal(left, zero), terms.equal(right, zero)])),
        *(
            terms.implication(terms.equal(one, number), terms.equal(value, sign * other))
            for one, other in ((left, right), (right, left))
            for number, sign in ((zero + 1, 1), (zero - 1, -1))
        ),
    ]
    for one, first in ((left, 1), (-left, -1)):
        for other, second in ((right, 1), (-right, -1)):
            positive = terms.conjunction([one > 0, other > 0])
            result = first * second * value
            facts.append(terms.implication(positive, result > 0))
            if terms.is_integer(value):
                facts.append(terms.implication(positive, terms.conjunction([result >= one, result >= other])))
    return facts


def _quotient_facts(operation: str, value: Term, operands: Sequence[Term]) -> list[Term]:
    """SMT-LIB's div and mod by a divisor that is not zero; nothing is said of other operations."""
    if operation not in ("div", "mod") or len(operands) != 2:
        return []
    dividend, divisor = operands
    zero = terms.integer(0)
    if operation == "mod":
        below = terms.disjunction([value < divisor, value < -divisor])
        small = terms.implication(dividend >= 0, value <= dividend)
        return [terms.implication(terms.distinct(divisor, zero), fact) for fact in (value >= 0, below, small)]
    natural = terms.conjunction([dividend >= 0, divisor > 0])
    return [
        terms.implication(natural, terms.conjunction([value >= 0, value <= dividend])),
        terms.implication(terms.conjunction([natural, dividend < divisor]), terms.equal(value, zero)),
        terms.implication(terms.conjunction([natural, dividend >= divisor]), value >= 1),
        terms.implication(terms.equal(divisor, zero + 1), terms.equal(value, dividend)),
    ]
