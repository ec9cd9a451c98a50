"""Processes that answer questions side by side, each for a limited time: one that does not answer is replaced."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from typing import Any, Protocol, TypeAlias

from sorrel.model.chance import without_chance
from sorrel.model.values import dataclass

Question: TypeAlias = dict[str, Any]
Answer: TypeAlias = dict[str, Any]

WAITING_SECONDS = 1.0
"""Real seconds: for an answer, before somebody looks whether there is something else to do."""
GRACE = 5.0
"""Seconds beyond its limit after which a process that does not answer is ended."""
SLOWEST = 3.0
"""How many times its limit, which is one of work, a search may take on the clock of a busy machine."""
MOST_QUESTIONS = 40
"""After so many a process is replaced: what a solver keeps is never given back."""


class Lost(Exception):
    """Those who search cannot be reached any more."""


class Workers(Protocol):
    """Whoever answers questions, here or elsewhere; what comes back is a claim."""

    def submit(self, name: str, question: Question) -> None: ...

    def answers(self) -> Iterator[tuple[str, Answer]]:
        """What has come back, waiting for a while if nothing has."""
        ...

    @property
    def running(self) -> tuple[str, ...]: ...

    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class _Process:
    process: subprocess.Popen[bytes]
    name: str = ""
    deadline: float = 0.0
    asked: int = 0
    buffer: bytes = b""

    @property
    def is_idle(self) -> bool:
        return not self.name


@dataclass(slots=True, eq=False)
class Pool:
    """`jobs` processes on this machine, each with its share of memory."""

    jobs: int
    memory: int
    _processes: list[_Process] = field(default_factory=list)
    _waiting: deque[tuple[str, Question]] = field(default_factory=deque)

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(each.name for each in self._processes if each.name)

    def submit(self, name: str, question: Question) -> None:
        self._waiting.append((name, question))
        self._start()

    def _start(self) -> None:
        while self._waiting:
            free = next((each for each in self._processes if each.is_idle), None)
            if free is None and len(self._processes) < self.jobs:
                free = _Process(_spawn(self.memory))
                self._processes.append(free)
            if free is None:
                return
            name, question = self._waiting.popleft()
            free.name, free.asked = name, free.asked + 1
            free.deadline = time.monotonic() + SLOWEST * question["seconds"] + GRACE
            assert free.process.stdin is not None
            try:
                free.process.stdin.write(json.dumps(question).encode() + b"\n")
                free.process.stdin.flush()
            except OSError:  # it died while idle: the next one gets the question
                self._remove(free)
                self._waiting.appendleft((name, question))

    def answers(self, seconds: float = WAITING_SECONDS) -> Iterator[tuple[str, Answer]]:
        self._start()
        with selectors.DefaultSelector() as selector:
            for each in self._processes:
                if each.name and each.process.stdout is not None:
                    selector.register(each.process.stdout, selectors.EVENT_READ, each)
            if not selector.get_map():
                return
            for key, _ in selector.select(seconds):
                yield from self._heard(key.data, os.read(key.fd, 1 << 20))
        for each in [each for each in self._processes if each.name and time.monotonic() > each.deadline]:
            name = each.name
            self._remove(each)
            yield name, {"reason": "the time limit was reached"}
        self._start()

    def _heard(self, speaker: _Process, data: bytes) -> Iterator[tuple[str, Answer]]:
        name = speaker.name
        if not data:
            code = speaker.process.wait()
            self._remove(speaker)
            yield name, {"reason": f"the process that searched ended with code {code}"}
            return
        speaker.buffer += data
        line, newline, _ = speaker.buffer.partition(b"\n")
        if newline:
            speaker.name, speaker.buffer = "", b""
            if speaker.asked >= MOST_QUESTIONS:
                self._remove(speaker)
            yield name, json.loads(line)

    def _remove(self, gone: _Process) -> None:
        self._processes.remove(gone)
        end(gone.process)

    def close(self) -> None:
        for each in list(self._processes):
            self._remove(each)


def end(process: subprocess.Popen[bytes]) -> None:
    """The process and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _spawn(memory: int) -> subprocess.Popen[bytes]:
    """In a group of its own; it ends with us, because our end of its standard input closes."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({memory << 20}, {memory << 20}));"
    code = f"{limit} from sorrel.modular.worker import main; main()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],  # -P: nothing in the project's folder stands for a module of ours
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=without_chance(),
        start_new_session=True,
    )
