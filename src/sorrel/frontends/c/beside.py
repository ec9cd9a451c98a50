"""What a copy of this process finds out while the original goes on with something else."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NoReturn, TypeVar

T = TypeVar("T")


@contextmanager
def beside(find: Callable[[], T], *, worthwhile: bool) -> Iterator[Callable[[], T]]:
    """What is found, for whoever asks before the end; it must not depend on what is done in the meantime.

    A copy that cannot be made, or does not live to tell, costs time: then it is found here.
    """
    pipe = copied(lambda told: _tell(find, told)) if worthwhile and processors() > 1 else None
    if pipe is None:
        here = find()
        yield lambda: here
        return
    process, reading = pipe
    with os.fdopen(reading, "rb") as told:

        def found() -> T:
            answer = told.read()
            if answer[:_SIZE] != _size(answer[_SIZE:]):
                return find()
            made: T = pickle.loads(answer[_SIZE:])
            return made

        try:
            yield found
        finally:
            end(process)


_SIZE = 8
"""Bytes before an answer that say how long it is: one that was cut off is none."""


def _size(answer: bytes) -> bytes:
    return len(answer).to_bytes(_SIZE, "big")


def _tell(find: Callable[[], object], told: BinaryIO) -> None:
    answer = pickle.dumps(find())
    told.write(_size(answer) + answer)


def processors() -> int:
    """How many copies can run at once, this process included."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def copied(work: Callable[[BinaryIO], None]) -> tuple[int, int] | None:
    """A copy of this process that does the work, and the end of the pipe where it tells what comes of it."""
    if not hasattr(os, "fork"):
        return None
    reading, writing = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if not process:
        os.close(reading)  # so that it ends if nobody listens
        _work(work, writing)
    os.close(writing)
    return process, reading


def _work(work: Callable[[BinaryIO], None], place: int) -> NoReturn:
    """In the copy, which must not go on as if it were the original, whatever happens."""
    try:
        with os.fdopen(place, "wb") as told:
            work(told)
    finally:
        os._exit(0)


def end(process: int) -> None:
    """Whatever the copy is doing."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
