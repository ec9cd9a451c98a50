"""&, | and ^ of machine integers that are read as mathematical ones.

With a constant they are division and remainder by powers of two; of small operands they are taken bit by bit; the
rest becomes a variable within bounds that every such result keeps (Warren, Hacker's Delight, 2-1 and 4-3).
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.encode.knowledge import Interval
from sorrel.encode.scope import Scope
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.program.expression import Operator
from sorrel.program.types import Machine

MOST_RUNS = 4
"""A mask with at most so many runs of ones is taken apart."""
MOST_BITS = 8
"""Operands with at most so many bits are taken apart bit by bit."""


def binary(scope: Scope, operator: Operator, left: Term, right: Term, type: Machine) -> Term:
    """Of two's complement numbers, of any width: x | y = x + y - (x & y) and x ^ y = x + y - 2 (x & y)."""
    both = _conjunction(scope, left, right)
    if both is None:
        return _abstracted(scope, operator, left, right, type)
    if operator is Operator.BIT_AND:
        result = both
    else:
        twice = terms.integer(1 if operator is Operator.BIT_OR else 2)
        result = operations.subtract(operations.add(left, right), operations.multiply(twice, both))
    scope.knowledge.note(result, Interval(type.smallest, type.largest))
    high = _bits(scope, left, right)
    if high is not None:
        scope.knowledge.note(result, Interval(0, (1 << high) - 1))
    return result


def _conjunction(scope: Scope, left: Term, right: Term) -> Term | None:
    """x & y, if it can be expressed."""
    if operations.literal(left) is not None:
        left, right = right, left
    mask = operations.literal(right)
    if mask is not None:
        return _masked(scope, left, mask)
    if terms.same(left, right):
        return left
    count = _bits(scope, left, right)
    if count is None or count > MOST_BITS:
        return None
    result = terms.integer(0)
    for bit in range(count):
        set_ = terms.conjunction([_bit(left, bit, count), _bit(right, bit, count)])
        result = operations.add(result, operations.ite(set_, terms.integer(1 << bit), terms.integer(0)))
    return result


def _bits(scope: Scope, left: Term, right: Term) -> int | None:
    """How many bits both operands fit in, if neither is negative."""
    both = scope.knowledge.of(left).hull(scope.knowledge.of(right))
    return both.high.bit_length() if both.low is not None and both.low >= 0 and both.high is not None else None


def _bit(term: Term, bit: int, count: int) -> Term:
    """Is the bit set in a number of `count` bits?"""
    shifted = operations.divide(term, terms.integer(1 << bit))
    if bit < count - 1:
        shifted = operations.modulo(shifted, terms.integer(2))
    return operations.equal(shifted, terms.integer(1))


def _masked(scope: Scope, term: Term, mask: int) -> Term | None:
    """x & mask. A negative mask takes away the bits of its complement, which is not negative."""
    runs = list(_runs(mask if mask >= 0 else ~mask))
    if len(runs) > MOST_RUNS:
        return None
    known = scope.knowledge.of(term)
    result = terms.integer(0)
    for low, high in runs:
        result = operations.add(result, _slice(term, low, high, known))
    return result if mask >= 0 else operations.subtract(term, result)


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The runs of ones: from bit `low` up to, not including, `high`."""
    position = 0
    while mask >> position:
        if not mask >> position & 1:
            position += 1
            continue
        low = position
        while mask >> position & 1:
            position += 1
        yield low, position


def _slice(term: Term, low: int, high: int, known: Interval) -> Term:
    """The bits of the term from `low` to `high`, in their place."""
    fits = known.low is not None and known.low >= 0 and known.high is not None and known.high < 1 << high
    cut = term if fits else operations.modulo(term, terms.integer(1 << high))
    return operations.multiply(terms.integer(1 << low), operations.divide(cut, terms.integer(1 << low)))


def _abstracted(scope: Scope, operator: Operator, left: Term, right: Term, type: Machine) -> Term:
    result = scope.abstract("bits", terms.INT, f"the bits of {operator} between two variables")
    for fact in _bounds(operator, left, right, result):
        scope.assume(fact)
    interval = Interval(type.smallest, type.largest)
    high = _bits(scope, left, right)
    if high is not None:
        interval = interval.meet(Interval(0, (1 << high) - 1))
    if interval.low is not None and interval.high is not None:
        scope.assume(operations.at_most(terms.integer(interval.low), result))
        scope.assume(operations.at_most(result, terms.integer(interval.high)))
    return result


def _bounds(operator: Operator, left: Term, right: Term, result: Term) -> list[Term]:
    """What every result keeps: its sign, and that `&` takes bits away while `|` adds them."""
    zero = terms.integer(0)
    x, y, r = (operations.less(term, zero) for term in (left, right, result))
    sum_ = operations.add(left, right)
    not_x, not_y = terms.negation(x), terms.negation(y)
    match operator:
        case Operator.BIT_AND:
            return [
                operations.equal(r, terms.conjunction([x, y])),
                operations.implies(terms.disjunction([not_x, y]), operations.at_most(result, left)),
                operations.implies(terms.disjunction([not_y, x]), operations.at_most(result, right)),
            ]
        case Operator.BIT_OR:
            return [
                operations.equal(r, terms.disjunction([x, y])),
                operations.implies(terms.disjunction([x, not_y]), operations.at_most(left, result)),
                operations.implies(terms.disjunction([y, not_x]), operations.at_most(right, result)),
                operations.implies(terms.conjunction([not_x, not_y]), operations.at_most(result, sum_)),
            ]
        case _:
            return [
                operations.equal(r, operations.unequal(x, y)),
                operations.implies(terms.conjunction([not_x, not_y]), operations.at_most(result, sum_)),
                operations.equal(operations.equal(result, zero), operations.equal(left, right)),
            ]
