"""Machine integers as mathematical ones: unsigned exact, signed with or without the assumption of their range."""

from __future__ import annotations

from sorrel.encode import bitwise, division
from sorrel.encode.knowledge import Interval, exactly
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.logic import operations, terms
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError
from sorrel.program.expression import COMPARISONS, Operator, UnaryOperator
from sorrel.program.types import Boolean, Float, Machine, Real, Type, Unbounded

COMPUTED_BITS = 32
"""Signed types that are narrower hold what was converted to them: C and Java compute in wider ones. Where a program in
text form computes in them, that they stay within their types is part of the assumption that nothing overflows."""
MOST_CASES = 4
"""A value that can wrap around at most so often is brought back by comparisons, others by `mod`."""


class Integers(Semantics):
    """`ranged`: signed values are assumed in range; otherwise they may be any integer, which only adds runs.
    `wrapping`: results of signed operations are brought back into range, so that this is no assumption.

    The intervals of signed types are used in both readings to choose between forms of a term: those forms agree
    wherever the value is in range, and that is all that a run with a meaning needs.
    """

    def __init__(self, ranged: bool, wrapping: bool = False) -> None:
        self._ranged = ranged
        self._wrapping = wrapping

    def machine_sort(self, type: Machine) -> Sort:
        return terms.INT

    def machine_constant(self, value: int, type: Machine) -> Term:
        return terms.integer(value)

    def machine_value(self, term: Term, type: Machine) -> int:
        return int(terms.as_number(term) or 0)

    def index(self, scope: Scope, term: Term, type: Type) -> Term:
        return term

    def index_value(self, term: Term) -> int:
        return int(terms.as_number(term) or 0)

    def variable_value(self, scope: Scope, term: Term, type: Type) -> Term:
        return term

    def type_facts(self, term: Term, type: Type) -> list[Term]:
        if isinstance(type, Float):
            return self.floats.facts(term)
        if not isinstance(type, Machine) or (type.signed and type.bits >= COMPUTED_BITS and not self._ranged):
            return []
        return [
            operations.at_most(terms.integer(type.smallest), term),
            operations.at_most(term, terms.integer(type.largest)),
        ]

    def know_type(self, scope: Scope, term: Term, type: Type) -> None:
        if isinstance(type, Machine):
            scope.knowledge.note(term, _interval(type))

    def unary(self, scope: Scope, operator: UnaryOperator, operand: Term, type: Type) -> Term:
        known = scope.knowledge.of(operand)
        if operator is UnaryOperator.NEGATE:
            return self._result(scope, operations.negate(operand), known.negated(), type)
        if not isinstance(type, Machine):
            raise InternalError(f"the bits of a value of type {type} cannot be complemented")
        sum_ = -1 if type.signed else type.largest
        result = operations.subtract(terms.integer(sum_), operand)
        scope.knowledge.note(result, exactly(sum_).plus(known.negated()))
        return result

    def binary(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Type, right_type: Type) -> Term:
        if operator in COMPARISONS:
            return compare(operator, left, right)
        here, there = scope.knowledge.of(left), scope.knowledge.of(right)
        match operator:
            case Operator.ADD:
                return self._result(scope, operations.add(left, right), here.plus(there), type)
            case Operator.SUBTRACT:
                return self._result(scope, operations.subtract(left, right), here.plus(there.negated()), type)
            case Operator.MULTIPLY:
                return self._result(scope, operations.multiply(left, right), here.times(there), type)
            case Operator.DIVIDE | Operator.REMAINDER:
                return self._division(scope, operator, left, right, type)
        if not isinstance(type, Machine):
            raise InternalError(f"{operator} is for machine integers, not for {type}")
        if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT):
            return self._shift(scope, operator, left, right, type)
        return bitwise.binary(scope, operator, left, right, type)

    def _result(self, scope: Scope, exact: Term, interval: Interval, type: Type) -> Term:
        """What becomes of the exact result of an operation."""
        if not isinstance(type, Machine):
            scope.knowledge.note(exact, interval)
            return exact
        scope.knowledge.note(exact, interval)
        if not type.signed or self._wrapping:
            return wrap(scope, exact, type)
        if self._ranged:
            for fact in self.type_facts(exact, type):
                scope.assume(fact)
        scope.knowledge.note(exact, _interval(type))
        return exact

    def _division(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Type) -> Term:
        if isinstance(type, Real):
            return division.real(scope, left, right)
        if self._ranged and isinstance(type, Machine) and type.signed:
            self._assume_quotient_fits(scope, left, right, type)
        return division.truncated(scope, left, right, remainder=operator is Operator.REMAINDER)

    def _assume_quotient_fits(self, scope: Scope, left: Term, right: Term, type: Machine) -> None:
        """The smallest number divided by -1 is too large; C leaves the remainder undefined there too."""
        smallest = operations.equal(left, terms.integer(type.smallest))
        if scope.knowledge.decide(smallest) is False:
            return
        minus_one = operations.equal(right, terms.integer(-1))
        if scope.knowledge.decide(minus_one) is not False:
            scope.assume(terms.negation(terms.conjunction([smallest, minus_one])))

    def _shift(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Machine) -> Term:
        scope.assume(operations.at_most(terms.integer(0), right))
        scope.assume(operations.less(right, terms.integer(type.bits)))
        if operator is Operator.SHIFT_LEFT and type.signed and self._ranged and not self._wrapping:
            scope.assume(operations.at_most(terms.integer(0), left))
        amounts = scope.knowledge.of(right).meet(Interval(0, type.bits - 1))
        low, high = amounts.low or 0, amounts.high if amounts.high is not None else type.bits - 1
        if low > high:  # such a shift has no value at all
            low, high = 0, 0
        if low == high:
            return self._shifted(scope, operator, left, low, type)
        cases = [operations.equal(right, terms.integer(amount)) for amount in range(low, high + 1)]
        shifted = [self._shifted(scope.inner(case), operator, left, low + n, type) for n, case in enumerate(cases)]
        result = shifted[-1]
        for case, value in zip(reversed(cases[:-1]), reversed(shifted[:-1]), strict=True):
            result = operations.ite(case, value, result)
        self.know_type(scope, result, type)
        return result

    def _shifted(self, scope: Scope, operator: Operator, left: Term, amount: int, type: Machine) -> Term:
        factor = 1 << amount
        known = scope.knowledge.of(left)
        if operator is Operator.SHIFT_LEFT:
            exact = operations.multiply(terms.integer(factor), left)
            return self._result(scope, exact, known.times(exactly(factor)), type)
        result = operations.divide(left, terms.integer(factor))
        low = None if known.low is None else known.low >> amount
        high = None if known.high is None else known.high >> amount
        scope.knowledge.note(result, Interval(low, high))
        return result

    def convert(self, scope: Scope, operand: Term, source: Type, target: Type) -> Term:
        if isinstance(target, Float):
            return self.floats.convert(scope, operand, source, target)
        if isinstance(source, Float) and isinstance(target, Machine):
            return self._cut_off(scope, operand, target)
        if isinstance(source, Boolean):
            result = operations.ite(operand, terms.integer(1), terms.integer(0))
            scope.knowledge.note(result, Interval(0, 1))
            return result
        if isinstance(target, Unbounded) or source == target:
            return operand
        if not isinstance(target, Machine):
            raise InternalError(f"no conversion from {source} to {target}")
        return wrap(scope, operand, target)

    def _cut_off(self, scope: Scope, operand: Term, target: Machine) -> Term:
        result = self.floats.as_integer(scope, operand, target, self._ranged or self._wrapping)
        scope.knowledge.note(result, _interval(target))
        return result


def _interval(type: Machine) -> Interval:
    return Interval(type.smallest, type.largest)


def compare(operator: Operator, left: Term, right: Term) -> Term:
    match operator:
        case Operator.EQUAL:
            return operations.equal(left, right)
        case Operator.DIFFERENT:
            return operations.unequal(left, right)
        case Operator.LESS:
            return operations.less(left, right)
        case Operator.AT_MOST:
            return operations.at_most(left, right)
        case Operator.MORE:
            return operations.less(right, left)
        case Operator.AT_LEAST:
            return operations.at_most(right, left)
        case _:
            raise InternalError(f"{operator} does not compare")


def wrap(scope: Scope, exact: Term, type: Machine) -> Term:
    """The value of the type that is congruent to the term modulo 2^bits."""
    known = scope.knowledge.of(exact)
    modulus = 1 << type.bits
    smallest = terms.integer(type.smallest)
    if known.low is None or known.high is None:
        first = last = None
    else:
        first, last = (known.low - type.smallest) // modulus, (known.high - type.smallest) // modulus
    if first is None or last is None or last - first >= MOST_CASES:
        reduced = operations.modulo(operations.subtract(exact, smallest), terms.integer(modulus))
        result = operations.add(reduced, smallest)
    else:
        result = operations.add(exact, terms.integer(-last * modulus))
        for turns in range(last - 1, first - 1, -1):
            below = operations.less(exact, terms.integer(type.smallest + (turns + 1) * modulus))
            result = operations.ite(below, operations.add(exact, terms.integer(-turns * modulus)), result)
    scope.knowledge.note(result, _interval(type))
    return result
