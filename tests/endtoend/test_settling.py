"""What an answer takes for granted is proved, refuted with a run, not needed, or open; the answer is worth as much."""

from __future__ import annotations

import pytest

from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, Standing
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

NONDET = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"


def verify(
    text: str,
    goal: Property = Property.ASSERTIONS,
    *,
    strict: bool = False,
    assuming: tuple[str, ...] = (),
    seconds: float = 30.0,
) -> Outcome:
    task = Task((Source(text=NONDET + text),), goal)
    options = Options(budget=Budget(seconds), strict=strict, assuming=assuming)
    return pipeline.verify(task, options)


def of_kind(outcome: Outcome, kind: AssumptionKind) -> Assumption:
    (found,) = [each for each in outcome.assumptions if each.kind is kind]
    return found


COUNTING = """
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  while (i < n) { i = i + 1; s = s + 1; }
  if (n >= 0 && s != n) reach_error();
  return 0;
}
"""
FOREVER = "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x++; if (x < 0) reach_error(); return 0; }"
NEXT = "int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; if (y < x) reach_error(); return 0; }"


def test_a_proof_that_holds_with_wrap_around_needs_no_assumption_about_overflow() -> None:
    outcome = verify(COUNTING)
    assert outcome.answer is Answer.SAFE
    assert not of_kind(outcome, AssumptionKind.OVERFLOW).needed


@pytest.mark.long
def test_what_happens_only_after_too_many_rounds_is_open() -> None:
    outcome = verify(FOREVER, seconds=6.0)
    assert outcome.answer is Answer.ASSUMING
    assert of_kind(outcome, AssumptionKind.OVERFLOW).standing is Standing.OPEN
    assert outcome.answer.exit_code == 3


def test_strictly_an_open_assumption_leaves_the_question_open() -> None:
    text = "volatile int v; int main(void) { v = 1; if (v != 1) reach_error(); return 0; }"
    assert verify(text).answer is Answer.ASSUMING
    outcome = verify(text, strict=True)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.ASSUMPTION
    assert "Volatile variables" in outcome.reason.message


def test_an_overflow_that_the_proof_excludes_and_a_run_shows_leaves_the_question_open() -> None:
    outcome = verify(NEXT)
    assert outcome.answer is Answer.UNKNOWN
    refuted = of_kind(outcome, AssumptionKind.OVERFLOW)
    assert refuted.standing is Standing.REFUTED
    assert refuted.violation is not None
    assert refuted.choices[0].value == "2147483647"


@pytest.mark.parametrize("strict", [False, True])
def test_what_the_user_vouches_for_is_taken_for_granted_even_if_it_is_refuted(strict: bool) -> None:
    outcome = verify(NEXT, assuming=("overflow",), strict=strict)
    assert outcome.answer is Answer.ASSUMING
    assert of_kind(outcome, AssumptionKind.OVERFLOW).granted


def test_an_overflow_that_happens_does_no_harm_if_results_wrap() -> None:
    outcome = verify("int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 - 1 != x) reach_error(); return 0; }")
    assert outcome.answer is Answer.ASSUMING
    assert [each.kind for each in outcome.assumptions if each.weakens] == [AssumptionKind.WRAPPING]


@pytest.mark.parametrize(
    "body",
    [
        "int a[4]; a[4] = 0; reach_error();",
        "int a[4]; int i = __VERIFIER_nondet_int(); a[i] = 0; if (a[i] != 0) reach_error();",
        "int a[4]; int x = 1; for (int i = 0; i <= 4; i++) a[i] = 2; if (x != 1) reach_error();",
        "int a[2]; int i = a[0]; if (a[i & 3] != a[i & 3]) reach_error();",
        "int *p = 0; *p = 1; reach_error();",
    ],
)
def test_a_program_that_leaves_an_object_before_the_error_is_not_safe(body: str) -> None:
    outcome = verify(f"int main(void) {{ {body} return 0; }}")
    assert outcome.answer is Answer.UNKNOWN
    assert of_kind(outcome, AssumptionKind.BOUNDS).standing is Standing.REFUTED


@pytest.mark.parametrize(
    "expression", ["1 / x", "1 % x", "(-2147483647 - 1) / (x - 1)", "1 << (x + 32)", "1 >> (x + 32)"]
)
def test_an_operation_without_a_value_before_the_error_is_not_safe(expression: str) -> None:
    text = (
        f"int main(void) {{ int x = __VERIFIER_nondet_int(); if (x) return 0; int y = {expression}; reach_error(); }}"
    )
    assert verify(text).answer is Answer.UNKNOWN


def test_accesses_are_proved_to_stay_inside_by_a_proof_of_their_own() -> None:
    outcome = verify("""
        int main(void) {
          int a[10]; int i;
          for (i = 0; i < 10; i++) a[i] = 1;
          int j = __VERIFIER_nondet_int();
          if (j >= 0 && j < 10 && a[j] != a[j]) reach_error();
          return 0;
        }""")
    assert outcome.answer is Answer.SAFE
    assert of_kind(outcome, AssumptionKind.BOUNDS).standing is Standing.PROVED


def test_the_only_run_of_a_program_settles_everything() -> None:
    outcome = verify("int main(void) { int a[3] = {1, 2, 3}; int s = 6 / a[2] + a[1]; if (s != 4) reach_error(); }")
    assert outcome.answer is Answer.SAFE
    assert {each.standing for each in outcome.assumptions if each.needed} <= {Standing.PROVED}


def test_a_divisor_that_may_be_zero_where_nobody_looks_is_refuted() -> None:
    outcome = verify("""
        int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; if (y * 0 != 0) reach_error(); return 0; }""")
    assert outcome.answer is Answer.UNKNOWN
    assert of_kind(outcome, AssumptionKind.DIVISION).standing is Standing.REFUTED


def test_a_violation_is_one_whatever_is_assumed() -> None:
    outcome = verify("int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; if (y == 7) reach_error(); }")
    assert outcome.answer is Answer.UNSAFE


# Memory


UNSAFE, UNKNOWN, ASSUMING = Answer.UNSAFE, Answer.UNKNOWN, Answer.ASSUMING
MALLOC = "void *malloc(unsigned long); void free(void *); "
MANAGED = [
    (
        "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { int *p = f(); return *p; }",
        (UNSAFE, UNSAFE, UNKNOWN),
    ),
    ("int main(void) { int *p; { int x = 1; p = &x; } *p = 3; return 0; }", (UNSAFE, UNSAFE, UNKNOWN)),
    ("int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); return *g; }", (UNSAFE, UNSAFE, UNKNOWN)),
    ("void f(int **p) { int x = 2; *p = &x; } int main(void) { int *p; f(&p); return *p; }", (UNSAFE, UNSAFE, UNKNOWN)),
    ("int *f(int x) { return &x; } int main(void) { return *f(2); }", (UNSAFE, UNSAFE, UNKNOWN)),
    ("int *f(void) { return (int[]){1, 2}; } int main(void) { return *f(); }", (UNKNOWN, UNKNOWN, ASSUMING)),
    (
        MALLOC + "int main(void) { int *p = malloc(sizeof(int)); *p = 1; free(p); *p = 2; return 0; }",
        (UNSAFE, UNSAFE, UNKNOWN),
    ),
    (
        MALLOC + "int main(void) { int *p = malloc(sizeof(int)); free(p); free(p); return 0; }",
        (UNSAFE, UNKNOWN, UNKNOWN),
    ),
    (MALLOC + "int main(void) { int *p = malloc(sizeof(int)); *p = 1; return 0; }", (UNKNOWN, ASSUMING, ASSUMING)),
    (
        "void *calloc(unsigned long, unsigned long); int main(void) { int *p = calloc(1, sizeof(int)); return *p; }",
        (UNKNOWN, ASSUMING, ASSUMING),
    ),
    ("void free(void *); int main(void) { int x = 0; free(&x); return 0; }", (UNSAFE, UNKNOWN, UNKNOWN)),
]
GOALS = (Property.VALID_MEMSAFETY, Property.VALID_DEREF, Property.ASSERTIONS)


@pytest.mark.parametrize(
    ("text", "goal", "answer"),
    [(text, goal, answer) for text, answers in MANAGED for goal, answer in zip(GOALS, answers, strict=True)],
)
def test_programs_that_manage_memory_are_not_plainly_safe(text: str, goal: Property, answer: Answer) -> None:
    assert verify(text, goal).answer is answer


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { int x = 1; int *p = &x; *p = 3; { int *q = p; *q = 4; } return 0; }",
        "int *max(int *a, int *b) { return *a > *b ? a : b; } "
        "int main(void) { int x = 1, y = 2; return *max(&x, &y); }",
        "int sum(int *a, int n) { return n == 0 ? 0 : *a + sum(a + 1, n - 1); }"
        "int main(void) { int a[3] = {1, 2, 3}; return sum(a, 3); }",
    ],
)
def test_an_address_that_ends_with_its_variable_needs_no_assumption(text: str) -> None:
    outcome = verify(text, Property.VALID_MEMSAFETY)
    assert outcome.answer is Answer.SAFE
    assert not [each for each in outcome.assumptions if each.kind is AssumptionKind.LIFETIME]


def test_a_part_that_is_violated_is_enough() -> None:
    text = "void *malloc(unsigned long); int main(void) { int a[2]; int *p = malloc(4); *p = 1; a[2] = *p; return 0; }"
    assert verify(text, Property.VALID_MEMSAFETY).answer is Answer.UNSAFE


# Termination and threads


def ends(condition: str) -> Outcome:
    text = f"int main(void) {{ int n = __VERIFIER_nondet_int(), i = 0; while ({condition}) i++; return 0; }}"
    return verify(text, Property.TERMINATION, seconds=30.0)


@pytest.mark.parametrize("condition", [pytest.param("i < n", marks=pytest.mark.long), "i < n && i < 9"])
def test_ranks_that_count_with_wrap_around_need_no_assumption(condition: str) -> None:
    assert ends(condition).answer is Answer.SAFE


@pytest.mark.long
def test_ranks_that_do_not_count_with_wrap_around_say_so() -> None:
    outcome = ends("i <= n")
    assert outcome.answer is Answer.ASSUMING
    assert [each.kind for each in outcome.assuming] == [AssumptionKind.OVERFLOW]


def test_a_loop_that_ends_because_an_access_goes_wrong_is_not_proved_to_end() -> None:
    text = "int main(void) { int a[4]; int i = 0; while (1) { a[i] = 0; i++; } return 0; }"
    assert verify(text, Property.TERMINATION).answer is Answer.UNKNOWN


THREADS = """
#include <pthread.h>
int x = 0; int a[3];
void *other(void *v) { x = x + 1; a[x] = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0); x = 1; pthread_join(t, 0);
  if (x > 2) reach_error();
  return 0;
}
"""


def test_proofs_about_threads_assume_an_order_of_writes_and_that_threads_are_created() -> None:
    outcome = verify(THREADS)
    assert outcome.answer is Answer.ASSUMING
    assert {each.kind for each in outcome.assuming} == {AssumptionKind.THREADS}
    assert len(outcome.assuming) == 2


@pytest.mark.long
def test_accesses_of_threads_outside_their_objects_are_not_assumed_away() -> None:
    outcome = verify(THREADS.replace("a[3]", "a[2]"))
    assert AssumptionKind.BOUNDS in [each.kind for each in outcome.assuming] or outcome.answer is Answer.UNKNOWN


def test_an_access_that_only_numbers_that_wrap_lead_to_makes_overflow_matter() -> None:
    """It is inside while numbers do not wrap, and the property holds while accesses are inside: that is a circle."""
    outcome = verify("""
    int main(void) {
      int a[4] = {0, 0, 0, 0}, good = 1, i = __VERIFIER_nondet_int();
      if (i > 0) { int j = i + 1; if (j < i) { a[j] = 1; good = 0; } }
      if (!good) reach_error();
      return 0;
    }
    """)
    assert outcome.answer is Answer.UNKNOWN
    assert of_kind(outcome, AssumptionKind.OVERFLOW).standing is Standing.REFUTED


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { int x = 2147483647; if (x + 1 > x) reach_error(); return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 2147483647 && x + 1 > x) reach_error(); }",
    ],
)
def test_what_holds_only_if_results_wrap_is_said_to(text: str) -> None:
    """gcc takes x + 1 > x for true, so that the compiled program reaches the error."""
    outcome = verify(text)
    assert outcome.answer is Answer.ASSUMING
    assert of_kind(outcome, AssumptionKind.WRAPPING).needed
