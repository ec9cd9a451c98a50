"""Threads: where they can be interrupted, what their interleavings do, and proofs from what was seen."""

from __future__ import annotations

import pytest

import folders
from asking import asked
from c_threads import HEADER, read, threads_text
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.creation import UnsupportedThreads
from sorrel.program.interleaving import Failed, Move, replay
from sorrel.program.schedules import explore
from sorrel.program.threads import has_threads, threads_of
from sorrel.report.excerpt import Paint, Texts
from sorrel.report.verification import verification_lines

PROGRAMS = folders.PROGRAMS / "threads"


def _verified(text: str, seconds: float = 60.0) -> Outcome:
    return asked(read(text), seconds=seconds)


def test_an_update_that_reads_and_writes_separately_is_lost() -> None:
    outcome = _verified(threads_text("int g;", ["g = g + 1;", "g = g + 1;"], "if (g != 2) reach_error();"))
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.procedure == "main"


@pytest.mark.parametrize(
    "body",
    [
        "g++;",
        "g += 1;",
        "__VERIFIER_atomic_begin(); g = g + 1; __VERIFIER_atomic_end();",
        "pthread_mutex_lock(&m); g = g + 1; pthread_mutex_unlock(&m);",
    ],
)
def test_an_update_in_one_piece_is_not_lost(body: str) -> None:
    declarations = "_Atomic int g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    outcome = _verified(threads_text(declarations, [body, body], "if (g != 2) reach_error();"))
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.confirmations[0].accepted


def test_what_a_thread_leaves_is_seen_only_after_it_is_joined() -> None:
    text = threads_text("int g;", ["g = 1;"], "if (g != 1) reach_error();")
    assert _verified(text).answer is Answer.SAFE
    assert _verified(text.replace("pthread_join(t0, 0);", "")).answer is Answer.UNSAFE


def test_a_thread_that_ends_the_program_ends_it_for_all() -> None:
    text = threads_text(
        "_Atomic int g; extern void exit(int);", ["g = 1; exit(0);", "if (g == 1) { if (g == 2) reach_error(); }"]
    )
    assert _verified(text).answer is Answer.SAFE


@pytest.mark.parametrize(
    "bodies",
    [
        ["while (1) n = n + 1;", "reach_error();"],  # main waits for the first thread forever
        ["n = 1; pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "if (n == 1) reach_error();"],
    ],
)
def test_what_a_thread_did_before_it_waits_forever_has_happened(bodies: list[str]) -> None:
    declarations = "_Atomic int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    assert _verified(threads_text(declarations, bodies)).answer is Answer.UNSAFE


def test_an_interleaving_is_replayed_step_by_step() -> None:
    threads = threads_of(read(threads_text("int g;", ["g = 1;", "if (g == 1) reach_error();"])))
    found = explore(threads)
    assert found.error is not None
    assert isinstance(replay(threads, found.error).end, Failed)
    assert not isinstance(replay(threads, found.error[:-1]).end, Failed)
    assert not isinstance(replay(threads, (Move(2), *found.error)).end, Failed)  # it is not there yet


def test_programs_with_threads_are_not_taken_for_sequential_ones() -> None:
    program = read(threads_text("int g;", ["g = 1;"]))
    assert has_threads(program)
    with pytest.raises(InputError, match="has threads"):
        encode(program, Arithmetic.IDEAL)


def test_threads_whose_number_is_not_known_are_refused() -> None:
    text = threads_text("int g;", ["g = 1;"]).replace(
        "pthread_create(&t0, 0, thread_0, 0);", "while (__VERIFIER_nondet_int()) pthread_create(&t0, 0, thread_0, 0);"
    )
    with pytest.raises(UnsupportedThreads, match="in a loop"):
        threads_of(read(text))


def test_a_thread_for_each_round_of_a_loop() -> None:
    text = threads_text("int a[3]; void *put(void *where) { *(int *)where += 10; return where; }", [])
    loops = """pthread_t t[3]; void *found = 0;
      for (int i = 0; i < 3; i++) { a[i] = i; pthread_create(&t[i], 0, put, &a[i]); }
      for (int i = 2; i >= 0; i--) pthread_join(t[i], &found);
      if (*(int *)found != 10 || a[0] + a[1] + a[2] != 33) reach_error();"""
    threads = threads_of(read(text.replace("pthread_t ;", loops)))
    assert [each.name for each in threads.threads] == ["main", "put", "put", "put"]
    assert explore(threads).error is None
    wrong = text.replace("pthread_t ;", loops.replace("!= 10", "!= 11"))
    assert explore(threads_of(read(wrong))).error is not None


def test_what_main_is_given_is_any_value() -> None:
    text = threads_text("int g;", ["g = 1;"], "if (g == 1 && argc == 1) reach_error();")
    threads = threads_of(read(text.replace("main(void)", "main(int argc, char **argv)")))
    assert explore(threads).error is not None


def test_a_thread_whose_function_is_one_of_several_is_refused() -> None:
    text = threads_text("int g;", ["g = 1;", "g = 2;"]).replace(
        "0, thread_0, 0)", "0, __VERIFIER_nondet_int() ? thread_0 : thread_1, 0)"
    )
    with pytest.raises(UnsupportedThreads, match="must be known"):
        threads_of(read(text))


def test_what_a_thread_is_given_is_computed_before_it_starts() -> None:
    text = threads_text("int g; int *make(void) { g = 1; return &g; }", ["if (*(int *)unused != 1) reach_error();"])
    assert explore(threads_of(read(text.replace("0, thread_0, 0)", "0, thread_0, make())")))).error is None


def test_what_a_function_writes_through_a_pointer_is_seen_by_other_threads() -> None:
    text = threads_text("int g; void set(int *p) { *p = 1; *p = 2; }", ["set(&g);", "if (g == 1) reach_error();"])
    assert _verified(text).answer is Answer.UNSAFE


def test_a_variable_whose_address_is_taken_is_another_one_in_each_thread() -> None:
    body = "int mine = 0; int *p = &mine; *p = *p + 1; if (mine != 1) reach_error();"
    function = f"void *work(void *unused) {{ {body} return 0; }}"
    text = threads_text(function, ["", ""])
    for name in ("thread_0", "thread_1"):
        text = text.replace(f"0, {name}, 0)", "0, work, 0)")
    assert explore(threads_of(read(text))).error is None


@pytest.mark.parametrize(
    ("declarations", "body", "given", "after"),
    [
        ("int v, w;", "int *p = unused; *p = *p + 1;", ("&v", "&w"), "v == 1 && w == 1"),
        ("int *v, *w, x, y;", "int **p = unused; *p = &x; **p = 1;", ("&v", "&w"), "v == &x && w == &x"),
        ("unsigned char a[8];", "unsigned *p = unused; *p = 1;", ("a", "a + 4"), "a[0] == 1 && a[4] == 1"),
        ("unsigned a;", "unsigned short *p = unused; *p = 1;", ("&a", "(short *)&a + 1"), "a == 65537"),
    ],
    ids=["variables", "pointers", "bytes of an array", "halves of a number"],
)
def test_a_thread_does_not_write_what_its_pointer_could_have_led_to(
    declarations: str, body: str, given: tuple[str, str], after: str
) -> None:
    work = f"{declarations} void *work(void *unused) {{ {body} return 0; }}"
    text = threads_text(work, ["", ""], f"if (!({after})) reach_error();")
    for i, argument in enumerate(given):
        text = text.replace(f"0, thread_{i}, 0)", f"0, work, {argument})")
    assert explore(threads_of(read(text))).error is None
    lost = text.replace(f"work, {given[1]})", f"work, {given[0]})")
    assert explore(threads_of(read(lost))).error is not None


@pytest.mark.parametrize(
    ("end", "answer"),
    [("", Answer.UNSAFE), ("pthread_join(t, 0);", Answer.ASSUMING)],
    ids=["it may", "it is waited for"],
)
def test_a_thread_may_outlive_the_function_that_created_it(end: str, answer: Answer) -> None:
    text = f"""{HEADER}void *work(void *p) {{ *(int *)p = 1; return 0; }}
void make(void) {{ pthread_t t; int v = 0; pthread_create(&t, 0, work, &v); {end} }}
int main(void) {{ make(); pthread_exit(0); }}"""
    task = Task((Source("<test>", text),), Property.VALID_DEREF)
    assert pipeline.verify(task, Options(budget=Budget(60.0))).answer is answer


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("peterson", marks=pytest.mark.long),
        pytest.param("szymanski", marks=pytest.mark.long),
        pytest.param("time_varying", marks=pytest.mark.long),
        "bluetooth_fixed",
        pytest.param("handoff_fixed", marks=pytest.mark.long),
    ],
)
def test_algorithms_are_proved_from_what_was_seen(name: str) -> None:
    outcome = _verified((PROGRAMS / f"{name}.c").read_text())
    assert outcome.answer is Answer.SAFE, outcome.reason


@pytest.mark.parametrize("name", ["bluetooth_bug", "handoff_bug", "publish_bug"])
def test_errors_come_with_their_interleaving(name: str) -> None:
    outcome = _verified((PROGRAMS / f"{name}.c").read_text())
    assert outcome.answer is Answer.UNSAFE
    assert "schedule of" in outcome.notes[0]
    assert len(outcome.run) > 3


def test_an_interleaving_tells_what_each_thread_decides_and_locks() -> None:
    text = (PROGRAMS / "handoff_bug.c").read_text()
    told = [*verification_lines(_verified(text), Texts({"<test>": text.splitlines()}), Paint(False))]
    assert any("thread 2 (receiver): if (offered)  /* true */" in line for line in told), told
    assert any("thread 1 (sender): pthread_mutex_unlock(&guard)" in line for line in told), told


MUTEXES = "pthread_mutex_t m[4]; int cur, in, x; void *r[2]; "


@pytest.mark.parametrize(
    ("bodies", "after", "is_safe"),
    [
        ([""], "int i = 0; pthread_mutex_lock(&m[i++]); pthread_mutex_unlock(&m[--i]); if (i) reach_error();", True),
        ([""], "int i = 0; pthread_mutex_trylock(&m[i++]); if (i != 1) reach_error();", True),
        ([""], "pthread_mutex_init(&m[0], (x = 1, (void *)0)); if (x) reach_error();", False),
        (
            [
                "pthread_mutex_lock(&m[0]); cur = 1; pthread_mutex_unlock(&m[0]); "
                "pthread_mutex_lock(&m[1]); in = 1; in = 0; pthread_mutex_unlock(&m[1]);",
                "pthread_mutex_lock(&m[cur]); if (cur == 1 && in) reach_error(); pthread_mutex_unlock(&m[cur]);",
            ],
            "",
            False,
        ),
        (
            [
                "int was = pthread_mutex_trylock(m); if (was != 0 && was != 16) reach_error();"
                "if (!was) pthread_mutex_unlock(m);"
            ]
            * 2,
            "",
            True,
        ),
    ],
)
def test_arguments_are_evaluated_once_and_before_anything_happens(bodies: list[str], after: str, is_safe: bool) -> None:
    error = explore(threads_of(read(threads_text(MUTEXES, bodies, after)))).error
    assert (error is None) is is_safe


def test_where_a_result_goes_is_settled_before_the_thread_is_joined() -> None:
    text = threads_text(MUTEXES, ["cur = 1; return &in;"], "if (r[0]) reach_error();")
    error = explore(threads_of(read(text.replace("pthread_join(t0, 0)", "pthread_join(t0, &r[cur])")))).error
    assert error is not None


@pytest.mark.parametrize(
    "variable", ["_Thread_local int own;", "int f(void) { static __thread int own; return ++own; }"]
)
def test_variables_that_each_thread_has_for_itself_are_refused(variable: str) -> None:
    use = "own = 1;" if "f(" not in variable else "f();"
    with pytest.raises(InputError, match="_Thread_local"):
        read(threads_text(variable, [use], use))
