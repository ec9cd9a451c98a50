"""Generated C programs, batch by batch: judged by the compiler, then asked of Sorrel."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random

from bench.fuzz import warm
from bench.fuzz.c import checks, laws
from bench.fuzz.c.checks import CHECKS, VIOLATES, Check
from bench.fuzz.c.judge import End, Run, Subject, compiler, judged
from bench.fuzz.c.program import Draft, draft
from bench.fuzz.reduce import reduced
from bench.fuzz.report import Trial, save
from bench.fuzz.stream import Numbered
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import DEFAULT_ENTRY, Task

BATCH = 50
LIMIT = 10.0
"""Seconds for one answer."""
_ASKED: tuple[tuple[int, Property], ...] = (
    (10, Property.ASSERTIONS),
    (2, Property.NO_OVERFLOW),
    (2, Property.NO_DIVISION_BY_ZERO),
    (3, Property.VALID_DEREF),
    (1, Property.TERMINATION),
    (2, Property.NONINTERFERENCE),
    (1, Property.SPECIFICATION),
)
_LAW = Property.SPECIFICATION
_REDUCTION = 120.0
"""Seconds for making a failing program smaller."""
_MAIN, _INPUT = "int main(void)", re.compile(r"\b(\w+) = __VERIFIER_nondet")
_VIOLATED = 0.45
"""How many checks are made to fail; proofs are missed more often than violations."""
_HARMLESS = {End.RETURNED, End.REFUSED, End.EXITED}


@dataclass(frozen=True, slots=True)
class Example:
    """A program with its check, and what all its runs say about the property."""

    number: int
    draft: Draft
    check: Check
    goal: Property
    truth: Answer
    function: str = DEFAULT_ENTRY
    law: str = ""

    @property
    def task(self) -> Task:
        return task_of(self.files, self.goal, self.function, self.law)

    @property
    def files(self) -> tuple[str, ...]:
        return _headed(self.draft, self.check).files(self.check.lines, self.check.extra, self.check.helpers)

    @property
    def constructs(self) -> frozenset[str]:
        return self.draft.constructs | set(self.check.constructs)


def missing() -> str:
    return "" if compiler() else "there is no gcc"


def trials(seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]:
    for batch in count(max(done, default=0) // BATCH):
        for example in examples(seed, batch):
            if example.number in done:
                continue
            trial, saved = tried(example, seed, folder)
            yield Numbered(example.number, trial, tuple(saved))


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
    yield from _lawful([number for number, goal in zip(numbers, goals, strict=True) if goal is _LAW], seed)


def _lawful(numbers: Sequence[int], seed: int) -> Iterator[Example]:
    """Functions and what all their arguments say about a law."""
    made = [laws.drawn(Random(f"law/{seed}/{number}"), str(number)) for number in numbers]
    results = judged([Subject(each.draft.tag, each.draft.batched(each.lines), ()) for each in made])
    for number, each, runs in zip(numbers, made, results, strict=True):
        if runs and runs[0].end is End.RETURNED:
            truth = Answer.UNSAFE if laws.is_violated(runs[0]) else Answer.SAFE
            yield Example(number, each.draft, Check(()), _LAW, truth, each.function, each.law)


def _check(program: Draft, chance: Random, goal: Property, runs: Sequence[Run] | None) -> Check | None:
    """None if nothing was seen, or if the runs without a check go wrong already."""
    if runs is None or not {run.end for run in runs} <= _HARMLESS:
        return None
    seen = checks.watched(program, runs)
    violated = chance.random() < _VIOLATED
    if not seen.each:
        return None
    if goal is _LAW:
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
    reply = warm.verify(example.task, LIMIT)
    wrong = reply.wrong(example.truth)
    if wrong and reply.decided and doubtful(example):
        return Trial(str(example.goal), "", "compilers differ", "", example.constructs, reply.seconds), []
    trial = Trial(str(example.goal), reply.verdict, reply.reason, wrong, example.constructs, reply.seconds)
    if not wrong:
        return trial, []
    names = {f"program{at or ''}.c": text for at, text in enumerate(example.files)}
    if not example.law:
        names["reduced.c"] = minimised(example, wrong)
    names["detail.txt"] = reply.detail or json.dumps(reply.outcome.to_json() if reply.outcome else {}, indent=1)
    asked = f"--function {example.function} --spec {example.law}" if example.law else f"--property {example.goal}"
    command = f"sorrel verify {asked} {' '.join(name for name in names if name.startswith('program'))}"
    return trial, [save(folder, "c", f"{seed}-{example.number}", names, seed=seed, command=command, wrong=wrong)]


def doubtful(example: Example) -> bool:
    """Whether a second compiler, if there is one, sees something else in the runs."""
    if example.law or shutil.which("clang") is None:
        return False
    addresses = example.goal is Property.VALID_DEREF
    (runs,) = judged([_subject(example.draft, example.check)], addresses=addresses, judge="clang")
    return runs is not None and truth_of(example.goal, runs) != example.truth


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


def task_of(files: Sequence[str], goal: Property, function: str = DEFAULT_ENTRY, law: str = "") -> Task:
    sources = tuple(Source(f"program{at or ''}.c", text) for at, text in enumerate(files))
    return Task(sources, goal, function=function, specification=law)
