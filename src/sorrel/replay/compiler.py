"""Compiling a harness with the system's compiler, running it, and telling whether the error was reached."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sorrel.outcome import Replay, ReplayResult, Violation
from sorrel.replay.harness import DIVERGED, MARK, REACHED
from sorrel.task import Task, data_model_here

_SANITIZERS = {
    "overflow": "signed-integer-overflow,shift",
    "division": "integer-divide-by-zero",
    "bounds": "address,bounds,null",
}
_REPORTS = {
    "overflow": re.compile(
        r"runtime error: (signed integer overflow|negation of|left shift of|shift exponent|division of)"
    ),
    "division": re.compile(r"runtime error: division by zero"),
    "bounds": re.compile(
        r"runtime error: (index .* out of bounds|load of null|store to null|.*null pointer)"
        r"|ERROR: AddressSanitizer: (?!.*(stack-overflow|out-of-memory|failed to allocate))"
    ),
}
_LENIENT = ("-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion")
# A local variable without a value then has the value 0, as the runs have where they are free to choose.
_ZEROED = "-ftrivial-auto-var-init=zero"


@dataclass(frozen=True, slots=True)
class _Compiled:
    program: Path
    command: str
    data_model: str


def compiler() -> str:
    """The system's C compiler: $CC, or the first of cc, gcc and clang; empty if there is none."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(shlex.split(name)[0]):
            return name
    return ""


def command_line(task: Task, kind: str, harness: str, sources: Sequence[str], output: str, *, entry: bool) -> list[str]:
    """How to compile a harness, for people and for us. With an entry, `sources` are without its file."""
    words = [*shlex.split(compiler() or "cc"), "-g", "-O0", *_LENIENT, "-finstrument-functions"]
    if task.data_model != data_model_here():
        words.append("-m32" if task.data_model == "ILP32" else "-m64")
    if kind in _SANITIZERS:
        words += [f"-fsanitize={_SANITIZERS[kind]}", "-fno-sanitize-recover=all"]
    words += [f"-I{folder}" for folder in task.include] + [f"-D{definition}" for definition in task.define]
    if entry:
        words.append("-Dmain=sorrel_unused_main")
    return [*words, harness, *sources, "-o", output]


def replay(task: Task, violation: Violation, harness: str, seconds: float, *, entry: bool = False) -> Replay:
    """Compile the harness with the program, run it, and see whether the error is reached."""
    started = time.monotonic()
    if not compiler():
        return Replay(ReplayResult.IMPOSSIBLE, "there is no C compiler: neither $CC nor cc, gcc or clang")
    with tempfile.TemporaryDirectory(prefix="sorrel-replay-") as folder:
        compiled = _compile(task, violation.kind, harness, Path(folder), seconds, entry=entry)
        if isinstance(compiled, Replay):
            return compiled
        left = max(1.0, seconds - (time.monotonic() - started))
        code, errors = _run(compiled.program, left)
    result, detail = _judge(violation, code, errors)
    if compiled.data_model != task.data_model:
        detail += f"; run as {compiled.data_model}, since the compiler makes no {task.data_model} programs here"
    return Replay(result, detail, compiled.command, compiled.data_model, time.monotonic() - started)


def _compile(task: Task, kind: str, harness: str, folder: Path, seconds: float, *, entry: bool) -> _Compiled | Replay:
    (folder / "harness.c").write_text(harness, encoding="utf-8")
    sources = [_on_disk(index, task, folder) for index in range(len(task.sources))]
    program = folder / "harness"
    words = command_line(task, kind, str(folder / "harness.c"), sources, str(program), entry=entry)
    native = [word for word in words if word not in ("-m32", "-m64")]
    tries = [[*words, _ZEROED], words, [*native, _ZEROED], native]
    complaint = ""
    for attempt in dict.fromkeys(map(tuple, tries)):
        try:
            done = subprocess.run(attempt, capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return Replay(ReplayResult.IMPOSSIBLE, "the compiler takes too long", shlex.join(attempt))
        except OSError as problem:
            return Replay(ReplayResult.IMPOSSIBLE, f"the compiler cannot be started: {problem}", shlex.join(attempt))
        if done.returncode == 0:
            chosen = any(word in ("-m32", "-m64") for word in attempt)
            return _Compiled(program, shlex.join(attempt), task.data_model if chosen else data_model_here())
        complaint = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:300])
    return Replay(ReplayResult.IMPOSSIBLE, f"the program does not compile: {complaint}", shlex.join(words))


def _on_disk(index: int, task: Task, folder: Path) -> str:
    source = task.sources[index]
    if source.text is None:
        return str(Path(source.path).absolute())
    path = folder / f"source{index}.c"
    path.write_text(source.text, encoding="utf-8")
    return str(path)


def _run(program: Path, seconds: float) -> tuple[int | None, str]:
    """The exit code (None: it did not end) and what was written to standard error."""
    # Recursion can be deep; a shell raises the limit of the stack as far as the system lets it.
    script = 'ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -H -s)" 2>/dev/null; exec "$0"'
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            ["/bin/sh", "-c", script, str(program)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=program.parent,
        )
        try:
            code: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()
        errors.seek(0)
        return code, errors.read(1 << 20).decode(errors="replace")


def _judge(violation: Violation, code: int | None, errors: str) -> tuple[ReplayResult, str]:
    said = next((line.removeprefix(MARK).strip() for line in errors.splitlines() if line.startswith(MARK)), "")
    if code is None:
        return ReplayResult.MISSED, "the compiled program did not end in time"
    if violation.kind in _REPORTS:
        report = next((line for line in errors.splitlines() if _REPORTS[violation.kind].search(line)), "")
        if report:
            return ReplayResult.REACHED, _without_folder(report)
    elif code == REACHED and (said.startswith("assertion failed") == (violation.kind == "assertion")):
        return ReplayResult.REACHED, _without_folder(said)
    if code == DIVERGED:
        return ReplayResult.MISSED, f"the compiled program took another way: {said}"
    if code < 0:
        return ReplayResult.MISSED, f"the compiled program was ended by {signal.Signals(-code).name}"
    return ReplayResult.MISSED, f"the compiled program ended with exit code {code}" + (f": {said}" if said else "")


def _without_folder(line: str) -> str:
    """A report with file names instead of paths, which may be of a folder that is gone."""
    line = re.sub(r"^==\d+==|on address .*", "", line)
    return re.sub(r"(?:/[^\s/:]+)+/([^\s/:]+)", r"\1", line).strip()
