"""What threads use beside locks: semaphores, barriers, locks for readers, `pthread_once`, `pthread_exit`."""

from __future__ import annotations

import pytest

from c_threads import HEADER
from sorrel.evidence.door import AllInterleavings, accept
from sorrel.evidence.effort import Effort
from sorrel.frontends import c
from sorrel.frontends.c.settings import LASTING_WAITS
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.interleaving import Failed, replay
from sorrel.program.relevance import without_irrelevant
from sorrel.program.schedules import Explored, explore
from sorrel.program.statement import Kind
from sorrel.program.threads import Threads, threads_of
from sorrel.program.waiting import watched

ASSERT = "if (!({})) reach_error();"
DECLARATIONS = """#include <semaphore.h>
sem_t full, empty; pthread_barrier_t barrier; pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT; pthread_t first; int cell, other, made, served;
static void make(void) { made++; }
static void leave(int value) { if (value) pthread_exit((void *)7L); }
"""
MEET = "int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;"
READ = f"pthread_rwlock_rdlock(&shared); {ASSERT.format('cell == other')} pthread_rwlock_unlock(&shared);"
WRITE = "pthread_rwlock_wrlock(&shared); cell++; other++; pthread_rwlock_unlock(&shared);"
PUT, TAKE = "sem_wait(&empty); cell++; sem_post(&full);", "sem_wait(&full); cell--; sem_post(&empty);"
SEMAPHORES = "sem_init(&full, 0, 0); sem_init(&empty, 0, 1);"


def _text(f: str, g: str, before: str = "", after: str = "", end: str = "return 0;") -> str:
    return f"""{HEADER}{DECLARATIONS}
void *f(void *unused) {{ {f} return 0; }}
void *g(void *unused) {{ {g} return 0; }}
int main(void) {{ pthread_t t, u; void *result; {before} pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_join(t, &result); pthread_join(u, 0); {after} {end} }}
"""


def _threads(text: str, kind: Kind = Kind.ERROR_CALL) -> Threads:
    defined = (LASTING_WAITS,) if kind is Kind.DEADLOCK else ()
    kinds = frozenset({kind})
    program = c.read([Source("<test>", text)], c.CSettings(c.DataModel.LP64, define=defined))
    return threads_of(instrument(program, kinds), kinds)


def _followed(threads: Threads) -> Answer:
    options = Options()
    return accept(AllInterleavings(threads), Effort(options, options.budget.start(), lambda _: None)).answer


def _explored(text: str, kind: Kind = Kind.ERROR_CALL) -> Explored:
    return explore(_threads(text, kind))


NOTHING_FAILS = {
    "semaphores": _text(PUT, TAKE, SEMAPHORES, ASSERT.format("cell == 0")),
    "a barrier": _text(
        f"cell = 1; {MEET} {ASSERT.format('other == 2')}",
        f"other = 2; {MEET} {ASSERT.format('cell == 1')}",
        "pthread_barrier_init(&barrier, 0, 2);",
    ),
    "one of those who meet is told": _text(
        f"{MEET} cell = serial;",
        f"{MEET} other = serial;",
        "pthread_barrier_init(&barrier, 0, 2);",
        ASSERT.format("cell + other == 1"),
    ),
    "readers and a writer": _text(READ, WRITE),
    "what is done once": _text(
        f"pthread_once(&once, make); {ASSERT.format('made == 1')}",
        f"pthread_once(&once, make); {ASSERT.format('made == 1')}",
    ),
    "a thread that leaves inside of a call": _text(
        "leave(1); reach_error();", "", "", ASSERT.format("(long)result == 7")
    ),
    "nothing comes after main has left": _text("", "", end="pthread_exit(0); reach_error();"),
    "main is waited for": _text(
        "",
        "",
        "first = pthread_self();",
        end="pthread_exit((void *)3L);",
    )
    .replace(
        "return 0; }\nint main",
        f"""return 0; }}
void *h(void *unused) {{ void *r; pthread_join(first, &r); {ASSERT.format("(long)r == 3")} return 0; }}
int main""",
    )
    .replace("pthread_join(t", "pthread_t v; pthread_create(&v, 0, h, 0); pthread_join(t"),
    "who need not wait is not too late": _text(
        f"struct timespec end; {ASSERT.format('sem_timedwait(&empty, &end) == 0')}", "", SEMAPHORES
    ),
    "threads know themselves": _text(
        ASSERT.format("pthread_equal(pthread_self(), pthread_self())"), "", "", ASSERT.format("t != u")
    ),
}
SOMETHING_FAILS = {
    "who waits may be too late": _text(
        f"struct timespec end; {ASSERT.format('sem_timedwait(&full, &end) == 0')}", "sem_post(&full);", SEMAPHORES
    ),
    "who waits may be in time": _text(
        f"struct timespec end; {ASSERT.format('sem_timedwait(&full, &end) != 0')}", "sem_post(&full);", SEMAPHORES
    ),
    "a writer that wants to read is told": _text(
        "pthread_rwlock_wrlock(&shared); if (pthread_rwlock_rdlock(&shared)) reach_error();", ""
    ),
    "a writer that wants to write again is told": _text(
        "pthread_rwlock_wrlock(&shared); if (pthread_rwlock_wrlock(&shared)) reach_error();", ""
    ),
    "a thread that waits for itself is told": _text("if (pthread_join(pthread_self(), 0)) reach_error();", ""),
    "a lock that is held is not destroyed": _text(
        "pthread_mutex_lock(&lock); if (pthread_mutex_destroy(&lock)) reach_error();", ""
    ),
    "a semaphore that lets two in": _text(
        f"sem_wait(&empty); cell++; {ASSERT.format('cell == 1')} cell--; sem_post(&empty);",
        f"sem_wait(&empty); cell++; {ASSERT.format('cell == 1')} cell--; sem_post(&empty);",
        "sem_init(&empty, 0, 2);",
    ),
    "the first may be told": _text(f"{MEET} {ASSERT.format('!serial')}", MEET, "pthread_barrier_init(&barrier, 0, 2);"),
    "the second may be told": _text(
        MEET, f"{MEET} {ASSERT.format('!serial')}", "pthread_barrier_init(&barrier, 0, 2);"
    ),
    "a writer that only reads": _text(READ, WRITE.replace("wrlock", "rdlock")),
    "two readers at once": _text(
        "pthread_rwlock_rdlock(&shared); made = 1; made = 0; pthread_rwlock_unlock(&shared);",
        f"pthread_rwlock_rdlock(&shared); {ASSERT.format('made == 0')} pthread_rwlock_unlock(&shared);",
    ),
    "a thread that leaves too early": _text("leave(!other); cell = 1;", "", "", ASSERT.format("cell == 1")),
    "others go on when main has left": _text("", "", "", "", end="")
    .replace("pthread_join(t, &result); pthread_join(u, 0);", "pthread_exit(0);")
    .replace("void *g(void *unused) {", "void *g(void *unused) { reach_error();"),
}


@pytest.mark.parametrize("text", NOTHING_FAILS.values(), ids=NOTHING_FAILS)
def test_a_program_that_uses_them_well_is_explored_without_an_error(text: str) -> None:
    found = _explored(text)
    assert found.error is None
    assert found.complete


@pytest.mark.parametrize("text", SOMETHING_FAILS.values(), ids=SOMETHING_FAILS)
def test_an_error_is_found_and_replayed(text: str) -> None:
    threads = _threads(text)
    found = explore(threads)
    assert found.error is not None
    assert isinstance(replay(threads, found.error).end, Failed)


@pytest.mark.parametrize(
    ("f", "g", "before"),
    [
        (TAKE, "", SEMAPHORES),
        (MEET, "", "pthread_barrier_init(&barrier, 0, 2);"),
        ("pthread_rwlock_rdlock(&shared);", "pthread_rwlock_wrlock(&shared);", ""),
        ("pthread_rwlock_wrlock(&shared); pthread_rwlock_wrlock(&shared);", "", ""),
        ("pthread_join(pthread_self(), 0);", "", ""),
    ],
    ids=[
        "a semaphore that nobody raises",
        "a barrier that one meets alone",
        "a lock that is kept",
        "a lock that is wanted twice",
        "a thread that waits for itself",
    ],
)
def test_a_thread_that_waits_forever_for_them_is_a_deadlock(f: str, g: str, before: str) -> None:
    assert _explored(_text(f, g, before), Kind.DEADLOCK).error is not None
    assert _explored(_text(PUT, TAKE, SEMAPHORES), Kind.DEADLOCK).error is None


def test_main_that_leaves_waits_for_the_others() -> None:
    stuck = _text("sem_wait(&full);", "", SEMAPHORES, end="pthread_exit(0);").replace("pthread_join(t, &result);", "")
    assert _explored(stuck, Kind.DEADLOCK).error is not None
    assert _explored(stuck.replace("sem_wait", "sem_post"), Kind.DEADLOCK).error is None


def test_using_them_is_no_race() -> None:
    for text in (_text(PUT, TAKE, SEMAPHORES), _text(READ, WRITE), _text("leave(1);", "leave(0);")):
        assert _explored(text, Kind.RACE).error is None
    assert _explored(_text(READ, WRITE.replace("wrlock", "rdlock")), Kind.RACE).error is not None


# All interleavings


def test_what_is_set_before_it_is_read_leaves_nothing_to_choose() -> None:
    jobs = """struct job { int from, to, sum; };
void *work(void *given) { struct job *job = given; job->sum = job->to - job->from; return 0; }
int main(void) { struct job jobs[2]; pthread_t t[2];
  for (int i = 0; i < 2; i++) { jobs[i].from = i; jobs[i].to = 5; pthread_create(&t[i], 0, work, &jobs[i]); }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  if (jobs[0].sum + jobs[1].sum != 9) reach_error(); return 0; }
"""
    found = _explored(HEADER + jobs)
    assert found.complete
    assert found.error is None
    unset = _explored(HEADER + jobs.replace("jobs[i].to = 5;", ""))
    assert unset.error is not None


def test_all_interleavings_are_a_proof_if_there_are_no_others() -> None:
    good = _threads(_text(PUT, TAKE, SEMAPHORES, ASSERT.format("cell == 0")))
    assert _followed(good) is Answer.SAFE
    bad = _threads(_text(PUT, TAKE, SEMAPHORES, ASSERT.format("cell == 1")))
    assert _followed(bad) is Answer.UNKNOWN
    chosen = _threads(_text("cell = __VERIFIER_nondet_int();", "", "", ASSERT.format("cell != 5")))
    assert _followed(chosen) is Answer.UNKNOWN


def test_a_run_without_a_meaning_is_no_proof() -> None:
    overflown = _threads(_text("cell = 2147483647; cell++;", "", "", ASSERT.format("cell == 0")))
    assert _followed(overflown) is Answer.UNKNOWN


def test_a_counter_that_decides_nothing_does_not_hide_a_thread_that_waits_forever() -> None:
    text = _text("sem_wait(&full);", "while (1) { sem_wait(&empty); served++; sem_post(&empty); }", SEMAPHORES)
    threads = _threads(text, Kind.DEADLOCK)
    found = watched(without_irrelevant(threads), most=2_000)
    assert found.forever is not None
    assert watched(threads, most=2_000).forever is None
