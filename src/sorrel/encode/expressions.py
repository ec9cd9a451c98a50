"""Expressions as terms: one walk with a stack of its own, in the order in which a run evaluates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sorrel.encode.region import writable
from sorrel.encode.scope import Application, Scope
from sorrel.encode.semantics import Semantics
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.program.expression import (
    COMPARISONS,
    CONNECTIVES,
    Apply,
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.types import Array, Boolean, Float

_Work: TypeAlias = "Expression | Callable[[], None]"


class Evaluation:
    """The evaluation of one expression. Values wait on one stack, what is still to be done on another."""

    def __init__(self, semantics: Semantics, environment: Mapping[str, Term], scope: Scope) -> None:
        self._semantics = semantics
        self._environment = environment
        self._scopes = [scope]
        self._values: list[Term] = []
        self._work: list[_Work] = []

    def run(self, expression: Expression) -> Term:
        self._work.append(expression)
        while self._work:
            item = self._work.pop()
            if callable(item):
                item()
            else:
                self._visit(item)
        return self._semantics.variable_value(self._scope, self._values.pop(), expression.type)

    @property
    def _scope(self) -> Scope:
        return self._scopes[-1]

    def _later(self, *items: _Work) -> None:
        """To be done in this order."""
        self._work.extend(reversed(items))

    def _visit(self, expression: Expression) -> None:
        match expression:
            case Constant(value, type):
                self._values.append(self._semantics.expression_constant(value, type))
            case Variable(name, type):
                term = self._environment[name]
                self._semantics.know_type(self._scope, term, type)
                self._values.append(term)
            case Unary(_, operand, _):
                self._later(operand, lambda: self._unary(expression))
            case Convert(operand, _):
                self._later(operand, lambda: self._convert(expression))
            case Binary(operator, left, right, _):
                if operator in CONNECTIVES:
                    self._later(left, lambda: self._connective(expression))
                else:
                    self._later(left, right, lambda: self._binary(expression))
            case Conditional(condition, _, _, _):
                self._later(condition, lambda: self._conditional(expression))
            case Select(array, index, _):
                self._later(array, index, lambda: self._select(expression))
            case Store(array, index, value, _):
                self._later(array, index, value, lambda: self._store(expression))
            case Filled(value, _):
                self._later(value, lambda: self._filled(expression))
            case Apply(_, arguments, _):
                self._later(*arguments, lambda: self._apply(expression))

    def _unary(self, expression: Unary) -> None:
        operand = self._values.pop()
        if expression.operator is UnaryOperator.NOT:
            self._values.append(terms.negation(operand))
        elif isinstance(expression.type, Float):
            self._values.append(self._semantics.floats.negated(operand))
        else:
            self._values.append(self._semantics.unary(self._scope, expression.operator, operand, expression.type))

    def _convert(self, expression: Convert) -> None:
        operand = self._values.pop()
        self._values.append(self._semantics.convert(self._scope, operand, expression.operand.type, expression.type))

    def _binary(self, expression: Binary) -> None:
        right, left = self._values.pop(), self._values.pop()
        type = expression.left.type
        if isinstance(type, Boolean | Array):
            value = operations.equal(left, right)
            if expression.operator is Operator.DIFFERENT:
                value = terms.negation(value)
            elif expression.operator is not Operator.EQUAL:
                raise InternalError(f"values of type {type} have no {expression.operator}")
        elif isinstance(type, Float):
            value = self._float(expression.operator, left, right, type)
        else:
            value = self._semantics.binary(self._scope, expression.operator, left, right, type, expression.right.type)
        self._values.append(value)

    def _float(self, operator: Operator, left: Term, right: Term, type: Float) -> Term:
        floats = self._semantics.floats
        if operator in COMPARISONS:
            return floats.compare(operator, left, right)
        return floats.binary(self._scope, operator, left, right, type)

    def _connective(self, expression: Binary) -> None:
        """The left side is there; the right one is evaluated under the condition that the left one leaves it open."""
        left = self._values[-1]
        open_ = terms.negation(left) if expression.operator is Operator.OR else left

        def close() -> None:
            self._scopes.pop()
            right, left = self._values.pop(), self._values.pop()
            match expression.operator:
                case Operator.AND:
                    self._values.append(terms.conjunction([left, right]))
                case Operator.OR:
                    self._values.append(terms.disjunction([left, right]))
                case _:
                    self._values.append(operations.implies(left, right))

        self._scopes.append(self._scope.inner(open_))
        self._later(expression.right, close)

    def _conditional(self, expression: Conditional) -> None:
        condition = self._values.pop()
        known = self._scope.knowledge.decide(condition)
        if known is not None:
            self._later(expression.then if known else expression.otherwise)
            return

        def between() -> None:
            self._scopes[-1:] = [self._scopes[-2].inner(terms.negation(condition))]

        then_scope = self._scope.inner(condition)

        def close() -> None:
            otherwise_scope = self._scopes.pop()
            otherwise, then = self._values.pop(), self._values.pop()
            then, otherwise = self._semantics.alike(then, otherwise)
            value = operations.ite(condition, then, otherwise)
            known = then_scope.knowledge.of(then).hull(otherwise_scope.knowledge.of(otherwise))
            self._scope.knowledge.note(value, known)
            self._values.append(value)

        self._scopes.append(then_scope)
        self._later(expression.then, between, expression.otherwise, close)

    def _index(self, expression: Expression) -> Term:
        return self._semantics.index(self._scope, self._values.pop(), expression.type)

    def _select(self, expression: Select) -> None:
        index = self._index(expression.index)
        element = operations.select(self._values.pop(), index)
        # An array has no facts of its own, so each element that is looked at brings those of its type.
        for fact in self._semantics.type_facts(element, expression.type):
            self._scope.assume(fact)
        self._semantics.know_type(self._scope, element, expression.type)
        self._values.append(element)

    def _store(self, expression: Store) -> None:
        value = self._semantics.variable_value(self._scope, self._values.pop(), expression.value.type)
        index = self._index(expression.index)
        self._values.append(operations.store(self._values.pop(), index, value))

    def _filled(self, expression: Filled) -> None:
        value = self._semantics.variable_value(self._scope, self._values.pop(), expression.value.type)
        self._values.append(operations.filled(self._semantics.index_sort, value))

    def _apply(self, expression: Apply) -> None:
        count = len(expression.arguments)
        arguments = self._values[len(self._values) - count :]
        del self._values[len(self._values) - count :]
        given = tuple(
            self._semantics.variable_value(self._scope, term, argument.type)
            for term, argument in zip(arguments, expression.arguments, strict=True)
        )
        result = self._scope.known_result(expression, given)
        if result is None:
            result = self._scope.names.variable(writable(expression.function), self._semantics.sort(expression.type))
        for fact in self._semantics.type_facts(result, expression.type):
            self._scope.assume(fact)
        self._semantics.know_type(self._scope, result, expression.type)
        self._scope.applied(Application(expression, given, result, terms.conjunction(self._scope.guards)))
        self._values.append(result)
