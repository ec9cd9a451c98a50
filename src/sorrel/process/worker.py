"""The process that does the work: a job comes in on standard input, messages go out on standard output.

Messages are JSON, one to a line: {"progress": …} while it runs, {"known": …} with what an outcome would say so far,
then {"outcome": …} or {"error": …}. The process ends when its supervisor does.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from dataclasses import replace
from typing import IO, Any

from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.source import Source
from sorrel.model.task import Task


def main() -> int:
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not be taken for a message
    job = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    _limit_memory(job["options"]["budget"]["memory"])
    try:
        _send(messages, {"outcome": _perform(job, messages)})
    except (InputError, UsageError) as problem:
        kind = "input" if isinstance(problem, InputError) else "usage"
        _send(messages, {"error": {"kind": kind, "message": str(problem)}})
    except MemoryError:
        _send(messages, {"error": {"kind": "memory", "message": "the memory limit was reached"}})
    except Exception as problem:
        kind = "memory" if "out of memory" in str(problem).lower() else "internal"
        _send(messages, {"error": {"kind": kind, "message": _describe(problem)}})
    # Freeing a large solver state can take longer than solving did.
    os._exit(0)


def _perform(job: dict[str, Any], messages: IO[str]) -> dict[str, Any]:
    # Here, so that limits and the watch on the supervisor stand before z3 is loaded.
    from sorrel.process import pipeline

    def tell(news: dict[str, Any]) -> None:
        _send(messages, {"progress": news})

    options = _with_time_left(Options.from_json(job["options"]), job["started"])
    match job["kind"]:
        case "verify":
            task = Task.from_json(job["task"])
            outcome = pipeline.verify(task, options, tell, lambda known: _send(messages, {"known": known.to_json()}))
        case "summarize":
            outcome = pipeline.summarize(Task.from_json(job["task"]), options, tell)
        case "check":
            outcome = pipeline.check_certificate(Source(**job["source"]), Source(**job["certificate"]), options)
        case _:
            outcome = pipeline.solve(Source(**job["source"]), options, tell)
    return outcome.to_json()


def _with_time_left(options: Options, started: float) -> Options:
    """The limit counts from when the supervisor began (its clock is ours): starting up takes time, too."""
    if options.budget.seconds is None:
        return options
    left = max(0.1, options.budget.seconds - (time.monotonic() - started))
    return replace(options, budget=replace(options.budget, seconds=left))


def _send(messages: IO[str], message: dict[str, Any]) -> None:
    messages.write(json.dumps(message) + "\n")
    messages.flush()


def _end_with_supervisor() -> None:
    sys.stdin.read()
    os._exit(1)


def _limit_memory(mebibytes: int | None) -> None:
    if mebibytes is None:
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (mebibytes * 2**20, mebibytes * 2**20))


def _describe(problem: Exception) -> str:
    return "".join(traceback.format_exception(problem))


if __name__ == "__main__":
    sys.exit(main())
