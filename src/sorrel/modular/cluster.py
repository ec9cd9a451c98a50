"""Workers of a Dask cluster that search for contracts. They are believed as little as anybody else.

A task is a question as text, with a key that is the digest of its content: the same question twice is one task, and a
task can be repeated elsewhere. In a worker the question goes to a process of ours, under its limits, because Dask
cannot end code that is stuck. What comes back is text, which the coordinator checks.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import field
from typing import Any

from sorrel.model.errors import UsageError
from sorrel.model.values import dataclass
from sorrel.modular.pool import WAITING_SECONDS, Answer, Lost, Pool, Question

CONNECTING_SECONDS = 15.0
UNMANNED_SECONDS = 60.0
"""Real seconds: for the scheduler to be there, and for a worker to come if there is none."""
RETRIES = 3
ATTEMPTS = 8
"""How often a task is given again that the scheduler gave up after several workers had died with it. It seldom is the
task that kills them: it runs in a process of its own, with limits."""
_own = threading.local()


def connected(address: str) -> Any:
    """A client of the scheduler at an address."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--cluster needs dask.distributed; pip install 'sorrel[cluster]' brings it") from None
    try:
        return Client(address, timeout=CONNECTING_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as problem:
        raise UsageError(f"there is no scheduler at {address}: {problem}") from None


def capacity_of(client: Any) -> int:
    """How many tasks its workers do at a time."""
    workers: dict[str, dict[str, int]] = client.scheduler_info().get("workers", {})
    return max(1, sum(each.get("nthreads", 1) for each in workers.values()))


def ask(question: Question, memory: int) -> Answer:
    """Runs in a worker of the cluster: the answer of a process that is kept from question to question."""
    pool: Pool | None = getattr(_own, "pool", None)
    if pool is None or pool.memory != memory:
        pool = _own.pool = Pool(1, memory)
    pool.submit("question", question)
    while True:
        for _, answer in pool.answers():
            return answer


@dataclass(slots=True, eq=False)
class _Task:
    """A question, and who asked it."""

    question: Question
    names: list[str]
    attempt: int = 0
    future: Any = None
    """Held here: a task that nobody holds is given up by the scheduler."""


@dataclass(slots=True, eq=False)
class Cluster:
    """The scheduler at an address, whose workers have the same version of Sorrel installed."""

    address: str
    memory: int
    _client: Any = None
    _tasks: dict[str, _Task] = field(default_factory=dict)
    """By their keys."""
    _done: queue.SimpleQueue[Any] = field(default_factory=queue.SimpleQueue)
    _manned: float = field(default_factory=time.monotonic)
    """When there was a worker last."""

    def __post_init__(self) -> None:
        self._client = connected(self.address)

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(name for task in self._tasks.values() for name in task.names)

    def submit(self, name: str, question: Question) -> None:
        self._submit(_Task(question, [name]))

    def _submit(self, task: _Task) -> None:
        parts = [task.question, self.memory, task.attempt]
        key = "sorrel-" + hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        if key in self._tasks:
            self._tasks[key].names += task.names
            return
        try:
            future = self._client.submit(ask, task.question, self.memory, key=key, retries=RETRIES)
        except Exception as problem:  # whatever a client without a scheduler raises
            raise Lost(f"the scheduler is gone: {type(problem).__name__}") from None
        task.future = future
        self._tasks[key] = task
        future.add_done_callback(self._done.put)

    def answers(self, seconds: float = WAITING_SECONDS) -> Iterator[tuple[str, Answer]]:
        if not self._tasks:
            return
        try:
            future = self._done.get(timeout=seconds)
        except queue.Empty:
            if self._client.status != "running":
                raise Lost("the connection to the scheduler is lost") from None
            self._demand_workers()
            return
        self._manned = time.monotonic()
        answer = self._taken(future)
        task = self._tasks.pop(future.key)
        # A result that stays with a worker is computed again if that worker dies.
        future.release()
        if answer is None and task.attempt < ATTEMPTS:  # under another key: the scheduler remembers this one
            self._submit(_Task(task.question, task.names, task.attempt + 1))
            return
        yield from ((name, answer or {"reason": "the workers that searched have died"}) for name in task.names)

    def _taken(self, future: Any) -> Answer | None:
        """The answer; None if it was lost with those who looked for it."""
        from distributed import KilledWorker

        try:
            answer = future.result()
        except (CancelledError, OSError, TimeoutError):  # of its worker, or of the scheduler
            if self._client.status != "running":
                raise Lost("the connection to the scheduler is lost") from None
            return None
        except KilledWorker:
            return None
        except Exception as problem:  # whatever a task raised there
            return {"reason": f"the workers failed: {type(problem).__name__}"}
        return answer if isinstance(answer, dict) else {"reason": "the answer is none"}

    def _demand_workers(self) -> None:
        """Those that leave may come back, or others; but nobody waits for them forever."""
        if self._client.scheduler_info().get("workers"):
            self._manned = time.monotonic()
        elif time.monotonic() > self._manned + UNMANNED_SECONDS:
            raise Lost(f"the cluster has had no worker for {UNMANNED_SECONDS:.0f} s")

    def close(self) -> None:
        with suppress(Exception):
            self._client.close(timeout=2)
