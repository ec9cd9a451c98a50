"""Starting a worker process: early, so that it loads what it needs while the command line is still being read."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from typing import IO

from sorrel.model.chance import without_chance
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A worker that waits for its job, and the file of what it complains about."""

    process: subprocess.Popen[bytes]
    errors: IO[bytes]


_early: list[Started] = []


def start_early() -> None:
    """A worker for the first question; one that is not needed ends when this process does."""
    _early.append(_start())


def started() -> Started:
    return _early.pop() if _early else _start()


def _start() -> Started:
    # A pipe that nobody reads would block a talkative worker. Closed by whoever ends the worker.
    errors = tempfile.TemporaryFile()  # noqa: SIM115
    process = subprocess.Popen(
        # -P: whatever lies in the current folder must not be imported in place of our modules.
        [sys.executable, "-P", "-m", "sorrel.process.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=without_chance(),
        start_new_session=True,  # Ctrl-C is for the supervisor, which ends its workers itself
    )
    return Started(process, errors)
