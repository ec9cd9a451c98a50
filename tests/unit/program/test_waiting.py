"""A thread that waits forever while others go on."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from c_threads import HEADER
from sorrel.evidence.stuck_thread import accept_stuck_thread, each_goes_on
from sorrel.frontends import c
from sorrel.frontends.c.settings import LASTING_WAITS
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.statement import Kind
from sorrel.program.threads import EACH_GOES_ON, Threads, threads_of
from sorrel.program.waiting import Watched, watched

DECLARATIONS = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
extern _Bool __VERIFIER_nondet_bool(void);
int ready; _Atomic int done;
"""
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
CREATE = "pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
ON = "done = 1; while (1) { pthread_mutex_lock(&n); pthread_mutex_unlock(&n); }"
WAIT = f"{LOCK} while (!ready) pthread_cond_wait(&c, &m); {UNLOCK}"
CARELESS = f"{LOCK} pthread_cond_wait(&c, &m); {UNLOCK}"
SIGNAL = f"{LOCK} ready = 1; pthread_cond_signal(&c); {UNLOCK}"
BOTH = "pthread_mutex_lock(&{0}); pthread_mutex_lock(&{1}); pthread_mutex_unlock(&{1}); pthread_mutex_unlock(&{0});"
FOREVER = {
    "a lock whose holder has ended": (LOCK, f"{LOCK} {UNLOCK}", ON),
    "a lock that is taken twice": (f"{LOCK} {LOCK}", "", ON),
    "a signal that comes too early": (CARELESS, SIGNAL, ON),
    "one signal for two": (WAIT, WAIT, f"{SIGNAL} {ON}"),
    "nobody signals": (WAIT, "", ON),
    "locks in different orders": (
        BOTH.format("m", "n"),
        BOTH.format("n", "m"),
        "done = 1; while (1) done = !done;",
    ),
    "the end of one that waits": (LOCK + LOCK, "pthread_t t = 1; pthread_join(t, 0);", ON),
}
NOT_FOREVER = {
    "a lock that is given back": (f"{LOCK} {UNLOCK}", f"{LOCK} {UNLOCK}", ON),
    "a lock that is taken and given back forever": (f"while (1) {{ {LOCK} {UNLOCK} }}", f"{LOCK} {UNLOCK}", ON),
    "a signal that is waited for": (WAIT, SIGNAL, ON),
    "a program that ends": (f"{LOCK} {LOCK}", "", "done = 1;"),
    "a program that may end": (f"{LOCK} {LOCK}", "", "while (__VERIFIER_nondet_bool()) done = 1;"),
    "a lock that is given back sometimes": (
        f"{LOCK} while (__VERIFIER_nondet_bool()) done = 1; {UNLOCK}",
        f"{LOCK} {UNLOCK}",
        ON,
    ),
}


def _text(f: str, g: str, main: str) -> str:
    bodies = "".join(f"void *{name}(void *p) {{ {body} return 0; }}\n" for name, body in (("f", f), ("g", g)))
    return f"{HEADER}{DECLARATIONS}{bodies}int main(void) {{ {CREATE} {main} return 0; }}\n"


def _threads(text: str) -> Threads:
    settings, kinds = c.CSettings(c.DataModel.LP64, define=(LASTING_WAITS,)), frozenset({Kind.DEADLOCK})
    return threads_of(instrument(c.read([Source("<test>", text)], settings), kinds), kinds)


def _seen(threads: Threads) -> Watched:
    return watched(threads, most=20_000)


@pytest.mark.parametrize("bodies", FOREVER.values(), ids=FOREVER)
def test_it_is_found_and_the_set_that_is_never_left_is_followed_again(bodies: tuple[str, str, str]) -> None:
    threads = _threads(_text(*bodies))
    found = _seen(threads)
    assert found.explored.error is None
    assert not found.excluded
    assert found.forever is not None
    outcome = accept_stuck_thread(threads, found.forever)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert "waits here forever" in outcome.violation.message
    assert each_goes_on(threads, EACH_GOES_ON).weakens


@pytest.mark.parametrize("bodies", NOT_FOREVER.values(), ids=NOT_FOREVER)
def test_where_it_can_go_on_or_the_program_can_end_that_is_seen_of_all(bodies: tuple[str, str, str]) -> None:
    threads = _threads(_text(*bodies))
    found = _seen(threads)
    assert found.explored.error is None
    assert found.forever is None
    assert found.excluded
    assert not each_goes_on(threads, EACH_GOES_ON).weakens


@pytest.mark.parametrize(
    "before",
    [
        "int x; do x = __VERIFIER_nondet_int(); while (x != 77);",
        "_Bool b = __VERIFIER_nondet_bool(); __VERIFIER_assume(b);",
    ],
    ids=["a value that was not tried", "an assumption that cuts off runs"],
)
def test_what_is_not_known_is_neither_reported_nor_excluded(before: str) -> None:
    assumes = "extern void __VERIFIER_assume(int);\n"
    threads = _threads(assumes + _text(f"{LOCK} done = 1; {before} {UNLOCK}", f"{LOCK} {UNLOCK}", ON))
    found = _seen(threads)
    assert found.forever is None
    assert not found.excluded
    assert each_goes_on(threads, EACH_GOES_ON).weakens


def test_changed_evidence_is_refused() -> None:
    threads = _threads(_text(*FOREVER["a lock whose holder has ended"]))
    forever = _seen(threads).forever
    assert forever is not None
    changed = [replace(forever, schedule=forever.schedule[:-1])]
    changed += [replace(forever, thread=other) for other in (-1, 0, 1, 2, 3) if other != forever.thread]
    changed.append(replace(forever, schedule=tuple(reversed(forever.schedule))))
    for each in changed:
        assert accept_stuck_thread(threads, each).answer is Answer.UNKNOWN
    released = _threads(_text(*NOT_FOREVER["a lock that is given back"]))
    assert accept_stuck_thread(released, forever).answer is Answer.UNKNOWN


def test_a_set_that_is_too_large_to_be_followed_shows_nothing() -> None:
    counting = "int i; for (i = 0; i < 100000; i++) done = i; while (1);"
    threads = _threads(_text(LOCK + LOCK, "", counting))
    assert watched(threads, most=300).forever is None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("name", ["a lock that is taken twice", "nobody signals"])
def test_the_compiled_program_shows_the_same(name: str, tmp_path: Path) -> None:
    """A thread that ends says so; the one that waits does not, though main gives it time."""
    f, g, _ = FOREVER[name]
    main = 'usleep(50000); printf("%d", ended); fflush(stdout); _exit(0);'
    text = "#include <stdio.h>\n#include <unistd.h>\nint ended;\n" + _text(f"{f} ended = 1;", g, main)
    (tmp_path / "a.c").write_text(text)
    subprocess.run(["gcc", "-pthread", "-w", "-o", tmp_path / "a", tmp_path / "a.c"], check=True, timeout=60)
    said = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout == "0"
