"""Stopping a question from another thread: an event that a process can wait for together with its workers."""

from __future__ import annotations

import os
import threading
import weakref


class Cancellation:
    """Given to a question that is being answered, `cancel` ends it; the outcome is then unknown, by interruption.

    It may be given to several questions, and cancelled from any thread, any number of times.
    """

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self._lock = threading.Lock()
        self._cancelled = False
        weakref.finalize(self, _close, self._reader, self._writer)

    def cancel(self) -> None:
        with self._lock:
            if not self._cancelled:
                self._cancelled = True
                os.write(self._writer, b"x")  # nobody reads it, so that everybody sees it

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def fileno(self) -> int:
        """Can be read as soon as it is cancelled."""
        return self._reader


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
