"""The process that reads a project, asks, checks what comes back, and stores it. It alone says what holds.

A job comes in on standard input; messages go out as JSON, one to a line: {"plan": …}, {"functions": […]} as they are
settled, {"running": […]}, then {"result": …} or {"error": …}. When standard input ends, it stops and keeps what it has.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sorrel.model.errors import InputError, UsageError
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.modular.cluster import Cluster
from sorrel.modular.pool import Pool, Workers
from sorrel.modular.reading import Reading, read
from sorrel.modular.standby import Standby
from sorrel.project.difference import Difference
from sorrel.project.result import FunctionResult, ProjectResult, Source, Verdict
from sorrel.project.settings import Settings
from sorrel.project.sources import sources
from sorrel.store import lockfile
from sorrel.store.keeper import Keeper
from sorrel.store.lockfile import Contents

if TYPE_CHECKING:
    from sorrel.modular.inquiry import Inquiry
    from sorrel.modular.packing import Used

RARELY = (100_000, 20, 100)
"""When Python looks for garbage: what is read is large, stays to the end, and has few circles."""
Send = Callable[[dict[str, Any]], None]


def main() -> NoReturn:
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not be taken for a message
    job = json.loads(sys.stdin.readline())
    stop = threading.Event()
    threading.Thread(target=_wait_for_end, args=(stop,), daemon=True).start()

    def send(message: dict[str, Any]) -> None:
        try:
            messages.write(json.dumps(message) + "\n")
            messages.flush()
        except BrokenPipeError:  # nobody listens any more: what is found is stored all the same
            stop.set()

    try:
        send({"result": perform(job, send, stop.is_set)})
    except (InputError, UsageError) as problem:
        kind = "input" if isinstance(problem, InputError) else "usage"
        send({"error": {"kind": kind, "message": str(problem)}})
    except Exception as problem:
        send({"error": {"kind": "internal", "message": "".join(traceback.format_exception(problem))}})
    os._exit(0)  # freeing a large solver state can take longer than solving did


def _wait_for_end(stop: threading.Event) -> None:
    """Below Python's own stream: its lock would be held forever in every copy of this process."""
    while os.read(0, 1 << 16):
        pass
    stop.set()


def perform(job: dict[str, Any], send: Send, stopped: Callable[[], bool]) -> dict[str, Any]:
    """What a job asks for: see `sorrel.process.project.Job`."""
    settings = Settings.from_json(job["settings"])
    run = _Run(job, settings, send, stopped)
    if job["kind"] == "diff":
        return run.difference(Settings.from_json(job["old_settings"]) if job["old_settings"] else None).to_json()
    os.chdir(settings.folder)
    if job["kind"] == "pack":
        from sorrel.modular.packing import packed

        return asdict(packed(settings))
    return run.project().to_json()


def _load() -> None:
    """What makes clauses and asks solvers: it takes as long to load as files take to be parsed, on another core."""
    import_module("sorrel.modular.packing")


@dataclass(frozen=True, slots=True)
class _Run:
    job: dict[str, Any]
    settings: Settings
    send: Send
    stopped: Callable[[], bool]

    def project(self) -> ProjectResult:
        started = time.monotonic()
        gc.set_threshold(*RARELY)
        packs = self._packs() if self.settings.packs else None
        gc.disable()
        reading = read(self.settings, sources(self.settings), _load)
        gc.freeze()  # all of it stays until the end: there is nothing to collect, and copies of this process share it
        gc.enable()
        path = Path(lockfile.NAME)
        contents = lockfile.read(path)
        keeper = Keeper(path, contents)
        lost: list[str] = []
        inquiries = [self._inquired(goal, reading, contents, lost) for goal in self.settings.goals]
        count = sum(len(inquiry.within(self.job["paths"])) for inquiry in inquiries)
        self.send({"plan": {"components": count}})
        for inquiry in inquiries:  # in copies of this process, which must have no others to talk to yet
            inquiry.check_stored(self.job["jobs"], self.job["paths"], self.stopped)
        workers = None if self.job["kind"] != "prove" else self._workers(lost)
        try:
            for inquiry in inquiries:
                self._prove(inquiry, workers, keeper)
        finally:
            if workers is not None:
                workers.close()
        if workers is not None and not self.stopped() and not self.job["paths"]:
            about = {inquiry.known.about for inquiry in inquiries}
            keeper.forget(about, {key for inquiry in inquiries for key in inquiry.blocks})
        found = [result for inquiry in inquiries for result in self._shown(inquiry)]
        found += [result for inquiry in inquiries for result in _refused(reading, inquiry)]
        from sorrel.modular.weighing import weighed

        packs = packs or self._packs()
        functions, assumptions, weakening = weighed(inquiries, found, self.job.get("assuming", ()), packs.confirmed)
        return ProjectResult(
            tuple(functions),
            (*assumptions, *packs.open),
            tuple(dict.fromkeys((*weakening, *packs.open))),
            (*packs.notes, *contents.ignored, *lost),
            tuple(keeper.problems),
            count,
            sum(each.source is Source.FOUND for inquiry in inquiries for each in inquiry.results.values()),
            time.monotonic() - started,
            self.stopped(),
            tuple(line for inquiry in inquiries for line in inquiry.misfits),
        )

    def _shown(self, inquiry: Inquiry) -> Iterable[FunctionResult]:
        if not self.job.get("contracts") or self.stopped():
            return inquiry.results.values()
        from sorrel.modular.showing import with_contracts

        return with_contracts(inquiry, inquiry.results.values())

    def _packs(self) -> Used:
        from sorrel.modular.packing import used

        return used(self.settings)

    def difference(self, old: Settings | None) -> Difference:
        """Of two versions of the project, or of the project and what is stored about it."""
        # Engines are needed for this alone, and take a while to load.
        from sorrel.modular.differing import difference, proved_side
        from sorrel.modular.remembered import against_store

        workers = Pool(self.job["jobs"], self.settings.limits.memory)
        names = self.job["names"]
        try:
            before = proved_side(names[0], old, workers, self.stopped) if old is not None else None
            after = proved_side(names[1], self.settings, workers, self.stopped)
        finally:
            workers.close()
        if self.stopped():  # what is not known of a version must not look like a difference
            raise UsageError("stopped before both versions were analysed: nothing to compare")
        if before is None:
            return against_store(after)
        seconds = self.settings.limits.seconds
        return difference(before, after, seconds, lambda name: self.send({"running": [name]}))

    def _inquired(self, goal: Property, reading: Reading, contents: Contents, lost: list[str]) -> Inquiry:
        """The question about one property; whether runs end needs measures, which are looked for before."""
        from sorrel.modular.inquiry import inquire

        if goal is not Property.TERMINATION or self.job["kind"] != "prove":
            return inquire(goal, self.settings, reading, contents)
        from sorrel.modular.measuring import Measuring

        jobs, retry = self.job["jobs"], self.job["retry"]
        with ExitStack() as stack:  # closed before the next copies of this process are made

            def workers() -> Workers:
                return stack.enter_context(closing(self._workers(lost)))

            measures = Measuring(self.settings, workers, retry, self.stopped, jobs).measures(reading, contents)
        return inquire(goal, self.settings, reading, contents, measures)

    def _workers(self, lost: list[str]) -> Workers:
        """Those who search; `lost` says why those elsewhere do not any more."""

        def here() -> Workers:
            return Pool(self.job["jobs"], self.settings.limits.memory)

        if not self.job["cluster"] or lost:
            return here()
        return Standby(Cluster(self.job["cluster"], self.settings.limits.memory), here, lost.append)

    def _prove(self, inquiry: Inquiry, workers: Workers | None, keeper: Keeper) -> None:
        def tick() -> None:
            if workers is not None:
                keeper.keep(inquiry.blocks)
                self.send({"running": workers.running})

        def told(results: Sequence[FunctionResult]) -> None:
            self.send({"functions": [asdict(each) for each in results]})

        try:
            inquiry.prove(workers, told, self.stopped, tick, retry=self.job["retry"], paths=self.job["paths"])
        finally:
            if workers is not None:
                keeper.keep(inquiry.blocks, now=True)


def _refused(reading: Reading, inquiry: Inquiry) -> list[FunctionResult]:
    """Entry points that cannot be read, with the reason."""
    return [
        FunctionResult(
            name,
            str(inquiry.goal),
            Verdict.UNKNOWN,
            problem.span,
            entry=True,
            message=str(problem),
            source=Source.NOT_TRIED,
        )
        for name, problem in reading.refused.items()
    ]


if __name__ == "__main__":
    main()
