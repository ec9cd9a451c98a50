"""One run of one command under limits: what it printed, what it used, and how it ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from sorrel.model.errors import UsageError
from sorrel.model.values import dataclass

LAUNCHER = Path(__file__).with_name("launcher.py")
GRACE = 1.0  # seconds between SIGTERM and SIGKILL
PATIENCE = 30.0  # seconds after all limits, before the launcher itself is given up
OUTPUT_LIMIT = 256 * 1024 * 1024  # bytes on disk; a tool that prints for ever must not fill it
OUTPUT_READ = 64 * 1024 * 1024  # bytes in memory
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: wall-clock and CPU seconds, and memory in MiB; None means no limit."""

    wall: float = 30.0
    cpu: float | None = None
    memory: int | None = 4096

    def __post_init__(self) -> None:
        if any(limit is not None and limit <= 0 for limit in (self.wall, self.cpu, self.memory)):
            raise UsageError("limits are positive: give --timeout, --cpu-time and --memory above zero")

    def __str__(self) -> str:
        cpu = "none" if self.cpu is None else f"{self.cpu:g}"
        memory = "none" if self.memory is None else str(self.memory)
        return f"wall={self.wall:g} cpu={cpu} memory={memory}"

    @staticmethod
    def parse(text: str) -> Limits:
        """The inverse of `str`, for result files."""
        parts = dict(part.split("=", 1) for part in text.split())
        cpu, memory = parts["cpu"], parts["memory"]
        return Limits(
            float(parts["wall"]),
            None if cpu == "none" else float(cpu),
            None if memory == "none" else int(memory),
        )

    def with_margin(self, seconds: float, memory: int) -> Limits:
        """The limits to enforce from outside on a tool that keeps these by itself."""
        return replace(
            self,
            wall=self.wall + seconds,
            memory=None if self.memory is None else self.memory + memory,
        )


@dataclass(frozen=True, slots=True)
class Execution:
    """A finished run. `stopped` names the limit that ended it: time, cpu, memory, output, or nothing."""

    stdout: str
    stderr: str
    wall: float
    cpu: float
    memory: float  # MiB, the largest sum over the processes that was seen, or the largest single process
    exit_code: int | None  # negative: the signal that ended it
    stopped: str = ""
    failure: str = ""  # why the command could not even be started


def as_installed() -> dict[str, str]:
    """The environment of a run that is measured: it may keep compiled modules, as an installation has them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Interrupted(Exception):
    """The run was ended because the whole benchmark was asked to stop; it has no result."""


class Halt:
    """A switch that ends every run under way, and refuses new ones; threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self.requested = False

    def request(self) -> None:
        with self._lock:
            self.requested = True
            running = list(self._running)
        for process in running:
            process.terminate()

    def start(self, command: Sequence[str], descriptor: int, stdout: IO[bytes], stderr: IO[bytes]) -> Launched:
        with self._lock:
            if self.requested:
                raise Interrupted
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(descriptor,),
                env=as_installed(),
                start_new_session=True,  # Ctrl-C in the terminal is for the runner alone
            )
            self._running.add(process)
        return Launched(process, self)

    def forget(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.discard(process)


@dataclass(frozen=True, slots=True)
class Launched:
    process: subprocess.Popen[bytes]
    halt: Halt

    def wait(self, seconds: float) -> None:
        """Wait for the launcher; its tool dies with it when it has to be killed."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        except BaseException:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE + PATIENCE)
            raise
        finally:
            self.halt.forget(self.process)


def execute(command: Sequence[str], limits: Limits, halt: Halt | None = None) -> Execution:
    """Run the command to its end or to its limits; no process of it is left afterwards."""
    halt = halt or Halt()
    specification = {
        "command": list(command),
        "wall": limits.wall,
        "cpu": limits.cpu,
        "memory": None if limits.memory is None else limits.memory * MEBIBYTE,
        "output": OUTPUT_LIMIT,
        "grace": GRACE,
    }
    report_read, report_write = os.pipe()
    launcher = [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(specification), str(report_write)]
    # Output goes to files: a pipe that nobody empties would stop the tool.
    with (
        os.fdopen(report_read, "rb") as report,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        try:
            launched = halt.start(launcher, report_write, stdout, stderr)
        finally:
            os.close(report_write)
        launched.wait(limits.wall + GRACE + PATIENCE)
        return read_report(report.read(), read_start(stdout), read_start(stderr), limits)


def read_start(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(OUTPUT_READ).decode(errors="replace")


def read_report(report: bytes, stdout: str, stderr: str, limits: Limits) -> Execution:
    if not report:
        failure = "the launcher ended without a report" + (f": {stderr.strip()[-200:]}" if stderr else "")
        return Execution(stdout, stderr, limits.wall, 0.0, 0.0, None, failure=failure)
    fields = json.loads(report)
    if fields["stopped"] == "interrupted":
        raise Interrupted
    return Execution(
        stdout,
        stderr,
        fields["wall"],
        fields["cpu"],
        fields["memory"] / MEBIBYTE,
        fields["exit_code"],
        fields["stopped"],
        fields["failure"],
    )
