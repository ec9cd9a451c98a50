"""From a derivation to the values that were chosen on the way, in the order in which a run asks for them."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.encode.clauses import Record
from sorrel.encode.scope import Application
from sorrel.encode.semantics import Semantics
from sorrel.encode.trace import Applied, Called, Chosen, Joined, Trace
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.program.types import Type
from sorrel.program.value import Value


def choices(derivation: Derivation, records: Mapping[str, Record], semantics: Semantics) -> list[Value]:
    """A step's run: that of the cut point it starts from, then its own path with the runs of its calls in their place.

    A fact that is used twice was run twice, with the same choices.
    """
    found: list[Value] = []
    applied: set[tuple[str, tuple[Value, ...], Type]] = set()
    readings: dict[int, _Reading] = {}
    work: list[int | tuple[_Reading, Chosen | Applied]] = [len(derivation.steps) - 1]
    while work:
        item = work.pop()
        if isinstance(item, int):
            if item not in readings:
                step = derivation.steps[item]
                readings[item] = _Reading(step, records[step.clause], semantics)
            reading = readings[item]
            if reading.record.from_point:
                events: list[int | tuple[_Reading, Chosen | Applied]] = [reading.step.premises[0]]
            else:
                events = []
            for event in reading.events:
                events.append(reading.step.premises[event.position] if isinstance(event, Called) else (reading, event))
            work.extend(reversed(events))
        else:
            reading, event = item
            if isinstance(event, Chosen):
                found.append(reading.value(event.value, event.type))
            else:
                found.extend(reading.result(event.application, applied))
    return found


class _Reading:
    """What one step did, under its values."""

    def __init__(self, step: Step, record: Record, semantics: Semantics) -> None:
        self.step = step
        self.record = record
        self._semantics = semantics
        self.events = self._ordered(record.trace)

    def _ordered(self, trace: Trace | None) -> list[Chosen | Called | Applied]:
        """The events of the path that was taken, first ones first."""
        events: list[Chosen | Called | Applied] = []
        while trace is not None:
            if isinstance(trace, Joined):
                trace = trace.then if self._holds(trace.condition) else trace.otherwise
            else:
                events.append(trace)
                trace = trace.before
        events.reverse()
        return events

    def _holds(self, condition: Term) -> bool:
        return terms.is_true(self._evaluated(condition))

    def _evaluated(self, term: Term) -> Term:
        """Variables that the clause does not mention can have any value."""
        open_ = terms.substitute(term, self.record.solved.values())
        values = dict(self.step.values)
        known = {terms.identity(variable) for variable in values}
        for variable in walk.free_variables(open_):
            if terms.identity(variable) not in known:
                values[variable] = terms.default_value(variable.sort())
        return evaluate(open_, values)

    def value(self, term: Term, type: Type) -> Value:
        return self._semantics.value(self._evaluated(term), type)

    def result(self, application: Application, applied: set[tuple[str, tuple[Value, ...], Type]]) -> list[Value]:
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
