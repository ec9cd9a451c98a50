"""Both ends of the Java front end for a while: translations against a machine, and answers against what it does."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from bench.fuzz.java.laws import Question, contradiction, question, refuted, samples
from bench.fuzz.java.machine import call_all
from bench.fuzz.java.methods import SHARED
from bench.fuzz.java.translation import differences, methods
from bench.fuzz.report import Report, Trial, save
from bench.fuzz.warm import Reply, verify
from sorrel.frontends.java.harness import CLASS
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.replay.java import RESULT, is_there, run_java

BATCH, QUESTIONS, SAMPLES = 100, 12, 14
ANSWER_SECONDS, REPLAY_SECONDS = 10.0, 60.0
TRANSLATED = "translation"


def run(seed: int, seconds: float, folder: Path) -> Report:
    """A third of the time for translations, the rest for questions about laws."""
    started = time.monotonic()
    if not is_there():
        return Report("java", seed, (), 0.0, skipped="there is no Java compiler and machine here")
    trials: list[Trial] = []
    failures: list[Path] = []
    for number in range(10**6):
        if number and time.monotonic() - started > seconds / 3:
            break
        _translations(seed + number, trials, failures, folder)
    for number in range(10**6):
        if time.monotonic() - started > seconds:
            break
        asked = [question(seed, at) for at in range(number * QUESTIONS, (number + 1) * QUESTIONS)]
        _answers(seed, asked, trials, failures, folder)
    return Report("java", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def _translations(seed: int, trials: list[Trial], failures: list[Path], folder: Path) -> None:
    written = methods(seed, BATCH)
    started = time.monotonic()
    told, found = differences(seed, written)
    each = (time.monotonic() - started) / len(written)
    for one in written:
        wrong = ""
        if one.name in found:
            values, real, ours = found[one.name]
            wrong = f"on {values} a machine returns {real}, the interpreter {ours}"
            failures.append(_saved(folder, f"{seed}-{one.name}", one.text, seed, "bench.fuzz.java.translation", wrong))
        why = told[one.name]
        trials.append(Trial(TRANSLATED, "" if why else "same", why, wrong, one.constructs, each))


def _answers(seed: int, asked: Sequence[Question], trials: list[Trial], failures: list[Path], folder: Path) -> None:
    replies = [_asked(each) for each in asked]
    against = _contradicted(seed, asked)
    for each, reply, found in zip(asked, replies, against, strict=True):
        wrong = _wrong(each, reply, found)
        if wrong:
            name, command = f"{seed}-{each.written.name}", f"sorrel verify --spec {each.law} --replay"
            failures.append(_saved(folder, name, each.written.text, seed, command, wrong))
        verdict = reply.answer if reply.decided else ""
        reason = "" if reply.decided else reply.problem or _reason(reply)
        trials.append(Trial(each.law, verdict, reason, wrong, each.written.constructs, reply.seconds))


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


def _saved(folder: Path, name: str, text: str, seed: int, command: str, wrong: str) -> Path:
    return save(folder, "java", name, {"Method.java": text + SHARED}, seed=seed, command=command, wrong=wrong)
