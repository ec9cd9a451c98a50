"""What a path did under the values of a model: the events that really happened, and the values that they chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sorrel.encode.scope import Application
from sorrel.encode.semantics import Semantics
from sorrel.encode.trace import Applied, Called, Chosen, Joined, Trace
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.program.types import Type
from sorrel.program.value import Value

Event: TypeAlias = Chosen | Called | Applied
Functions: TypeAlias = set[tuple[str, tuple[Value, ...], Type]]
"""Uninterpreted functions with the arguments that a run has asked them for."""


class Reading:
    """`evaluated` is the value of a term in the model."""

    def __init__(self, semantics: Semantics, evaluated: Callable[[Term], Term]) -> None:
        self._semantics = semantics
        self._value = evaluated

    def ordered(self, trace: Trace | None) -> list[Event]:
        """The events of the path that was taken, first ones first."""
        events: list[Event] = []
        while trace is not None:
            if isinstance(trace, Joined):
                trace = trace.then if self._holds(trace.condition) else trace.otherwise
            else:
                events.append(trace)
                trace = trace.before
        events.reverse()
        return events

    def value(self, term: Term, type: Type) -> Value:
        return self._semantics.value(self._value(term), type)

    def result(self, application: Application, applied: Functions) -> list[Value]:
        """The value of an uninterpreted function, if a run asks for it: it does so once for each argument."""
        expression = application.expression
        if not self._holds(application.guard):
            return []
        given = zip(application.arguments, expression.arguments, strict=True)
        arguments = tuple(self.value(term, argument.type) for term, argument in given)
        key = (expression.function, arguments, expression.type)
        if key in applied:
            return []
        applied.add(key)
        return [self.value(application.result, expression.type)]

    def _holds(self, condition: Term) -> bool:
        return terms.is_true(self._value(condition))
