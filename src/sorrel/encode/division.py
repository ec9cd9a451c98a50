"""Division towards zero over integers, and division of reals.

SMT-LIB leaves division by zero open, and Spacer therefore refuses division by anything but a number. By a variable it
is said with multiplication: x = y·q + r, where r is nearer to zero than y and has the sign of x. There is exactly one
such pair of q and r if y is not zero, so nothing is abstracted.
"""

from __future__ import annotations

from sorrel.encode.knowledge import Interval
from sorrel.encode.scope import Scope
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term


def truncated(scope: Scope, left: Term, right: Term, *, remainder: bool) -> Term:
    """The quotient, or the remainder, of integers; that the divisor is not zero is assumed."""
    scope.assume(operations.unequal(right, terms.integer(0)))
    here, there = scope.knowledge.of(left), scope.knowledge.of(right)
    by_number = operations.literal(right) is not None
    result = (_by_number if by_number else _by_variable)(scope, left, right, remainder)
    scope.knowledge.note(result, _remainder(here, there) if remainder else _quotient(here))
    return result


def _by_number(scope: Scope, left: Term, right: Term, remainder: bool) -> Term:
    """SMT-LIB's remainder is never negative: for x ≥ 0 both divisions agree, whatever the divisor's sign."""
    form = operations.modulo if remainder else operations.divide
    low = scope.knowledge.of(left).low
    if low is not None and low >= 0:
        return form(left, right)
    downward = operations.negate(form(operations.negate(left), right))
    return operations.ite(operations.at_most(terms.integer(0), left), form(left, right), downward)


def _by_variable(scope: Scope, left: Term, right: Term, remainder: bool) -> Term:
    quotient, rest = scope.division(left, right)
    zero = terms.integer(0)
    product = operations.multiply(right, quotient)
    # Not as x = y·q + r: x would be substituted away, and its places become products.
    scope.assume(operations.equal(operations.subtract(left, rest), product))
    for positive, dividend, its_rest in ((True, left, rest), (False, operations.negate(left), operations.negate(rest))):
        case = operations.at_most(zero, left) if positive else operations.less(left, zero)
        if scope.knowledge.decide(case) is False:
            continue
        scope.assume(operations.implies(case, operations.at_most(zero, its_rest)))
        scope.assume(operations.implies(case, operations.at_most(its_rest, dividend)))
        for divisor in (right, operations.negate(right)):
            sign = operations.less(zero, divisor) if divisor is right else operations.less(right, zero)
            if scope.knowledge.decide(sign) is not False:
                both = terms.conjunction([case, sign])
                scope.assume(operations.implies(both, operations.less(its_rest, divisor)))
    return rest if remainder else quotient


def real(scope: Scope, left: Term, right: Term) -> Term:
    scope.assume(operations.unequal(right, operations.real_zero()))
    if terms.is_value(right):
        return operations.divide(left, right)
    quotient, _ = scope.division(left, right)
    scope.assume(operations.equal(operations.multiply(right, quotient), left))
    return quotient


def _quotient(dividend: Interval) -> Interval:
    """A quotient is not farther from zero than the dividend."""
    if dividend.low is None or dividend.high is None:
        return Interval(None, None)
    most = max(abs(dividend.low), abs(dividend.high))
    return Interval(-most, most)


def _remainder(dividend: Interval, divisor: Interval) -> Interval:
    """The remainder has the sign of the dividend, is not farther from zero than it, and nearer than the divisor."""
    low = None if dividend.low is None else min(dividend.low, 0)
    high = None if dividend.high is None else max(dividend.high, 0)
    found = Interval(low, high)
    if divisor.low is not None and divisor.high is not None:
        most = max(abs(divisor.low), abs(divisor.high)) - 1
        found = found.meet(Interval(-most, most))
    return found
