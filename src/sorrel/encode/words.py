"""Machine integers as bit-vectors, and unbounded ones as wide bit-vectors, with a say in what these do not hold.

Unbounded numbers are objects, offsets and lengths of ours: small in every run that a machine can make. They have
`WIDTH` bits here. What is computed of them must lie in the *zone*, the numbers of `ZONE` bits, and so must what it is
computed from: whoever evaluates an expression is told so (`Scope.obliged`), and has to show it.

Why that is enough: take a run in which all obligations hold. Numbers outside of the zone can only have been chosen, and
nothing is done with them but to copy and to compare them and to look up elements by them. Their places outside of the
zone can be exchanged for others in the same order, of which the run needs finitely many; there are 2^(WIDTH-2) of them.
So every run of the program over the integers is one over bit-vectors, with the same decisions.
"""

from __future__ import annotations

from fractions import Fraction

from sorrel.encode.bitvectors import BitVectors
from sorrel.encode.scope import Scope
from sorrel.finite.overflow import Overflow
from sorrel.logic import operations, terms
from sorrel.logic.terms import Sort, Term
from sorrel.program.expression import COMPARISONS, Operator, UnaryOperator
from sorrel.program.program import Program
from sorrel.program.types import Array, Float, Machine, Real, Type, Unbounded
from sorrel.program.value import Value

WIDTH, ZONE = 72, 68
"""Bits of an unbounded number; and of what may be computed with, which holds every number of 64 bits with its sign."""


class TooWide(Exception):
    """The program has values that are not modelled here."""


class Words(BitVectors):
    """All integers as bit-vectors."""

    def __init__(self, program: Program, overflow: Overflow | None = None) -> None:
        super().__init__(program, overflow)
        if self._index_width is None:
            self._index_width = WIDTH
            self.index_sort = terms.bitvector_sort(WIDTH)

    def sort(self, type: Type) -> Sort:
        match type:
            case Unbounded():
                return terms.bitvector_sort(WIDTH)
            case Machine(bits) if bits > ZONE - 1:
                raise TooWide(f"numbers of {bits} bits")
            case Real() | Float():
                raise TooWide("numbers that are no integers")
            case Array(Array()):
                raise TooWide("arrays of arrays")
        return super().sort(type)

    def constant(self, value: int | bool | Fraction, type: Type) -> Term:
        if not isinstance(type, Unbounded):
            return super().constant(value, type)
        return operations.bits(_in_reach(int(value)), WIDTH)

    def expression_constant(self, value: int | bool | Fraction, type: Type) -> Term:
        return super().expression_constant(_in_reach(int(value)) if isinstance(type, Unbounded) else value, type)

    def value(self, term: Term, type: Type) -> Value:
        if isinstance(type, Unbounded):
            return Machine(WIDTH, True).wrap(int(terms.as_number(term) or 0))
        return super().value(term, type)

    def variable_value(self, scope: Scope, term: Term, type: Type) -> Term:
        """What was copied has the width, and what is wider must be in the zone: nothing is cut off that matters."""
        if not isinstance(type, Unbounded):
            return term
        if operations.width(term) > WIDTH:
            oblige(scope, term)
        return _sized(term, WIDTH)

    def index(self, scope: Scope, term: Term, type: Type) -> Term:
        if isinstance(type, Unbounded):
            return _sized(term, self.index_sort.size())
        return super().index(scope, term, type)

    def unary(self, scope: Scope, operator: UnaryOperator, operand: Term, type: Type) -> Term:
        if not isinstance(type, Unbounded):
            return super().unary(scope, operator, operand, type)
        oblige(scope, operand)
        return self._in_zone(scope, super().unary(scope, operator, operand, type))

    def binary(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Type, right_type: Type) -> Term:
        if operator in COMPARISONS or not isinstance(type, Unbounded):
            return super().binary(scope, operator, left, right, type, right_type)
        for operand in (left, right):
            oblige(scope, operand)
        return self._in_zone(scope, super().binary(scope, operator, left, right, type, right_type))

    def convert(self, scope: Scope, operand: Term, source: Type, target: Type) -> Term:
        if isinstance(source, Unbounded) and isinstance(target, Machine):
            oblige(scope, operand)
        if isinstance(source, Machine):
            self.sort(source)  # refuses numbers of too many bits, which no variable has, too
        return super().convert(scope, operand, source, target)

    def _in_zone(self, scope: Scope, result: Term) -> Term:
        oblige(scope, result)
        return result


def oblige(scope: Scope, number: Term) -> None:
    """Whoever evaluates this has to show that the number is in the zone."""
    if operations.width(number) <= ZONE or scope.knowledge.of(number).within(-(1 << (ZONE - 1)), (1 << (ZONE - 1)) - 1):
        return
    low = operations.truncate(number, ZONE)
    again = operations.extend(low, operations.width(number), True)
    scope.oblige(operations.equal(again, number))


def _in_reach(value: int) -> int:
    if value.bit_length() >= ZONE:
        raise TooWide(f"numbers such as {value}")
    return value


def _sized(term: Term, size: int) -> Term:
    return (operations.truncate if operations.width(term) > size else _extended)(term, size)


def _extended(term: Term, size: int) -> Term:
    return operations.extend(term, size, True)
