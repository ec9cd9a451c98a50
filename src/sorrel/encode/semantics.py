"""What a reading of machine integers must say: the sort of each type, and the term of each operation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from sorrel.encode.floats import Floats
from sorrel.encode.scope import Scope
from sorrel.logic import operations, terms
from sorrel.logic.terms import Sort, Term
from sorrel.program.expression import Operator, UnaryOperator
from sorrel.program.types import Array, Boolean, Float, Machine, Real, Type, Unbounded
from sorrel.program.value import ArrayValue, Value


class Semantics(ABC):
    """Operations get terms of the sorts of their operands' types, and a scope in which to assume and to note."""

    index_sort: Sort = terms.INT
    floats: Floats = Floats()

    @abstractmethod
    def machine_sort(self, type: Machine) -> Sort:
        """The sort of machine integers of this type."""

    @abstractmethod
    def machine_constant(self, value: int, type: Machine) -> Term:
        """A value of the type as a term."""

    @abstractmethod
    def machine_value(self, term: Term, type: Machine) -> int:
        """The number that a value term stands for; it may be out of range if this reading allows that."""

    @abstractmethod
    def type_facts(self, term: Term, type: Type) -> list[Term]:
        """What may be assumed of every value of the type."""

    @abstractmethod
    def know_type(self, scope: Scope, term: Term, type: Type) -> None:
        """Note what the type says about the term, without assuming it."""

    @abstractmethod
    def unary(self, scope: Scope, operator: UnaryOperator, operand: Term, type: Type) -> Term:
        """NEGATE and COMPLEMENT; NOT is the same in every reading."""

    @abstractmethod
    def binary(self, scope: Scope, operator: Operator, left: Term, right: Term, type: Type, right_type: Type) -> Term:
        """An operator on numbers of the type `type`; the right operand of a shift has one of its own."""

    @abstractmethod
    def convert(self, scope: Scope, operand: Term, source: Type, target: Type) -> Term:
        """The value in another integer type."""

    @abstractmethod
    def variable_value(self, scope: Scope, term: Term, type: Type) -> Term:
        """The result of an expression in the sort that variables of its type have."""

    @abstractmethod
    def index(self, scope: Scope, term: Term, type: Type) -> Term:
        """An integer as the index of an array."""

    @abstractmethod
    def index_value(self, term: Term) -> int:
        """The number that the value of an index stands for."""

    def sort(self, type: Type) -> Sort:
        match type:
            case Boolean():
                return terms.BOOL
            case Machine():
                return self.machine_sort(type)
            case Unbounded():
                return terms.INT
            case Real() | Float():
                return terms.REAL
            case Array(element):
                return terms.array_sort(self.index_sort, self.sort(element))

    def constant(self, value: int | bool | Fraction, type: Type) -> Term:
        match type:
            case Boolean():
                return operations.truth(bool(value))
            case Machine():
                return self.machine_constant(int(value), type)
            case Real() | Float():
                return operations.real(Fraction(value))
            case _:
                return terms.integer(int(value))

    def expression_constant(self, value: int | bool | Fraction, type: Type) -> Term:
        """A constant inside an expression, where a reading may have forms of its own for unbounded integers."""
        return self.constant(value, type)

    def alike(self, left: Term, right: Term) -> tuple[Term, Term]:
        """Two values of one type in one sort."""
        return left, right

    def value(self, term: Term, type: Type) -> Value:
        """A value term as the interpreter takes it; what no type allows is wrapped into it."""
        match type:
            case Boolean():
                return terms.is_true(term)
            case Machine():
                return type.wrap(self.machine_value(term, type))
            case Unbounded():
                return int(terms.as_number(term) or 0)
            case Real():
                return Fraction(terms.as_number(term) or 0)
            case Float():
                return self.floats.value(term, type)
            case Array(element):
                return self._array_value(term, element)

    def _array_value(self, term: Term, element: Type) -> ArrayValue:
        found = operations.array_entries(term)
        entries, default = found if found else ({}, terms.default_value(self.sort(element)))
        values = {self.index_value(index): self.value(each, element) for index, each in entries.items()}
        return ArrayValue(self.value(default, element), values)
