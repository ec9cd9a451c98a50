"""From a derivation to the values that were chosen on the way, in the order in which a run asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from sorrel.encode.clauses import Record
from sorrel.encode.semantics import Semantics
from sorrel.encode.trace import Applied, Called, Chosen
from sorrel.encode.trace_reading import Functions, Reading
from sorrel.horn.verdict import ROUND, Derivation, Loop, Step
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.program.value import Value


def choices(derivation: Derivation, records: Mapping[str, Record], semantics: Semantics) -> list[Value]:
    """A step's run: that of the cut point it starts from, then its own path with the runs of its calls in their place.

    A fact that is used twice was run twice, with the same choices.
    """
    return _Choices(derivation, records, semantics).found()


MOST_ROUNDS = 5_000_000
"""More of them take more steps than any run that is repeated."""
_Work: TypeAlias = "int | tuple[_Reading, Chosen | Applied] | tuple[Loop, bool]"
"""A step, something that it chose, or what the rounds of a loop chose after what they rest on, or before."""


class _Choices:
    def __init__(self, derivation: Derivation, records: Mapping[str, Record], semantics: Semantics) -> None:
        self._steps = derivation.steps
        self._loops = {loop.last: loop for loop in derivation.loops}
        self._records = records
        self._semantics = semantics
        self._readings: dict[int, _Reading] = {}
        self._applied: Functions = set()
        self._found: list[Value] = []

    def found(self) -> list[Value]:
        work: list[_Work] = [len(self._steps) - 1]
        while work:
            item = work.pop()
            if isinstance(item, int):
                work.extend(reversed(self._parts(item)))
            elif isinstance(item[0], Loop):
                self._found.extend(self._rounds(item[0], after=bool(item[1])))
            elif not isinstance(item[1], bool):
                self._found.extend(self._values(item[0], item[1]))
        return self._found

    def _parts(self, number: int) -> list[_Work]:
        if number in self._loops:
            loop = self._loops[number]
            return [(loop, False), loop.entry, (loop, True)]
        if number not in self._readings:
            self._readings[number] = self._reading(number)
        reading = self._readings[number]
        premises = reading.step.premises
        own: list[_Work] = [
            premises[event.position] if isinstance(event, Called) else (reading, event) for event in reading.events
        ]
        return [premises[0], *own] if reading.record.from_point else own

    def _reading(self, number: int, round_: int | None = None) -> _Reading:
        step = self._steps[number]
        if round_ is not None:
            here = [(ROUND, terms.integer(round_))]
            step = Step(step.clause, {v: evaluate(t, here) for v, t in step.values.items()}, step.premises)
        return _Reading(step, self._records[step.clause], self._semantics)

    def _values(self, reading: _Reading, event: Chosen | Applied) -> list[Value]:
        if isinstance(event, Chosen):
            return [reading.value(event.value, event.type)]
        return reading.result(event.application, self._applied)

    def _rounds(self, loop: Loop, *, after: bool) -> Iterator[Value]:
        """What was chosen in all rounds: moves are by constants, so that the first and the last round tell the others.

        Before the call that a round rests on come later rounds first, as in recursion; a loop has nothing there.
        """
        numbers = range(loop.first, loop.last + 1)
        first, last = (
            [
                value
                for number in (numbers if after else reversed(numbers))
                for value in self._chosen(loop, number, at, after)
            ]
            for at in (0, loop.count - 1)
        )
        if not first:
            return
        rounds = range(min(loop.count, MOST_ROUNDS))
        counted = rounds if after else reversed(rounds)
        for round_ in counted:
            for start, end in zip(first, last, strict=False):
                yield _between(start, end, round_, loop.count - 1)

    def _chosen(self, loop: Loop, number: int, round_: int, after: bool) -> Iterator[Value]:
        """By a step in a round, after the call that the loop goes through or before it; with calls that end at once.

        Those have steps of the round without premises, which are told where they are called.
        """
        if not self._steps[number].premises:
            return
        reading = self._reading(number, round_)
        passed = reading.record.from_point
        for event in reading.events:
            if not isinstance(event, Called):
                yield from self._values(reading, event) if passed is after else ()
                continue
            premise = reading.step.premises[event.position]
            if premise < loop.first or self._steps[premise].premises:
                passed = True
            elif passed is after:
                inside = self._reading(premise, round_)
                own = (e for e in inside.events if not isinstance(e, Called))
                yield from (value for each in own for value in self._values(inside, each))


def _between(first: Value, last: Value, round_: int, rounds: int) -> Value:
    """A number moves by the same in each round; what is none stays."""
    if type(first) is int and type(last) is int and first != last:
        return first + (last - first) // rounds * round_
    return first


class _Reading(Reading):
    """What one step did, under its values."""

    def __init__(self, step: Step, record: Record, semantics: Semantics) -> None:
        super().__init__(semantics, self._evaluated)
        self.step = step
        self.record = record
        self.events = self.ordered(record.trace)

    def _evaluated(self, term: Term) -> Term:
        """Variables that the clause does not mention can have any value."""
        open_ = terms.substitute(term, self.record.solved.values())
        values = dict(self.step.values)
        known = {terms.identity(variable) for variable in values}
        for variable in walk.free_variables(open_):
            if terms.identity(variable) not in known:
                values[variable] = terms.default_value(variable.sort())
        return evaluate(open_, values)
