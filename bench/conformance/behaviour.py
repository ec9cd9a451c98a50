"""What a C program does when it is run: as the interpreter runs it, and as a compiler does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import ceil
from pathlib import Path

from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.frontends.errors import Unsupported
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.model.task import data_model_here
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.program import Program
from sorrel.program.run import Exhausted, Finished, Run, Starved, Stopped
from sorrel.program.statement import Choice, Stream
from sorrel.program.types import Type
from sorrel.program.validate import validate
from sorrel.program.value import Value, zero
from sorrel.testing.probe import fitting

STEPS = 50_000_000
COMPILE_SECONDS = 60.0
PATIENCE = 20
"""Limits are in seconds of the processor's time; a process that waits instead is ended after so many times more."""
_MODULE = "bench.conformance"
_ROOT = Path(__file__).parents[2]


class Ending(StrEnum):
    ENDED = "ended"  # by itself: status and output are known
    REFUSED = "refused"  # the front end says that it does not know a construct
    UNFINISHED = "unfinished"  # not within the limits
    OPEN = "open"  # depends on a value that is not modelled, or prints one
    WRONG = "wrong"  # undefined behaviour, a failed check
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`output` has a character for each byte. Status and output mean something only of a program that ended."""

    ending: Ending
    status: int = 0
    output: str = ""
    reason: str = ""

    @property
    def was_read(self) -> bool:
        return self.ending not in (Ending.REFUSED, Ending.CRASHED)

    def __str__(self) -> str:
        if self.ending is not Ending.ENDED:
            return f"{self.ending}: {self.reason}"
        return f"status {self.status}, {len(self.output)} bytes of output"


def read_program(path: Path, include: Sequence[str] = ()) -> Program:
    """As the compiler of this machine reads it."""
    program = read([Source(str(path))], CSettings(DataModel(data_model_here()), tuple(include)))
    validate(program)
    return program


def interpreted(path: Path, include: Sequence[str] = (), steps: int = STEPS) -> Behaviour:
    """In this process."""
    try:
        program = read_program(path, include)
    except (Unsupported, InputError) as refusal:
        return Behaviour(Ending.REFUSED, reason=_line(refusal))
    given = [1 for _ in program.procedure[program.main].parameters]  # argc: nothing but the name of the program
    alone = run(program, given, steps=steps, indeterminate=NOBODYS)
    if not isinstance(alone.end, Starved) or alone.end.type is not None:
        return behaviour_of(alone)
    # A variable without a value is looked at; perhaps nothing depends on it, as far as two ways to fill memory tell.
    open_ = (Choice.ABSTRACTION,)
    filled = {behaviour_of(run(program, _after(given, fill), steps=steps, indeterminate=open_)) for fill in FILLS}
    return filled.pop() if len(filled) == 1 else behaviour_of(alone)


def _after(given: Sequence[Value], fill: Callable[[Type], Value]) -> Callable[[Type], Value]:
    """First what is given, then what fills the type."""
    left = list(given)
    return lambda type: left.pop(0) if left else fill(type)


def _pattern(type: Type) -> Value:
    return fitting(type, 0x2B2B2B2B)


FILLS = (zero, _pattern)


def behaviour_of(outcome: Run) -> Behaviour:
    written = outcome.written.get(Stream.OUTPUT)
    text = written.text.decode("latin-1") if written else ""
    match outcome.end:
        case Finished() | Stopped() if outcome.status is None:
            return Behaviour(Ending.OPEN, reason="the status is not known")
        case Finished() | Stopped() if written and written.unknown:
            return Behaviour(Ending.OPEN, reason="what is printed is not modelled")
        case Finished() | Stopped():
            return Behaviour(Ending.ENDED, outcome.status or 0, text)
        case Exhausted():
            return Behaviour(Ending.UNFINISHED, reason="too many steps")
        case Starved(_, span, type):
            return Behaviour(Ending.OPEN, reason=f"{span}: needs {type or 'a variable without a value'}")
        case end:
            return Behaviour(Ending.WRONG, reason=_line(end))


def _line(problem: object) -> str:
    return " ".join(str(problem).split())[:300]


# A process of its own, which can be ended


def interpreted_apart(path: Path, include: Sequence[str] = (), seconds: float = 120.0) -> Behaviour:
    words = [sys.executable, "-m", _MODULE, "interpret", str(path), *(f"-I{folder}" for folder in include)]
    done = _limited(words, seconds, _ROOT)
    if done is None:
        return Behaviour(Ending.UNFINISHED, reason=f"more than {seconds:g} s")
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return Behaviour(Ending.CRASHED, reason=_line(lines[-1] if lines else f"exit code {done.returncode}"))
    told = json.loads(done.stdout)
    return Behaviour(Ending(told["ending"]), told["status"], told["output"], told["reason"])


def tell(behaviour: Behaviour) -> str:
    return json.dumps(asdict(behaviour))


def compiled(
    path: Path, compiler: str, include: Sequence[str] = (), seconds: float = 10.0, flags: Sequence[str] = ()
) -> Behaviour:
    """What the program does that the compiler makes; a process that a signal ended has the status that shells tell."""
    with tempfile.TemporaryDirectory(prefix="sorrel-conformance-") as folder:
        program = Path(folder) / "program"
        words = [compiler, "-O0", "-w", *flags, *(f"-I{each}" for each in include), str(path), "-o", str(program)]
        made = subprocess.run([*words, "-lm"], capture_output=True, timeout=COMPILE_SECONDS, check=False)
        if made.returncode != 0:
            return Behaviour(Ending.REFUSED, reason=_line(made.stderr.decode(errors="replace")))
        done = _limited([str(program)], seconds, Path(folder))
    if done is None:
        return Behaviour(Ending.UNFINISHED, reason=f"more than {seconds:g} s")
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Behaviour(Ending.ENDED, status, done.stdout.decode("latin-1"))


def _limited(words: Sequence[str], seconds: float, folder: Path) -> subprocess.CompletedProcess[bytes] | None:
    """None if it does not end within the limit."""
    limited = ["sh", "-c", 'ulimit -t "$1"; shift; exec "$@"', "sh", str(ceil(seconds)), *words]
    try:
        done = subprocess.run(
            limited,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds * PATIENCE,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done
