"""References and arrays: what is made, read and stored."""

from __future__ import annotations

from sorrel.encode.refinement.applications import Applications
from sorrel.encode.refinement.clauses import Clauses
from sorrel.encode.refinement.conversion import ZERO
from sorrel.encode.refinement.operations import within
from sorrel.encode.refinement.reach import variables
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.trail import Then, Trail
from sorrel.encode.refinement.values import (
    Elements,
    Environment,
    Held,
    Nothing,
    Reference,
    Scalar,
    Value,
    named,
    number,
)
from sorrel.functional.execution import Kind
from sorrel.functional.operator import Operator
from sorrel.functional.term import Operation
from sorrel.logic import operations, terms
from sorrel.model.errors import InternalError

ON_REFERENCES = frozenset((Operator.MAKE_REFERENCE, Operator.CONTENT, Operator.ASSIGN))
ON_ARRAYS = frozenset(
    (
        Operator.MAKE_ARRAY,
        Operator.ARRAY_LITERAL,
        Operator.ARRAY_LENGTH,
        Operator.ARRAY_GET,
        Operator.ARRAY_SET,
    )
)


class Memory:
    def __init__(
        self, clauses: Clauses, refinements: Refinements, applications: Applications, shared: frozenset[int]
    ) -> None:
        """`shared` are the places where references are made that are known by their types only."""
        self._clauses = clauses
        self._refinements = refinements
        self._applications = applications
        self._shared = shared

    def of(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        if term.operator in ON_REFERENCES:
            self._reference(term, values, at, trail, then)
        else:
            self._array(term, values, at, trail, then)

    def _reference(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        if term.operator is Operator.MAKE_REFERENCE:
            type = named(term.type)
            if id(term) in self._shared:
                held = self._refinements.of(type.arguments[0], variables(at.values()), ":ref", "content")
                self._applications.check(values[0], held, trail, term.span)
                then(Reference(None, held, type), trail)
                return
            cell = len(self._applications.cells) + 1
            self._applications.cells[cell] = (id(term), type.arguments[0])
            then(Reference(cell, None, type), trail.holding(cell, values[0]))
            return
        reference = values[0]
        if not isinstance(reference, Reference):
            raise InternalError("a reference is expected")
        if reference.cell is not None:
            if term.operator is Operator.CONTENT:
                then(trail.store[reference.cell], trail)
            else:
                then(Nothing(), trail.holding(reference.cell, values[1]))
            return
        held_content = _held(reference.held)
        if term.operator is Operator.CONTENT:
            value, here = self._refinements.fresh(held_content, trail, "content")
            then(value, here)
        else:
            self._applications.check(values[1], held_content, trail, term.span)
            then(Nothing(), trail)

    def _array(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        operator, span = term.operator, term.span
        if operator in (Operator.MAKE_ARRAY, Operator.ARRAY_LITERAL):
            self._make_array(term, values, at, trail, then)
            return
        array = values[0]
        if not isinstance(array, Elements):
            raise InternalError("an array is expected")
        if operator is Operator.ARRAY_LENGTH:
            then(Scalar(array.length), trail)
            return
        inside = within(number(values[1]), array.length)
        self._clauses.must(inside, Kind.BOUNDS, trail, span, "Invalid_argument", "index out of bounds")
        here = trail.knowing(inside)
        if here is None:
            return
        if operator is Operator.ARRAY_GET:
            value, after = self._refinements.fresh(array.held, here, "element")
            then(value, after)
            return
        self._applications.check(values[2], array.held, here, span)
        then(Nothing(), here)

    def _make_array(
        self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then
    ) -> None:
        type = named(term.type)
        held = self._refinements.of(type.arguments[0], variables(at.values()), ":array", "element")
        if term.operator is Operator.ARRAY_LITERAL:
            for value in values:
                self._applications.check(value, held, trail, term.span)
            then(Elements(terms.integer(len(values)), held, type), trail)
            return
        length = number(values[0])
        possible = operations.at_most(ZERO, length)
        self._clauses.must(possible, Kind.BOUNDS, trail, term.span, "Invalid_argument", "Array.make")
        here = trail.knowing(possible)
        if here is not None:
            self._applications.check(values[1], held, here, term.span)
            then(Elements(length, held, type), here)


def _held(held: Held | None) -> Held:
    if held is None:
        raise InternalError("a reference without content")
    return held
