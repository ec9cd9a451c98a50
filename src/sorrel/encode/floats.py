"""Floating-point numbers as real ones that every operation rounds: all that IEEE 754 does, and more.

A finite number is itself. INFINITE and its negation stand for the infinities, everything above INFINITE for NaN, and
what is between the largest number and INFINITE for nothing that a run has. The result of an operation on finite numbers
whose exact result is v is a real number r of which this is known (docs/frontends/floats.md has the proofs):

- if |v| is not above the largest number, |r - v| ≤ 2^-p |v| + 2^(e-1), where p is the precision and 2^e the smallest
  positive number; sums and differences have no second term, products with powers of two no first one;
- v ≤ t implies r ≤ t and v ≥ t implies r ≥ t for every number t of the type: `landmarks`, and the operands.

Whoever needs to know that nothing overflows proves it as a bound, as everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from sorrel.encode.scope import Scope
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.program.expression import Constant, Operator
from sorrel.program.program import Program
from sorrel.program.rounding import is_number_of, nearest
from sorrel.program.traversal import expressions, steps, subexpressions
from sorrel.program.types import DOUBLE, Boolean, Float, Machine, Type
from sorrel.program.value import Value

INFINITE = Fraction(1 << 1024)
"""Stands for infinity in both types, so that a number keeps its term when it is made longer."""
WHAT = "the rounding of floating-point numbers"
_ONE, _ZERO = Fraction(1), Fraction(0)


MOST_LANDMARKS = 12
"""Numbers of a program that results are compared with."""


def landmarks(program: Program) -> tuple[Fraction, ...]:
    """Numbers that the program mentions, those first that it mentions most."""
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    parts = (expression for block in blocks for step in steps(block) for expression in expressions(step))
    nodes = (node for expression in parts for node in subexpressions(expression))
    found = Counter(abs(Fraction(n.value)) for n in nodes if isinstance(n, Constant) and isinstance(n.type, Float))
    return tuple(number for number, _ in found.most_common(MOST_LANDMARKS))


class Floats:
    """`landmarks` are numbers below and above which results stay if exact results do."""

    def __init__(self, landmarks: Iterable[Fraction] = ()) -> None:
        both = {sign * each for each in (_ZERO, _ONE, *landmarks) for sign in (1, -1)}
        self._landmarks = tuple(sorted(both))

    # Values

    def facts(self, term: Term) -> list[Term]:
        """What is true of every floating-point number."""
        return [_at_most(_real(-INFINITE), term)]

    def value(self, term: Term, type: Float) -> Value:
        """A number next to a real one, or what it stands for."""
        number = Fraction(terms.as_number(term) or 0)
        return float("nan") if number > INFINITE else nearest(number, type)

    # Operations

    def negated(self, operand: Term) -> Term:
        number = _number(operand)
        if number is not None:
            return _real(-number)
        return operations.ite(_is_not_nan(operand), operations.negate(operand), operand)

    def compare(self, operator: Operator, left: Term, right: Term) -> Term:
        """With NaN, which is above everything, no comparison holds but that it is different."""
        match operator:
            case Operator.EQUAL:
                return terms.conjunction([operations.equal(left, right), _is_not_nan(right)])
            case Operator.DIFFERENT:
                return terms.negation(self.compare(Operator.EQUAL, left, right))
            case Operator.LESS:
                return terms.conjunction([_less(left, right), _is_not_nan(right)])
            case Operator.AT_MOST:
                return terms.conjunction([_at_most(left, right), _is_not_nan(right)])
            case Operator.MORE:
                return self.compare(Operator.LESS, right, left)
            case Operator.AT_LEAST:
                return self.compare(Operator.AT_MOST, right, left)
            case _:
                raise InternalError(f"{operator} does not compare")

    def binary(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Float) -> Term:
        one, other = _number(left), _number(right)
        if one is not None and other is not None and (known := _folded(operator, one, other, type)) is not None:
            return known
        if (kept := self._kept_whole(operator, left, right)) is not None:
            return kept
        result = _result(scope, operator, left, right, type)
        conditions = [_is_finite(left, type), _is_finite(right, type)]
        if operator is Operator.DIVIDE:
            conditions.append(operations.unequal(right, _real(_ZERO)))
        finite = terms.conjunction(conditions)
        inner = scope.inner(finite)
        exact = _exact(inner, operator, left, right)
        factor = _scaling(operator, one if operator is Operator.MULTIPLY else None, other)
        for fact in self._rounding(exact, result, type, _error(operator, factor, type)):
            inner.assume(fact)
        if factor is not None:
            inner.assume(_kept(exact, result, type))
        for neighbour in _neighbours(operator, left, right):
            for fact in _stays(exact, result, neighbour):
                inner.assume(fact)
        for twice in _doubled(operator, left, right):
            for fact in _stays(exact, result, twice):
                inner.assume(operations.implies(_is_finite(exact, type), fact))
        for fact in _unbounded(operator, left, right, result, type, self.negated):
            scope.assume(fact)
        return result

    def _kept_whole(self, operator: Operator, left: Term, right: Term) -> Term | None:
        """The result where it is an operand or its negation, whatever that is; the sign of a zero is nothing here."""
        one, other = _number(left), _number(right)
        match operator:
            case Operator.ADD if one == 0 or other == 0:
                return right if one == 0 else left
            case Operator.SUBTRACT if one == 0 or other == 0:
                return left if other == 0 else self.negated(right)
            case Operator.MULTIPLY if one == 1 or other == 1:
                return right if one == 1 else left
            case Operator.DIVIDE if other == 1:
                return left
            case _:
                return None

    def convert(self, scope: Scope, operand: Term, source: Type, target: Float) -> Term:
        if isinstance(source, Boolean):
            return operations.ite(operand, _real(_ONE), _real(_ZERO))
        if isinstance(source, Float):
            return self._resized(scope, operand, source, target)
        known = scope.knowledge.of(operand)
        limit = 1 << target.precision
        if (number := operations.literal(operand)) is not None:
            return _real(Fraction(nearest(Fraction(number), target)))
        exact = operations.as_real(operand)
        if known.within(-limit, limit):
            return exact
        result = scope.result(f"to {target}", operand, operand, terms.REAL, WHAT)
        small = [operations.at_most(terms.integer(-limit), operand), operations.at_most(operand, terms.integer(limit))]
        scope.assume(operations.implies(terms.conjunction(small), operations.equal(result, exact)))
        for fact in self._rounding(exact, result, target, (_half_unit(target), _ZERO)):
            scope.assume(fact)
        return result

    def _resized(self, scope: Scope, operand: Term, source: Float, target: Float) -> Term:
        if source.bits <= target.bits:
            return operand
        if (number := _number(operand)) is not None and is_number_of(number, target):
            return operand
        result = scope.result(f"to {target}", operand, operand, terms.REAL, WHAT)
        finite = _is_finite(operand, source)
        inner = scope.inner(finite)
        for fact in self._rounding(operand, result, target, (_half_unit(target), _half_smallest(target))):
            inner.assume(fact)
        scope.assume(terms.disjunction([finite, operations.equal(result, operand)]))
        return result

    def as_integer(self, scope: Scope, operand: Term, target: Machine, ranged: bool) -> Term:
        """Cut off towards zero. What does not fit has no value, so that no run goes on."""
        number = _number(operand)
        if number is not None and abs(number) <= DOUBLE.largest and target.contains(int(number)):
            return terms.integer(int(number))
        result = scope.names.variable("cut", terms.INT)
        exact = operations.as_real(result)
        one = _real(_ONE)
        scope.assume(
            operations.ite(
                _at_most(_real(_ZERO), operand),
                terms.conjunction([_at_most(exact, operand), _less(operand, operations.add(exact, one))]),
                terms.conjunction([_at_most(operand, exact), _less(operations.subtract(exact, one), operand)]),
            )
        )
        if ranged or not target.signed:
            scope.assume(operations.at_most(terms.integer(target.smallest), result))
            scope.assume(operations.at_most(result, terms.integer(target.largest)))
        return result

    # Rounding

    def _rounding(self, exact: Term, result: Term, type: Float, error: tuple[Fraction, Fraction]) -> Iterator[Term]:
        """What is known of the rounded result of an operation on finite numbers."""
        yield _at_most(result, _real(INFINITE))
        relative, absolute = error
        more, less, slack = _real(1 + relative), _real(1 - relative), _real(absolute)
        wide, narrow = operations.multiply(more, exact), operations.multiply(less, exact)
        if relative == 0:
            wide = narrow = exact
        zero = _real(_ZERO)
        in_range = _is_finite(exact, type)
        positive = terms.conjunction([in_range, _at_most(zero, exact)])
        negative = terms.conjunction([in_range, _at_most(exact, zero)])
        for case, low, high in ((positive, narrow, wide), (negative, wide, narrow)):
            if absolute:
                low, high = operations.subtract(low, slack), operations.add(high, slack)
            yield operations.implies(case, terms.conjunction([_at_most(low, result), _at_most(result, high)]))
        largest = Fraction(type.largest)
        known = [each for each in self._landmarks if is_number_of(each, type)]
        for number in (-largest, *known, largest):
            yield from _stays(exact, result, _real(number))


def _result(scope: Scope, operator: Operator, left: Term, right: Term, type: Float) -> Term:
    """The same for the same operands, but of a quotient by zero: that depends on a sign, and zeros are one term."""
    shared = scope.result(f"{operator} {type}", left, right, terms.REAL, WHAT)
    if operator is not Operator.DIVIDE or _number(right):
        return shared
    result = scope.names.variable("quotient", terms.REAL)
    scope.assume(operations.implies(operations.unequal(right, _real(_ZERO)), operations.equal(result, shared)))
    return result


def _stays(exact: Term, result: Term, number: Term) -> Iterator[Term]:
    """Rounding does not pass by a number of the type."""
    yield operations.implies(_at_most(exact, number), _at_most(result, number))
    yield operations.implies(_at_most(number, exact), _at_most(number, result))


def _kept(exact: Term, result: Term, type: Float) -> Term:
    """A number times a power of two has the same significant bits, if there is room for them."""
    least = _smallest_normal(type)
    small = terms.conjunction([_less(_real(-least), exact), _less(exact, _real(least))])
    return terms.disjunction([small, terms.negation(_is_finite(exact, type)), operations.equal(result, exact)])


def _exact(scope: Scope, operator: Operator, left: Term, right: Term) -> Term:
    match operator:
        case Operator.ADD:
            return operations.add(left, right)
        case Operator.SUBTRACT:
            return operations.subtract(left, right)
        case Operator.MULTIPLY:
            return operations.multiply(left, right)
        case Operator.DIVIDE:
            number = _number(right)
            if number:
                return operations.multiply(_real(1 / number), left)
            quotient, _ = scope.division(left, right)
            scope.assume(operations.equal(operations.multiply(right, quotient), left))
            return quotient
        case _:
            raise InternalError(f"{operator} is not for floating-point numbers")


def _error(operator: Operator, factor: Fraction | None, type: Float) -> tuple[Fraction, Fraction]:
    """How far a result may be from the exact one: by a share of it, and by a number."""
    if operator in (Operator.ADD, Operator.SUBTRACT):
        return _half_unit(type), _ZERO  # a sum that is too small for the precision is exact
    if factor is None:
        return _half_unit(type), _half_smallest(type)
    return _ZERO, _ZERO if abs(factor) >= 1 else _half_smallest(type)


def _scaling(operator: Operator, left: Fraction | None, right: Fraction | None) -> Fraction | None:
    """The power of two that the other operand is multiplied by, if it is that."""
    if operator is Operator.DIVIDE and right:
        left, right = 1 / right, None
    if operator in (Operator.MULTIPLY, Operator.DIVIDE):
        for each in (left, right):
            if each and abs(each.numerator).bit_count() == 1 and each.denominator.bit_count() == 1:
                return each
    return None


def _half_unit(type: Float) -> Fraction:
    return Fraction(1, 1 << type.precision)


def _half_smallest(type: Float) -> Fraction:
    return Fraction(1, 1 << (1 - type.smallest_exponent))


def _smallest_normal(type: Float) -> Fraction:
    """From here on numbers have all their significant bits."""
    return Fraction(1, 1 << (1 - type.smallest_exponent - type.precision))


def _neighbours(operator: Operator, left: Term, right: Term) -> Iterator[Term]:
    """Numbers of the type that an exact result is compared with to advantage: the operands and their negations."""
    match operator:
        case Operator.ADD:
            yield from (left, right)
        case Operator.SUBTRACT:
            yield from (left, operations.negate(right))
        case Operator.MULTIPLY:
            for each in (left, right):
                if _number(each) is None:
                    yield from (each, operations.negate(each))
        case _:
            if _number(left) is None:
                yield from (left, operations.negate(left))


def _doubled(operator: Operator, left: Term, right: Term) -> Iterator[Term]:
    """Twice the terms of a sum, between which it is. They are numbers of the type if they are not too large."""
    if operator is Operator.ADD:
        yield from (operations.multiply(_real(Fraction(2)), each) for each in (left, right) if _number(each) is None)


def _unbounded(
    operator: Operator, left: Term, right: Term, result: Term, type: Float, negated: Callable[[Term], Term]
) -> Iterator[Term]:
    """Results of operations on a number that is infinite or NaN and one that is finite."""
    zero, is_nan = _real(_ZERO), terms.negation(_is_not_nan(result))
    for one, other, is_right in ((left, right, False), (right, left, True)):
        if _number(one) is not None:
            continue
        beyond = [terms.negation(_is_finite(one, type)), _is_finite(other, type)]
        match operator:
            case Operator.ADD:
                cases = [(terms.TRUE, operations.equal(result, one))]
            case Operator.SUBTRACT:
                cases = [(terms.TRUE, operations.equal(result, negated(one) if is_right else one))]
            case Operator.DIVIDE if is_right:
                cases = [(_is_not_nan(one), operations.equal(result, zero)), (terms.negation(_is_not_nan(one)), is_nan)]
            case _:
                cases = [(_less(zero, other), operations.equal(result, one))]
                cases.append((_less(other, zero), operations.equal(result, negated(one))))
                if operator is Operator.MULTIPLY:
                    cases.append((operations.equal(other, zero), is_nan))
        for case, fact in cases:
            yield operations.implies(terms.conjunction([*beyond, case]), fact)


def _folded(operator: Operator, left: Fraction, right: Fraction, type: Float) -> Term | None:
    """The result of an operation on two numbers that are known, if it is finite."""
    limit = Fraction(type.largest)
    if abs(left) > limit or abs(right) > limit or (operator is Operator.DIVIDE and right == 0):
        return None
    match operator:
        case Operator.ADD:
            exact = left + right
        case Operator.SUBTRACT:
            exact = left - right
        case Operator.MULTIPLY:
            exact = left * right
        case _:
            exact = left / right
    found = nearest(exact, type)
    return _real(Fraction(found)) if abs(found) <= type.largest else None


# Terms


def _real(value: Fraction) -> Term:
    return operations.real(value)


def _number(term: Term) -> Fraction | None:
    """The value of a numeral."""
    found = terms.as_number(term) if terms.is_value(term) else None
    return None if found is None else Fraction(found)


def _at_most(left: Term, right: Term) -> Term:
    one, other = _number(left), _number(right)
    return operations.at_most(left, right) if one is None or other is None else operations.truth(one <= other)


def _less(left: Term, right: Term) -> Term:
    one, other = _number(left), _number(right)
    return operations.less(left, right) if one is None or other is None else operations.truth(one < other)


def _is_not_nan(term: Term) -> Term:
    return _at_most(term, _real(INFINITE))


def _is_finite(term: Term, type: Float) -> Term:
    largest = Fraction(type.largest)
    return terms.conjunction([_at_most(_real(-largest), term), _at_most(term, _real(largest))])
