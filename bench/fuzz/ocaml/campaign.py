"""Generated OCaml programs, batch by batch: run by OCaml and by the interpreter, then asked of Sorrel."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, product
from pathlib import Path
from random import Random

from bench.fuzz import warm
from bench.fuzz.ocaml.generator import LARGEST, SMALLEST, Generated, generate
from bench.fuzz.report import Trial, save
from bench.fuzz.stream import Numbered
from sorrel.frontends import ocaml
from sorrel.functional.execution import Exhausted, Finished, Kind, Refused, Violated
from sorrel.functional.interpreter import execute
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.value import Value
from sorrel.model.errors import SorrelError
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task

BATCH, LIMIT, STEPS = 40, 10.0, 200_000
COMPILE_SECONDS, RUN_SECONDS = 120, 30
_RAISED = "raised"
Results = Mapping[tuple[int, ...], int | str]
"""What the body gives for each tuple of inputs: a number, or that an exception leaves it."""


@dataclass(frozen=True, slots=True)
class Example:
    number: int
    text: str
    truth: Answer
    constructs: frozenset[str]


def missing() -> str:
    return "" if shutil.which("ocamlc") else "there is no ocamlc"


def trials(seed: int, folder: Path, done: Collection[int] = ()) -> Iterator[Numbered]:
    sys.setrecursionlimit(40_000)
    for batch in count(max(done, default=0) // BATCH):
        numbers = [number for number in range(batch * BATCH, (batch + 1) * BATCH) if number not in done]
        programs = {number: generate(hash_of(seed, number)) for number in numbers}
        for number, results in compiled(programs).items():
            trial, saved = tried(number, programs[number], results, seed, folder)
            yield Numbered(number, trial, tuple(saved))


def hash_of(seed: int, number: int) -> int:
    return Random(f"{seed}/{number}").randrange(2**60)


def inputs(program: Generated) -> list[tuple[int, ...]]:
    return list(product(range(SMALLEST, LARGEST + 1), repeat=len(program.arguments)))


# Compiled


def compiled(programs: Mapping[int, Generated]) -> dict[int, Results]:
    """The results of all programs, by one run of one program that has each as a module."""
    lines = []
    for number, program in programs.items():
        lines += [f"module P{number} = struct", program.text]
        for values in inputs(program):
            arguments = " ".join(f"({value})" for value in values)
            lines.append(
                f'let () = print_string (try string_of_int (body {arguments}) with _ -> "{_RAISED}"); print_newline ()'
            )
        lines.append("end")
    with tempfile.TemporaryDirectory(prefix="sorrel-fuzz-") as folder:
        source, made = Path(folder, "all.ml"), Path(folder, "all")
        source.write_text("\n".join(lines), encoding="utf-8")
        subprocess.run(
            ["ocamlc", "-w", "-a", "-o", str(made), str(source)],
            check=True,
            timeout=COMPILE_SECONDS,
            cwd=folder,
            capture_output=True,
        )
        done = subprocess.run([str(made)], capture_output=True, text=True, timeout=RUN_SECONDS, check=True)
    printed = iter(done.stdout.split())
    results: dict[int, Results] = {}
    for number, program in programs.items():
        words = {values: next(printed) for values in inputs(program)}
        results[number] = {values: word if word == _RAISED else int(word) for values, word in words.items()}
    return results


# Interpreted


def difference(program: Program, results: Results) -> str:
    """Where the interpreter does something else than the compiled program."""
    for values, expected in results.items():
        found = execute(program, values, frozenset({Kind.EXCEPTION}), steps=STEPS, wraps=True)
        match found.end:
            case Finished(value):
                got: Value = value
            case Violated():
                got = _RAISED
            case Exhausted() | Refused():
                continue
            case other:
                got = str(other)
        if got != expected:
            return f"body {values} is {got}, but {expected} when compiled"
    return ""


# Asked


def tried(number: int, program: Generated, results: Results, seed: int, folder: Path) -> tuple[Trial, list[Path]]:
    """The interpreter against the compiled program, before and after simplification; then one question to Sorrel."""
    name = f"{seed}-{number}"
    wrong = _translated(program, results)
    if wrong:
        trial = Trial("runs", wrong=wrong, constructs=program.constructs)
        return trial, [_saved(folder, name, seed, program.text, "", wrong)]
    text, truth = _asserted(program, results, Random(f"{seed}/{number}/assertion"))
    reply = warm.verify(Task((Source("program.ml", text),), Property.ASSERTIONS), LIMIT)
    wrong = wrongness(truth, reply)
    reason = ""
    if not reply.decided:
        reason = reply.problem or (str(reply.outcome.reason.cause) if reply.outcome and reply.outcome.reason else "")
    trial = Trial("assertions", reply.verdict, reason, wrong, program.constructs, reply.seconds)
    if not wrong:
        return trial, []
    detail = reply.detail or json.dumps(reply.outcome.to_json() if reply.outcome else {}, indent=1)
    return trial, [_saved(folder, name, seed, text, detail, wrong)]


def _translated(program: Generated, results: Results) -> str:
    try:
        read = ocaml.read([Source("program.ml", program.text)], "body")
    except SorrelError as problem:
        return f"not read: {problem}"
    return difference(read, results) or difference(simplified(read), results)


def _asserted(program: Generated, results: Results, chance: Random) -> tuple[str, Answer]:
    """The program with an assertion about its results, and whether it holds for all of them."""
    numbers = [value for value in results.values() if isinstance(value, int)] or [0]
    low, high = min(numbers), max(numbers)
    conditions = (
        f"r <= {_written(high + chance.choice((0, 1, 5)))}",
        f"r >= {_written(low - chance.choice((0, 1, 5)))}",
        f"r < {_written(high)}",
        f"r > {_written(low)}",
        f"r <> {_written(chance.choice(numbers))}",
        f"r <> {_written(high + 1)}",
    )
    condition = chance.choice(conditions)
    holds = all(eval(condition.replace("<>", "!="), {"r": number}) for number in numbers)
    bounds = " && ".join(f"{SMALLEST} <= {name} && {name} <= {LARGEST}" for name in program.arguments)
    arguments = " ".join(program.arguments)
    main = f"let main {arguments} = if {bounds} then (let r = body {arguments} in assert ({condition}))"
    raised = not any(isinstance(value, int) for value in results.values())
    return f"{program.text}\n{main}\n", Answer.SAFE if holds or raised else Answer.UNSAFE


def _written(number: int) -> str:
    return str(number) if number >= 0 else f"({number})"


def _plain(answer: str) -> str:
    return str(Answer.SAFE) if answer == Answer.ASSUMING else answer


def wrongness(truth: Answer, reply: warm.Reply) -> str:
    """What is wrong with an answer; an internal error always is."""
    if reply.problem in ("internal", "input"):
        return f"{reply.problem} error: {reply.detail.strip().splitlines()[-1]}"
    if reply.decided and _plain(reply.answer) != truth:
        return f"{reply.answer}, but the compiled program is {truth}"
    return ""


def _saved(folder: Path, name: str, seed: int, text: str, detail: str, wrong: str) -> Path:
    files: dict[str, str] = {"program.ml": text, "detail.txt": detail}
    return save(folder, "ocaml", name, files, seed=seed, command="sorrel verify program.ml", wrong=wrong)
