"""What variables have before the rounds of a loop, in a few runs."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from sorrel.model.work import METER, STEP
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.interpreter import Ended, Machine, Prepared
from sorrel.program.program import Program
from sorrel.program.types import Array, Boolean, Type
from sorrel.program.types import Machine as MachineType
from sorrel.program.value import Value, zero

RUNS, STEPS = 60, 4_000
"""How many runs are made, and how far each goes."""
MOST_STATES = 400

LoopState: TypeAlias = Mapping[str, Value]


def loop_states(program: Program, label: str, numbers: tuple[int, ...], seed: int) -> list[LoopState]:
    """Of the main procedure's variables and the globals, each time that a run comes to the block.

    Inputs are numbers that the program speaks of, small ones and any.
    """
    source, found = Random(seed), list[LoopState]()
    prepared: Prepared = {}
    for _ in range(RUNS):
        machine = Machine(program, lambda type: _drawn(type, source, numbers), STEPS, False, None, prepared)
        try:
            machine.start()
            while machine.left > 0 and len(found) < MOST_STATES:
                frame = machine.frames[-1]
                if len(machine.frames) == 1 and frame.label == label and not frame.position:
                    found.append({**machine.globals, **frame.locals})
                machine.left -= 1
                machine.step()
        except (UndefinedOperation, Ended):
            pass
        METER.add(STEP * (STEPS - machine.left))
    return found


def _drawn(type: Type, source: Random, numbers: tuple[int, ...]) -> Value:
    match type:
        case Boolean():
            return source.random() < 0.5
        case Array():
            return zero(type)
        case MachineType():
            value = source.choice((1, 1, source.randrange(8), source.choice(numbers), source.getrandbits(type.bits)))
            return type.wrap(value)
        case _:
            return source.choice((0, 1, source.choice(numbers)))
