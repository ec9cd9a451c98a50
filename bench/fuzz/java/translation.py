"""The front end as a translation: random methods on random arguments, by the interpreter and by a real machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from bench.fuzz.java.machine import call_all
from bench.fuzz.java.methods import NUMBERS, SHARED, Written, method
from bench.fuzz.java.values import Objects, random_value
from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import called, read
from sorrel.frontends.java.realisation import with_texts
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.program.interpreter import Finished, Refused, Stopped
from sorrel.program.program import Program
from sorrel.relate.claims import subject
from sorrel.replay.telling import show

PARAMETERS = (*NUMBERS, "boolean", "String", "String", "Integer", "Color", "int[]", "P", "int", "P")
STEPS = 200_000
SKIPPED, THROWN = "skipped: ", "!"


def methods(seed: int, count: int) -> list[Written]:
    """Random methods, each with a name of its own."""
    made = []
    for at in range(count):
        choose = random.Random(f"{seed}.{at}")
        parameters = [choose.choice(PARAMETERS) for _ in range(choose.randint(1, 4))]
        result = choose.choice((*NUMBERS, "boolean", "int", "int"))
        made.append(method(choose, f"F{at}", parameters, result, choose.randint(0, 4), choose.randint(1, 3)))
    return made


def program_of(written: Written) -> Program:
    """What the front end makes of the method."""
    made = read([Source(f"{written.name}.java", written.text + SHARED)], f"{written.name}.f")
    return subject(made, called(made)).program


def interpreted(program: Program, written: Written, values: Sequence[Any]) -> str:
    """What the interpreter says that the method returns, `!` if it throws, or why it does not say."""
    objects = Objects()
    inputs = [objects.value(value, type) for value, type in zip(values, written.parameters, strict=True)]
    made = with_texts(program, inputs, objects.functions, objects.texts, STEPS)
    if made is None:
        return f"{SKIPPED}too many strings"
    doubt = made.doubt([made.run])
    if doubt:
        return f"{SKIPPED}{doubt}"
    match made.run.end:
        case Finished(outputs):
            return show(outputs[-1])
        case Refused() | Stopped():
            return THROWN
        case end:
            return f"{SKIPPED}{end}" if type(end).__name__ == "Exhausted" else f"no end: {end}"


def differences(
    seed: int, written: Sequence[Written], each: int = 30
) -> tuple[dict[str, str], dict[str, tuple[Sequence[Any], str, str]]]:
    """For each method why nothing was compared (or nothing), and the first arguments on which the two disagree."""
    programs: dict[str, Program] = {}
    told: dict[str, str] = {}
    for one in written:
        try:
            programs[one.name] = program_of(one)
            told[one.name] = ""
        except (Unsupported, InputError) as problem:
            told[one.name] = f"{type(problem).__name__}: {problem}".splitlines()[0]
    calls = []
    for one in written:
        choose = random.Random(f"{seed}.{one.name}.values")
        times = each if one.name in programs else 1
        calls += [(one, [random_value(choose, type) for type in one.parameters]) for _ in range(times)]
    found: dict[str, tuple[Sequence[Any], str, str]] = {}
    for (one, values), real in zip(calls, call_all(written, calls), strict=True):
        if one.name not in programs or one.name in found:
            continue
        ours = interpreted(programs[one.name], one, values)
        if ours.startswith(SKIPPED):
            continue
        if ours != (THROWN if real.startswith(THROWN) else real):
            found[one.name] = (values, real, ours)
    return told, found
