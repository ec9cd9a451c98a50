"""Questions that are no longer asked: from another thread, and from asyncio."""

from __future__ import annotations

import asyncio
import inspect
import os
import pydoc
import threading
import time
from pathlib import Path

import pytest

import sorrel
from sorrel import asynchronous
from sorrel.model.outcome import Answer, Cause

ENDLESS = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 1) (= y 3)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ (* x x) y) (+ (* y x) 7)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (* x y) 91)) false)))
(check-sat)
"""


def children() -> set[str]:
    """The processes that this one has started and that are still there."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = entry.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if parent == str(os.getpid()):
            found.add(entry.parent.name)
    return found


def test_another_thread_ends_a_question() -> None:
    cancellation = sorrel.Cancellation()
    threading.Timer(1.0, cancellation.cancel).start()
    started = time.monotonic()
    outcome = sorrel.solve(ENDLESS, engine="unwind", timeout=100, cancellation=cancellation)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.INTERRUPTED
    assert time.monotonic() - started < 60


def test_a_cancellation_that_came_first_ends_it_at_once() -> None:
    cancellation = sorrel.Cancellation()
    cancellation.cancel()
    cancellation.cancel()
    outcome = sorrel.solve(ENDLESS, engine="unwind", timeout=100, cancellation=cancellation)
    assert outcome.answer is Answer.UNKNOWN


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_an_asyncio_task_that_is_cancelled_leaves_no_worker_behind() -> None:
    async def ask() -> None:
        task = asyncio.ensure_future(asynchronous.solve(ENDLESS, engine="unwind", timeout=100))
        await asyncio.sleep(1.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    before = children()
    asyncio.run(ask())
    assert children() == before


def test_progress_is_told_by_method() -> None:
    heard: list[str] = []
    enough = sorrel.Cancellation()

    def hear(method: str, _: object) -> None:
        heard.append(method)
        enough.cancel()

    sorrel.solve(ENDLESS, engine="clover", timeout=60, progress=hear, cancellation=enough)
    assert set(heard) == {"clover"}


def test_contracts_can_be_awaited() -> None:
    outcome = asyncio.run(asynchronous.summarize(sorrel.Source("f.c", "int f(int n) { return n + 1; }"), timeout=60))
    assert [each.conjuncts for each in outcome.program_contracts] == [("\\result == n + 1",)]


def test_help_tells_of_all_functions() -> None:
    told = pydoc.plain(pydoc.render_doc(sorrel))
    for name in ("verify", "summarize", "solve", "learn", "check"):
        assert f"\n    {name}(" in told
    assert inspect.iscoroutinefunction(sorrel.asynchronous.verify)
