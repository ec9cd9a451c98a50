"""Runs by mutation: inputs that got a run somewhere new are kept, changed a little, and tried again.

Somewhere new is a block that no run had entered, or that no run had entered about so often: what has to be done forty
times before it goes wrong is come to by doing it eight times, then sixteen. (AFL counts edges in this way.) So are
inputs that came nearer to violating an assertion than all before (`distances`). Runs that are kept are made once more
with inputs that are traced (`traced`): where a comparison had one outcome only, the inputs that give it another one are
tried first. Which object is watched, and so whether memory is used after its end, is part of the inputs: a run notes
the objects that it compares the watched one with, and is made again for some of them.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from sorrel.evidence.only_run import MOST_STEPS
from sorrel.evidence.run import recorded, smallest, values_of
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, STEP
from sorrel.program.checks import WATCHED
from sorrel.program.evaluation import UndefinedOperation, truncated
from sorrel.program.interpreter import NOBODYS, ByVariable, Ended, Interpreter, Prepared
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import Assert, Assume, Branch, Havoc, Observe
from sorrel.program.traversal import steps
from sorrel.program.types import Machine, Type
from sorrel.program.value import Value, zero
from sorrel.testing.distances import FAR, measured
from sorrel.testing.probe import constants_of, fitting
from sorrel.testing.traced import Factors, Traced, factors_of

LONGEST_RUN, LONG_RUN = 20_000, 160_000
"""Steps of a run; every 32nd may be a long one."""
MORE_INPUTS = 128
"""So many inputs a run gets at most behind those of its seed; the first runs get fewer. Most errors are near."""
MOST_WATCHED = 4
"""Objects that are watched one after the other, in runs with the same inputs."""
RECENT = 12
"""Every other run goes on from one of so many seeds, the last ones that were found."""
NEAREST_CHANCE, RETRACED_CHANCE = 0.3, 0.3
"""Runs that go on from inputs that came nearest to an error; and such inputs that are traced, with nothing new."""
FIRST_SETTLED = 32
"""After so many runs, and then whenever there were twice as many, it is looked at what is still worth observing."""
TRACED = 8
"""Every so many runs are traced whether they are kept or not."""
MOST_WISHES = 6
"""So often inputs are tried that give a comparison an outcome that it never had, from about the same distance."""
MOST_WAITING = 64
"""Such inputs that wait, of which every other run takes one; the oldest make room."""
EXTREMES = (2**31 - 1, -(2**31), 2**31 - 2, 2**32 - 1, 2**63 - 1, -(2**63))
_Place: TypeAlias = tuple[str, str]
_Way: TypeAlias = tuple[_Place, ...]
_Source: TypeAlias = Callable[[], int]
_Site: TypeAlias = tuple[str, str, int]
"""A comparison: in which step of a procedure it stands."""
_Goal: TypeAlias = tuple[str, tuple[str, ...]]
"""An assertion, and the blocks from which the procedures around it were called, the last ones."""
CALLERS = 2


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

    `useful`: so many of the numbers had been taken when it last got somewhere new; -1 if it never did. `nearer`: where
    it came nearer to an error than all before, and how many had been taken then.
    """

    watched: _Watched
    taken: list[int] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    entered: Counter[_Place] = field(default_factory=Counter)
    useful: int = -1
    nearer: dict[_Goal, int] = field(default_factory=dict)
    compared: list[tuple[_Site, int, Factors]] = field(default_factory=list)  # if its inputs are traced
    choices: tuple[Value, ...] | None = None  # if it violated an assertion, but not where runs did before


def mutated_violations(program: Program, clock: Clock, seed: int = 0) -> Iterator[Run]:
    """Recorded runs into errors, each at another place or by other calls than those before, until time is up."""
    mutation = _Mutation(program, constants_of(program), random.Random(seed))
    told = set[_Way]()
    while (choices := mutation.run(lambda: not clock.expired())) is not None:
        for make in (smallest, recorded):  # with smaller values it may be another way
            found = make(program, choices, MOST_STEPS)
            way = _way(program, values_of(found))
            if isinstance(found.end, Violated) and way not in told:
                told.add(way)
                yield found


def _way(program: Program, choices: Sequence[Value]) -> _Way:
    """By which calls the run comes to where it ends."""
    machine = Interpreter(program, choices, MOST_STEPS, record=False)
    machine.run()
    return _calls(machine)


def _calls(machine: Interpreter) -> _Way:
    return tuple((frame.prepared.procedure.name, frame.label) for frame in machine.frames)


class _Mutation:
    def __init__(self, program: Program, constants: Sequence[int], chance: random.Random) -> None:
        self._plain = program
        self._traced: tuple[Program, Prepared] = (measured(program), {})
        self._measured = self._traced
        self._chance = chance
        self._numbers = tuple(dict.fromkeys((0, 1, 2, 3, -1, *(c + d for c in constants for d in (0, -1, 1)))))
        self._inputs = _inputs(program)
        self._watches = any(variable.name == WATCHED for variable in program.globals)
        self._seeds: list[tuple[int, ...]] = [()]
        self._known: set[tuple[_Place, int]] = set()
        self._distance: dict[_Goal, int] = {}
        self._nearest: dict[_Goal, tuple[int, ...]] = {}
        self._signs: dict[_Site, set[int]] = {}
        self._wished: Counter[tuple[_Site, int, int]] = Counter()
        self._wishes: deque[list[int]] = deque(maxlen=MOST_WAITING)
        self._told: set[_Way] = set()
        self._runs = 0

    def run(self, go_on: Callable[[], bool]) -> tuple[Value, ...] | None:
        while go_on():
            prefix = self._wishes.popleft() if self._wishes and self._runs % 2 else self._mutated()
            trial = self._tried(prefix, self._source(), 0, self._more(), traced=self._runs % TRACED == 0)
            is_new = trial.useful >= 0
            self._keep(trial)
            if trial.choices is None and self._watches and (is_new or self._chance.random() < 0.2):
                trial = self._watching(trial, go_on)
            if trial.choices is not None:
                return trial.choices
        return None

    def _keep(self, trial: _Trial) -> None:
        """What a run is good for; what its comparisons wish for comes next."""
        for goal, count in trial.nearer.items():
            self._nearest.pop(goal, None)
            self._nearest[goal] = tuple(trial.taken[:count])
        if trial.useful >= 0:
            self._seeds.append(tuple(trial.taken[: trial.useful]))
        if trial.compared:
            self._wish(trial)
        elif trial.useful >= 0 or (trial.nearer and self._chance.random() < RETRACED_CHANCE):
            self._wish(self._tried(trial.taken, lambda: 0, 0, 0, traced=True))

    def _wish(self, trial: _Trial) -> None:
        """Inputs that give comparisons other outcomes, each with one number changed."""
        for site, difference, _ in trial.compared:
            self._signs.setdefault(site, set()).add(_sign(difference))
        for site, difference, factors in trial.compared:
            for wanted in sorted({0, 1, -1} - self._signs[site]):
                key = (site, wanted, difference.bit_length())
                if self._wished[key] < MOST_WISHES and (wish := _wish(trial, wanted - difference, factors)) is not None:
                    self._wished[key] += 1
                    self._wishes.append(wish)

    def _settle(self) -> None:
        """Now and then: what cannot come nearer without an error is neither observed nor gone on from any longer."""
        if self._runs >= FIRST_SETTLED and self._runs & (self._runs - 1) == 0:
            near = {goal for goal, distance in self._distance.items() if distance <= 1}
            others = {assertion for assertion, _ in self._distance.keys() - near}
            self._measured = measured(self._plain, {assertion for assertion, _ in near} - others), {}
            self._nearest = {goal: inputs for goal, inputs in self._nearest.items() if goal not in near}

    def _watching(self, trial: _Trial, go_on: Callable[[], bool]) -> _Trial:
        """The same inputs with other objects watched: the last ones that the run had to do with, and a few more."""
        others = [number for number in trial.watched.others if number > 0]
        chosen = [*others[-MOST_WATCHED // 2 :], *self._chance.sample(others, min(MOST_WATCHED // 2, len(others)))]
        for number in dict.fromkeys(chosen):
            again = self._tried(trial.taken, lambda: 0, number, 0)
            if again.choices is not None or not go_on():
                return again
        return trial

    def _tried(
        self, prefix: Sequence[int], source: _Source, watched: int, more: int, *, traced: bool = False
    ) -> _Trial:
        trial = _Trial(_Watched(watched))

        def choose(type: Type, target: str) -> Value | None:
            if target == WATCHED:
                return trial.watched
            if target not in self._inputs:
                return zero(type)
            position = len(trial.taken)
            if position >= len(prefix) + more:
                return None
            number = prefix[position] if position < len(prefix) else source()
            value = fitting(type, number)
            if isinstance(type, Machine) and isinstance(value, int):
                number = value
                value = Traced.of(value, {position: 1}, listen) if traced else value
            trial.taken.append(number)
            trial.types.append(type)
            return value

        def listen(difference: int, factors: Factors) -> None:
            if not (factors and machine.frames):
                return
            frame = machine.frames[-1]
            _, step, _ = frame.prepared.steps[frame.label][frame.position - 1]
            if isinstance(step, Branch | Assert | Assume):
                site = (frame.prepared.procedure.name, frame.label, frame.position)
                trial.compared.append((site, difference, factors))

        def notice(step: Observe, value: Value) -> None:
            distance = abs(int(value)) if isinstance(value, int) else FAR
            goal = step.message, tuple(frame.label for frame in machine.frames[-1 - CALLERS : -1])
            if distance < self._distance.get(goal, FAR):
                self._distance[goal] = distance
                trial.nearer[goal] = len(trial.taken)
            if traced and (factors := factors_of(value)):
                trial.compared.append(((step.message, "", 0), distance, factors))

        self._runs += 1
        self._settle()
        most = LONG_RUN if self._runs % 32 == 0 else LONGEST_RUN
        program, prepared = self._traced if traced else self._measured
        machine = Interpreter(program, ByVariable(choose), 0, record=False, prepared=prepared)
        machine.notice = notice
        try:
            self._follow(machine, most, trial)
        except UndefinedOperation:
            pass
        except Ended as ended:
            way = _calls(machine)
            if isinstance(ended.end, Violated) and way not in self._told:
                self._told.add(way)
                trial.choices = tuple(
                    int(u.value) if isinstance(u.value, _Watched | Traced) else u.value for u in machine.used
                )
        return trial

    def _follow(self, machine: Interpreter, most: int, trial: _Trial) -> None:
        machine.start()
        frames, step, entered, known = machine.frames, machine.step, trial.entered, self._known
        taken = 0
        try:
            for taken in range(1, most + 1):  # noqa: B007 - counted for the meter, however it ends
                step()
                frame = frames[-1]
                if frame.position == 0:
                    place = (frame.prepared.procedure.name, frame.label)
                    entered[place] = times = entered[place] + 1
                    if _counts(times) and (place, times) not in known:
                        known.add((place, times))
                        trial.useful = len(trial.taken)
        finally:
            METER.add(STEP * taken)

    # What to try

    def _mutated(self) -> list[int]:
        """The inputs of a seed, changed here and there, mostly cut off somewhere."""
        chance, seeds = self._chance, self._seeds
        nearest = chance.random() < NEAREST_CHANCE
        if nearest and self._nearest:
            seeds = list(self._nearest.values())
        # What came nearest to an error is often long, and needs to be.
        some = chance.choices(seeds[-RECENT:] if chance.random() < 0.5 else seeds, k=1 if nearest else 2)
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


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _wish(trial: _Trial, missing: int, factors: Factors) -> list[int] | None:
    """The inputs with one number changed, so that the difference of two sides grows by so much; late ones first."""
    for position, factor in reversed(tuple(factors.items())):
        number = trial.taken[position] + truncated(missing, factor)
        type = trial.types[position]
        if isinstance(type, Machine) and type.contains(number) and number != trial.taken[position]:
            return [*trial.taken[:position], number, *trial.taken[position + 1 :]]
    return None
