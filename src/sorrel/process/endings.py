"""Why a process ended that did not say how it went."""

from __future__ import annotations

import resource
import signal

from sorrel.model.outcome import Cause

NO_MEMORY = "the worker ended for lack of memory"
NO_TIME = "the worker reached the limit of processor time"


def why_ended(code: int, used: float) -> tuple[Cause, str]:
    """From its code, and the seconds of processor time that it used.

    The system kills who reaches the hard limit of processor time as it kills who has no memory.
    """
    limit = resource.getrlimit(resource.RLIMIT_CPU)[1]
    out_of_time = limit != resource.RLIM_INFINITY and used >= limit - 1
    if code == -signal.SIGXCPU or (code == -signal.SIGKILL and out_of_time):
        return Cause.TIME, NO_TIME
    if code == -signal.SIGKILL:
        return Cause.MEMORY, NO_MEMORY
    return Cause.INTERNAL, f"the worker ended with code {code}"
