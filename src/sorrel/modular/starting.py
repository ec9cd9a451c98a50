"""Runs from the places where runs start: what shows that something goes wrong, found, kept and repeated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sorrel.evidence.run import REPEATED_STEPS, needs_abstractions, recorded
from sorrel.model.budget import Budget
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.value import ArrayValue, Value
from sorrel.replay.telling import chosen, violation
from sorrel.testing.probe import explored_violation, probe

PROBE_SECONDS, EXPLORING_SECONDS = 0.25, 2.0


@dataclass(frozen=True, slots=True)
class Refutation:
    """A run into an error: the values that lead there, for machines and for people."""

    values: tuple[str, ...]
    told: tuple[str, ...]
    message: str
    run: Run


def search(program: Program) -> Refutation | None:
    """By running the program for a while; None says nothing."""
    looked = probe(program, PROBE_SECONDS)
    found = looked.violated
    if found is None and looked.only is None:
        found = explored_violation(program, Budget(seconds=EXPLORING_SECONDS).start())
    return _refutation(program, found) if found is not None else None


def repeat(program: Program, choices: Sequence[Value]) -> Refutation | None:
    """The run with these choices, if it violates an assertion whatever is not modelled."""
    return _refutation(program, recorded(program, choices, REPEATED_STEPS))


def repeat_stored(program: Program, values: Sequence[str]) -> Refutation | None:
    """The same for values from a store, which may be anything."""
    try:
        choices = [_read(json.loads(value)) for value in values]
    except (ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError, RecursionError):
        return None
    ended = run(program, choices, steps=REPEATED_STEPS)
    return repeat(program, choices) if isinstance(ended.end, Violated) else None


def _refutation(program: Program, found: Run) -> Refutation | None:
    if not isinstance(found.end, Violated) or needs_abstractions(program, found):
        return None
    told = tuple(f"{choice.variable or choice.source} = {choice.value}" for choice in chosen(program, found))
    values = tuple(json.dumps(_plain(used.value)) for used in found.used)
    return Refutation(values, told, violation(found.end).message, found)


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
    raise ValueError("this is no value")
