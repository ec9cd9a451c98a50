"""Several runs of a program side by side: looking for some that differ, and repeating each one on its own.

A counterexample about a product program claims something about ordinary runs of the program. It is believed only if
each of them, given its own choices, does what was claimed.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeGuard

from sorrel.errors import InternalError, Span
from sorrel.execution import choosers, constants_of, fitting, how_it_ended, recorded
from sorrel.outcome import (
    EventKind,
    FunctionValue,
    RunEvent,
    SideRun,
    Violation,
)
from sorrel.program.evaluation import compile, evaluate
from sorrel.program.expression import Expression
from sorrel.program.floating import rounding
from sorrel.program.interpreter import (
    ByVariable,
    Event,
    Finished,
    Functions,
    Observed,
    Refused,
    Run,
    Used,
    Violated,
    run,
)
from sorrel.program.program import Program
from sorrel.program.statement import Purpose
from sorrel.program.types import Type
from sorrel.program.value import Value, zero
from sorrel.relate.copies import run_name
from sorrel.relate.lift import choices_of_runs
from sorrel.relate.product import Claim, Product
from sorrel.replay.telling import chosen, show, tell, violation

FIRST_STEPS = 40_000
MOST_REPAIRS, MOST_CHANGES, MOST_PROBES = 400, 4, 60
"""So often values are drawn again until a run meets its assumptions, and changed for the run beside it; so many of them
are changed one by one."""
MOST_MADE_UP = 2_000
PATIENCE, MOST_FAILURES = 12, 50
"""So often the last values are drawn again before one more is; so often in vain until the run is given up."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The runs that violate a property together, as they were repeated, and the functions that they share.

    `alone` are the runs themselves; `observed` is what was seen of each, up to where they differ.
    """

    violation: Violation
    runs: tuple[SideRun, ...]
    alone: tuple[Run, ...]
    functions: tuple[FunctionValue, ...] = ()
    observed: tuple[tuple[Observed, ...], ...] = ()


def look(product: Product, seconds: float) -> Run | None:
    """A run of the product that violates its assertion, if trying a few shows one.

    One run is made up. Then its values are changed, to see what depends on them; then a few at a time, since what is
    low or released may bind several values together.
    """
    deadline = time.monotonic() + seconds
    chance = random.Random(0)
    constants = constants_of(product.originals[0])
    probes = _Probes(product, chance, deadline)
    for way in choosers(constants, MOST_MADE_UP):
        first = _finishing(product.originals[0], way, deadline)
        if time.monotonic() > deadline:
            return None
        # What a function gives is shared by the runs: there is nothing to change.
        first = replace(first, used=tuple(used for used in first.used if used.arguments is None))
        values = [used.value for used in first.used]
        several = ([_changed(first.used, way, constants, chance) for _ in probes.others] for _ in range(MOST_CHANGES))
        for others in chain(probes.telling(first, way), several):
            tried = run(product.program, _given(product, [values, *others], way), steps=FIRST_STEPS)
            if isinstance(tried.end, Violated):
                return tried
            if time.monotonic() > deadline:
                return None
    return None


class _Probes:
    """Changes of values that are free. Which ones are bound by what is low or released is learned from run to run: the
    n-th value that a place asks for is tried the less often, the more often it turned out to be bound."""

    def __init__(self, product: Product, chance: random.Random, deadline: float) -> None:
        self.others = range(product.count - 1)
        self._program = product.originals[0]
        self._chance = chance
        self._deadline = deadline
        self._bound: Counter[tuple[str, Span, int]] = Counter()

    def telling(self, first: Run, way: Callable[[Type], Value]) -> Iterator[list[list[Value]]]:
        """Values for the other runs that make a difference in what is compared and in nothing else.

        The run is repeated alone with them, which is cheaper than the product: with all values changed that seem to be
        free, and if one of them turns out to be bound, with each of them.
        """
        values = [used.value for used in first.used]
        seen = _observations(self._program, values, way)
        places = self._places(first)
        free = [index for index in range(len(values)) if self._is_tried(places[index])]
        if self._clock_is_up() or not free:
            return
        steps = {index: self._chance.choice((1, 2, -1)) for index in free}
        together = [_moved(value, steps[i]) if i in steps else value for i, value in enumerate(values)]
        low, compared = _observations(self._program, together, way)
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
                low, compared = _observations(self._program, other, way)
                bound = bound and low != seen[0]
                if low == seen[0] and compared != seen[1]:
                    yield [other for _ in self.others]
            self._bound[places[index]] += bound

    def _is_tried(self, place: tuple[str, Span, int]) -> bool:
        return self._chance.random() < 1 / (1 + 4 * self._bound[place])

    def _clock_is_up(self) -> bool:
        return time.monotonic() > self._deadline

    @staticmethod
    def _places(first: Run) -> list[tuple[str, Span, int]]:
        counts: Counter[tuple[str, Span]] = Counter()
        found = []
        for used in first.used:
            counts[used.source, used.span] += 1
            found.append((used.source, used.span, counts[used.source, used.span]))
        return found


def _observations(
    program: Program, values: Sequence[Value], way: Callable[[Type], Value]
) -> tuple[list[Value], list[Value]]:
    """What is low or released in a run, and what is compared; a run that goes wrong shows nothing that counts."""
    alone = run(program, _after(values, way), steps=FIRST_STEPS, record=True)
    observed = [event for event in alone.events if isinstance(event, Observed)]
    compared = [event.value for event in observed if event.statement.purpose is Purpose.COMPARED]
    low = [event.value for event in observed if event.statement.purpose is not Purpose.COMPARED]
    return low, compared if isinstance(alone.end, Finished) else []


def _finishing(program: Program, way: Callable[[Type], Value], deadline: float) -> Run:
    """A run that meets the assumptions of the program, if drawing the last values again leads to one.

    Further back where that does not help for some time.
    """
    kept: list[Value] = []
    farthest = failures = 0
    for _ in range(MOST_REPAIRS):
        tried = run(program, _after(kept, way), steps=FIRST_STEPS)
        if not isinstance(tried.end, Refused) or time.monotonic() > deadline:
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


def together(product: Product, lists: Sequence[Sequence[Value]], functions: Functions, most: int) -> Run:
    """The product with the choices of each run."""
    return run(product.program, _given(product, lists, zero), steps=most, functions=functions)


def _given(product: Product, lists: Sequence[Sequence[Value]], way: Callable[[Type], Value]) -> ByVariable:
    """To each run its own values; when they have run out, others."""
    left = [iter(values) for values in lists]

    def choose(type: Type, target: str) -> Value:
        copy = product.copies.get(target)
        value = None if copy is None else next(left[copy.run - 1], None)
        return way(type) if value is None else value

    return ByVariable(choose)


def compare(product: Product, result: Run, most: int) -> Compared | str:
    """The runs that a violating run of the product is made of; or why they are no counterexample.

    Real numbers stand for floating-point ones: a run in which the machine would round is none of the program.
    """
    if not isinstance(result.end, Violated):
        return how_it_ended(result, most)
    lists = choices_of_runs(result.used, product.copies, product.count)
    alone = [
        recorded(program, values, most, result.functions)
        for program, values in zip(product.originals, lists, strict=True)
    ]
    wrong = next(filter(None, map(rounding, alone)), "")
    if wrong:
        return wrong
    found = violation(result.end)
    if product.claim is not None:
        wrong = _refuted(product.claim, alone, most)
        sides = [_told(product, number, each) for number, each in enumerate(alone, 1)]
        return wrong or Compared(found, tuple(sides), tuple(alone), shared(alone))
    place = _difference(alone, found)
    if place is None:
        return f"the runs do not differ at {found.span} when they are repeated on their own"
    shown = [replace(each, events=tuple(_until(each, found, place))) for each in alone]
    return Compared(
        found,
        tuple(_side(product, number, each, found) for number, each in enumerate(shown, 1)),
        tuple(alone),
        shared(alone),
        tuple(tuple(event for event in each.events if isinstance(event, Observed)) for each in shown),
    )


def shared(runs: Sequence[Run]) -> tuple[FunctionValue, ...]:
    """The values of functions without a body, each once, by function and arguments."""
    known = {application: value for each in runs for application, value in each.functions.items()}
    told = [
        FunctionValue(function, tuple(map(show, arguments)), show(value))
        for (function, arguments, _), value in known.items()
    ]
    return tuple(sorted(told, key=lambda each: (each.function, each.arguments)))


def _difference(runs: Sequence[Run], found: Violation) -> int | None:
    """How often the runs agreed at the place of the violation before they differed there; None if they never do."""
    seen = [[event.value for event in each.events if _is_at(event, found)] for each in runs]
    common = min(map(len, seen))
    for place in range(common):
        if any(values[place] != seen[0][place] for values in seen):
            return place
    return common if any(len(values) > common for values in seen) else None


def _is_at(event: Event, found: Violation) -> TypeGuard[Observed]:
    return isinstance(event, Observed) and event.statement.purpose is Purpose.COMPARED and event.span == found.span


def _until(alone: Run, found: Violation, place: int) -> Iterator[Event]:
    """The events of a run up to where it differs from the others."""
    left = place
    for event in alone.events:
        yield event
        if _is_at(event, found):
            left -= 1
            if left < 0:
                return


def _side(product: Product, number: int, shown: Run, found: Violation) -> SideRun:
    told = _told(product, number, shown)
    return replace(told, events=_ending(told.events, found))


def _told(product: Product, number: int, alone: Run) -> SideRun:
    program = product.originals[number - 1]
    return SideRun(run_name(number), chosen(program, alone), tell(program, alone))


def _refuted(claim: Claim, runs: Sequence[Run], most: int) -> str:
    """Whether the values of the runs, each on its own, meet what is required and not what is ensured; else why not."""
    values: dict[str, Value] = {}
    for variables, each in zip(claim.variables, runs, strict=True):
        if not isinstance(each.end, Finished):
            return how_it_ended(each, most)
        values.update({v.name: value for v, value in zip(variables, each.end.outputs, strict=True)})
    if not _holds(claim.required, values):
        return "the runs do not meet what is required when they are repeated on their own"
    return "the runs meet what is ensured when they are repeated on their own" if _holds(claim.ensured, values) else ""


def _holds(condition: Expression, values: Mapping[str, Value]) -> bool:
    return bool(evaluate(compile(condition, frozenset()), values, {}, _no_function))


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"a specification has no function {function}")


def _ending(events: tuple[RunEvent, ...], found: Violation) -> tuple[RunEvent, ...]:
    """With the last event as the one that is wrong, if it is at the place of the violation."""
    if not events or events[-1].kind is not EventKind.OBSERVE or events[-1].span != found.span:
        return events
    return (*events[:-1], replace(events[-1], kind=EventKind.VIOLATION))
