"""Random systems of Horn clauses, each asked of some engine."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from random import Random

from bench.fuzz import warm
from bench.fuzz.horn.system import System, drawn, least_solution
from bench.fuzz.reduce import reduced
from bench.fuzz.report import Trial, save
from bench.fuzz.stream import Numbered
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.process import pipeline

ENGINES = ("spacer", "clover", "hsf", "whale", "unwind")
LIMIT = 5.0
_REDUCTION = 60.0


def missing() -> str:
    return ""


def trials(seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]:
    for number in count(max(done, default=0)):
        if number in done:
            continue
        chance = Random(f"horn/{seed}/{number}")
        system, constructs = drawn(chance)
        engine = chance.choice(ENGINES)
        truth = Answer.UNSAFE if least_solution(system)[1] else Answer.SAFE
        reply = asked(system.text, engine)
        wrong = reply.wrong(truth)
        trial = Trial(engine, reply.verdict, reply.reason, wrong, constructs, reply.seconds)
        yield Numbered(number, trial, (_saved(system, engine, wrong, truth, seed, number, folder),) if wrong else ())


def asked(text: str, engine: str) -> warm.Reply:
    options = Options(engine=engine, budget=Budget(LIMIT, 2000))
    return warm.ask(lambda: pipeline.solve(Source("system.smt2", text), options), LIMIT)


def _saved(system: System, engine: str, wrong: str, truth: Answer, seed: int, number: int, folder: Path) -> Path:
    """With a smaller system that has the same fault; truth is counted again for each."""
    whole = list(system.clauses)

    def fails(left: list[str]) -> bool:
        chosen = [whole[int(each)] for each in left]
        smaller = System(system.predicates, tuple(chosen), system.in_bits)
        now = Answer.UNSAFE if least_solution(smaller)[1] else Answer.SAFE
        return now == truth and asked(smaller.text, engine).wrong(now) == wrong

    kept = reduced([str(at) for at in range(len(whole))], lambda left: fails(list(left)), _REDUCTION)
    smaller = System(system.predicates, tuple(whole[int(each)] for each in kept), system.in_bits)
    files = {"system.smt2": system.text, "reduced.smt2": smaller.text}
    command = f"sorrel solve --engine {engine} system.smt2"
    return save(folder, "horn", f"{seed}-{number}", files, seed=seed, command=command, wrong=wrong)
