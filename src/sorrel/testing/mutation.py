"""Runs by mutation: inputs that got a run somewhere new are kept, changed a little, and tried again.

Somewhere new is a block that no run had entered, or that no run had entered about so often: what has to be done forty
times before it goes wrong is come to by doing it eight times, then sixteen. (AFL counts edges in this way.) Which
object is watched, and so whether memory is used after its end, is part of the inputs: a run notes the objects that it
compares the watched one with, and is made again for some of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from sorrel.evidence.only_run import MOST_STEPS
from sorrel.evidence.run import smallest
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program.checks import WATCHED
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.interpreter import NOBODYS, ByVariable, Ended, Machine, Prepared
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import Havoc
from sorrel.program.traversal import steps
from sorrel.program.types import Type
from sorrel.program.value import Value, zero
from sorrel.testing.probe import constants_of, fitting

LONGEST_RUN, LONG_RUN = 20_000, 160_000
"""Steps of a run; every 32nd may be a long one."""
MORE_INPUTS = 128
"""So many inputs a run gets at most behind those of its seed; the first runs get fewer. Most errors are near."""
MOST_WATCHED = 4
"""Objects that are watched one after the other, in runs with the same inputs."""
RECENT = 12
"""Every other run goes on from one of so many seeds, the last ones that were found."""
EXTREMES = (2**31 - 1, -(2**31), 2**31 - 2, 2**32 - 1, 2**63 - 1, -(2**63))
_Place: TypeAlias = tuple[str, str]
_Source: TypeAlias = Callable[[], int]


class _Watched(int):
    """The number of the watched object, which notes the numbers that it is compared with."""

    others: dict[int, None]

    def __new__(cls, number: int) -> _Watched:
        made = super().__new__(cls, number)
        made.others = {}
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            self.others[int(other)] = None
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


@dataclass(slots=True)
class _Trial:
    """A run: the numbers that it took from outside, how often it entered each block, and how it ended.

    `useful`: so many of the numbers had been taken when it last got somewhere new; -1 if it never did.
    """

    watched: _Watched
    taken: list[int] = field(default_factory=list)
    entered: Counter[_Place] = field(default_factory=Counter)
    useful: int = -1
    choices: tuple[Value, ...] | None = None  # if it violated an assertion


def mutated_violation(program: Program, clock: Clock, seed: int = 0) -> Run | None:
    """A recorded run into an error; None if none was found in time."""
    choices = _Mutation(program, constants_of(program), random.Random(seed)).run(lambda: not clock.expired())
    if choices is None:
        return None
    found = smallest(program, choices, MOST_STEPS)
    return found if isinstance(found.end, Violated) else None


class _Mutation:
    def __init__(self, program: Program, constants: Sequence[int], chance: random.Random) -> None:
        self._program = program
        self._chance = chance
        self._numbers = tuple(dict.fromkeys((0, 1, 2, 3, -1, *(c + d for c in constants for d in (0, -1, 1)))))
        self._prepared: Prepared = {}
        self._inputs = _inputs(program)
        self._watches = any(variable.name == WATCHED for variable in program.globals)
        self._seeds: list[tuple[int, ...]] = [()]
        self._known: set[tuple[_Place, int]] = set()
        self._runs = 0

    def run(self, go_on: Callable[[], bool]) -> tuple[Value, ...] | None:
        while go_on():
            trial = self._tried(self._mutated(), self._source(), 0, self._more())
            is_new = trial.useful >= 0
            if is_new:
                self._seeds.append(tuple(trial.taken[: trial.useful]))
            if trial.choices is None and self._watches and (is_new or self._chance.random() < 0.2):
                trial = self._watching(trial, go_on)
            if trial.choices is not None:
                return trial.choices
        return None

    def _watching(self, trial: _Trial, go_on: Callable[[], bool]) -> _Trial:
        """The same inputs with other objects watched: the last ones that the run had to do with, and a few more."""
        others = [number for number in trial.watched.others if number > 0]
        chosen = [*others[-MOST_WATCHED // 2 :], *self._chance.sample(others, min(MOST_WATCHED // 2, len(others)))]
        for number in dict.fromkeys(chosen):
            again = self._tried(trial.taken, lambda: 0, number, 0)
            if again.choices is not None or not go_on():
                return again
        return trial

    def _tried(self, prefix: Sequence[int], source: _Source, watched: int, more: int) -> _Trial:
        trial = _Trial(_Watched(watched))

        def choose(type: Type, target: str) -> Value | None:
            if target == WATCHED:
                return trial.watched
            if target not in self._inputs:
                return zero(type)
            if len(trial.taken) >= len(prefix) + more:
                return None
            number = prefix[len(trial.taken)] if len(trial.taken) < len(prefix) else source()
            trial.taken.append(number)
            return fitting(type, number)

        self._runs += 1
        most = LONG_RUN if self._runs % 32 == 0 else LONGEST_RUN
        machine = Machine(self._program, ByVariable(choose), 0, record=False, prepared=self._prepared)
        try:
            self._follow(machine, most, trial)
        except UndefinedOperation:
            pass
        except Ended as ended:
            if isinstance(ended.end, Violated):
                trial.choices = tuple(int(u.value) if isinstance(u.value, _Watched) else u.value for u in machine.used)
        return trial

    def _follow(self, machine: Machine, most: int, trial: _Trial) -> None:
        machine.start()
        frames, step, entered, known = machine.frames, machine.step, trial.entered, self._known
        for _ in range(most):
            step()
            METER.add(STEP)
            frame = frames[-1]
            if frame.position == 0:
                place = (frame.prepared.procedure.name, frame.label)
                entered[place] = times = entered[place] + 1
                if _counts(times) and (place, times) not in known:
                    known.add((place, times))
                    trial.useful = len(trial.taken)

    # What to try

    def _mutated(self) -> list[int]:
        """The inputs of a seed, changed here and there, mostly cut off somewhere."""
        chance, seeds = self._chance, self._seeds
        some = chance.choices(seeds[-RECENT:] if chance.random() < 0.5 else seeds, k=2)
        shorter: tuple[int, ...] = min(some, key=len)
        values = list(shorter)
        for _ in range(chance.choice((1, 1, 2, 4))):
            values = self._changed(values)
        return values

    def _changed(self, values: list[int]) -> list[int]:
        chance = self._chance
        begin = chance.randint(0, len(values))
        end = min(len(values), begin + chance.choice((1, 1, 2, 3, 4, 8, 32)))
        part = values[begin:end]
        match chance.randrange(7):
            case 0:
                return values[:begin]
            case 1:
                return [*values[:begin], *values[end:]]
            case 2:
                return [*values[:end], *part * chance.choice((1, 2, 7, 30)), *values[end:]]
            case 3:
                return [*values[:begin], *(self._number() for _ in part), *values[end:]]
            case 4:
                return [*values[:begin], *(number + chance.choice((1, -1)) for number in part), *values[end:]]
            case 5:
                other = chance.choice(self._seeds)
                return [*values[:begin], *other[chance.randint(0, len(other)) :]]
            case _:
                return [*values[:begin], *([self._number()] * len(part)), *values[end:]]

    def _number(self) -> int:
        chance = self._chance
        match chance.randrange(8):
            case 0:
                return chance.randint(0, 255)
            case 1:
                return chance.choice(EXTREMES)
            case 2:
                return chance.randint(-(2**31), 2**31 - 1)
            case 3:
                return chance.randint(-20, 1000)
            case _:
                return chance.choice(self._numbers)

    def _more(self) -> int:
        """A long run at the start would pass by all that is worth keeping on its way."""
        return self._chance.randint(1, min(MORE_INPUTS, 4 + self._runs // 4))

    def _source(self) -> _Source:
        """Where numbers come from when those of the seed are used up: of one kind throughout a run."""
        chance = self._chance
        few = [self._number() for _ in range(chance.choice((1, 2, 3, 5)))]
        largest = chance.choice((1, 3, 9, 39, 255))
        sources: tuple[_Source, ...] = (
            self._number,
            lambda: chance.choice(self._numbers),
            lambda: chance.choice(few),
            lambda: chance.randint(0, largest),
            lambda: chance.choice(few) if chance.random() < 0.2 else 1,
            lambda: chance.randint(32, 126),
        )
        return chance.choice(sources)


def _inputs(program: Program) -> frozenset[str]:
    """The variables that get values from outside; the others start with 0."""
    return frozenset(("", *(each.name for each in program.procedure[program.main].parameters), *_asked(program)))


def _asked(program: Program) -> Iterator[str]:
    for procedure in program.procedures:
        for block in procedure.blocks:
            for step in steps(block):
                if isinstance(step, Havoc) and step.choice not in NOBODYS:
                    yield step.target.name


def _counts(times: int) -> bool:
    """Small numbers, and then powers of two."""
    return times < 4 or times & (times - 1) == 0
