"""Several runs of a program side by side: each is repeated on its own, to see whether they differ.

A counterexample about a product program claims something about ordinary runs of the program. It is believed only if
each of them, given its own choices, does what was claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from sorrel.evidence.run import how_it_ended, recorded
from sorrel.model.errors import InternalError
from sorrel.model.outcome import (
    EventKind,
    FunctionValue,
    RunEvent,
    SideRun,
    Violation,
)
from sorrel.model.values import dataclass
from sorrel.program.evaluation import compile, evaluate
from sorrel.program.expression import Expression
from sorrel.program.floating import rounding
from sorrel.program.interpreter import ByVariable, run
from sorrel.program.run import Event, Finished, Functions, Observed, Run, Violated
from sorrel.program.statement import Purpose
from sorrel.program.types import Type
from sorrel.program.value import Value, zero
from sorrel.relate.copies import run_name
from sorrel.relate.lift import choices_of_runs
from sorrel.relate.product import Claim, Product
from sorrel.replay.elements import show
from sorrel.replay.telling import chosen, tell, violation


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


def together(product: Product, lists: Sequence[Sequence[Value]], functions: Functions, most: int) -> Run:
    """The product with the choices of each run."""
    return run(product.program, given(product, lists, zero), steps=most, functions=functions)


def given(product: Product, lists: Sequence[Sequence[Value]], way: Callable[[Type], Value]) -> ByVariable:
    """To each run its own values; when they have run out, others."""
    left = [iter(values) for values in lists]

    def choose(type: Type, target: str) -> Value:
        copy = product.copies.get(target)
        value = None if copy is None else next(left[copy.run - 1], None)
        return way(type) if value is None else value

    return ByVariable(choose)


def compare(product: Product, result: Run, most: int, functions: Functions | None = None) -> Compared | str:
    """The runs that a violating run of the product is made of; or why they are no counterexample.

    Functions have the values that they have in that run, unless others are given.

    Real numbers stand for floating-point ones: a run in which the machine would round is none of the program.
    """
    if not isinstance(result.end, Violated):
        return how_it_ended(result, most)
    lists = choices_of_runs(result.used, product.copies, product.count)
    alone = [
        recorded(program, values, most, result.functions if functions is None else functions)
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
