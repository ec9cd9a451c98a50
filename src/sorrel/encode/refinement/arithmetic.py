"""Operations on numbers, as terms."""

from __future__ import annotations

from sorrel.functional.operator import Operator
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term

_ZERO = terms.integer(0)
_BINARY = {
    Operator.ADD: operations.add,
    Operator.SUBTRACT: operations.subtract,
    Operator.MULTIPLY: operations.multiply,
}
_ORDER = {
    Operator.LESS: operations.less,
    Operator.AT_MOST: operations.at_most,
    Operator.GREATER: lambda left, right: operations.less(right, left),
    Operator.AT_LEAST: lambda left, right: operations.at_most(right, left),
    Operator.EQUAL: operations.equal,
    Operator.DIFFERENT: operations.unequal,
}


def arithmetic(operator: Operator, given: list[Term]) -> Term:
    """Exact results; division truncates and is never by zero here."""
    if operator is Operator.NEGATE:
        return operations.negate(given[0])
    if operator is Operator.COUNT_UP:
        return operations.add(given[0], terms.integer(1))
    if operator is Operator.COUNT_DOWN:
        return operations.subtract(given[0], terms.integer(1))
    left, right = given
    if operator in _BINARY:
        return _BINARY[operator](left, right)
    quotient = _quotient(left, right)
    if operator is Operator.DIVIDE:
        return quotient
    return operations.subtract(left, operations.multiply(right, quotient))


def _quotient(left: Term, right: Term) -> Term:
    """Rounded towards zero, where SMT-LIB's division rounds so that the remainder is not negative."""
    down = operations.divide(left, right)
    mirrored = operations.negate(operations.divide(operations.negate(left), right))
    return operations.ite(operations.at_most(_ZERO, left), down, mirrored)


def comparison(operator: Operator, left: Term, right: Term) -> Term:
    """Of numbers; of truth values, where false is less than true."""
    if terms.is_boolean(left) and operator not in (Operator.EQUAL, Operator.DIFFERENT):
        one = terms.integer(1)
        left, right = operations.ite(left, one, _ZERO), operations.ite(right, one, _ZERO)
    return _ORDER[operator](left, right)


def remainder_facts(left: Term, right: Term, remainder: Term) -> list[Term]:
    """Of a remainder by something that is not zero: it is smaller, and has the sign of what was divided or is zero."""
    size = operations.ite(operations.at_most(_ZERO, right), right, operations.negate(right))
    above, below = operations.at_most(_ZERO, left), operations.at_most(left, _ZERO)
    return [
        operations.implies(above, _between(_ZERO, remainder, left)),
        operations.implies(below, _between(left, remainder, _ZERO)),
        operations.less(remainder, size),
        operations.less(operations.negate(size), remainder),
    ]


def quotient_facts(left: Term, right: Term, quotient: Term) -> list[Term]:
    """Of a quotient by something that is not zero: it is no larger than what was divided; signs multiply."""
    above, below = operations.at_most(_ZERO, left), operations.at_most(left, _ZERO)
    positive = operations.less(_ZERO, right)
    opposite = operations.negate(left)
    return [
        operations.implies(terms.conjunction([above, positive]), _between(_ZERO, quotient, left)),
        operations.implies(terms.conjunction([below, positive]), _between(left, quotient, _ZERO)),
        operations.implies(terms.conjunction([above, terms.negation(positive)]), _between(opposite, quotient, _ZERO)),
        operations.implies(terms.conjunction([below, terms.negation(positive)]), _between(_ZERO, quotient, opposite)),
    ]


def _between(low: Term, middle: Term, high: Term) -> Term:
    return terms.conjunction([operations.at_most(low, middle), operations.at_most(middle, high)])
