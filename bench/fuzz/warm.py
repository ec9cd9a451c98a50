"""Answers of Sorrel from a process that has everything loaded: each question is asked in a child of its own."""

from __future__ import annotations

import gc
import json
import os
import pickle
import pkgutil
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import sorrel
import sorrel.frontends.c
from sorrel import frontends
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

_MEMORY = 3000
_GRACE = 1.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An outcome, or what came in its place: `problem` is a kind (`late`, `input`, `internal`) with `detail`."""

    outcome: Outcome | None
    problem: str = ""
    detail: str = ""
    seconds: float = 0.0

    @property
    def answer(self) -> str:
        return str(self.outcome.answer) if self.outcome else str(Answer.UNKNOWN)

    @property
    def decided(self) -> bool:
        return self.answer != Answer.UNKNOWN

    @property
    def verdict(self) -> str:
        """The answer, or nothing."""
        return self.answer if self.decided else ""

    @property
    def reason(self) -> str:
        """Why there is no answer, as a word for tables."""
        if self.decided:
            return ""
        return self.problem or (str(self.outcome.reason.cause) if self.outcome and self.outcome.reason else "none")

    def wrong(self, truth: Answer) -> str:
        """What is wrong with the answer; an internal error always is."""
        if self.problem == "internal":
            return f"internal error: {self.detail.strip().splitlines()[-1]}"
        if self.outcome and self.outcome.reason and self.outcome.reason.cause is Cause.INTERNAL:
            return f"internal error: {self.outcome.reason.message.strip().splitlines()[-1]}"
        if not self.decided or self.answer == truth or (self.answer == Answer.ASSUMING and truth is Answer.SAFE):
            return ""  # what generated programs are assumed to do, they do
        return f"{self.answer}, but in truth {truth}"


def verify(task: Task, seconds: float, *, replay: bool = False) -> Reply:
    """What the default schedule says, its methods one after the other, since there is one processor."""
    options = Options(budget=Budget(seconds, _MEMORY), replay=replay)
    return ask(lambda: pipeline.verify(task, options), seconds)


@cache
def _warmed() -> None:
    """Load what any question may need, once: a child then starts with it. No solver runs here, since it has threads."""
    for module in pkgutil.walk_packages(sorrel.__path__, "sorrel."):
        if not module.name.endswith("__main__"):
            with suppress(ModuleNotFoundError):  # of what is needed by other tools only, as BenchExec is
                import_module(module.name)
    program = "#include <stdlib.h>\n#include <string.h>\nint main(void) { return abs(1); }"
    frontends.c.read((Source("program.c", program),), frontends.c.CSettings(frontends.c.DataModel.LP64))
    gc.collect()
    gc.freeze()


def ask(question: Callable[[], Outcome], seconds: float) -> Reply:
    """In a child that cannot take longer or use more than it may."""
    started = time.monotonic()
    data = _asked(lambda: _answer(question), seconds + _GRACE)
    taken = time.monotonic() - started
    if data is None:
        return Reply(None, "late", "the limit was passed", taken)
    if not data:
        return Reply(None, "memory", "the child ended without a word", taken)
    message = json.loads(data)
    if "outcome" in message:
        return Reply(Outcome.from_json(message["outcome"]), seconds=taken)
    return Reply(None, message["problem"], message["detail"], taken)


def value(question: Callable[[], Any], seconds: float, processor: float) -> Any:
    """What a child finds in so many seconds of the wall's clock and of the processor; None if it finds nothing."""

    def found() -> bytes:
        signal.setitimer(signal.ITIMER_PROF, processor)  # ends the child, whatever it is at
        try:
            return pickle.dumps(question())
        except Exception:  # whatever is wrong with one question, there are others
            return b""

    data = _asked(found, seconds)
    return pickle.loads(data) if data else None


def _asked(answer: Callable[[], bytes], seconds: float) -> bytes | None:
    """What a child writes; None if it takes too long."""
    _warmed()
    started = time.monotonic()
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(read)
        _write(answer, write)
    os.close(write)
    data = _received(read, started + seconds)
    os.close(read)
    if data is None:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return data


def _received(read: int, deadline: float) -> bytes | None:
    """All that the child writes; None if it takes too long."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([read], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(read, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _write(answer: Callable[[], bytes], write: int) -> None:
    """In the child: the answer, and then nothing that could take time."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY * 2**20, _MEMORY * 2**20))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    data = answer()
    while data:
        data = data[os.write(write, data) :]
    os._exit(0)


def _answer(question: Callable[[], Outcome]) -> bytes:
    """A line of JSON."""
    message: dict[str, Any]
    try:
        message = {"outcome": question().to_json()}
    except (InputError, UsageError) as problem:
        message = {"problem": "input", "detail": str(problem)}
    except MemoryError:
        message = {"problem": "memory", "detail": "the memory limit was reached"}
    except BaseException as problem:
        kind = "memory" if "out of memory" in str(problem).lower() else "internal"
        message = {"problem": kind, "detail": "".join(traceback.format_exception(problem))}
    return json.dumps(message).encode()
