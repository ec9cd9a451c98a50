"""Compiling a harness with the system's compiler, running it, and telling whether the error was reached."""

from __future__ import annotations

import os
import re
import resource
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sorrel import include
from sorrel.model.outcome import Replay, ReplayResult, Violation
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.model.values import dataclass
from sorrel.replay.harness import DIVERGED, MARK, REACHED, as_printed_by, with_a_mark_of_its_own

_SANITIZERS = {
    "overflow": "signed-integer-overflow,shift,float-cast-overflow",
    "division": "integer-divide-by-zero",
    "bounds": "address,bounds,null",
    "lifetime": "address,bounds,null",
    "free": "address",
    "untracked": "address",
    "uninitialised": "memory",
}
_RESERVING = frozenset(kind for kind, names in _SANITIZERS.items() if "address" in names or "memory" in names)
"""Kinds whose sanitizers reserve most of all addresses: what --memory grants is no limit of addresses for them."""
_REPORTS = {
    "overflow": re.compile(
        r"runtime error: (signed integer overflow|negation of|left shift of|shift exponent|division of"
        r"|.* is outside the range of representable values of type)"
    ),
    "division": re.compile(r"runtime error: division by zero"),
    "bounds": re.compile(
        r"runtime error: (index .* out of bounds|load of null|store to null|.*null pointer)"
        r"|ERROR: AddressSanitizer: (?!.*(stack-overflow|out-of-memory|failed to allocate|free))"
    ),
    "lifetime": re.compile(r"ERROR: AddressSanitizer: (heap-use-after-free|stack-use-after-(return|scope))"),
    "free": re.compile(r"ERROR: AddressSanitizer: attempting (double-)?free"),
    "untracked": re.compile(r"ERROR: LeakSanitizer: detected memory leaks"),
    "uninitialised": re.compile(r"WARNING: MemorySanitizer: use-of-uninitialized-value"),
}
_LENIENT = ("-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion")
_STACKS = {"LP64": "unlimited", "ILP32": "262144"}
"""Limits in kilobytes. Where addresses have 32 bits, sanitizers have no place beside a stack without a limit."""
_SANITIZING = {"ASAN": "detect_leaks=1:detect_stack_use_after_return=1:"}
_NOTICED = range(40, 120)
"""Exit codes that sanitizers may be given."""
_NO_SANITIZER = re.compile("ASan cannot proceed correctly|ReserveShadowMemoryRange failed")
# What local variables without a value start with. Any value will do, so both are tried: all bits 0, then most bits 1.
FILLS = ("-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern")
_UNINITIALISED = "uninitialised"
# What is passed and returned is looked at, too; else only what branches and addresses depend on is.
_EAGERLY = ("-mllvm", "-msan-eager-checks=1")
_UNFILLED = ("-ftrivial-auto-var-init=uninitialized",)


DIFFERENTLY = "the files are not compiled alike: one command does not do for all of them"


@dataclass(frozen=True, slots=True)
class _Compiled:
    program: Path
    command: str
    data_model: str


def compiler(kind: str = "") -> str:
    """The system's C compiler: $CC, or the first of cc, gcc and clang; empty if there is none.

    Only clang notices when values are read that were never set.
    """
    names = ("clang",) if kind == _UNINITIALISED else (os.environ.get("CC", ""), "cc", "gcc", "clang")
    return next((name for name in names if name and shutil.which(shlex.split(name)[0])), "")


def command_line(
    task: Task, kind: str, harness: str, sources: Sequence[str], output: str, flags: Sequence[str] = ()
) -> list[str]:
    """How to compile a harness, for people and for us."""
    return [*compiling(task, kind), *flags, harness, *sources, "-o", output, "-lm"]


def compiling(task: Task, kind: str) -> list[str]:
    """How each file is compiled."""
    words = [*shlex.split(compiler(kind) or "cc"), "-g", "-O0", *_LENIENT, "-finstrument-functions"]
    if task.data_model != data_model_here():
        words.append("-m32" if task.data_model == "ILP32" else "-m64")
    if kind in _SANITIZERS:
        words += [f"-fsanitize={_SANITIZERS[kind]}", "-fno-sanitize-recover=all"]
    if kind == "overflow":
        words.append("-ftrapv")  # otherwise GCC turns x + 1 > 0 into x >= 0 before its sanitizer sees it
    if kind == _UNINITIALISED:
        words += _EAGERLY
    words += include.ARGUMENTS
    words += [f"-I{folder}" for folder in task.include] + [f"-D{definition}" for definition in task.define]
    words += [f"-std={task.standard}"] if task.standard else []
    words += [word for header in task.forced for word in ("-include", header)]
    if task.function != "main":
        words.append("-Dmain=sorrel_unused_main")
    return words


def file_name(index: int, source: Source) -> str:
    """The file that a source is compiled from: text without a file gets one."""
    return f"source{index}.c" if source.text is not None else source.path


def texts(task: Task) -> Iterator[str]:
    """The contents of the sources, in order."""
    for source in task.sources:
        yield source.read_as_compilers_do()


def replay(
    task: Task,
    violation: Violation,
    harness: str,
    seconds: float,
    *,
    included: str = "",
    flags: Sequence[str] = (),
    given: bytes = b"",
) -> Replay:
    """Compile the harness with the program, run it, and see whether the error is reached.

    `included` is the source that is part of the harness and not compiled for itself; `given` is what the program finds
    on its standard input.
    """
    started = time.monotonic()
    for fill in _UNFILLED if violation.kind == _UNINITIALISED else FILLS:
        left = max(1.0, seconds - (time.monotonic() - started))
        executed = execute(task, violation.kind, harness, left, fill=fill, included=included, flags=flags, given=given)
        if isinstance(executed, Replay):
            return executed
        result, detail = _judge(violation, executed)
        if result is ReplayResult.REACHED:
            break
    detail += other_model(task, executed.data_model)
    return Replay(result, detail, executed.command, executed.data_model, time.monotonic() - started)


def other_model(task: Task, data_model: str) -> str:
    """What to say where the program was not run as the one that the question is about."""
    if data_model == task.data_model:
        return ""
    here = f"run as {data_model}, since the compiler makes no {task.data_model} programs here"
    return f"; {here}, which confirms nothing about {task.data_model}"


@dataclass(frozen=True, slots=True)
class Executed:
    """One run of a compiled harness: its exit code (None: it did not end), and what it wrote to standard error."""

    code: int | None
    errors: str
    command: str
    data_model: str
    noticed: bool = False
    """A sanitizer ended it: what looks like its report is one."""

    @property
    def said(self) -> list[str]:
        """What the harness itself printed."""
        lines = self.errors.splitlines()
        return [line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK)]


def execute(
    task: Task,
    kind: str,
    harness: str,
    seconds: float,
    *,
    fill: str,
    included: str = "",
    flags: Sequence[str] = (),
    given: bytes = b"",
) -> Executed | Replay:
    """Compile the harness with the program and run it; why that is impossible otherwise."""
    started = time.monotonic()
    if not compiler(kind):
        wanted = "clang" if kind == _UNINITIALISED else "C compiler: neither $CC nor cc, gcc or clang"
        return Replay(ReplayResult.IMPOSSIBLE, f"there is no {wanted}")
    if any(source.options for source in task.sources):
        return Replay(ReplayResult.IMPOSSIBLE, DIFFERENTLY)
    with tempfile.TemporaryDirectory(prefix="sorrel-replay-") as name:
        folder = Path(name)
        harness, mark = with_a_mark_of_its_own(harness)
        (folder / "harness.c").write_text(harness, encoding="utf-8")
        sources = _on_disk(task, folder, included)
        words = command_line(task, kind, str(folder / "harness.c"), sources, str(folder / "harness"), flags)
        compiled = _compile([*words, f"-I{Path.cwd()}"], fill, task.data_model, folder / "harness", seconds)
        if isinstance(compiled, Replay):
            return compiled
        left = max(1.0, seconds - (time.monotonic() - started))
        noticed = secrets.choice(_NOTICED)
        stack = _STACKS[compiled.data_model]
        code, errors = _run(compiled.program, left, given, stack, noticed, kind in _RESERVING)
        errors = as_printed_by(mark, errors)
        if _NO_SANITIZER.search(errors):
            why = "the sanitizer of the compiler does not start (a limit of addresses, as by ulimit -v?)"
            return Replay(ReplayResult.IMPOSSIBLE, why, compiled.command)
        return Executed(code, errors, compiled.command, compiled.data_model, code == noticed)


def _on_disk(task: Task, folder: Path, included: str) -> list[str]:
    """The files to compile; texts are written to the folder first."""
    found = []
    for index, source in enumerate(task.sources):
        name = file_name(index, source)
        path = Path(name).absolute() if source.text is None else folder / name
        if source.text is not None:
            path.write_text(source.text, encoding="utf-8")
        if name != included:
            found.append(str(path))
    return found


def _compile(words: list[str], fill: str, data_model: str, program: Path, seconds: float) -> _Compiled | Replay:
    """Filled locals and the wanted word size are given up if the compiler cannot have them."""
    native = [word for word in words if word not in ("-m32", "-m64")]
    complaint = ""
    for attempt in dict.fromkeys(map(tuple, ([*words, fill], words, [*native, fill], native))):
        try:
            done = subprocess.run(attempt, capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return Replay(ReplayResult.IMPOSSIBLE, "the compiler takes too long", shlex.join(attempt))
        except OSError as problem:
            return Replay(ReplayResult.IMPOSSIBLE, f"the compiler cannot be started: {problem}", shlex.join(attempt))
        if done.returncode == 0:
            chosen = any(word in ("-m32", "-m64") for word in attempt)
            return _Compiled(program, shlex.join(attempt), data_model if chosen else data_model_here())
        complaint = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:300])
    return Replay(ReplayResult.IMPOSSIBLE, f"the program does not compile: {complaint}", shlex.join(words))


def _run(
    program: Path, seconds: float, given: bytes, stack: str, noticed: int, reserving: bool
) -> tuple[int | None, str]:
    """The exit code (None: it did not end) and what was written to standard error."""
    # Recursion can be deep; a shell raises the limit of the stack as far as the system lets it.
    script = f'ulimit -s {stack} 2>/dev/null || ulimit -s "$(ulimit -H -s)" 2>/dev/null; exec "$0"'
    if reserving:
        script = f'ulimit -S -v "$(ulimit -H -v)" 2>/dev/null; {script}'
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as standard_input:
        standard_input.write(given)
        standard_input.seek(0)
        process = subprocess.Popen(
            ["/bin/sh", "-c", script, str(program)],
            stdin=standard_input,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=program.parent,
            env={**os.environ, **_sanitizing(noticed)},
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


def _sanitizing(code: int) -> dict[str, str]:
    """Sanitizers end with a code that the program cannot know: it may print their words and end as they do.

    They hold the limit of memory in what is really used.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    limit = "" if soft == resource.RLIM_INFINITY else f"hard_rss_limit_mb={soft >> 20}:"
    ending = f"{limit}exitcode={code}"
    return {f"{name}_OPTIONS": f"{_SANITIZING.get(name, '')}{ending}" for name in ("ASAN", "LSAN", "MSAN", "UBSAN")}


def _judge(violation: Violation, executed: Executed) -> tuple[ReplayResult, str]:
    code, errors = executed.code, executed.errors
    said = next((line.removeprefix(MARK).strip() for line in errors.splitlines() if line.startswith(MARK)), "")
    if code is None:
        return ReplayResult.MISSED, "the compiled program did not end in time"
    if violation.kind in _REPORTS:
        report = next((line for line in errors.splitlines() if _REPORTS[violation.kind].search(line)), "")
        if report and executed.noticed:
            return ReplayResult.REACHED, _without_folder(report)
    elif code == REACHED and said and (said.startswith("assertion failed") == (violation.kind == "assertion")):
        return ReplayResult.REACHED, _without_folder(said)
    if code == DIVERGED:
        return ReplayResult.MISSED, f"the compiled program took another path: {said}"
    if code < 0:
        return ReplayResult.MISSED, f"the compiled program was ended by {signal.Signals(-code).name}"
    return ReplayResult.MISSED, f"the compiled program ended with exit code {code}" + (f": {said}" if said else "")


def _without_folder(line: str) -> str:
    """A report with file names instead of paths, which may be of a folder that is gone."""
    line = re.sub(r"^==\d+==|on address .*", "", line)
    return re.sub(r"(?:/[^\s/:]+)+/([^\s/:]+)", r"\1", line).strip()
