"""Compiling Java files with the system's compiler, and running one of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from sorrel.model.outcome import Replay, ReplayResult
from sorrel.model.task import Task
from sorrel.model.values import dataclass

RESULT = "sorrel: "
"""How a line begins in which a harness tells what a run returned."""
_FLAGS = (
    "-Xmx512m",
    "-Xss64m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:CompressedClassSpaceSize=64m",
    "-XX:ReservedCodeCacheSize=64m",
)
"""For a short life in little memory."""
_COMPILER_FLAGS = ("-nowarn", "-proc:none", "-encoding", "UTF-8", *(f"-J{flag}" for flag in _FLAGS))
_PUBLIC = re.compile(r"(?:^|[;}])\s*public\s+(?:\w+\s+)*?(?:class|interface|enum|record)\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program wrote, and its exit code: None if it did not end in time. One that is no Java has no output."""

    code: int | None
    output: str
    errors: str
    compiled: bool = True


def is_there() -> bool:
    """Whether there is a compiler and a machine to run what it makes."""
    return bool(shutil.which("javac") and shutil.which("java"))


def file_name(text: str, otherwise: str) -> str:
    """The compiler wants a public class in a file of its name."""
    found = _PUBLIC.search(text)
    return f"{found[1]}.java" if found else otherwise


def run_java(files: Mapping[str, str], main: str, seconds: float, given: str = "") -> Ran:
    """Compile the files together and run the class `main`; `given` is what it reads."""
    with tempfile.TemporaryDirectory(prefix="sorrel-java-") as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8", errors="surrogatepass")
        started = time.monotonic()
        compiled = _run(["javac", *_COMPILER_FLAGS, "-d", "classes", *files], folder, seconds, "")
        if compiled.code != 0:
            return Ran(compiled.code, "", compiled.output + compiled.errors, compiled=False)
        left = max(1.0, seconds - (time.monotonic() - started))
        return _run(["java", *_FLAGS, "-cp", "classes", main], folder, left, given)


def _run(command: Sequence[str], folder: str, seconds: float, given: str) -> Ran:
    try:
        done = subprocess.run(
            command, cwd=folder, input=given, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Ran(None, "", "")
    return Ran(done.returncode, done.stdout, done.stderr)


def replay_java(
    task: Task, sources: Sequence[str], harness: tuple[str, str], expected: Mapping[str, str], seconds: float
) -> Replay:
    """Run the methods on a machine: `harness` is a class by its whole name and its text, `expected` what each run
    should return, by its name."""
    started = time.monotonic()
    if not is_there():
        return Replay(ReplayResult.IMPOSSIBLE, "there is no Java compiler and machine here")
    name, text = harness
    files = {file_name(source, f"Source{index}.java"): source for index, source in enumerate(sources)}
    ran = run_java({**files, f"{name.rpartition('.')[2]}.java": text}, name, seconds)
    result, detail = _judged(ran, expected)
    command = f"javac *.java && java {name}"
    return Replay(result, detail, command, task.data_model, time.monotonic() - started)


def _judged(ran: Ran, expected: Mapping[str, str]) -> tuple[ReplayResult, str]:
    if not ran.compiled:
        first = next((line for line in ran.errors.splitlines() if "error:" in line), "")
        return ReplayResult.IMPOSSIBLE, f"it does not compile: {first.partition('error:')[2].strip()}"
    if ran.code is None:
        return ReplayResult.IMPOSSIBLE, "the machine did not end in time"
    lines = [line.removeprefix(RESULT).split(" ", 1) for line in ran.output.splitlines() if line.startswith(RESULT)]
    found = {words[0]: words[1] for words in lines}
    if ran.code != 0 and set(found) != set(expected):
        last = (ran.errors.strip().splitlines() or ["nothing"])[0]
        return ReplayResult.IMPOSSIBLE, f"the objects could not be made: {last}"
    for run, value in expected.items():
        if found.get(run) != value:
            return ReplayResult.MISSED, f"on a machine, run {run} returns {found.get(run, 'nothing')}, not {value}"
    told = ", ".join(f"{value} in run {run}" for run, value in found.items())
    return ReplayResult.REACHED, f"on a machine, the method returns {told}"
