"""Generated C programs, run by the interpreter and compiled, with all their inputs: both must return the same."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.fuzz.c.judge import End, Run, Subject, compiler, judged
from bench.fuzz.c.program import Draft, draft
from bench.fuzz.reduce import reduced
from bench.fuzz.report import Report, Trial, save
from sorrel.frontends import c
from sorrel.frontends.errors import Unsupported
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.program import interpreter
from sorrel.program.program import Program
from sorrel.program.run import Finished, Refused, Starved, Stopped
from sorrel.program.types import BOOLEAN, Machine, Type
from sorrel.program.validate import validate
from sorrel.program.value import Value

BATCH = 100
STEPS = 200_000
RESULT = 102
"""The slot of what main returned."""
_REDUCTION = 60.0
_MAIN = "int main(void)"


@dataclass(frozen=True, slots=True)
class Reading:
    """A program, or why there is none: refused, or broken with the text of what went wrong."""

    program: Program | None
    refused: str = ""
    broken: str = ""


def run(seed: int, seconds: float, folder: Path) -> Report:
    if compiler() is None:
        return Report("runs", seed, (), 0.0, skipped="there is no gcc")
    started = time.monotonic()
    trials: list[Trial] = []
    failures: list[Path] = []
    batch = 0
    while time.monotonic() - started < seconds:
        numbers = range(batch * BATCH, (batch + 1) * BATCH)
        drafts = [draft(Random(f"runs/{seed}/{number}"), str(number), features=6) for number in numbers]
        for program, runs in zip(drafts, judged([_subject(each) for each in drafts]), strict=True):
            if runs is None or not {each.end for each in runs} <= {End.RETURNED, End.REFUSED, End.EXITED}:
                continue
            trial = tried(program.files(checksum(program)), runs, program.constructs)
            trials.append(trial)
            if trial.wrong:
                failures.append(_saved(program, trial.wrong, seed, folder))
        batch += 1
    return Report("runs", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def checksum(program: Draft) -> list[str]:
    """main returns a number that depends on all watched values."""
    lines = ["unsigned sum = 17;", *(f"sum = sum * 31u + (unsigned)({each.text});" for each in program.watched)]
    return [*lines, "return (int)(sum >> 1);"]


def _subject(program: Draft) -> Subject:
    return Subject(program.tag, program.batched(checksum(program)), program.inputs)


def read(files: Sequence[str]) -> Reading:
    """By the front end; anything but a refusal is its fault."""
    sources = [Source(f"program{at or ''}.c", text) for at, text in enumerate(files)]
    try:
        program = c.read(sources, c.CSettings(c.DataModel.LP64))
        validate(program)
    except (Unsupported, InputError) as refused:
        return Reading(None, refused=str(refused).rpartition(": ")[2] if isinstance(refused, Unsupported) else "input")
    except Exception as problem:
        return Reading(None, broken="".join(traceback.format_exception(problem)))
    return Reading(program)


def tried(files: Sequence[str], runs: Sequence[Run], constructs: frozenset[str]) -> Trial:
    started = time.monotonic()
    reading = read(files)
    if reading.program is None:
        last = reading.broken.strip().splitlines()[-1:] or [""]
        wrong = f"the front end fails: {last[0]}" if reading.broken else ""
        return Trial("runs", "", reading.refused or "broken", wrong, constructs, time.monotonic() - started)
    wrong = next(filter(None, (differs(reading.program, each) for each in runs)), "")
    return Trial("runs", "compared", "", wrong, constructs, time.monotonic() - started)


def differs(program: Program, compiled: Run) -> str:
    """In which way the interpreter's run is another one."""
    given = iter(compiled.inputs)
    found = interpreter.run(
        program, lambda type: _chosen(type, next(given, 0)), steps=STEPS, indeterminate=interpreter.NOBODYS
    )
    expected = dict(compiled.seen).get(RESULT)
    match found.end, compiled.end:
        case Finished((int() as result, *_)), End.RETURNED if result == expected:
            return ""
        case Finished((int(), *_)), End.RETURNED:
            return "the interpreter returns another number"
        case (Refused(), End.REFUSED) | (Stopped(), End.EXITED):
            return ""
        case Starved(), End.RETURNED:
            return ""  # something is left open, and no value is claimed for it
        case end, _:
            return f"{type(end).__name__} in place of {compiled.end}"


def _chosen(type: Type, number: int) -> Value:
    if type == BOOLEAN:
        return bool(number)
    return type.wrap(number) if isinstance(type, Machine) else number


def _saved(program: Draft, wrong: str, seed: int, folder: Path) -> Path:
    """With a smaller program that goes wrong in the same way."""
    lines = program.text(checksum(program)).splitlines()
    ranges = {each.name: each for each in program.inputs}

    def fails(left: Sequence[str]) -> bool:
        text = "\n".join(left) + "\n"
        if _MAIN not in text or lines[-3] not in left:
            return False
        inputs = tuple(own for name, own in ranges.items() if f" {name} = " in text)
        (runs,) = judged([Subject("1", text.replace(_MAIN, "static int main_1(void)"), inputs)])
        if runs is None or not {each.end for each in runs} <= {End.RETURNED, End.REFUSED, End.EXITED}:
            return False
        return tried((text,), runs, frozenset()).wrong == wrong

    files = {f"program{at or ''}.c": text for at, text in enumerate(program.files(checksum(program)))}
    if fails(lines):
        files["reduced.c"] = "\n".join(reduced(lines, fails, _REDUCTION)) + "\n"
    if reading := read((files.get("reduced.c", files["program.c"]),)).broken:
        files["detail.txt"] = reading
    command = "what main returns, by the interpreter and compiled"
    return save(folder, "runs", f"{seed}-{program.tag}", files, seed=seed, command=command, wrong=wrong)
