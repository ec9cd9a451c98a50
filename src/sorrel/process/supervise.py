"""Worker processes and their limits. This process never loads a solver, so it always listens.

A portfolio is one worker for each engine; the first confirmed answer wins and the others are ended.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from sorrel.engines.registry import (
    ENGINE_FOR_OBLIGATIONS,
    LAW_PORTFOLIO,
    PORTFOLIO,
    RELATIONAL_PORTFOLIO,
    demand_known,
    members,
    options_for,
)
from sorrel.model.errors import InputError, InternalError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task

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
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    buffer: bytes = b""
    news: dict[str, Any] = field(default_factory=dict)
    known: Outcome | None = None
    outcome: Outcome | None = None
    failure: dict[str, str] | None = None

    def end(self) -> None:
        """End the worker and whatever it started; it leads a process group of its own."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.errors):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()


def solve(source: Source, options: Options, progress: Progress = lambda _engine, _news: None) -> Outcome:
    """One source, by one engine or several at once; obligations of well-foundedness have an engine of their own."""
    if options.engine == PORTFOLIO and _has_obligations(source):
        options = replace(options, engine=ENGINE_FOR_OBLIGATIONS)
    return _race(_jobs("solve", {"source": _source(source)}, options), source.name, options, progress)


_OBLIGATION = re.compile(r"^[^;\"|\n]*\(\s*dwf\s", re.MULTILINE)


def _has_obligations(source: Source) -> bool:
    """Whether the text has a command `dwf`; what cannot be read here is the worker's to complain about."""
    text = source.text
    if text is None:
        try:
            text = Path(source.path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
    return _OBLIGATION.search(text) is not None


def verify(task: Task, options: Options, progress: Progress = lambda _engine, _news: None) -> Outcome:
    """One question about a program, by one engine or several at once; termination has a method of its own."""
    if task.goal.is_relational and options.engine == PORTFOLIO:
        is_law = task.goal is Property.SPECIFICATION
        options = replace(options, engine=LAW_PORTFOLIO if is_law else RELATIONAL_PORTFOLIO)
    jobs = _jobs("verify", {"task": task.to_json()}, options)
    if task.goal is Property.TERMINATION:
        jobs = jobs[:1]
    return _race(jobs, task.name, options, progress)


def summarize(task: Task, options: Options, progress: Progress = lambda _engine, _news: None) -> Outcome:
    """Contracts of a program's functions, whatever is asked of them."""
    job = {"kind": "summarize", "task": task.to_json(), "options": options.to_json()}
    return _race([job], task.name, options, progress)


def _jobs(kind: str, subject: dict[str, Any], options: Options) -> list[dict[str, Any]]:
    """The same job for each engine that takes part."""
    engines = members(options.engine)
    demand_known(options.engine_options, engines)
    jobs = []
    for name in engines:
        own = replace(options, engine=name, engine_options=options_for(name, options.engine_options, engines))
        jobs.append({"kind": kind, **subject, "options": own.to_json()})
    return jobs


def check(source: Source, certificate: Source, options: Options) -> Outcome:
    """A saved certificate against its system."""
    job = {
        "kind": "check",
        "source": _source(source),
        "certificate": _source(certificate),
        "options": options.to_json(),
    }
    return _race([job], source.name, options, lambda _engine, _news: None)


def _source(source: Source) -> dict[str, Any]:
    return {"path": source.path, "text": source.text}


def _race(jobs: list[dict[str, Any]], name: str, options: Options, progress: Progress) -> Outcome:
    started = time.monotonic()
    limit = options.budget.seconds
    deadline = None if limit is None else started + limit + _GRACE
    workers: list[_Worker] = []
    with _signals_raise():
        try:
            workers.extend(_start(job, started) for job in jobs)
            winner = _first_answer(workers, deadline, progress)
            outcome = winner or _no_answer(workers, name, deadline)
        except _Stop as stop:
            seconds = time.monotonic() - started
            message = f"interrupted after {seconds:.1f} s{_what_was_known(workers)}"
            found = unknown(Cause.INTERRUPTED, message, source=name, engine=options.engine, seconds=seconds)
            raise Interrupted(found, stop.number) from None
        finally:
            for worker in workers:
                worker.end()
    return replace(outcome, seconds=time.monotonic() - started)


def _start(job: dict[str, Any], started: float) -> _Worker:
    # A pipe that nobody reads would block a talkative worker. Closed by `_Worker.end`.
    errors = tempfile.TemporaryFile()  # noqa: SIM115
    process = subprocess.Popen(
        # -P: whatever lies in the current folder must not be imported in place of our modules.
        [sys.executable, "-P", "-m", "sorrel.process.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,  # Ctrl-C is for the supervisor, which ends its workers itself
    )
    if process.stdin is None:
        raise InternalError("a worker has no standard input")
    with suppress(BrokenPipeError):  # it died at once; its exit is reported like any other
        process.stdin.write(json.dumps({**job, "started": started}).encode() + b"\n")
        process.stdin.flush()
    return _Worker(job["options"]["engine"], process, errors)


def _first_answer(workers: list[_Worker], deadline: float | None, progress: Progress) -> Outcome | None:
    """Listen to all workers until one has an answer, all are done, or time is up."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            if worker.process.stdout is None:
                raise InternalError("a worker has no standard output")
            selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        while selector.get_map():
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return None
            ready = selector.select(1.0 if left is None else min(left, 1.0))
            if not ready:  # a second without news: the clock on the terminal goes on
                for worker in workers:
                    progress(worker.engine, worker.news)
            for key, _ in ready:
                speaker: _Worker = key.data
                data = os.read(key.fd, 1 << 20)
                speaker.buffer += data
                if not data:
                    selector.unregister(key.fileobj)
                _take_messages(speaker, progress)
                if speaker.outcome is not None and _is_final(speaker.outcome):
                    return speaker.outcome
                if speaker.failure is not None and speaker.failure["kind"] in ("input", "usage"):
                    return None  # the input is the same for all
    return None


def _is_final(outcome: Outcome) -> bool:
    """Whether nobody need go on: it is an answer, or a proof that rests on something false or open."""
    unknown_still = outcome.answer is Answer.UNKNOWN
    return not unknown_still or (outcome.reason is not None and outcome.reason.cause is Cause.ASSUMPTION)


def _take_messages(worker: _Worker, progress: Progress) -> None:
    *lines, worker.buffer = worker.buffer.split(b"\n")
    for line in lines:
        message = json.loads(line)
        if "progress" in message:
            worker.news.update(message["progress"])
            progress(worker.engine, worker.news)
        elif "known" in message:
            worker.known = Outcome.from_json(message["known"])
        elif "outcome" in message:
            worker.outcome = Outcome.from_json(message["outcome"])
        elif "error" in message:
            worker.failure = message["error"]


def _no_answer(workers: list[_Worker], name: str, deadline: float | None) -> Outcome:
    """Nobody knows: the reasons of all, or the error that all must have."""
    for worker in workers:
        match worker.failure:
            case {"kind": "input", "message": message}:
                raise InputError(message)
            case {"kind": "usage", "message": message}:
                raise UsageError(message)
    reports = [worker.outcome or _without_outcome(worker, name, deadline) for worker in workers]
    found = next((report for report in reports if _is_final(report)), None)
    if found is not None:
        return found  # time ran out while its assumptions were looked at
    # A failure of ours matters most, then an answer that was not confirmed; time-outs are ordinary.
    order = [Cause.INTERNAL, Cause.UNCONFIRMED, Cause.MEMORY, Cause.TIME]
    reports.sort(key=lambda r: order.index(r.reason.cause) if r.reason and r.reason.cause in order else len(order))
    first = reports[0]
    if len(reports) == 1 or first.reason is None:
        return first
    if first.reason.cause is Cause.INPUT:
        return first  # the input is the same for all
    message = "; ".join(f"{r.engine}: {r.reason}" for r in reports)
    facts = next((r.facts for r in reports if r.facts), "")
    most = max(reports, key=lambda report: len(report.program_contracts))
    return replace(
        first,
        reason=replace(first.reason, message=message),
        facts=facts,
        program_contracts=most.program_contracts,
        missing=most.missing,
        engine="+".join(w.engine for w in workers),
    )


def _without_outcome(worker: _Worker, name: str, deadline: float | None) -> Outcome:
    """A worker that ended or was ended without saying how it went."""
    known = _what_was_known([worker])
    if worker.failure is not None:
        cause = Cause.MEMORY if worker.failure["kind"] == "memory" else Cause.INTERNAL
        return unknown(cause, worker.failure["message"], source=name, engine=worker.engine)
    if deadline is not None and time.monotonic() >= deadline:
        late = unknown(Cause.TIME, f"the time limit was reached{known}", source=name, engine=worker.engine)
        if worker.known is None:
            return late
        return worker.known if _is_final(worker.known) else replace(worker.known, reason=late.reason)
    code = worker.process.wait()
    worker.errors.seek(0)
    errors = worker.errors.read().decode(errors="replace")
    if code == -signal.SIGKILL or "alloc" in errors.lower() or "memory" in errors.lower():
        message = f"the worker ended for lack of memory{known}"
        return unknown(Cause.MEMORY, message, source=name, engine=worker.engine)
    tail = "\n".join(errors.strip().splitlines()[-12:])
    message = f"the worker ended with code {code}{known}" + (f"\n{tail}" if tail else "")
    return unknown(Cause.INTERNAL, message, source=name, engine=worker.engine)


def _what_was_known(workers: list[_Worker]) -> str:
    parts = [f"{w.engine}: " + ", ".join(f"{k} {v}" for k, v in w.news.items()) for w in workers if w.news]
    return f" ({'; '.join(parts)})" if parts else ""


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
