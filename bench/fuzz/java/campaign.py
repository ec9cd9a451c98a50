"""Random Java methods and laws: answers against what a machine does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count, product
from pathlib import Path
from typing import Any

from bench.fuzz.java.laws import Question, contradiction, question, refuted, samples
from bench.fuzz.java.machine import call_all
from bench.fuzz.java.methods import SHARED
from bench.fuzz.report import Trial, save
from bench.fuzz.stream import Numbered
from bench.fuzz.warm import Reply, verify
from sorrel.frontends.java.harness import CLASS
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.replay.java import RESULT, is_there, run_java

QUESTIONS, SAMPLES = 12, 14
ANSWER_SECONDS, REPLAY_SECONDS = 10.0, 60.0


def missing() -> str:
    return "" if is_there() else "there is no Java compiler and machine here"


def trials(seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]:
    """Questions about laws; a machine is asked about a batch of them at once."""
    for batch in count(max(done, default=0) // QUESTIONS):
        numbers = [at for at in range(batch * QUESTIONS, (batch + 1) * QUESTIONS) if at not in done]
        asked = [question(seed, number) for number in numbers]
        replies = [_asked(each) for each in asked]
        for number, each, reply, against in zip(numbers, asked, replies, _contradicted(seed, asked), strict=True):
            wrong = _wrong(each, reply, against)
            reason = "" if reply.decided else reply.problem or _reason(reply)
            trial = Trial(each.law, reply.verdict, reason, wrong, each.written.constructs, reply.seconds)
            yield Numbered(number, trial, (_saved(folder, each, seed, wrong),) if wrong else ())


def _asked(each: Question) -> Reply:
    source = Source(f"{each.written.name}.java", each.written.text + SHARED)
    task = Task((source,), Property.SPECIFICATION, function=f"{each.written.name}.f", specification=each.law)
    return verify(task, ANSWER_SECONDS)


def _contradicted(seed: int, asked: Sequence[Question]) -> list[str]:
    """For each question what a machine does against the law, if that was seen."""
    calls: list[tuple[Any, Any]] = []
    places: list[tuple[int, tuple[int, ...]]] = []
    given = [samples(each, SAMPLES, seed) for each in asked]
    for number, (each, values) in enumerate(zip(asked, given, strict=True)):
        for at in product(range(SAMPLES), repeat=len(values)):
            calls.append((each.written, [own[place] for own, place in zip(values, at, strict=True)]))
            places.append((number, at))
    results: list[dict[tuple[int, ...], int]] = [{} for _ in asked]
    for (number, at), text in zip(places, call_all([each.written for each in asked], calls), strict=True):
        if not text.startswith("!"):
            results[number][at] = int(text)
    found = []
    for each, values, known in zip(asked, given, results, strict=True):
        against = contradiction(each.law, known, values[0])
        found.append(f"on a machine {each.law} does not hold for {against}" if against else "")
    return found


def _wrong(each: Question, reply: Reply, against: str) -> str:
    if reply.problem == "internal":
        return reply.detail
    if reply.answer == Answer.UNSAFE and reply.outcome:
        return _not_repeated(each, reply.outcome.harness)
    return against if reply.answer in (Answer.SAFE, Answer.ASSUMING) else ""


def _not_repeated(each: Question, harness: str) -> str:
    """Why a violation is none on a machine; one whose objects cannot be made is left to the interpreter."""
    if not harness:
        return ""
    files = {"Sources.java": each.written.text + SHARED, f"{CLASS}.java": harness}
    ran = run_java(files, CLASS, REPLAY_SECONDS)
    lines = [line.split()[2:] for line in ran.output.splitlines() if line.startswith(RESULT)]
    try:
        results = [int(value) for (value,) in lines]
        is_real = ran.compiled and refuted(each.law, results)
    except (ValueError, TypeError):
        is_real = False
    return "" if is_real else f"the runs are none of a machine: {ran.output}{ran.errors[:1000]}"


def _reason(reply: Reply) -> str:
    text = str(reply.outcome.reason) if reply.outcome else ""
    return text.splitlines()[-1][:100] if text else "unknown"


def _saved(folder: Path, each: Question, seed: int, wrong: str) -> Path:
    files = {"Method.java": each.written.text + SHARED}
    name, command = f"{seed}-{each.written.name}", f"sorrel verify --spec {each.law} --replay"
    return save(folder, "java", name, files, seed=seed, command=command, wrong=wrong)
