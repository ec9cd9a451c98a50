"""Walks through functions with one recursive call, such as loops: each step runs a path from a known execution.

Counters must run before something else happens, so a walk decides as in the step before as a rule, and now and then as
it hardly ever did. From each new execution the main function is tried: what it forbids may be found on the way.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.engines.whale.program import Body, Goal, body
from sorrel.engines.whale.running import Passed, Runner
from sorrel.logic import walk
from sorrel.model.budget import Clock

MOST_STATES, MOST_STEPS, MOST_IDLE = 400, 1000, 400
"""So many executions are enough, so many steps are tried, and so many in a row that lead to nothing new."""
LONGEST_WALK = 25
STUBBORN = 0.85
"""How often a decision is made as in the step before."""
CURIOUS = 0.3
"""How often another decision is the one that was made least often."""
MOST_VALUES = 4
MOST_COMPARED, FEW = 25, 8
MOST_STARTS = 6


class Habit:
    """A policy that repeats itself."""

    def __init__(self, chance: random.Random, constants: Sequence[int]) -> None:
        self._chance = chance
        self._numbers = sorted(
            {near for constant in (0, *constants) for near in (constant - 1, constant, constant + 1)}
        )
        self._last: dict[object, int] = {}
        self._count: dict[tuple[object, int], int] = {}
        self._invented: dict[object, list[int]] = {}

    def order(self, key: object, count: int) -> list[int]:
        found = list(range(count))
        self._chance.shuffle(found)
        last = self._last.get(key)
        if last is not None and self._chance.random() < STUBBORN:
            found.sort(key=lambda k: k != last)
        elif self._chance.random() < CURIOUS:
            found.sort(key=lambda k: self._count.get((key, k), 0))
        return found

    def values(self, key: object, is_truth: bool) -> list[int]:
        if is_truth:
            return self._chance.sample((0, 1), 2)
        before = self._invented.get(key, [])[:1] if self._chance.random() < STUBBORN else []
        found = self._chance.sample(self._numbers, min(MOST_VALUES, len(self._numbers)))
        # Small numbers first as often as not: many things begin with nothing.
        found = [0, *found] if self._chance.random() < 0.5 else [*found, 0]
        self._invented[key] = [*before, *found]
        return self._invented[key]

    def took(self, key: object, choice: int) -> None:
        self._last[key] = choice
        self._count[key, choice] = self._count.get((key, choice), 0) + 1

    def forget(self) -> None:
        self._last.clear()
        self._invented.clear()


class LoopWalk:
    def __init__(self, procedures: Procedures, executions: Executions) -> None:
        functions = {**procedures.functions, procedures.main.name: procedures.main}
        self._transparent = {f.name for f in procedures.functions.values() if f.is_transparent}
        self._bodies = _runnable(functions)
        self._main = procedures.main
        self._executions = executions
        self._chance = random.Random(0)
        runnable = {name: found for name, found in self._bodies.items() if name in self._transparent}
        self._runner = Runner(procedures.functions, runnable)
        paths = [path for function in functions.values() for path in function.paths]
        self._habit = Habit(self._chance, [c for path in paths for c in walk.numerals(path.constraint)])

    def through(self, function: Function, clock: Clock) -> Execution | None:
        """Walk until there are enough executions or nothing new comes; an execution of the main function, if met."""
        steps = [each for each in self._bodies.get(function.name, ()) if self._open(each.path) == [function.name]]
        ends = [each for each in self._bodies.get(self._main.name, ()) if self._open(each.path) == [function.name]]
        starts = list(self._starts(function)) if steps else []
        for start in starts:
            violation = self._violation(start.execution, ends)
            if violation is not None:
                return violation
        met = _Met(starts, len(function.arguments))
        while met.is_worth_more() and not clock.expired():
            self._habit.forget()
            for made in self._walk(met.choose(self._chance), steps, met):
                self._executions.add(made)
                violation = self._violation(made, ends)
                if violation is not None:
                    return violation
        return None

    def _violation(self, made: Execution, ends: Sequence[Body]) -> Execution | None:
        """An execution of the main function that calls this one."""
        for end in ends:
            found = self._step(end, made)
            if found is not None:
                return found.execution
        return None

    def _starts(self, function: Function) -> Iterator[Passed]:
        """Executions without recursion, and those that are known."""
        yield from (Passed(execution, ()) for execution in self._executions.of(function.name))
        closed = [each for each in self._bodies.get(function.name, ()) if not self._open(each.path)]
        for each in closed * MOST_STARTS:
            self._habit.forget()
            made = self._runner.run(each, {}, self._habit)
            if made is not None:
                self._executions.add(made.execution)
                yield made

    def _walk(self, last: Execution, steps: Sequence[Body], met: _Met) -> Iterator[Execution]:
        """The executions on a walk that are new."""
        for _ in range(LONGEST_WALK):
            order = self._habit.order(self, len(steps))
            made = self._step(steps[order[0]], last)
            if made is None:
                met.idle += 1
                self._habit.forget()
                continue
            self._habit.took(self, order[0])
            last = made.execution
            if met.add(made):
                yield last

    def _step(self, step: Body, last: Execution) -> Passed | None:
        position = next(k for k, call in enumerate(step.path.calls) if call.predicate.name not in self._transparent)
        return self._runner.run(step, {position: last}, self._habit)

    def _open(self, path: Path) -> list[str]:
        """The functions that a path calls and that are not looked through."""
        names = (call.predicate.name for call in path.calls)
        return [name for name in names if name not in self._transparent]


class _Met:
    """Executions that were met; those that came by a way that is seldom taken are the better places to go on from."""

    def __init__(self, starts: Iterable[Passed], arguments: int) -> None:
        self._all: list[Passed] = []
        self._known: set[tuple[int | str, ...]] = set()
        self._count: Counter[tuple[Goal, int]] = Counter()
        self._values: list[Counter[int | str]] = [Counter() for _ in range(arguments)]
        self._steps = 0
        self.idle = 0
        for start in starts:
            self.add(start)
        self._starts, self._begun = len(self._all), 0

    def add(self, made: Passed) -> bool:
        """Is it a new one?"""
        self._steps += 1
        self._count.update(made.places)
        if made.execution.key in self._known:
            self.idle += 1
            return False
        self.idle = 0
        self._known.add(made.execution.key)
        self._all.append(made)
        for count, value in zip(self._values, made.execution.key, strict=True):
            count[value] += 1
        return True

    def is_worth_more(self) -> bool:
        enough = len(self._all) >= MOST_STATES or self._steps >= MOST_STEPS or self.idle >= MOST_IDLE
        return bool(self._all) and not enough

    def choose(self, chance: random.Random) -> Execution:
        """Each of those to start with once, then the rarest of a few."""
        if self._begun < self._starts:
            self._begun += 1
            return self._all[self._begun - 1].execution
        few = chance.sample(self._all, min(MOST_COMPARED, len(self._all)))
        if chance.random() < CURIOUS:
            return few[0].execution
        chosen = min(few, key=self._commonness)
        # What is rare by nature stays so: having been there counts as well.
        for place in chosen.places:
            self._count[place] += LONGEST_WALK
        for count, value in zip(self._values, chosen.execution.key, strict=True):
            count[value] += LONGEST_WALK
        return chosen.execution

    def _commonness(self, made: Passed) -> int:
        """How often its rarest feature was met: a place on the way to it, or a value of an argument that has few."""
        values = [
            count[value] for count, value in zip(self._values, made.execution.key, strict=True) if len(count) <= FEW
        ]
        return min((*values, *(self._count[place] for place in made.places)), default=0)


def _runnable(functions: Mapping[str, Function]) -> dict[str, list[Body]]:
    """The paths of each function that can be run; those of the functions that they call may be some of all."""
    found: dict[str, list[Body]] = {}
    for name, function in functions.items():
        made = [body(path) for path in function.paths]
        found[name] = [each for each in made if each is not None]
    return found
