"""The worker process and its limits. This process never loads a solver, so it always listens."""

from __future__ import annotations

import json
import os
import resource
import selectors
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from typing import Any

from sorrel.methods.registry import demand_known, named
from sorrel.model.options import Options
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.process import starting
from sorrel.process.cancellation import Cancellation
from sorrel.process.endings import NO_MEMORY, why_ended
from sorrel.process.messages import failure_of, lines_of
from sorrel.process.starting import Started

Progress = Callable[[str, dict[str, Any]], None]
"""Called with an engine's name and its news."""

_GRACE = 0.5
"""Seconds past the limit in which a worker may still deliver; it stops itself before that."""


class Interrupted(KeyboardInterrupt):
    """The user or the system asked us to stop; `outcome` says what was known."""

    def __init__(self, outcome: Outcome, signal_number: int) -> None:
        super().__init__("interrupted")
        self.outcome = outcome
        self.signal_number = signal_number


@dataclass
class _Worker:
    engine: str
    process: Started
    buffer: bytes = b""
    news: dict[str, dict[str, Any]] = field(default_factory=dict)
    known: Outcome | None = None
    outcome: Outcome | None = None
    failure: dict[str, str] | None = None

    def end(self) -> None:
        """End the worker and whatever it started; it leads a process group of its own."""
        if self.process.is_running():
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.exit_code()
        self.process.close()


def solve(
    source: Source,
    options: Options,
    progress: Progress = lambda _engine, _news: None,
    cancellation: Cancellation | None = None,
) -> Outcome:
    """One source, by the methods that are named or by those that fit."""
    demand_named(options)
    job = {"kind": "solve", "source": _source(source), "options": options.to_json()}
    return _answer(job, source.name, options, progress, cancellation)


def verify(
    task: Task,
    options: Options,
    progress: Progress = lambda _engine, _news: None,
    cancellation: Cancellation | None = None,
) -> Outcome:
    """One question about a program, by the methods that are named or by those that fit."""
    demand_named(options)
    job = {"kind": "verify", "task": task.to_json(), "options": options.to_json()}
    return _answer(job, task.name, options, progress, cancellation)


def demand_named(options: Options) -> None:
    """Methods that do not exist, and options of them, are mistakes that show at once."""
    names = [method.name for method in named(options.engine)]
    if names:
        demand_known(options.engine_options, names)


def summarize(
    task: Task,
    options: Options,
    progress: Progress = lambda _engine, _news: None,
    cancellation: Cancellation | None = None,
) -> Outcome:
    """Contracts of a program's functions, whatever is asked of them."""
    job = {"kind": "summarize", "task": task.to_json(), "options": options.to_json()}
    return _answer(job, task.name, options, progress, cancellation)


def check(source: Source, certificate: Source, options: Options) -> Outcome:
    """A saved certificate against its system."""
    job = {
        "kind": "check",
        "source": _source(source),
        "certificate": _source(certificate),
        "options": options.to_json(),
    }
    return _answer(job, source.name, options, lambda _engine, _news: None)


def _source(source: Source) -> dict[str, Any]:
    return {"path": source.path, "text": source.text}


def _answer(
    job: dict[str, Any], name: str, options: Options, progress: Progress, cancellation: Cancellation | None = None
) -> Outcome:
    started = time.monotonic()
    limit = options.budget.seconds
    deadline = None if limit is None else started + limit + _GRACE
    worker: _Worker | None = None
    with _signals_raise():
        try:
            worker = _start(job, started)
            if _listen(worker, deadline, progress, cancellation):
                outcome = _told(worker, name, deadline)
            else:
                outcome = _stopped(worker, "cancelled", name)
        except _Stop as stop:
            seconds = time.monotonic() - started
            found = _stopped(worker, f"interrupted after {seconds:.1f} s", name)
            found = replace(found, engine=found.engine or options.engine, seconds=seconds)
            raise Interrupted(found, stop.number) from None
        finally:
            if worker is not None:
                worker.end()
    return replace(outcome, engine=outcome.engine or options.engine, seconds=time.monotonic() - started)


def _start(job: dict[str, Any], started: float) -> _Worker:
    process = starting.started()
    with suppress(BrokenPipeError):  # it died at once; its exit is reported like any other
        process.tell(json.dumps({**job, "started": started}).encode() + b"\n")
    return _Worker(job["options"]["engine"], process)


def _listen(
    worker: _Worker, deadline: float | None, progress: Progress, cancellation: Cancellation | None = None
) -> bool:
    """Until the worker has an outcome, is done, or time is up; false if it was cancelled before that."""
    with selectors.DefaultSelector() as selector:
        selector.register(worker.process.messages, selectors.EVENT_READ)
        if cancellation is not None:
            selector.register(cancellation, selectors.EVENT_READ)
        while worker.outcome is None and worker.failure is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return True
            ready = selector.select(1.0 if left is None else min(left, 1.0))
            if cancellation is not None and cancellation.cancelled:
                return False
            if not ready:
                for engine, news in worker.news.items():  # a second without news: the clock on the terminal goes on
                    progress(engine, news)
                continue
            data = os.read(worker.process.messages, 1 << 20)
            if not data:
                return True
            _take_messages(worker, data, progress)
    return True


def _take_messages(worker: _Worker, data: bytes, progress: Progress) -> None:
    messages, worker.buffer = lines_of(worker.buffer + data)
    for message in messages:
        if "progress" in message:
            engine = message.get("engine", worker.engine)
            worker.news.setdefault(engine, {}).update(message["progress"])
            progress(engine, worker.news[engine])
        elif "known" in message:
            worker.known = latest(worker.known, Outcome.from_json(message["known"]))
        elif "outcome" in message:
            worker.outcome = Outcome.from_json(message["outcome"])
        elif "error" in message:
            worker.failure = message["error"]


def _told(worker: _Worker, name: str, deadline: float | None) -> Outcome:
    """What the worker said; what was known if it ended or was ended without saying how it went."""
    if worker.outcome is not None:
        return worker.outcome
    known = _what_was_known(worker)
    if worker.failure is not None:
        if worker.failure["kind"] in ("input", "usage"):
            raise failure_of(worker.failure)
        cause = Cause.MEMORY if worker.failure["kind"] == "memory" else Cause.INTERNAL
        return unknown(cause, worker.failure["message"], source=name, engine=worker.engine)
    if deadline is not None and time.monotonic() >= deadline:
        late = unknown(Cause.TIME, f"the time limit was reached{known}", source=name, engine=worker.engine)
        return _with_what_is_known(late, worker)
    code = worker.process.exit_code()
    errors = worker.process.complaints()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cause, why = why_ended(code, usage.ru_utime + usage.ru_stime)
    if cause is Cause.INTERNAL and ("alloc" in errors.lower() or "memory" in errors.lower()):
        cause, why = Cause.MEMORY, NO_MEMORY
    tail = "\n".join(errors.strip().splitlines()[-12:]) if cause is Cause.INTERNAL else ""
    message = f"{why}{known}" + (f"\n{tail}" if tail else "")
    return _with_what_is_known(unknown(cause, message, source=name, engine=worker.engine), worker)


def latest(before: Outcome | None, now: Outcome) -> Outcome:
    """What is known now: an answer stays, unless it is told again with more."""
    is_told_again = before is not None and before.answer is now.answer
    return now if before is None or not before.is_final or is_told_again else before


def _with_what_is_known(ended: Outcome, worker: _Worker) -> Outcome:
    """A proof that was found before, or what there was to check, with why there is no answer."""
    if worker.known is None or ended.reason is None or ended.reason.cause is Cause.INTERNAL:
        return ended
    return worker.known if worker.known.is_final else replace(worker.known, reason=ended.reason, engine=ended.engine)


def _stopped(worker: _Worker | None, how: str, name: str) -> Outcome:
    """What was known: perhaps a proof whose assumptions were still looked at, which are open then."""
    known = worker.known if worker is not None else None
    if known is not None and known.is_final:
        return replace(known, notes=(*known.notes, f"{how}; what was not decided by then is open"))
    late = unknown(Cause.INTERRUPTED, f"{how}{_what_was_known(worker) if worker else ''}", source=name)
    return late if known is None else replace(known, reason=late.reason)


def _what_was_known(worker: _Worker) -> str:
    said = [f"{engine} ({_progress(news)})" if news else engine for engine, news in worker.news.items()]
    return f" while these methods were running: {', '.join(said)}" if said else ""


def _progress(news: dict[str, Any]) -> str:
    """Counts as `level 3`; the numbers that are reasoned about and the phase speak for themselves."""
    return ", ".join(str(value) if key == "phase" else f"{key} {value}" for key, value in news.items())


class _Stop(BaseException):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def _signals_raise() -> Iterator[None]:
    """While workers run, SIGINT and SIGTERM raise here, so that nothing is left behind."""

    def stop(number: int, _: object) -> None:
        raise _Stop(number)

    try:
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread: whoever called us looks after signals
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
