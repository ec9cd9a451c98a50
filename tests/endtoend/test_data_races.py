"""Data races: two accesses at the same time, at least one of them a write, not both of them atomic."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from c_threads import threads_text
from sorrel.frontends import c
from sorrel.frontends.errors import Unsupported
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.interleaving import Failed, replay
from sorrel.program.races import UnseenAccess
from sorrel.program.schedules import Explored, explore
from sorrel.program.statement import Assert, Kind
from sorrel.program.threads import ATOMIC_ORDER, SEQUENTIAL_CONSISTENCY, Threads, threads_of

RACE = frozenset({Kind.RACE})
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
DECLARATIONS = """
#include <stdatomic.h>
#include <stdio.h>
int look(int *), see(const int *);
int x, y, a[4], i;
int *p = &x;
struct pair { int first; atomic_int second; } s;
struct { int v[3]; float f; } t, u;
double d;
long double wide;
atomic_int flag;
_Atomic int flags[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void set(int *where) { *where = 1; }
"""
RACES = {
    "write and read": ["x = 1;", "y = x;"],
    "write and write": ["x = 1;", "x = 1;"],
    "different locks": [LOCKED.format("x = 1;"), "pthread_mutex_lock(&n); x = 2; pthread_mutex_unlock(&n);"],
    "lock on one side": [LOCKED.format("x = 1;"), "x = 2;"],
    "one element": ["a[i] = 1;", "a[0] = 2;"],
    "by way of a pointer": ["set(p);", "x = 2;"],
    "flag set too early": ["flag = 1; x = 1;", "if (flag && x) y = 1;"],
    "flag read too late": ["x = 1; flag = 1;", "if (x && flag) y = 1;"],
    "an atomic section and none": ["__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", "y = x;"],
    "a floating-point number": ["d = 1.0;", "if (d > 0) x = 1;"],
    "printed": ["x = 1;", 'printf("%d", x);'],
    "members that are not atomic": ["s.first = 1;", "s.first = 2;"],
    "read for nothing": ["x = 1;", "int nobody_reads_it = x;"],
}
NONE = {
    "one lock": [LOCKED.format("x = x + 1;"), LOCKED.format("x = x + 1;")],
    "read by both": ["y = x;", "i = x;"],
    "different elements": ["a[0] = 1;", "a[1] = 2;"],
    "published by a flag": ["x = 1; flag = 1;", "if (flag && x) y = 1;"],
    "atomic objects": ["flag = flag + 1; flags[0] = 1;", "flag++; flags[0] = 2;"],
    "atomic members": ["s.second = 1; s.first = 1;", "s.second++;"],
    "atomic sections": ["__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();"] * 2,
    "another target": ["int *q = flag ? &x : &y; *q = 1;", "int *q = flags[0] ? &i : &a[0]; *q = 1;"],
}


def _threads(bodies: list[str]) -> Threads:
    text = threads_text(DECLARATIONS, bodies)
    settings = c.CSettings(c.DataModel.LP64, races=True)
    return threads_of(instrument(c.read([Source("<test>", text)], settings), RACE), RACE)


def _explored(bodies: list[str]) -> Explored:
    return explore(_threads(bodies), most=5_000)


@pytest.mark.parametrize("bodies", RACES.values(), ids=RACES)
def test_a_race_is_found_and_replayed(bodies: list[str]) -> None:
    threads = _threads(bodies)
    found = explore(threads, most=5_000)
    assert found.error is not None
    end = replay(threads, found.error).end
    assert isinstance(end, Failed)
    assert "data race" in end.assertion.message


@pytest.mark.parametrize("bodies", NONE.values(), ids=NONE)
def test_where_there_is_none_no_interleaving_shows_one(bodies: list[str]) -> None:
    found = _explored(bodies)
    assert found.error is None
    assert found.complete


def test_main_races_with_nobody_before_it_creates_threads_and_after_it_joined_them() -> None:
    text = threads_text(DECLARATIONS, ["x = 1;", "y = 1;"], "x = 3; y = 2;").replace("pthread_t", "x = 2; pthread_t", 1)
    settings = c.CSettings(c.DataModel.LP64, races=True)
    program = instrument(c.read([Source("<test>", text)], settings), RACE)
    assert explore(threads_of(program, RACE)).error is None


def test_without_races_one_order_is_what_c_promises() -> None:
    assumed = _threads(["x = 1;", "y = 1;"]).assumptions
    assert SEQUENTIAL_CONSISTENCY not in assumed
    assert ATOMIC_ORDER in assumed


@pytest.mark.parametrize("call", ["look(&x);", "see(&x);"])
def test_what_a_function_without_a_body_may_access_is_neither_claimed_nor_excluded(call: str) -> None:
    threads = _threads([call, "x = 1;"])
    found = explore(threads, most=5_000)
    assert found.error is None
    assert not found.complete


@pytest.mark.parametrize("call", ["look(&x);", "see(&x);"])
def test_a_possible_race_is_accepted_as_none(call: str) -> None:
    threads = _threads([call, "x = 1;"])
    kinds = {
        statement.kind
        for thread in threads.threads
        for block in thread.procedure.blocks
        for statement in block.statements
        if isinstance(statement, Assert)
    }
    assert Kind.POSSIBLE_RACE in kinds
    assert _explored([LOCKED.format(call), LOCKED.format("x = 1;")]).error is None


def test_what_is_written_to_a_stream_is_read() -> None:
    with pytest.raises(UnseenAccess, match="as a whole"):
        _threads(["fwrite(a, 4, 4, stdout);", "a[i] = 1;"])


def test_atomics_of_other_orders_are_atomic() -> None:
    store = "x = 2; atomic_store_explicit(&s.second, 1, memory_order_release);"
    load = "if (atomic_load_explicit(&s.second, memory_order_acquire)) x = 1;"
    assert _explored([store, load]).error is None


def test_an_array_that_is_written_as_a_whole_while_others_use_it_is_refused() -> None:
    with pytest.raises(UnseenAccess, match="as a whole"):
        _threads(["t = u;", "t.v[i] = 1;"])


@pytest.mark.parametrize("body", ["wide = 1.0;", "if (wide > 0) x = 1;"])
def test_accesses_that_are_not_followed_are_refused(body: str) -> None:
    with pytest.raises(Unsupported, match="floating"):
        _threads([body])


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler")
@pytest.mark.parametrize("name", ["write and read", "lock on one side", "one element", "one lock", "atomic objects"])
def test_the_compilers_sanitizer_sees_the_same(name: str, tmp_path: Path) -> None:
    bodies = {**RACES, **NONE}[name]
    text = threads_text(DECLARATIONS, [f"for (int k = 0; k < 2000; k++) {{ {body} }}" for body in bodies])
    source = tmp_path / "program.c"
    source.write_text(text)
    built = ["gcc", "-fsanitize=thread", "-g", "-O1", "-o", str(tmp_path / "program"), str(source), "-lpthread"]
    if subprocess.run(built, capture_output=True).returncode:
        pytest.skip("the compiler has no sanitizer for threads")
    run = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True, timeout=60)
    assert ("data race" in run.stderr) == (name in RACES)
