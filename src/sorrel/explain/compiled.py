"""Contracts evaluated in the compiled program: an opinion of the compiler on what we say about the user's text.

Inputs of a function that stands in place of main are those of runs of the interpreter that end as they should; all
other open values are random, the same for the same run. Sanitizers end a run before it has no meaning any more.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sorrel.contracts.reading import Dialect
from sorrel.model.errors import InputError
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.model.values import dataclass
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
_SAYS = re.compile(rf"^{TOLD} (\d+) ([01])$", re.M)
_FLAGS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-ftrapv",
    "-no-pie",  # what is nowhere defined has no place that a loader of such programs would accept
    "-Wl,--unresolved-symbols=ignore-all",
)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One condition: in how many runs it was looked at, in how many it was false; `problem` if it cannot be."""

    contract: ProgramContract
    text: str
    reached: int = 0
    false: int = 0
    problem: str = ""


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

    told = [Evaluated(contract, text) for contract in contracts for text in contract.conjuncts]
    if task.data_model != data_model_here():
        return tuple(replace(each, problem=f"no {task.data_model} program is made here") for each in told)
    settings = c.CSettings.of(task)
    try:
        program = instrument(c.read(task.sources, settings), frozenset())
    except InputError as unread:
        return tuple(replace(each, problem=str(unread)) for each in told)
    checks = [_check(number, each, program, dialect) for number, each in enumerate(told)]
    with tempfile.TemporaryDirectory(prefix="sorrel-told-") as name:
        made = _Made(task, program, Path(name), runs, seed)
        problem, refused = made.build(checks)
        told = [replace(each, problem=problem or refused.get(number, "")) for number, each in enumerate(told)]
        for number in range(runs if not problem else 0):
            said: dict[int, bool] = {}
            for which, holds in made.run(number):
                said[which] = said.get(which, True) and holds
            told = [_counted(each, said.get(position)) for position, each in enumerate(told)]
    return tuple(told)


def _counted(told: Evaluated, held: bool | None) -> Evaluated:
    if held is None:
        return told
    return replace(told, reached=told.reached + 1, false=told.false + (not held))


def _check(number: int, told: Evaluated, program: Program, dialect: Dialect) -> Check:
    contract = told.contract
    function = program.procedure.get(contract.procedure)
    span = function.span if function is not None else contract.span
    name = re.sub(r"\.\d+$", "", contract.procedure)
    return Check(number, told.text, dialect, contract.span, name, span, contract.kind is ContractKind.LOOP)


@dataclass(slots=True)
class _Made:
    """A compiled program in a folder."""

    task: Task
    program: Program
    folder: Path
    runs: int
    seed: int

    def build(self, checks: Sequence[Check]) -> tuple[str, dict[int, str]]:
        """What kept the compiler from making it, if something did; and why single checks are not in it."""
        refused: dict[int, str] = {}
        files: list[str] = []
        try:
            calls, owner = self._calls()
        except (NoHarness, NotInstrumented) as problem:
            return str(problem), {}
        for index, source in enumerate(self.task.sources):
            text, missing = instrumented(_text(source), source.name, checks)
            refused.update(missing)
            files.append(f"source{index}.c")
            (self.folder / files[-1]).write_text(text, encoding="utf-8")
        included = next((files[i] for i, s in enumerate(self.task.sources) if calls and s.name == owner), "")
        harness = _harness(calls, included, _open_functions(self.task, self.program), self.seed)
        (self.folder / "harness.c").write_text(harness, encoding="utf-8")
        (self.folder / "outside.c").write_text(_OUTSIDE, encoding="utf-8")
        return self._compile(["outside.c", *(name for name in files if name != included)]), refused

    def _compile(self, files: Sequence[str]) -> str:
        origins = {str(Path(source.path).absolute().parent) for source in self.task.sources if source.text is None}
        words = command_line(self.task, "", "harness.c", files, "program")
        words = [word for word in words if word not in ("-finstrument-functions", "-Dmain=sorrel_unused_main")]
        words += [*_FLAGS, *(f"-I{Path(folder).absolute()}" for folder in self.task.include)]
        words += [f"-I{folder}" for folder in sorted(origins)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, timeout=COMPILE_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as problem:
            return f"the compiler cannot be used: {problem}"
        complaint = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:300])
        return "" if done.returncode == 0 else f"the program does not compile: {complaint}"

    def run(self, number: int) -> Iterator[tuple[int, bool]]:
        """What the conditions were found to be, as often as they were looked at first and last."""
        try:
            done = subprocess.run(
                [str(self.folder / "program"), str(number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                timeout=RUN_SECONDS,
            )
            written = done.stderr
        except subprocess.TimeoutExpired as late:
            written = late.stderr or b""
        for found in _SAYS.finditer(written.decode(errors="replace")):
            yield int(found[1]), found[2] == "1"

    def _calls(self) -> tuple[list[list[str]], str]:
        """Calls of the function that stands in place of main, and the file that has it; none if it is main."""
        function = self.task.function
        if function == "main":
            return [], ""
        span = self.program.procedure[function].span
        text = next((_text(source) for source in self.task.sources if source.name == span.file), "")
        parameters = parameters_of(text, function, span)
        found = [call_of(self.program, each, function, parameters) for each in self._good_runs()]
        if not found:
            raise NoHarness("no run of the interpreter that was tried ends as it should")
        return found, span.file

    def _good_runs(self) -> Iterator[Run]:
        """Runs that end as they should; each with other values."""
        prepared: Prepared = {}
        wanted = self.runs
        choose = _Chooser(random.Random(self.seed), constants_of(self.program))
        for _ in range(TRIED * self.runs):
            tried = run(self.program, ByVariable(choose), steps=STEPS, prepared=prepared)
            if isinstance(tried.end, Finished | Stopped):
                yield tried
                wanted -= 1
            if not wanted:
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
    texts = (name for source in task.sources for name in re.findall(r"\b__VERIFIER_nondet_\w+", _text(source)))
    return [name for name in dict.fromkeys((*sources, *texts)) if name.isidentifier() and name not in program.procedure]


def _text(source: Source) -> str:
    if source.text is not None:
        return source.text
    return Path(source.path).read_text(encoding="utf-8", errors="replace")


def _harness(calls: Sequence[Sequence[str]], included: str, functions: Sequence[str], seed: int) -> str:
    lines = [_PRELUDE.replace("SEED", str(seed))]
    for name in functions:
        kind = "_Bool" if name.endswith("bool") else "long long"
        lines.append(f"{kind} sorrel_open_{name}(void) LABEL({name});")
        lines.append(f"{kind} sorrel_open_{name}(void) {{ return sorrel_any(); }}")
    if calls:
        lines += ["#define main sorrel_unused_main", f'#include "{included}"', "#undef main"]
        lines += ["int main(int count, char **words) {", f"  switch (atoi(words[1]) % {len(calls)}) {{"]
        for number, call in enumerate(calls):
            lines.append(f"  case {number}: {{ {' '.join(call)} break; }}")
        lines += ["  }", "  return 0;", "}"]
    return "\n".join([*lines, ""])


_PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define SORREL_TEXT(x) #x
#define SORREL_EXPANDED(x) SORREL_TEXT(x)
#define LABEL(name) __asm__(SORREL_EXPANDED(__USER_LABEL_PREFIX__) #name)

static unsigned long long sorrel_state;
__attribute__((constructor)) static void sorrel_begin(int count, char **words) {
  sorrel_state = 0x9E3779B97F4A7C15ULL * (2 * (SEED + 1) + 1024 * (count > 1 ? atoi(words[1]) : 0) + 1);
}
static unsigned long long sorrel_random(void) {
  sorrel_state ^= sorrel_state << 13;
  sorrel_state ^= sorrel_state >> 7;
  sorrel_state ^= sorrel_state << 17;
  return sorrel_state;
}
static long long sorrel_any(void) {
  long long number = (long long)(sorrel_random() >> 8);
  switch (sorrel_random() >> 60) {
  case 0: return number;
  case 1: return (int)number;
  case 2: return 0x7fffffff - number % 2;
  case 3: return -(number % 10);
  case 4: case 5: return number % 1000;
  case 6: case 7: case 8: return number % 2;
  default: return number % 12;
  }
}

void sorrel_told(int number, int holds);
void sorrel_told(int number, int holds) {
  static unsigned char said[1 << 16];
  unsigned char *known = &said[number & 0xffff];
  if (*known & (holds ? 1 : 2))
    return;
  *known |= holds ? 1 : 2;
  fprintf(stderr, "\\nsorrel_told %d %d\\n", number, holds);
}
"""

# A file of its own: in the file that includes the user's text there may be other definitions of these.
_OUTSIDE = """#include <unistd.h>
#define SORREL_TEXT(x) #x
#define SORREL_EXPANDED(x) SORREL_TEXT(x)
#define LABEL(name) __asm__(SORREL_EXPANDED(__USER_LABEL_PREFIX__) #name)
#define WEAK __attribute__((weak))
void sorrel_error(void) LABEL(reach_error) WEAK;
void sorrel_error(void) { _exit(0); }
void sorrel_older_error(void) LABEL(__VERIFIER_error) WEAK;
void sorrel_older_error(void) { _exit(0); }
void sorrel_assumed(int condition) LABEL(__VERIFIER_assume) WEAK;
void sorrel_assumed(int condition) {
  if (!condition)
    _exit(0);
}
void sorrel_asserted(int condition) LABEL(__VERIFIER_assert) WEAK;
void sorrel_asserted(int condition) {
  if (!condition)
    _exit(0);
}
"""
