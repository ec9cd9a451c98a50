"""The process that does the work: a job comes in on standard input, messages go out on standard output.

Messages are JSON, one to a line: {"progress": …} while it runs, {"known": …} with what an outcome would say so far,
then {"outcome": …} or {"error": …}. The process ends when its supervisor does.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from sorrel.logic.loading import load_solver
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process.messages import Message, guarded


def main() -> int:
    own = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints must not be taken for a message
    load()
    line = sys.stdin.buffer.readline()
    if not line:  # nobody has a job for us
        return 0
    job = json.loads(line)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    _limit_memory(job["options"]["budget"]["memory"])

    def send(message: Message) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(own, data) :]

    send(guarded(lambda: _perform(job, send).to_json()))
    # Freeing a large solver state can take longer than solving did.
    os._exit(0)


def load() -> None:
    """What every question needs, while the supervisor still makes up its mind."""
    gc.disable()  # what modules define stays; to look through it again and again takes a fifth of the time
    load_solver()
    import_module("sorrel.process.lanes")
    gc.freeze()
    gc.enable()


def _perform(job: dict[str, Any], send: Callable[[Message], None]) -> Outcome:
    from sorrel.process import lanes, pipeline

    def tell(news: dict[str, Any]) -> None:
        send({"progress": news})

    def report(known: Outcome) -> None:
        send({"known": known.to_json()})

    options = _with_time_left(Options.from_json(job["options"]), job["started"])
    match job["kind"]:
        case "verify":
            asked = pipeline.asked_about_program(Task.from_json(job["task"]), options, tell, report)
            return asked if isinstance(asked, Outcome) else lanes.answered(asked, send)
        case "summarize":
            return pipeline.summarize(Task.from_json(job["task"]), options, tell, report)
        case "check":
            return pipeline.check_certificate(Source(**job["source"]), Source(**job["certificate"]), options)
        case _:
            return lanes.answered(pipeline.asked_about_clauses(Source(**job["source"]), options, tell), send)


def _with_time_left(options: Options, started: float) -> Options:
    """The limit counts from when the supervisor began (its clock is ours): starting up takes time, too."""
    if options.budget.seconds is None:
        return options
    return replace(options, budget=replace(options.budget, gone=time.monotonic() - started))


def _end_with_supervisor() -> None:
    while os.read(0, 4096):
        pass
    if os.getpgrp() == os.getpid():  # as the supervisor starts us: lanes, compilers and what they run are with us
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _limit_memory(mebibytes: int | None) -> None:
    if mebibytes is None:
        return
    import resource

    # The soft limit only: sanitizers, which reserve most of all addresses, raise it for the programs that they watch.
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
