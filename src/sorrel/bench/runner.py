"""All tools on all tasks: one run at a time, each recorded as it ends, none made twice."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from sorrel.bench import plots
from sorrel.bench.dialect import is_rule_dialect
from sorrel.bench.process import Execution, Halt, Interrupted, Limits, execute
from sorrel.bench.provenance import Provenance, describe
from sorrel.bench.reading import read_execution
from sorrel.bench.record import Ledger, Record, judge
from sorrel.bench.remote import Remote
from sorrel.bench.suite import Task
from sorrel.bench.summary import write_summary
from sorrel.bench.tally import missing
from sorrel.bench.tool import Tool
from sorrel.model.errors import UsageError
from sorrel.model.values import dataclass

Execute: TypeAlias = Callable[[Sequence[str], Limits, Halt], Execution]


@dataclass(frozen=True, slots=True)
class Progress:
    """A run that has just ended, and how many there are."""

    record: Record
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a folder holds after a run: the records that count, and the files that tell of them."""

    folder: Path
    records: tuple[Record, ...]
    provenance: Provenance
    plots: tuple[str, ...]
    repeated: int = 0  # runs that an earlier session had already made
    interrupted: int = 0  # the signal that ended the session, or 0
    skipped: int = 0  # runs that were wanted and are not recorded


@dataclass(frozen=True, slots=True)
class Job:
    task: Task
    tool: Tool
    file_hash: str
    definition: str


def run_suite(
    tasks: Sequence[Task],
    tools: Sequence[Tool],
    limits: Limits,
    folder: Path,
    *,
    jobs: int = 1,
    remote: Remote | None = None,
    fresh: bool = False,
    wanted: str = "",
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Run what the folder does not hold yet, and write summary and plots.

    `remote` makes the runs elsewhere, as many at a time as there is room for. `wanted` is the property in suites that
    have several. SIGINT and SIGTERM end the runs under way and leave a summary of those that are recorded; call again
    to go on.
    """
    if jobs < 1:
        raise UsageError("--jobs needs at least one run at a time")
    for tool in tools:
        tool.demand_program(limits)
    ledger = Ledger(folder)
    with ledger.held():
        if fresh:
            ledger.clear()
        ledger.repair()
        earlier = None if fresh else Provenance.read(folder)
        provenance = describe(tools, limits, jobs).after(earlier)
        done = {record.identity for record in ledger.read()}
        provenance.write(folder)
        planned = plan(tasks, tools, provenance)
        remaining = [job for job in planned if identity(job, limits) not in done]
        made_by = remote.execute if remote else execute
        session = Rounds(limits, wanted, ledger, on_progress, len(planned), len(planned) - len(remaining), made_by)
        interrupted = session.perform(remaining, remote.capacity if remote else jobs)
        made = {record.identity for record in ledger.read()}
        skipped = sum(identity(job, limits) not in made for job in planned)
        return report(folder, repeated=len(planned) - len(remaining), interrupted=interrupted, skipped=skipped)


def report(folder: Path, *, repeated: int = 0, interrupted: int = 0, skipped: int = 0) -> Report:
    """Write summary and plots from the recorded results alone; what one tool did and another did not was skipped."""
    recorded = Ledger(folder).read()
    provenance = Provenance.read(folder) or Provenance.guess(recorded)
    records = provenance.current(recorded)
    names = plots.draw(folder, records, provenance) if plots.available() else []
    skipped = max(skipped, missing(records))
    write_summary(folder, records, provenance, names, skipped)
    return Report(folder, tuple(records), provenance, tuple(names), repeated, interrupted, skipped)


def plan(tasks: Sequence[Task], tools: Sequence[Tool], provenance: Provenance) -> list[Job]:
    """Task by task, so that noise on the machine hits all tools alike."""
    jobs = []
    for task in tasks:
        digest = task.digest()
        jobs += [Job(task, tool, digest, provenance.tools[tool.name].digest) for tool in tools]
    return jobs


def identity(job: Job, limits: Limits) -> tuple[str, ...]:
    """As `Record.identity`, before there is a record."""
    return job.task.suite, job.task.name, job.tool.name, job.definition, job.file_hash, str(limits)


class Rounds:
    """The runs of one session."""

    def __init__(
        self,
        limits: Limits,
        wanted: str,
        ledger: Ledger,
        on_progress: Callable[[Progress], None],
        total: int,
        done: int,
        execute: Execute = execute,
    ) -> None:
        self.limits = limits
        self.wanted = wanted
        self.ledger = ledger
        self.on_progress = on_progress
        self.total = total
        self.done = done
        self._execute = execute
        self.halt = Halt()
        self.interrupted = 0
        self._lock = threading.Lock()

    def perform(self, remaining: Sequence[Job], jobs: int) -> int:
        """The number of the signal that ended it early, or 0."""
        with self.listening(), ThreadPoolExecutor(jobs) as pool:
            futures = [pool.submit(self.run, job) for job in remaining]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                self.halt.request()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return self.interrupted

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as a wish to stop; only the main thread may."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        previous = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def stop(self, number: int, _: FrameType | None) -> None:
        self.interrupted = number
        # Not here: the interrupted code may hold the lock that a request needs.
        threading.Thread(target=self.halt.request).start()

    def run(self, job: Job) -> None:
        try:
            record = self.measure(job)
        except Interrupted:
            return
        except BaseException:
            self.halt.request()  # here, so that this thread does not start the next run first
            raise
        with self._lock:
            self.ledger.append(record)
            self.done += 1
            self.on_progress(Progress(record, self.done, self.total))

    def measure(self, job: Job) -> Record:
        task, tool = job.task, job.tool
        command = tool.call(task.path.resolve(), self.limits, task.property or self.wanted)
        execution = self._execute(command, tool.enforced(self.limits), self.halt)
        rule_dialect = tool.invert_in_rule_dialect and is_rule_dialect(
            task.path.read_text(encoding="utf-8", errors="replace")
        )
        reading = read_execution(tool, execution, self.limits, rule_dialect=rule_dialect)
        return Record(
            suite=task.suite,
            family=task.family,
            task=task.name,
            tool=tool.name,
            kind="own" if tool.own else "peer",
            verdict=reading.verdict,
            expected=task.expected,
            correctness=judge(reading.verdict, task.expected),
            cause=reading.cause,
            claimed=reading.claimed,
            confirmed=bool(reading.checkers),
            wall=execution.wall,
            cpu=execution.cpu,
            memory_mb=execution.memory,
            exit_code=execution.exit_code,
            engine=reading.engine,
            decided_by=reading.decided_by,
            checkers=reading.checkers,
            definition=job.definition,
            file_hash=job.file_hash,
            limits=str(self.limits),
            detail=reading.detail,
            statistics=reading.statistics,
        )
