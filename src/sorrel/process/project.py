"""Projects: a process that coordinates, told what to do and listened to; this one never loads a solver."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from tempfile import TemporaryFile
from typing import IO, Any

from sorrel.model.errors import InputError, InternalError, UsageError
from sorrel.model.values import dataclass
from sorrel.modular.pool import end
from sorrel.project.result import FunctionResult, ProjectResult
from sorrel.project.settings import Settings

ENDING_SECONDS = 15.0
"""Real seconds that a coordinator that was told to stop may take to write down what it has."""


@dataclass(frozen=True, slots=True)
class Job:
    """`kind` is prove or check. `paths` limit it to functions of these files and what they call.

    `retry` looks again for what was not found before; `cluster` is the address of a scheduler elsewhere.
    """

    kind: str
    settings: Settings
    jobs: int = 1
    paths: tuple[str, ...] = ()
    retry: bool = False
    cluster: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "settings": self.settings.to_json(),
            "jobs": self.jobs,
            "paths": self.paths,
            "retry": self.retry,
            "cluster": self.cluster,
            **self.extra,
        }


@dataclass(slots=True)
class News:
    """How far a run has come, for whoever shows it."""

    total: int = 0
    done: int = 0
    running: tuple[str, ...] = ()
    functions: dict[tuple[str, str], FunctionResult] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    def take(self, message: dict[str, Any]) -> None:
        if "plan" in message:
            self.total = message["plan"]["components"]
        if "running" in message:
            self.running = tuple(message["running"])
        if "functions" in message:
            self.done += 1
            for result in ProjectResult.from_json({"functions": message["functions"]}).functions:
                self.functions[result.function, result.goal] = result


def run_project(job: Job, show: Callable[[News], None] = lambda _: None) -> ProjectResult:
    """The whole result; what a coordinator that was interrupted had found, and that it was."""
    return ProjectResult.from_json(coordinate(job, show))


def coordinate(job: Job, show: Callable[[News], None] = lambda _: None) -> dict[str, Any]:
    """What the coordinator says at its end."""
    with TemporaryFile() as errors:
        process = subprocess.Popen(
            # -P: whatever lies in the project's folder must not be imported in place of our modules.
            [sys.executable, "-P", "-m", "sorrel.modular.coordinator"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            return _listen(process, job, show, errors)
        finally:
            end(process)


def _listen(
    process: subprocess.Popen[bytes], job: Job, show: Callable[[News], None], errors: IO[bytes]
) -> dict[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise InternalError("a process without standard input and output")
    news = News()
    buffer = b""
    with _Stopping(process) as stopping, selectors.DefaultSelector() as selector:
        process.stdin.write(json.dumps(job.to_json()).encode() + b"\n")
        process.stdin.flush()
        selector.register(process.stdout, selectors.EVENT_READ)
        while not stopping.is_over:
            ready = selector.select(0.5)
            show(news)
            if not ready:
                continue
            data = os.read(process.stdout.fileno(), 1 << 20)
            if not data:
                break
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                message = json.loads(line)
                news.take(message)
                if "result" in message:
                    found: dict[str, Any] = message["result"]
                    return found
                if "error" in message:
                    raise _raised(message["error"])
    errors.seek(0)
    tail = "\n".join(errors.read().decode(errors="replace").strip().splitlines()[-5:])
    raise InternalError(f"the coordinating process ended without a result\n{tail}".rstrip())


def _raised(error: dict[str, Any]) -> Exception:
    match error:
        case {"kind": "input", "message": str(message)}:
            return InputError(message)
        case {"kind": "usage", "message": str(message)}:
            return UsageError(message)
    return InternalError(str(error.get("message")))


class _Stopping:
    """While it is entered, SIGINT and SIGTERM ask the process to stop; the second time nobody waits for it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._asked: float | None = None
        self._before: dict[int, Any] = {}

    @property
    def is_over(self) -> bool:
        return self._asked is not None and time.monotonic() > self._asked + ENDING_SECONDS

    def __enter__(self) -> _Stopping:
        with suppress(ValueError):  # not the main thread: whoever called us looks after signals
            self._before = {n: signal.signal(n, self._stop) for n in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _stop(self, number: int, _: object) -> None:
        if self._asked is not None:
            raise KeyboardInterrupt
        self._asked = time.monotonic()
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
