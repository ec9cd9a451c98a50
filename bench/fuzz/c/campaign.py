"""Generated C programs, batch by batch: judged by the compiler, then asked of Sorrel."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from bench.fuzz import warm
from bench.fuzz.c import checks
from bench.fuzz.c.checks import CHECKS, VIOLATES, Check
from bench.fuzz.c.judge import End, Run, Subject, compiler, judged
from bench.fuzz.c.program import Draft, draft
from bench.fuzz.reduce import reduced
from bench.fuzz.report import Report, Trial, save
from sorrel.outcome import Answer
from sorrel.property import Property
from sorrel.source import Source
from sorrel.task import Task

BATCH = 50
LIMIT = 10.0
"""Seconds for one answer."""
_ASKED: tuple[tuple[int, Property], ...] = (
    (10, Property.ASSERTIONS),
    (2, Property.NO_OVERFLOW),
    (2, Property.NO_DIVISION_BY_ZERO),
    (3, Property.VALID_DEREF),
    (2, Property.TERMINATION),
    (2, Property.NONINTERFERENCE),
)
_REDUCTION = 120.0
"""Seconds for making a failing program smaller."""
_MAIN, _INPUT = "int main(void)", re.compile(r"\b(\w+) = __VERIFIER_nondet")
_HARMLESS = {End.RETURNED, End.REFUSED, End.EXITED}


@dataclass(frozen=True, slots=True)
class Example:
    """A program with its check, and what all its runs say about the property."""

    number: int
    draft: Draft
    check: Check
    goal: Property
    truth: Answer

    @property
    def files(self) -> tuple[str, ...]:
        return _headed(self.draft, self.check).files(self.check.lines, self.check.extra, self.check.helpers)

    @property
    def constructs(self) -> frozenset[str]:
        return self.draft.constructs | set(self.check.constructs)


def run(seed: int, seconds: float, folder: Path) -> Report:
    """For so many seconds."""
    if compiler() is None:
        return Report("c", seed, (), 0.0, skipped="there is no gcc")
    started = time.monotonic()
    trials: list[Trial] = []
    failures: list[Path] = []
    batch = 0
    while time.monotonic() - started < seconds:
        for example in examples(seed, batch):
            trial, saved = tried(example, seed, folder)
            trials.append(trial)
            failures.extend(saved)
            if time.monotonic() - started > seconds:
                break
        batch += 1
    return Report("c", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def examples(seed: int, batch: int) -> Iterator[Example]:
    """The programs of one batch whose truth is known; the same for the same seed."""
    numbers = range(batch * BATCH, (batch + 1) * BATCH)
    chances = [Random(f"{seed}/{number}") for number in numbers]
    goals = [chance.choices([goal for _, goal in _ASKED], [weight for weight, _ in _ASKED])[0] for chance in chances]
    drafts = [draft(chance, str(number)) for chance, number in zip(chances, numbers, strict=True)]
    looked = judged([_subject(each, checks.observing(each)) for each in drafts])
    made: list[tuple[int, Draft, Check, Property]] = []
    for number, chance, goal, each, runs in zip(numbers, chances, goals, drafts, looked, strict=True):
        check = _check(each, chance, goal, runs)
        if check:
            made.append((number, each, check, goal))
    for addresses in (False, True):
        own = [entry for entry in made if (entry[3] is Property.VALID_DEREF) is addresses]
        results = judged([_subject(each, check) for _, each, check, _ in own], addresses=addresses)
        for (number, each, check, goal), runs in zip(own, results, strict=True):
            truth = truth_of(goal, runs) if runs else None
            if truth:
                yield Example(number, each, check, goal, truth)


def _check(program: Draft, chance: Random, goal: Property, runs: Sequence[Run] | None) -> Check | None:
    """None if nothing was seen, or if the runs without a check go wrong already."""
    if runs is None or not {run.end for run in runs} <= _HARMLESS:
        return None
    seen = checks.watched(program, runs)
    violated = chance.random() < 0.5
    if not seen.each:
        return None
    if goal is Property.NONINTERFERENCE:
        return checks.flow(program, chance, runs, violated)
    return CHECKS[goal](chance, seen, violated)


def _headed(program: Draft, check: Check) -> Draft:
    return replace(program, headers=tuple(sorted({*program.headers, *check.headers})))


def _subject(program: Draft, check: Check) -> Subject:
    return Subject(program.tag, program.batched(check.lines, check.helpers), program.inputs)


def truth_of(goal: Property, runs: Sequence[Run]) -> Answer | None:
    """What all runs together say; None if some run is undefined in another way than the property speaks of."""
    ends = {run.end for run in runs}
    if goal is Property.NONINTERFERENCE:
        if not ends <= _HARMLESS:
            return None
        return Answer.UNSAFE if checks.leaks(runs) else Answer.SAFE
    if VIOLATES[goal] in ends:
        return Answer.UNSAFE
    return Answer.SAFE if ends <= _HARMLESS else None


def tried(example: Example, seed: int, folder: Path) -> tuple[Trial, list[Path]]:
    """One question to Sorrel, and what failed."""
    reply = warm.verify(task_of(example.files, example.goal), LIMIT)
    wrong = reply.wrong(example.truth)
    trial = Trial(str(example.goal), reply.verdict, reply.reason, wrong, example.constructs, reply.seconds)
    if not wrong:
        return trial, []
    names = {f"program{at or ''}.c": text for at, text in enumerate(example.files)}
    names["reduced.c"] = minimised(example, wrong)
    names["detail.txt"] = reply.detail or json.dumps(reply.outcome.to_json() if reply.outcome else {}, indent=1)
    command = (
        f"sorrel verify --property {example.goal} {' '.join(name for name in names if name.startswith('program'))}"
    )
    return trial, [save(folder, "c", f"{seed}-{example.number}", names, seed=seed, command=command, wrong=wrong)]


def minimised(example: Example, wrong: str) -> str:
    """A smaller program with the same fault, as one file; empty if one file does not have it."""
    ranges = {each.name: each for each in example.draft.inputs}
    check = example.check
    lines = _headed(example.draft, check).text(check.lines, check.extra, check.helpers).splitlines()

    def fails(left: Sequence[str]) -> bool:
        text = "\n".join(left) + "\n"
        if _MAIN not in text:
            return False
        inputs = tuple(ranges[name] for name in _INPUT.findall(text))
        subject = Subject("1", text.replace(_MAIN, "static int main_1(void)"), inputs)
        (runs,) = judged([subject], addresses=example.goal is Property.VALID_DEREF)
        truth = truth_of(example.goal, runs) if runs else None
        return truth is not None and warm.verify(task_of((text,), example.goal), LIMIT).wrong(truth) == wrong

    return "\n".join(reduced(lines, fails, _REDUCTION)) + "\n" if fails(lines) else ""


def task_of(files: Sequence[str], goal: Property) -> Task:
    sources = tuple(Source(f"program{at or ''}.c", text) for at, text in enumerate(files))
    return Task(sources, goal)
