"""Machine integers as bit-vectors, bit by bit as the machine has them; a signed result out of range ends the run.

That is C's own reading of overflow. Where a user says what overflow does, it is the same for signed and unsigned ones.

Unbounded integers inside an expression are bit-vectors too, each as wide as its value can need: a check such as
(int) x + (int) y ≤ 2147483647 stays within one theory. Only variables of that type are integers of the logic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from sorrel.encode import division
from sorrel.encode.integers import compare
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.finite.overflow import Overflow
from sorrel.logic import operations, terms, words
from sorrel.logic.terms import Sort, Term
from sorrel.program.expression import (
    COMPARISONS,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
)
from sorrel.program.program import Program
from sorrel.program.traversal import expressions, operands, steps, subexpressions
from sorrel.program.types import Boolean, Float, Machine, Real, Type, Unbounded


class BitVectors(Semantics):
    """Indices of arrays are bit-vectors as wide as the widest index of the program, if all have a width."""

    def __init__(self, program: Program, overflow: Overflow | None = None) -> None:
        """`overflow` is what it does to all types; without it, signed numbers have none and unsigned ones wrap."""
        self._overflow = overflow
        width = _index_width(program)
        self.index_sort = terms.INT if width is None else terms.bitvector_sort(width)
        self._index_width = width

    def machine_sort(self, type: Machine) -> Sort:
        return terms.bitvector_sort(type.bits)

    def machine_constant(self, value: int, type: Machine) -> Term:
        return operations.bits(value, type.bits)

    def machine_value(self, term: Term, type: Machine) -> int:
        return type.wrap(int(terms.as_number(term) or 0))

    def index_value(self, term: Term) -> int:
        value = int(terms.as_number(term) or 0)
        return value if self._index_width is None else Machine(self._index_width, True).wrap(value)

    def type_facts(self, term: Term, type: Type) -> list[Term]:
        return self.floats.facts(term) if isinstance(type, Float) else []

    def know_type(self, scope: Scope, term: Term, type: Type) -> None:
        """A bit-vector's sort says it all."""

    def expression_constant(self, value: int | bool | Fraction, type: Type) -> Term:
        if isinstance(type, Unbounded):
            return operations.bits(int(value), int(value).bit_length() + 1)
        return self.constant(value, type)

    def variable_value(self, scope: Scope, term: Term, type: Type) -> Term:
        return _as_integer(term) if isinstance(type, Unbounded) else term

    def index(self, scope: Scope, term: Term, type: Type) -> Term:
        signed = not isinstance(type, Machine) or type.signed
        if self._index_width is None:
            return operations.as_integer(term, signed) if operations.is_bitvector(term) else term
        return operations.extend(term, self._index_width, signed)

    def alike(self, left: Term, right: Term) -> tuple[Term, Term]:
        if terms.same_sort(left, right):
            return left, right
        if operations.is_bitvector(left) and operations.is_bitvector(right):
            size = max(operations.width(left), operations.width(right))
            return operations.extend(left, size, True), operations.extend(right, size, True)
        return _as_integer(left), _as_integer(right)

    def unary(self, scope: Scope, operator: UnaryOperator, operand: Term, type: Type) -> Term:
        if operator is UnaryOperator.COMPLEMENT:
            return operations.complement(operand)
        if isinstance(type, Machine):
            return self.binary(scope, Operator.SUBTRACT, operations.bits(0, type.bits), operand, type, type)
        if not operations.is_bitvector(operand):
            return operations.negate(operand)
        return self.binary(scope, Operator.SUBTRACT, operations.bits(0, 1), operand, type, type)

    def binary(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Type, right_type: Type) -> Term:
        if isinstance(type, Machine):
            return self._machine(scope, operator, left, right, type, right_type)
        if operations.is_bitvector(left) and operations.is_bitvector(right):
            return _wide(scope, operator, left, right)
        return _mathematical(scope, operator, _as_integer(left), _as_integer(right), type)

    def _machine(
        self, scope: Scope, operator: Operator, left: Term, right: Term, type: Machine, right_type: Type
    ) -> Term:
        if operator in COMPARISONS:
            return _compare(operator, left, right, type.signed)
        match operator:
            case Operator.BIT_AND | Operator.BIT_OR | Operator.BIT_XOR:
                return operations.bit_operation(operator, left, right)
            case Operator.DIVIDE | Operator.REMAINDER:
                _assume_division(scope, left, right, type, self._is_exact(type))
                return operations.bit_operation(f"{_sign(type)} {operator}", left, right)
            case Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT:
                return _shift(scope, operator, left, right, type, right_type, self._is_exact(type))
        if self._is_exact(type):
            scope.assume(_no_overflow(operator, left, right, type))
        return operations.bit_operation(operator, left, right)

    def _is_exact(self, type: Machine) -> bool:
        """Whether a result that does not fit ends the run."""
        return type.signed if self._overflow is None else self._overflow is Overflow.DISCARD

    def convert(self, scope: Scope, operand: Term, source: Type, target: Type) -> Term:
        if isinstance(target, Float):
            signed = not isinstance(source, Machine) or source.signed
            number = operations.as_integer(operand, signed) if operations.is_bitvector(operand) else operand
            return self.floats.convert(scope, number, source, target)
        if isinstance(source, Float) and isinstance(target, Machine):
            cut = self.floats.as_integer(scope, operand, target, ranged=True)
            return operations.from_integer(cut, target.bits)
        if isinstance(source, Boolean):
            size = target.bits if isinstance(target, Machine) else 2
            return operations.ite(operand, operations.bits(1, size), operations.bits(0, size))
        if isinstance(target, Machine):
            return _narrowed(operand, source, target)
        if isinstance(source, Machine) and not source.signed:
            return operations.extend(operand, source.bits + 1, False)
        return operand


def _narrowed(operand: Term, source: Type, target: Machine) -> Term:
    if not operations.is_bitvector(operand):
        return operations.from_integer(operand, target.bits)
    if operations.width(operand) >= target.bits:
        return operations.truncate(operand, target.bits)
    return operations.extend(operand, target.bits, not isinstance(source, Machine) or source.signed)


def _sign(type: Machine) -> str:
    return "signed" if type.signed else "unsigned"


def _as_integer(term: Term) -> Term:
    return operations.as_integer(term, True) if operations.is_bitvector(term) else term


def _compare(operator: Operator, left: Term, right: Term, signed: bool) -> Term:
    if operator in (Operator.EQUAL, Operator.DIFFERENT):
        return compare(operator, left, right)
    sign = "signed" if signed else "unsigned"
    match operator:
        case Operator.LESS | Operator.AT_MOST:
            return operations.bit_operation(f"{sign} {operator}", left, right)
        case Operator.MORE:
            return operations.bit_operation(f"{sign} <", right, left)
        case _:
            return operations.bit_operation(f"{sign} <=", right, left)


def _extended(left: Term, right: Term, size: int) -> tuple[Term, Term]:
    return operations.extend(left, size, True), operations.extend(right, size, True)


def _wide_exact(operator: Operator, left: Term, right: Term) -> Term:
    """+, - or * of signed numbers in as many bits as the result can need."""
    widths = operations.width(left), operations.width(right)
    size = sum(widths) if operator is Operator.MULTIPLY else max(widths) + 1
    return operations.bit_operation(operator, *_extended(left, right, size))


def _wide(scope: Scope, operator: Operator, left: Term, right: Term) -> Term:
    """An operator on unbounded integers that are both given as bit-vectors."""
    if operator in (Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY):
        return _wide_exact(operator, left, right)
    # One bit more than needed, so that the smallest number divided by -1 fits.
    size = max(operations.width(left), operations.width(right)) + 1
    here, there = _extended(left, right, size)
    if operator in COMPARISONS:
        return _compare(operator, here, there, True)
    scope.assume(operations.unequal(there, operations.bits(0, size)))
    return operations.bit_operation(f"signed {operator}", here, there)


def _mathematical(scope: Scope, operator: Operator, left: Term, right: Term, type: Type) -> Term:
    """Integers and reals of the logic, as they are without machine integers."""
    if operator in COMPARISONS:
        return compare(operator, left, right)
    match operator:
        case Operator.ADD:
            return operations.add(left, right)
        case Operator.SUBTRACT:
            return operations.subtract(left, right)
        case Operator.MULTIPLY:
            return operations.multiply(left, right)
    if isinstance(type, Real):
        return division.real(scope, left, right)
    return division.truncated(scope, left, right, remainder=operator is Operator.REMAINDER)


def _fits(wide: Term, size: int) -> Term:
    """Whether a signed number fits in so many bits."""
    again = operations.extend(operations.truncate(wide, size), operations.width(wide), True)
    fits = operations.equal(again, wide)
    return terms.simplify(fits) if terms.is_value(wide) else fits


def _no_overflow(operator: Operator, left: Term, right: Term, type: Machine) -> Term:
    """Whether the exact result of +, - or * is in range, said without wider numbers where that is possible."""
    if not type.signed:
        return _UNSIGNED_FITS[operator](left, right)
    if operator is Operator.MULTIPLY:
        return _fits(_wide_exact(operator, left, right), type.bits)
    x, y, result = (_is_negative(term) for term in (left, right, operations.bit_operation(operator, left, right)))
    # Only numbers of one sign make a sum too large, and only numbers of different signs a difference.
    alike = operations.equal(x, y) if operator is Operator.ADD else operations.unequal(x, y)
    return operations.implies(alike, operations.equal(result, x))


_UNSIGNED_FITS: Mapping[Operator, Callable[[Term, Term], Term]] = {
    Operator.ADD: words.sum_fits,
    Operator.SUBTRACT: lambda left, right: words.at_most(right, left),
    Operator.MULTIPLY: words.product_fits,
}


def _is_negative(term: Term) -> Term:
    value = operations.bits_literal(term)
    if value is not None:
        return operations.truth(bool(value >> (operations.width(term) - 1)))
    return operations.bit_operation("signed <", term, operations.bits(0, operations.width(term)))


def _assume_division(scope: Scope, left: Term, right: Term, type: Machine, exact: bool) -> None:
    scope.assume(operations.unequal(right, operations.bits(0, type.bits)))
    if type.signed and exact:
        smallest = operations.equal(left, operations.bits(type.smallest, type.bits))
        scope.assume(
            terms.negation(terms.conjunction([smallest, operations.equal(right, operations.bits(-1, type.bits))]))
        )


def _shift(
    scope: Scope, operator: Operator, left: Term, right: Term, type: Machine, right_type: Type, exact: bool
) -> Term:
    amount = _amount(scope, right, right_type, type)
    if operator is Operator.SHIFT_RIGHT:
        return operations.bit_operation(f"{_sign(type)} >>", left, amount)
    shifted = operations.bit_operation("<<", left, amount)
    if exact and type.signed:
        scope.assume(_compare(Operator.AT_LEAST, left, operations.bits(0, type.bits), True))
        size = 2 * type.bits
        wide = operations.bit_operation(
            "<<", operations.extend(left, size, True), operations.extend(amount, size, False)
        )
        scope.assume(_fits(wide, type.bits))
    elif exact:
        scope.assume(operations.equal(operations.bit_operation("unsigned >>", shifted, amount), left))
    return shifted


def _amount(scope: Scope, right: Term, right_type: Type, type: Machine) -> Term:
    """The right operand of a shift, which must be less than the width, in the width of the left one."""
    signed = not isinstance(right_type, Machine) or right_type.signed
    if not operations.is_bitvector(right):
        scope.assume(operations.at_most(terms.integer(0), right))
        scope.assume(operations.less(right, terms.integer(type.bits)))
        return operations.from_integer(right, type.bits)
    size = max(operations.width(right), type.bits.bit_length() + 1)
    wide = operations.extend(right, size, signed)
    if signed:
        scope.assume(_compare(Operator.AT_LEAST, wide, operations.bits(0, size), True))
    scope.assume(_compare(Operator.LESS, wide, operations.bits(type.bits, size), False))
    return operations.extend(wide, type.bits, False) if size <= type.bits else operations.truncate(wide, type.bits)


# Widths of unbounded expressions


def _index_width(program: Program) -> int | None:
    """How many bits hold every index of the program as a signed number; None if some index is not bounded.

    One bit more than that: then there are indices that nobody uses, and what two arrays may differ in elsewhere has a
    place.
    """
    widest = 1
    for index in _indices(program):
        width = _width(index)
        if width is None:
            return None
        widest = max(widest, width)
    return widest + 1


def _indices(program: Program) -> Iterator[Expression]:
    steps_ = (step for procedure in program.procedures for block in procedure.blocks for step in steps(block))
    for expression in (*program.initial.values(), *(each for step in steps_ for each in expressions(step))):
        for node in subexpressions(expression):
            if isinstance(node, Select | Store):
                yield node.index


def _width(expression: Expression) -> int | None:
    """How many bits hold the value of an integer expression as a signed number, as `BitVectors` makes it."""
    widths: dict[int, int | None] = {}
    for node in subexpressions(expression):
        below = [widths[id(operand)] for operand in operands(node)]
        widths[id(node)] = _own_width(node, below)
    return widths[id(expression)]


def _own_width(node: Expression, below: list[int | None]) -> int | None:
    if isinstance(node.type, Machine):
        return node.type.bits + (not node.type.signed)
    if isinstance(node.type, Boolean):
        return 2
    match node:
        case Constant(value):
            return int(value).bit_length() + 1
        case Convert():
            return below[0]
        case Conditional():
            return None if below[1] is None or below[2] is None else max(below[1], below[2])
        case Unary():
            return None if below[0] is None else below[0] + 1
        case Binary(operator):
            if below[0] is None or below[1] is None:
                return None
            return below[0] + below[1] if operator is Operator.MULTIPLY else max(below[0], below[1]) + 1
        case _:
            return None
