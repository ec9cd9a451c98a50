"""Long walks through the states of recursive functions, thousands of steps a second, for guesses to be read off.

Each step is a path on numbers (`stepping.py`) with inputs by chance (`moods.py`). Walks begin at the start and where
something was seldom met. From every new state the main function is tried: what it forbids may be found on the way, and
is then told as an execution.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import add, sub
from random import Random

from sorrel.engines.whale.executions import Execution
from sorrel.engines.whale.function import Procedures
from sorrel.engines.whale.moods import LARGEST_CONSTANT, Mood
from sorrel.engines.whale.stepping import State, Step, Told, steps
from sorrel.logic import walk
from sorrel.model.budget import Clock
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

ROUNDS = (5_000, 5_000, 10_000, 10_000, 20_000, 20_000, 30_000)
"""Steps of the searches that are made one after the other, each with another seed and nothing remembered: what one
chance leads away from, another meets soon."""
MOST_FRUITLESS = 1000
"""Steps in a row without a state that is new, after which a search ends: there are few states, and all were met."""
MOST_TOLD = 1000
"""So many of the states are looked at by guesses."""
LENGTHS = (50, 300, 2000, 5000)
KEPT = 0.2
"""Which part of the states is kept of those that lie where others were met before."""
TRIES, END_TRIES, MOST_STARTS = 4, 1, 8
FROM_START, MOST_COMPARED, BEEN_THERE = 0.25, 25, 25


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """A state, and how it was come by."""

    name: str
    state: State
    before: Met | None
    step: Step
    told: Told


class LongWalks:
    def __init__(self, procedures: Procedures) -> None:
        functions = [f for f in (*procedures.functions.values(), procedures.main) if not f.is_transparent]
        every = steps(functions, procedures.functions)
        self._starts = [step for step in every if step.start is None and step.end is not None]
        self._next: dict[str, list[Step]] = {f.name: [] for f in functions}
        self._ends: dict[str, list[Step]] = {f.name: [] for f in functions}
        for step in every:
            if step.start is not None:
                (self._next if step.end else self._ends)[step.start].append(step)
        self._every = every
        constants = {c for step in every for c in walk.numerals(step.constraint) if abs(c) <= LARGEST_CONSTANT}
        self._constants = sorted({0, *constants})
        self._known: dict[str, dict[State, None]] = {f.name: {} for f in functions}
        self.steps = 0  # in all searches
        self._begin(0)

    def _begin(self, seed: int) -> None:
        self._chance = Random(seed)
        self._mood = Mood(self._chance, self._every)
        self._seen: set[tuple[str, State]] = set()
        self._all: list[Met] = []
        self._count: Counter[tuple[str, int, int]] = Counter()
        self._regions: set[tuple[tuple[str, int, int], ...]] = set()
        self._steps = self._fruitful = 0

    def states(self, name: str) -> Sequence[State]:
        """Of the states that were met some from everywhere, and those where sums and differences are extreme."""
        found = list(self._known[name])
        if len(found) <= MOST_TOLD:
            return found
        some = dict.fromkeys(self._chance.sample(found, MOST_TOLD))
        columns = list(zip(*found, strict=True))
        lines = [*columns, *(map(op, a, b) for a, b in combinations(columns, 2) for op in (add, sub))]
        for line in map(list, lines):
            some[found[line.index(min(line))]] = None
            some[found[line.index(max(line))]] = None
        return list(some)

    def run(self, clock: Clock) -> Execution | None:
        """Walk until there are enough states or time is up; an execution of the main function, if met."""
        for seed, most in enumerate(ROUNDS):
            self._begin(seed)
            violation = self._searched(most, clock)
            self.steps += self._steps
            if violation is not None:
                return violation
        return None

    def _searched(self, most: int, clock: Clock) -> Execution | None:
        begun = list(self._begun())
        while begun and self._steps < most and not (self._is_fruitless() or clock.expired()):
            self._mood.change()
            is_fresh = self._chance.random() < FROM_START
            violation = self._walked(self._chance.choice(begun) if is_fresh else self._rare(), clock)
            if violation is not None:
                return violation
        return None

    def _is_fruitless(self) -> bool:
        return self._steps - self._fruitful > MOST_FRUITLESS

    def _begun(self) -> Iterator[Met]:
        for step in self._starts * MOST_STARTS:
            self._mood.change()
            found = self._taken(step, None, TRIES)
            if found is not None:
                self._added(found)
                yield found

    def _walked(self, met: Met, clock: Clock) -> Execution | None:
        for _ in range(self._chance.choice(LENGTHS)):
            if clock.expired():
                return None
            self._steps += 1
            self._mood.age()
            following = self._following(met)
            if following is None:
                return None
            met = following
            if (met.name, met.state) not in self._seen:
                self._fruitful = self._steps
            if self._added(met):
                violation = self._violation(met)
                if violation is not None:
                    return violation
        return None

    def _following(self, met: Met) -> Met | None:
        possible = self._next[met.name]
        for step in self._chance.sample(possible, len(possible)):
            found = self._taken(step, met, TRIES)
            if found is not None:
                return found
        return None

    def _taken(self, step: Step, met: Met | None, tries: int) -> Met | None:
        state = met.state if met else ()
        for _ in range(tries):
            self._mood.begin(step, state)
            after = step.after(state, self._mood)
            if after is not None:
                return Met(step.end or "", after, met, step, self._mood.told)
        return None

    def _violation(self, met: Met) -> Execution | None:
        for step in self._ends[met.name]:
            found = self._taken(step, met, END_TRIES)
            if found is not None:
                return _execution(found)
        return None

    # Where to go on

    def _added(self, met: Met) -> bool:
        """Is it one to look at: new, and where none was before, or one of some?"""
        if (met.name, met.state) in self._seen:
            return False
        features = self._features(met)
        if features in self._regions and self._chance.random() > KEPT:
            return False
        self._regions.add(features)
        self._seen.add((met.name, met.state))
        self._known[met.name][met.state] = None
        self._all.append(met)
        self._count.update(features)
        return True

    def _features(self, met: Met) -> tuple[tuple[str, int, int], ...]:
        """Between which constants each argument is."""
        return tuple((met.name, i, bisect_left(self._constants, value)) for i, value in enumerate(met.state))

    def _rare(self) -> Met:
        few = self._chance.sample(self._all, min(MOST_COMPARED, len(self._all)))
        chosen = min(few, key=lambda met: min((self._count[each] for each in self._features(met)), default=0))
        # What is rare by nature stays so: having been there counts as well.
        for feature in self._features(chosen):
            self._count[feature] += BEEN_THERE
        return chosen


def _execution(last: Met) -> Execution:
    """The steps of a walk from its start, told anew."""
    way: list[Met] = []
    met: Met | None = last
    while met is not None:
        way.append(met)
        met = met.before
    made: Execution | None = None
    for met in reversed(way):
        state = met.before.state if met.before else ()
        made = met.step.execution(state, met.told, [made] if made else [])
        if made is None:
            raise InternalError("a step of a walk cannot be repeated")
    if made is None:
        raise InternalError("a walk has no steps")
    return made
