"""Looking for runs that agree on what is low and differ in what is compared, by trying some.

What is found is claimed of nothing: `comparison` repeats each run on its own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from sorrel.evidence.side_by_side import given
from sorrel.model.errors import Span
from sorrel.model.work import METER
from sorrel.program.interpreter import Choices, Prepared, run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Observed, Refused, Run, Used, Violated
from sorrel.program.statement import Purpose
from sorrel.program.types import Type
from sorrel.program.value import Value
from sorrel.relate.product import Product
from sorrel.testing.probe import choosers, constants_of, fitting

FIRST_STEPS = 40_000
MOST_REPAIRS, MOST_CHANGES, MOST_PROBES = 400, 4, 60
"""So often values are drawn again until a run meets its assumptions, and changed for the run beside it; so many of them
are changed one by one."""
MOST_MADE_UP = 2_000
PATIENCE, MOST_FAILURES = 12, 50
"""So often the last values are drawn again before one more is; so often in vain until the run is given up."""


def look(product: Product, seconds: float, seed: int = 0) -> Run | None:
    """A run of the product that violates its assertion, if trying a few shows one.

    One run is made up. Then its values are changed, to see what depends on them; then a few at a time, since what is
    low or released may bind several values together.
    """
    deadline = METER.now() + seconds
    chance = random.Random(seed)
    constants = constants_of(product.originals[0])
    alone, together = _Often(product.originals[0]), _Often(product.program)
    probes = _Probes(product, alone, chance, deadline)
    for way in choosers(constants, MOST_MADE_UP, seed):
        first = _finishing(alone, way, deadline)
        if METER.now() > deadline:
            return None
        # What a function gives is shared by the runs: there is nothing to change.
        first = replace(first, used=tuple(used for used in first.used if used.arguments is None))
        values = [used.value for used in first.used]
        several = ([_changed(first.used, way, constants, chance) for _ in probes.others] for _ in range(MOST_CHANGES))
        for others in chain(probes.telling(first, way), several):
            tried = together.run(given(product, [values, *others], way))
            if isinstance(tried.end, Violated):
                return tried
            if METER.now() > deadline:
                return None
    return None


class _Often:
    """A program that is run many times; what is made of its procedures is kept."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._prepared: Prepared = {}

    def run(self, choices: Choices, *, record: bool = False) -> Run:
        return run(self._program, choices, steps=FIRST_STEPS, record=record, prepared=self._prepared)

    def observations(self, values: Sequence[Value], way: Callable[[Type], Value]) -> tuple[list[Value], list[Value]]:
        """What is low or released in a run, and what is compared; a run that goes wrong shows nothing that counts."""
        alone = self.run(_after(values, way), record=True)
        observed = [event for event in alone.events if isinstance(event, Observed)]
        compared = [event.value for event in observed if event.statement.purpose is Purpose.COMPARED]
        low = [event.value for event in observed if event.statement.purpose is not Purpose.COMPARED]
        return low, compared if isinstance(alone.end, Finished) else []


class _Probes:
    """Changes of values that are free. Which ones are bound by what is low or released is learned from run to run: the
    n-th value that a place asks for is tried the less often, the more often it turned out to be bound."""

    def __init__(self, product: Product, alone: _Often, chance: random.Random, deadline: float) -> None:
        self.others = range(product.count - 1)
        self._alone = alone
        self._chance = chance
        self._deadline = deadline
        self._bound: Counter[tuple[str, Span, int]] = Counter()

    def telling(self, first: Run, way: Callable[[Type], Value]) -> Iterator[list[list[Value]]]:
        """Values for the other runs that make a difference in what is compared and in nothing else.

        The run is repeated alone with them, which is cheaper than the product: with all values changed that seem to be
        free, and if one of them turns out to be bound, with each of them.
        """
        values = [used.value for used in first.used]
        seen = self._alone.observations(values, way)
        places = self._places(first)
        free = [index for index in range(len(values)) if self._is_tried(places[index])]
        if self._clock_is_up() or not free:
            return
        steps = {index: self._chance.choice((1, 2, -1)) for index in free}
        together = [_moved(value, steps[i]) if i in steps else value for i, value in enumerate(values)]
        low, compared = self._alone.observations(together, way)
        if low == seen[0]:
            if compared != seen[1]:
                yield [together for _ in self.others]
            return
        for index in self._chance.sample(free, min(len(free), MOST_PROBES)):
            if self._clock_is_up():
                return
            bound = True
            for value in (_moved(values[index], steps[index]), way(first.used[index].type)):
                other = [*values[:index], value, *values[index + 1 :]]
                low, compared = self._alone.observations(other, way)
                bound = bound and low != seen[0]
                if low == seen[0] and compared != seen[1]:
                    yield [other for _ in self.others]
            self._bound[places[index]] += bound

    def _is_tried(self, place: tuple[str, Span, int]) -> bool:
        return self._chance.random() < 1 / (1 + 4 * self._bound[place])

    def _clock_is_up(self) -> bool:
        return METER.now() > self._deadline

    @staticmethod
    def _places(first: Run) -> list[tuple[str, Span, int]]:
        counts: Counter[tuple[str, Span]] = Counter()
        found = []
        for used in first.used:
            counts[used.source, used.span] += 1
            found.append((used.source, used.span, counts[used.source, used.span]))
        return found


def _finishing(alone: _Often, way: Callable[[Type], Value], deadline: float) -> Run:
    """A run that meets the assumptions of the program, if drawing the last values again leads to one.

    Further back where that does not help for some time.
    """
    kept: list[Value] = []
    farthest = failures = 0
    for _ in range(MOST_REPAIRS):
        tried = alone.run(_after(kept, way))
        if not isinstance(tried.end, Refused) or METER.now() > deadline:
            return tried
        farther = len(tried.used) > farthest
        farthest, failures = max(farthest, len(tried.used)), 0 if farther else failures + 1
        if failures > MOST_FAILURES:
            return tried
        back = 1 + failures // PATIENCE
        kept = [used.value for used in tried.used[: max(0, len(tried.used) - back)]]
    return tried


def _after(kept: Sequence[Value], way: Callable[[Type], Value]) -> Callable[[Type], Value]:
    given = iter(kept)

    def choose(type: Type) -> Value:
        value = next(given, None)
        return way(type) if value is None else value

    return choose


def _changed(
    used: Sequence[Used], way: Callable[[Type], Value], constants: Sequence[int], chance: random.Random
) -> list[Value]:
    """The values with a few drawn again, two of one place exchanged, or one made larger by what another loses."""
    values = [each.value for each in used]
    if not values:
        return values
    place = chance.choice(used)
    same = [i for i, each in enumerate(used) if (each.source, each.span) == (place.source, place.span)]
    manner = chance.random()
    if manner < 0.4 or len(same) < 2:
        for index in chance.sample(same, chance.randint(1, len(same))):
            type = used[index].type
            near = fitting(type, chance.choice(constants)) if constants else way(type)
            values[index] = chance.choice((way(type), near, _moved(values[index], chance.choice((-1, 1, 2)))))
        return values
    one, other = chance.sample(same, 2)
    if manner < 0.7:
        values[one], values[other] = values[other], values[one]
    else:
        step = chance.choice((1, 2, 4))
        values[one], values[other] = _moved(values[one], step), _moved(values[other], -step)
    return values


def _moved(value: Value, step: int) -> Value:
    """Another value close by; whether it is one of its type is for the interpreter to say."""
    if isinstance(value, bool):
        return not value
    return value + step if isinstance(value, int) else value
