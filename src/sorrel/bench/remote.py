"""Runs on the workers of a Dask cluster, which have the same tools and see the same files under the same names.

What a worker says about a run is taken as it is, like any measurement that somebody else has made: whether evidence was
confirmed is a part of what a tool prints, and nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any

from sorrel.bench.process import Execution, Halt, Interrupted, Limits, execute
from sorrel.model.errors import InputError
from sorrel.modular.cluster import RETRIES, capacity_of, connected


def run_there(command: Sequence[str], limits: Limits) -> Execution:
    """In a worker: the launcher keeps the limits, and ends whatever the command has started."""
    return execute(command, limits)


class Remote:
    """The scheduler at an address."""

    def __init__(self, address: str) -> None:
        self._client: Any = connected(address)

    @property
    def capacity(self) -> int:
        return capacity_of(self._client)

    def execute(self, command: Sequence[str], limits: Limits, halt: Halt) -> Execution:
        """A run somewhere, repeated elsewhere if its worker goes; it has no result if all is to stop."""
        from distributed import KilledWorker

        if halt.requested:
            raise Interrupted
        future = self._client.submit(run_there, list(command), limits, pure=False, retries=RETRIES)
        while True:
            try:
                found: Execution = future.result(timeout=0.5)
                return found
            except TimeoutError:
                if halt.requested:
                    future.cancel()
                    raise Interrupted from None
            except KilledWorker as problem:
                return Execution("", "", limits.wall, 0.0, 0.0, None, failure=f"its workers died: {problem}")
            except (CancelledError, OSError) as problem:
                raise InputError(f"the connection to the scheduler is lost: {problem}") from None
