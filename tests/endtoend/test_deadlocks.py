"""Threads that wait forever, and condition variables."""

from __future__ import annotations

import pytest

from c_threads import threads_text
from sorrel.frontends import c
from sorrel.frontends.c.settings import LASTING_WAITS
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.interleaving import Failed, replay
from sorrel.program.schedules import explore
from sorrel.program.statement import Kind
from sorrel.program.threads import Threads, has_sections, threads_of

DECLARATIONS = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, taken;
"""
BOTH = "pthread_mutex_lock(&{0}); pthread_mutex_lock(&{1}); pthread_mutex_unlock(&{1}); pthread_mutex_unlock(&{0});"
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
WAIT = f"{LOCK} while (!ready) pthread_cond_wait(&c, &m); {UNLOCK}"
CARELESS = f"{LOCK} pthread_cond_wait(&c, &m); {UNLOCK}"
SIGNAL = f"{LOCK} ready = 1; pthread_cond_signal(&c); {UNLOCK}"
BROADCAST = f"{LOCK} ready = 1; pthread_cond_broadcast(&c); {UNLOCK}"
STUCK = {
    "locks in different orders": [BOTH.format("m", "n"), BOTH.format("n", "m")],
    "a lock that is taken twice": [LOCK + LOCK],
    "a lock that is kept": [LOCK, LOCK + UNLOCK],
    "a signal that comes too early": [CARELESS, SIGNAL],
    "one signal for two": [WAIT, WAIT, SIGNAL],
    "no signal": [WAIT],
    "a signal for somebody else": [CARELESS, CARELESS, SIGNAL],
    "a wait that ends without a signal": [
        f"{LOCK} if (!ready) {{ pthread_cond_wait(&c, &m); if (!ready) {LOCK} }} {UNLOCK}",
        SIGNAL,
    ],
}
FREE = {
    "locks in one order": [BOTH.format("m", "n"), BOTH.format("m", "n")],
    "a signal that is waited for": [WAIT, SIGNAL],
    "a broadcast": [WAIT, WAIT, BROADCAST],
    "a lock that may be taken": ["if (pthread_mutex_trylock(&m) == 0) { taken = 1; pthread_mutex_unlock(&m); }"] * 2,
    "no waiting": ["ready = 1;", "taken = 1;"],
}


def _threads(bodies: list[str], kind: Kind = Kind.DEADLOCK, after: str = "") -> Threads:
    defined = (LASTING_WAITS,) if kind is Kind.DEADLOCK else ()
    settings = c.CSettings(c.DataModel.LP64, define=defined)
    kinds = frozenset({kind})
    text = threads_text(DECLARATIONS, bodies, after)
    return threads_of(instrument(c.read([Source("<test>", text)], settings), kinds), kinds)


@pytest.mark.parametrize("bodies", STUCK.values(), ids=STUCK)
def test_a_thread_that_waits_forever_is_found_and_replayed(bodies: list[str]) -> None:
    threads = _threads(bodies)
    found = explore(threads)
    assert found.error is not None
    end = replay(threads, found.error).end
    assert isinstance(end, Failed)
    assert "deadlock" in end.assertion.message


@pytest.mark.parametrize("bodies", FREE.values(), ids=FREE)
def test_where_somebody_can_always_go_on_there_is_none(bodies: list[str]) -> None:
    found = explore(_threads(bodies))
    assert found.error is None
    assert found.complete


def test_a_wait_may_end_for_no_reason() -> None:
    careful = explore(_threads([WAIT, SIGNAL], Kind.ERROR_CALL, "if (!ready) reach_error();"))
    assert careful.error is None
    body = f"{LOCK} pthread_cond_wait(&c, &m); if (!ready) reach_error(); {UNLOCK}"
    assert explore(_threads([body, SIGNAL], Kind.ERROR_CALL)).error is not None


def test_the_end_of_main_is_the_end_of_all() -> None:
    text = threads_text(DECLARATIONS, [LOCK + LOCK]).replace("pthread_join(t0, 0);", "")
    settings = c.CSettings(c.DataModel.LP64)
    kinds = frozenset({Kind.DEADLOCK})
    threads = threads_of(instrument(c.read([Source("<test>", text)], settings), kinds), kinds)
    assert explore(threads).error is None


@pytest.mark.parametrize(
    ("last", "expected"), [("pthread_mutex_lock(&m);", True), ("pthread_mutex_unlock(&m);", False)]
)
def test_one_thread_alone_can_wait_for_a_lock_that_it_has(last: str, expected: bool) -> None:
    text = threads_text(DECLARATIONS, [], f"pthread_mutex_lock(&m); {last}").replace("pthread_t ;", "")
    kinds = frozenset({Kind.DEADLOCK})
    program = instrument(c.read([Source("<test>", text)], c.CSettings(c.DataModel.LP64)), kinds)
    assert has_sections(program)
    assert (explore(threads_of(program, kinds)).error is not None) is expected
