"""The same question takes the same path in every process that proves."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from sorrel.model.chance import without_chance
from sorrel.modular import pool
from sorrel.process import starting


def order_of_a_set() -> str:
    code = "print(list({f'name{i}' for i in range(50)}))"
    return subprocess.run([sys.executable, "-c", code], env=without_chance(), capture_output=True, text=True).stdout


def test_sets_have_the_same_order_in_every_process() -> None:
    assert order_of_a_set() == order_of_a_set()


def environment_of(pid: int) -> bytes:
    """What a process was started with; while it is being started, there is nothing to see yet."""
    until = time.monotonic() + 10
    while not (seen := Path(f"/proc/{pid}/environ").read_bytes()) and time.monotonic() < until:
        time.sleep(0.01)
    return seen


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc to see the environment of a process in")
def test_every_worker_is_started_so() -> None:
    early = starting.started()
    component = pool._spawn(memory=2000)
    try:
        for process in (early, component):
            assert b"PYTHONHASHSEED=0" in environment_of(process.pid).split(b"\0")
    finally:
        pool.end(component)
        early.close()  # it ends when nobody has a job for it
        assert early.exit_code() == 0
