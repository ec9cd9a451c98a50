"""Why a process ended is told by its signal, and by what it used if that is the same for two reasons."""

from __future__ import annotations

import resource
import signal

import pytest

from sorrel.model.outcome import Cause
from sorrel.process.endings import why_ended


@pytest.mark.parametrize(
    ("code", "limit", "used", "cause"),
    [
        (-signal.SIGXCPU, 10, 10.0, Cause.TIME),
        (-signal.SIGKILL, 10, 10.1, Cause.TIME),
        (-signal.SIGKILL, 10, 2.0, Cause.MEMORY),
        (-signal.SIGKILL, resource.RLIM_INFINITY, 1000.0, Cause.MEMORY),
        (-signal.SIGSEGV, 10, 11.0, Cause.INTERNAL),
        (1, 10, 1.0, Cause.INTERNAL),
    ],
)
def test_the_limit_of_the_processor_is_no_lack_of_memory(
    code: int, limit: int, used: float, cause: Cause, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    assert why_ended(code, used)[0] is cause
