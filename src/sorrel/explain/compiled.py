"""Contracts evaluated in the compiled program: an opinion of the compiler on what we say about the user's text.

Inputs of a function that stands in place of main are those of runs of the interpreter that end as they should; all
other open values are random, the same for the same run. Sanitizers end a run before it has no meaning any more.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sorrel.contracts.reading import Dialect
from sorrel.explain.driving import OUTSIDE, driver, harness
from sorrel.model.budget import WITHOUT_LIMIT
from sorrel.model.errors import InputError, Span
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import DEFAULT_ENTRY, Task, data_model_here
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.program.checks import instrument
from sorrel.program.interpreter import ByVariable, Prepared, run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Run, Stopped
from sorrel.program.statement import Choice, Havoc
from sorrel.program.types import Array, Machine, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.replay.calling import call_of
from sorrel.replay.compiler import command_line
from sorrel.replay.entry import NoHarness
from sorrel.replay.instrumenting import TOLD, Check, NotInstrumented, instrumented, parameters_of
from sorrel.testing.probe import constants_of, fitting

RUNS, RUN_SECONDS, COMPILE_SECONDS, STEPS = 20, 5.0, 60.0, 20_000
MOST_ELEMENTS = 9
LETTERS = (0, *b'aAzZ09 -+.,:/\\n%"{}[]')
"""What programs that look at text look for."""
TRIED = 40
"""How many runs of the interpreter are tried for each one that is wanted."""
_SAYS = re.compile(rf"^{TOLD} (\d+) (\d+) ([01])$", re.M)
_FLAGS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-ftrapv",
    "-no-pie",  # what is nowhere defined has no place that a loader of such programs would accept
    "-Wl,--unresolved-symbols=ignore-all",
)
_HIDDEN = re.compile(r"undefined reference to [`'](\w+)'")
"""What is nowhere defined, and missed all the same, since it was declared not to be seen from outside."""
_SANITIZING = {"ASAN_OPTIONS": "detect_leaks=0:symbolize=0", "UBSAN_OPTIONS": "symbolize=0"}
"""What is lost takes no meaning from what was said before, and nobody reads where a run went wrong."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One condition: in how many runs it was looked at, in how many it was false; `problem` if it cannot be."""

    contract: ProgramContract
    text: str
    reached: int = 0
    false: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Contracts that runs of one function are to show, with calls of it: none if it is main, which is called anyway.

    `places` are the functions that the contracts are about, `owner` is the file of the function that is called, and
    `opened` are functions without a body that it calls.
    """

    contracts: tuple[ProgramContract, ...]
    places: Mapping[str, Span]
    calls: tuple[tuple[str, ...], ...] = ()
    owner: str = ""
    opened: tuple[str, ...] = ()
    problem: str = ""

    def told(self) -> list[Evaluated]:
        found = ((contract, text) for contract in self.contracts for text in contract.conjuncts)
        return [Evaluated(contract, text, problem=self.problem) for contract, text in found]


def compiled_runs(
    task: Task,
    contracts: Sequence[ProgramContract],
    runs: int = RUNS,
    *,
    seed: int = 0,
    dialect: Dialect = Dialect.ACSL,
) -> tuple[Evaluated, ...]:
    """The conditions of the contracts, each looked at in that many runs of the program that a compiler makes."""
    from sorrel.frontends import c

    try:
        part = part_of(task, c.read(task.sources, c.CSettings.of(task)), contracts, runs, seed=seed)
    except InputError as unread:
        part = Part(tuple(contracts), {}, problem=str(unread))
    return evaluated(task, [part], runs, seed=seed, dialect=dialect)


def part_of(
    task: Task,
    program: Program,
    contracts: Sequence[ProgramContract],
    runs: int = RUNS,
    *,
    seed: int = 0,
    seconds: float = WITHOUT_LIMIT,
) -> Part:
    """Calls of the task's function that the interpreter finds to end as they should, in so many planned seconds."""
    program = instrument(program, frozenset())
    places = {each.name: each.span for each in program.procedures}
    opened = tuple(_open_functions(task, program))
    if task.function == DEFAULT_ENTRY:
        return Part(tuple(contracts), places, opened=opened)
    span = program.procedure[task.function].span
    text = next((_text(source) for source in task.sources if source.name == span.file), "")
    try:
        parameters = parameters_of(text, task.function, span)
        calls = tuple(
            tuple(call_of(program, each, task.function, parameters))
            for each in _good_runs(program, runs, seed, METER.now() + seconds)
        )
    except (NoHarness, NotInstrumented) as problem:
        return Part(tuple(contracts), places, problem=str(problem))
    missing = "" if calls else "no run of the interpreter that was tried ends as it should"
    return Part(tuple(contracts), places, calls, span.file, opened, missing)


def evaluated(
    task: Task, parts: Sequence[Part], runs: int = RUNS, *, seed: int = 0, dialect: Dialect = Dialect.ACSL
) -> tuple[Evaluated, ...]:
    """The conditions of all parts, in one program; those of a part are looked at in its own runs alone."""
    told = [each for part in parts for each in part.told()]
    if task.data_model != data_model_here():
        return tuple(replace(each, problem=f"no {task.data_model} program is made here") for each in told)
    good = [part for part in parts if not part.problem]
    if not good:
        return tuple(told)
    checks = list(_checks(parts, dialect))
    with tempfile.TemporaryDirectory(prefix="sorrel-told-") as name:
        made = _Made(task, good, Path(name), runs, seed)
        problem, refused = made.build([check for check, is_good in checks if is_good], _ranges(parts))
        if problem and len(good) > 1:
            return tuple(one for part in parts for one in evaluated(task, [part], runs, seed=seed, dialect=dialect))
        told = [
            replace(each, problem=each.problem or problem or refused.get(number, ""))
            for number, each in enumerate(told)
        ]
        for said in made.run() if not problem else ():
            told = [_counted(each, said.get(position)) for position, each in enumerate(told)]
    return tuple(told)


def _counted(told: Evaluated, held: bool | None) -> Evaluated:
    if held is None:
        return told
    return replace(told, reached=told.reached + 1, false=told.false + (not held))


def _checks(parts: Sequence[Part], dialect: Dialect) -> Iterator[tuple[Check, bool]]:
    """With whether it can be looked at."""
    number = 0
    for part in parts:
        for told in part.told():
            contract = told.contract
            span = part.places.get(contract.procedure, contract.span)
            name = re.sub(r"\.\d+$", "", contract.procedure)
            loop = contract.kind is ContractKind.LOOP
            yield Check(number, told.text, dialect, contract.span, name, span, loop), not part.problem
            number += 1


def _ranges(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """From where to where the conditions of the good parts are numbered."""
    found, first = [], 0
    for part in parts:
        last = first + len(part.told())
        if not part.problem:
            found.append((first, last))
        first = last
    return found


@dataclass(slots=True)
class _Made:
    """A compiled program in a folder."""

    task: Task
    parts: Sequence[Part]
    folder: Path
    runs: int
    seed: int

    def build(self, checks: Sequence[Check], ranges: Sequence[tuple[int, int]]) -> tuple[str, dict[int, str]]:
        """What kept the compiler from making it, if something did; and why single checks are not in it."""
        refused: dict[int, str] = {}
        files: list[str] = []
        for index, source in enumerate(self.task.sources):
            text, missing = instrumented(_text(source), source.name, checks)
            refused.update(missing)
            files.append(f"source{index}.c")
            (self.folder / files[-1]).write_text(text, encoding="utf-8")
        owners = {part.owner for part in self.parts if part.calls}
        included = [files[i] for i, source in enumerate(self.task.sources) if source.name in owners]
        opened = dict.fromkeys(name for part in self.parts for name in part.opened)
        defined = {name for part in self.parts for name in part.places}
        functions = [name for name in opened if name not in defined]
        around = harness([part.calls for part in self.parts], included, functions, self.seed)
        (self.folder / "harness.c").write_text(around, encoding="utf-8")
        outside = OUTSIDE + (driver(ranges, self.runs, int(RUN_SECONDS)) if self._forks else "")
        (self.folder / "outside.c").write_text(outside, encoding="utf-8")
        return self._compile(["outside.c", *(name for name in files if name not in included)]), refused

    @property
    def _forks(self) -> bool:
        return any(part.calls for part in self.parts)

    def _compile(self, files: Sequence[str]) -> str:
        origins = {str(Path(source.path).absolute().parent) for source in self.task.sources if source.text is None}
        words = command_line(self.task, "", "harness.c", files, "program")
        words = [word for word in words if word not in ("-finstrument-functions", "-Dmain=sorrel_unused_main")]
        words += [*_FLAGS, *(f"-I{Path(folder).absolute()}" for folder in self.task.include)]
        words += [f"-I{folder}" for folder in sorted(origins)]
        words += (
            ["-Dinline="] if len(self.task.sources) == 1 else []
        )  # an inline function may have no body to be called
        try:
            done = self._made(words)
            missing = dict.fromkeys(_HIDDEN.findall(done.stderr)) if done.returncode else ()
            if missing:
                done = self._made([*words, *(f"-Wl,--defsym={name}=0" for name in missing)])
        except (OSError, subprocess.TimeoutExpired) as problem:
            return f"the compiler cannot be used: {problem}"
        complaint = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:300])
        return "" if done.returncode == 0 else f"the program does not compile: {complaint}"

    def _made(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, capture_output=True, text=True, cwd=self.folder, timeout=COMPILE_SECONDS)

    def run(self) -> Iterator[dict[int, bool]]:
        """For each run, whether conditions held as often as they were looked at first and last.

        Runs that begin with a call are children of one process, each with a state of its own; main begins anew.
        """
        if self._forks:
            yield from self._said("", RUN_SECONDS * self.runs * len(self.parts)).values()
            return
        for number in range(self.runs):
            yield from self._said(str(number), RUN_SECONDS).values()

    def _said(self, word: str, seconds: float) -> dict[int, dict[int, bool]]:
        """By the number of the run."""
        try:
            done = subprocess.run(
                [str(self.folder / "program"), word],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                timeout=seconds,
                env={**os.environ, **_SANITIZING},
            )
            written = done.stderr
        except subprocess.TimeoutExpired as late:
            written = late.stderr or b""
        found: dict[int, dict[int, bool]] = {}
        for which, number, holds in _SAYS.findall(written.decode(errors="replace")):
            said = found.setdefault(int(which), {})
            said[int(number)] = said.get(int(number), True) and holds == "1"
        return found


def _good_runs(program: Program, wanted: int, seed: int, end: float) -> Iterator[Run]:
    """Runs that end as they should; each with other values."""
    prepared: Prepared = {}
    choose = _Chooser(random.Random(seed), constants_of(program))
    for _ in range(TRIED * wanted):
        tried = run(program, ByVariable(choose), steps=STEPS, prepared=prepared)
        if isinstance(tried.end, Finished | Stopped):
            yield tried
            wanted -= 1
        if not wanted or METER.now() > end:
            return


@dataclass(frozen=True, slots=True)
class _Chooser:
    """Values for the inputs of a function: small objects, numbers near those of the program, letters, and limits."""

    chance: random.Random
    constants: Sequence[int]

    def __call__(self, type: Type, target: str) -> Value:
        chance = self.chance
        if target.endswith(".length"):
            return chance.randint(1, MOST_ELEMENTS)
        match type:
            case Array(element):
                return ArrayValue(fitting(element, 0), {i: self(element, "") for i in range(chance.randint(0, 9))})
            case Machine(bits=8) if chance.random() < 0.6:
                return int(chance.choice(LETTERS))
            case Machine() if chance.random() < 0.1:
                return chance.choice((type.largest, type.smallest))
            case _ if self.constants and chance.random() < 0.3:
                return fitting(type, chance.choice(self.constants) + chance.randint(-1, 1))
            case _:
                return fitting(type, chance.choice((chance.randint(0, 9), chance.randint(-20, 100))))


def _open_functions(task: Task, program: Program) -> list[str]:
    """Functions without a body whose values the environment chooses."""
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    sources = (
        statement.source
        for block in blocks
        for statement in block.statements
        if isinstance(statement, Havoc) and statement.choice in (Choice.INPUT, Choice.EXTERNAL)
    )
    texts = [_text(source) for source in task.sources]
    asked = (name for text in texts for name in re.findall(r"\b__VERIFIER_nondet_\w+", text))
    # Parameters and variables of others have values that are chosen, too; a function of that name would be in the way.
    called = {name for text in texts for name in re.findall(r"\b(\w+)\s*\(", text)}
    return [name for name in dict.fromkeys((*sources, *asked)) if name in called and name not in program.procedure]


def _text(source: Source) -> str:
    if source.text is not None:
        return source.text
    return Path(source.path).read_text(encoding="utf-8", errors="replace")
