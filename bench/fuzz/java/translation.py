"""The front end as a translation: random methods on random arguments, by the interpreter and by a real machine."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from bench.fuzz.java.machine import call_all
from bench.fuzz.java.methods import NUMBERS, SHARED, Written, method
from bench.fuzz.java.values import Objects, random_value
from bench.fuzz.report import Trial, save
from bench.fuzz.stream import Numbered
from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import called, read
from sorrel.frontends.java.realisation import with_texts
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.program.program import Program
from sorrel.program.run import Finished, Refused, Stopped
from sorrel.relate.claims import subject
from sorrel.replay.elements import show
from sorrel.replay.java import is_there

PARAMETERS = (*NUMBERS, "boolean", "String", "String", "Integer", "Color", "int[]", "P", "int", "P")
BATCH, STEPS = 100, 200_000
SKIPPED, THROWN = "skipped: ", "!"


def missing() -> str:
    return "" if is_there() else "there is no Java compiler and machine here"


def trials(seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]:
    for batch in count(max(done, default=0) // BATCH):
        started = time.monotonic()
        written = methods(seed + batch, BATCH)
        told, found = differences(seed + batch, written)
        each = (time.monotonic() - started) / len(written)
        for at, one in enumerate(written):
            wrong = ""
            if one.name in found:
                values, real, ours = found[one.name]
                wrong = f"on {values} a machine returns {real}, the interpreter {ours}"
            why = told[one.name]
            trial = Trial("translation", "" if why else "same", why, wrong, one.constructs, each)
            saved = (_saved(folder, one, seed + batch, wrong),) if wrong else ()
            if batch * BATCH + at not in done:
                yield Numbered(batch * BATCH + at, trial, saved)


def _saved(folder: Path, one: Written, seed: int, wrong: str) -> Path:
    files = {"Method.java": one.text + SHARED}
    command = "bench.fuzz.java.translation"
    return save(folder, "java-runs", f"{seed}-{one.name}", files, seed=seed, command=command, wrong=wrong)


def methods(seed: int, number: int) -> list[Written]:
    """Random methods, each with a name of its own."""
    made = []
    for at in range(number):
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
