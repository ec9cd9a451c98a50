"""Several runs of a program side by side: looking for some that differ, and repeating each one on its own.

A counterexample about a product program claims something about ordinary runs of the program. It is believed only if
each of them, given its own choices, does what was claimed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from sorrel.errors import InternalError
from sorrel.execution import choosers, constants_of, fitting, how_it_ended, recorded
from sorrel.outcome import (
    Answer,
    Cause,
    Confirmation,
    EventKind,
    FunctionValue,
    Outcome,
    Reason,
    RunEvent,
    SideRun,
    ValueOrigin,
    Violation,
)
from sorrel.program.evaluation import compile, evaluate
from sorrel.program.expression import Expression
from sorrel.program.floating import on_floats, rounding
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
MOST_REPAIRS, MOST_CHANGES = 40, 12
"""So often values are drawn again until a run meets its assumptions, and changed for the run beside it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The runs that violate a property together, as they were repeated, and the functions that they share."""

    violation: Violation
    runs: tuple[SideRun, ...]
    functions: tuple[FunctionValue, ...] = ()


def look(product: Product, seconds: float) -> Run | None:
    """A run of the product that violates its assertion, if trying a few shows one.

    One run is made up; the others get its values with a few changes, since what is low has to agree.
    """
    deadline = time.monotonic() + seconds
    chance = random.Random(0)
    constants = constants_of(product.originals[0])
    for way in choosers(constants):
        first = _finishing(product.originals[0], way, deadline)
        own = [used for used in first.used if used.arguments is None]
        for _ in range(MOST_CHANGES):
            others = [_changed(own, way, constants, chance) for _ in range(product.count - 1)]
            lists = [[used.value for used in own], *others]
            tried = run(product.program, _given(product, lists, way), steps=FIRST_STEPS)
            if isinstance(tried.end, Violated):
                return tried
            if time.monotonic() > deadline:
                return None
    return None


def _finishing(program: Program, way: Callable[[Type], Value], deadline: float) -> Run:
    """A run that meets the assumptions of the program, if drawing the last values again leads to one."""
    kept: list[Value] = []
    for number in range(MOST_REPAIRS):
        tried = run(program, _after(kept, way), steps=FIRST_STEPS)
        if not isinstance(tried.end, Refused) or time.monotonic() > deadline:
            return tried
        back = 1 if number % 4 else min(len(tried.used), 1 + number // 4)
        kept = [used.value for used in tried.used[: len(tried.used) - back]]
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
        return wrong or Compared(found, tuple(sides), shared(alone))
    place = _difference(alone, found)
    if place is None:
        return f"the runs do not differ at {found.span} when they are repeated on their own"
    sides = [_side(product, number, each, found, place) for number, each in enumerate(alone, 1)]
    return Compared(found, tuple(sides), shared(alone))


def shared(runs: Sequence[Run]) -> tuple[FunctionValue, ...]:
    """The values of functions without a body, each once, by function and arguments."""
    known = {application: value for each in runs for application, value in each.functions.items()}
    told = [
        FunctionValue(function, tuple(map(show, arguments)), show(value))
        for (function, arguments, _), value in known.items()
    ]
    return tuple(sorted(told, key=lambda each: (each.function, each.arguments)))


def side_by_side(product: Product, result: Run, outcome: Outcome, most: int) -> Outcome:
    """Unsafe if each run on its own does what the product says it does, and they violate the property."""
    found = compare(product, on_floats(product.program, result, most), most)
    if isinstance(found, str):
        why = f"the counterexample is none on a machine: {found}"
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why), certificate="", trace=())
    abstract = [c for run in found.runs for c in run.choices if c.origin is ValueOrigin.ABSTRACTION]
    detail = f"each of the {len(found.runs)} runs was repeated on its own"
    told = replace(
        outcome,
        confirmations=(*outcome.confirmations, Confirmation("the interpreter", True, 0.0, detail)),
        violation=found.violation,
        runs=found.runs,
        functions=found.functions,
    )
    if not abstract:
        return told
    why = f"a run depends on {abstract[0].source}, which is not modelled ({abstract[0].span})"
    return replace(told, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why))


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


def _side(product: Product, number: int, alone: Run, found: Violation, place: int) -> SideRun:
    """The run up to where it differs from the others."""
    events: list[Event] = []
    left = place
    for event in alone.events:
        events.append(event)
        if _is_at(event, found):
            left -= 1
            if left < 0:
                break
    shown = replace(alone, events=tuple(events))
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
