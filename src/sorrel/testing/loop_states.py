"""What variables have before the rounds of a loop, in a few runs."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from sorrel.model.work import METER, STEP
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.interpreter import Ended, Interpreter, Prepared
from sorrel.program.program import Program
from sorrel.program.types import Array, Boolean, Machine, Type
from sorrel.program.value import ArrayValue, Value, fits

RUNS, STEPS = 120, 6_000
"""How many runs are made, and how far each goes."""
MOST_STATES, MOST_OF_RUN = 500, 12
"""States that are kept; of one run its first ones, or some that are far from each other."""

LoopState: TypeAlias = Mapping[str, Value]


class _Inputs:
    """Those of a run: first what another run had, then drawn by luck."""

    def __init__(self, source: Random, numbers: tuple[int, ...], small: float, before: list[Value]) -> None:
        self.used: list[Value] = []
        self._source = source
        self._numbers = numbers
        self._small = small
        self._before = before

    def __call__(self, type: Type) -> Value:
        place = len(self.used)
        value = self._before[place] if place < len(self._before) else None
        if value is None or not fits(value, type):
            value = _drawn(type, self._source, self._numbers, self._small)
        self.used.append(value)
        return value


def loop_states(program: Program, label: str, numbers: tuple[int, ...], seed: int) -> list[LoopState]:
    """Of the main procedure's variables and the globals, each time that a run comes to the block.

    Inputs are numbers that the program speaks of, small ones and any. Runs that come to places where no run was before
    are begun again, with another end.
    """
    source = Random(seed)
    prepared: Prepared = {}
    kept, places, states = list[list[Value]](), set[tuple[str, str]](), list[list[LoopState]]()
    for number in range(RUNS):
        before = source.choice(kept) if kept and number % 2 else []
        inputs = _Inputs(source, numbers, (0.0, 0.5, 0.9)[number % 3], before)
        machine = Interpreter(program, inputs, STEPS, False, None, prepared)
        own, visited, when = list[LoopState](), set[tuple[str, str]](), 0
        try:
            machine.start()
            while machine.left > 0:
                frame = machine.frames[-1]
                if not frame.position:
                    if len(machine.frames) == 1 and frame.label == label:
                        own.append({**machine.globals, **frame.locals})
                    place = (frame.prepared.procedure.name, frame.label)
                    if place not in places and place not in visited:
                        visited.add(place)
                        when = len(inputs.used)
                machine.left -= 1
                machine.step()
        except (UndefinedOperation, Ended):
            pass
        METER.add(STEP * (STEPS - machine.left))
        if visited:
            places |= visited
            kept.append(inputs.used[:when])
        states.append(own)
    return _chosen(states)


def _chosen(states: list[list[LoopState]]) -> list[LoopState]:
    """A few of every run, of late runs first, since those know how to come far."""
    found: list[LoopState] = []
    for number, own in enumerate(reversed(states)):
        spread = own[:: max(1, len(own) // MOST_OF_RUN)]
        found += (own if number % 3 == 0 else spread)[:MOST_OF_RUN]
    return found[:MOST_STATES]


def _drawn(type: Type, source: Random, numbers: tuple[int, ...], small: float) -> Value:
    """Small numbers with a probability of so much at least, since what is done often is done with them."""
    match type:
        case Boolean():
            return source.random() < 0.5
        case Array(element):
            return ArrayValue(_drawn(element, source, numbers, 0.0))
        case Machine():
            if source.random() < small:
                return type.wrap(source.randrange(1, 7) if source.random() < 0.9 else 0)
            value = source.choice((1, 1, source.randrange(8), source.choice(numbers), source.getrandbits(type.bits)))
            return type.wrap(value)
        case _:
            return source.choice((0, 1, source.choice(numbers)))
