"""Runs from the places where runs start: what shows that something goes wrong, found, kept and repeated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from sorrel.evidence.lasso import Lasso, accept_lasso
from sorrel.evidence.run import REPEATED_STEPS, needs_abstractions, recorded
from sorrel.model.budget import Budget
from sorrel.model.errors import Span
from sorrel.model.outcome import Answer
from sorrel.model.values import dataclass
from sorrel.modular.plan import PLAN
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run, Used, Violated
from sorrel.program.value import ArrayValue, Value
from sorrel.replay.telling import chosen, violation
from sorrel.testing.lasso import find_lasso, lasso_with
from sorrel.testing.probe import explored_violation, probe


@dataclass(frozen=True, slots=True)
class Refutation:
    """A run that goes wrong: the values that lead there, for machines and for people, and what goes wrong where."""

    values: tuple[str, ...]
    told: tuple[str, ...]
    message: str
    place: Span


class Runs(Protocol):
    """The runs of a program from where it starts."""

    def search(self) -> Refutation | None:
        """By running the program for a while; None says nothing."""
        ...

    def repeat(self, choices: Sequence[Value]) -> Refutation | None:
        """The run with these choices, if it goes wrong whatever is not modelled."""
        ...

    def repeat_stored(self, values: Sequence[str]) -> Refutation | None:
        """The same for values from a store, which may be anything."""
        ...


@dataclass(frozen=True, slots=True)
class Failing:
    """Runs that violate an assertion."""

    program: Program

    def search(self) -> Refutation | None:
        looked = probe(self.program, PLAN.probe)
        found = looked.violated
        if found is None and looked.only is None:
            found = explored_violation(self.program, Budget(seconds=PLAN.exploring).start())
        return _refutation(self.program, found) if found is not None else None

    def repeat(self, choices: Sequence[Value]) -> Refutation | None:
        return _refutation(self.program, recorded(self.program, choices, REPEATED_STEPS))

    def repeat_stored(self, values: Sequence[str]) -> Refutation | None:
        choices = stored_choices(values)
        if choices is None:
            return None
        ended = run(self.program, choices, steps=REPEATED_STEPS)
        return self.repeat(choices) if isinstance(ended.end, Violated) else None


@dataclass(frozen=True, slots=True)
class Endless:
    """Runs that come back to where they were, and so can go on forever."""

    program: Program

    def search(self) -> Refutation | None:
        return self._told(find_lasso(self.program, Budget(seconds=PLAN.lasso).start()))

    def repeat(self, choices: Sequence[Value]) -> Refutation | None:
        return self._told(lasso_with(self.program, choices))

    def repeat_stored(self, values: Sequence[str]) -> Refutation | None:
        choices = stored_choices(values)
        return None if choices is None else self.repeat(choices)

    def _told(self, found: Lasso | None) -> Refutation | None:
        outcome = accept_lasso(self.program, found) if found is not None else None
        if found is None or outcome is None or outcome.answer is not Answer.UNSAFE or outcome.violation is None:
            return None
        used = (*found.stem, *found.cycle)
        told = tuple(f"{each.source} = {each.value}" for each in used)
        return Refutation(stored_values(used), told, outcome.violation.message, found.span)


def stored_values(used: Sequence[Used]) -> tuple[str, ...]:
    return tuple(json.dumps(_plain(each.value)) for each in used)


def stored_choices(values: Sequence[str]) -> list[Value] | None:
    """What stored values say; None if they are none."""
    try:
        return [_read(json.loads(value)) for value in values]
    except (ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError, RecursionError):
        return None


def _refutation(program: Program, found: Run) -> Refutation | None:
    if not isinstance(found.end, Violated) or needs_abstractions(program, found):
        return None
    worth = (choice for choice in chosen(program, found) if choice.is_worth_telling)
    told = tuple(f"{choice.variable or choice.source} = {choice.value}" for choice in worth)
    return Refutation(stored_values(found.used), told, violation(found.end).message, found.end.span)


def _plain(value: Value) -> Any:
    match value:
        case ArrayValue():
            return {
                "default": _plain(value.default),
                "entries": {str(i): _plain(each) for i, each in value.entries.items()},
            }
        case bool() | int():
            return value
        case Fraction():
            return str(value)


def _read(data: Any) -> Value:
    match data:
        case bool() | int():
            return data
        case str():
            return Fraction(data)
        case {"default": default, "entries": dict(entries)}:
            return ArrayValue(_read(default), {int(index): _read(each) for index, each in entries.items()})
    raise ValueError("this is not a value")
