"""ACSL in comments: checked where there is a body, assumed and listed where there is none, never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorrel.contracts.annotations import ClauseKind, Target, annotations_in
from sorrel.methods.reading import read_program
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.process.request import Reading, request

COUNT = """/*@ requires n >= 0;
  @ requires \\valid_read(a + (0 .. n - 1));
  @ assigns \\nothing;
  @ ensures 0 <= \\result <= n; */
int count(const int *a, int n) {
  int c = 0;
  /*@ loop invariant 0 <= c <= i; */
  for (int i = 0; i < n; i++) { if (a[i] > 0) c++; }
  //@ assert c <= n;
  return c;
}
"""


def _verified(
    text: str, function: str, goal: Property = Property.ASSERTIONS, assume: tuple[str, ...] = (), path: str = ""
) -> Outcome:
    task = Task((Source(path, text),), goal, function=function, assume=assume)
    return pipeline.verify(task, Options(budget=Budget(seconds=120)))


def _words(outcome: Outcome, kind: AssumptionKind) -> list[str]:
    return [each.words or each.text for each in outcome.assumptions if each.kind is kind]


def test_clauses_are_found_with_what_they_stand_before() -> None:
    function, loop, statement = annotations_in(COUNT, "count.c")
    assert [clause.kind for clause in function.clauses] == [
        ClauseKind.REQUIRES,
        ClauseKind.REQUIRES,
        ClauseKind.ASSIGNS,
        ClauseKind.ENSURES,
    ]
    assert (function.target, function.name, function.clauses[3].text) == (
        Target.FUNCTION,
        "count",
        "0 <= \\result <= n",
    )
    assert (loop.target, statement.target) == (Target.LOOP, Target.STATEMENT)
    assert (statement.clauses[0].span.line, statement.clauses[0].span.column) == (9, 14)


def test_comments_and_strings_that_only_look_like_annotations_are_none() -> None:
    text = 'char *s = "/*@ requires x; */"; // @ no\n/* //@ no */\n//@ hyper P(a): ensures a.x == 1;\n'
    assert list(annotations_in(text, "a.c")) == []


def test_a_contract_that_holds_is_proved_and_what_it_requires_is_listed() -> None:
    outcome = _verified(COUNT, "count")
    assert outcome.answer is Answer.ASSUMING
    assert _words(outcome, AssumptionKind.PRECONDITION) == ["n >= 0", "\\valid_read(a + (0 .. n - 1))"]


def test_what_is_required_is_enough_for_memory() -> None:
    assert _verified(COUNT, "count", Property.VALID_DEREF).answer is Answer.ASSUMING


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("ensures \\result > k;", "ensures"),
        ("assigns \\nothing;", "total == \\old(total)"),
        ("ensures \\forall integer i; i > 0 ==> i > k;", "ensures"),
    ],
)
def test_a_contract_that_does_not_hold_is_refuted_with_a_run(clause: str, told: str) -> None:
    text = f"int total;\n/*@ {clause} */\nint set(int k) {{ total = k; return k; }}"
    outcome = _verified(text, "set")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert told in outcome.violation.message


@pytest.mark.parametrize(
    ("clause", "answer"),
    [
        ("assigns p->a;", Answer.UNSAFE),
        ("assigns \\nothing;", Answer.UNSAFE),
        ("assigns p->a, q[0 .. 0];", Answer.UNSAFE),
        ("assigns p->b, q[0 .. 0];", Answer.UNSAFE),
        ("assigns p->a, p->b, q[0 .. 1];", Answer.SAFE),
        ("assigns *p, q[1];", Answer.SAFE),
    ],
)
def test_a_frame_is_held_against_what_is_lent_by_reference(clause: str, answer: Answer) -> None:
    text = f"""struct s {{ int a, b; }};
/*@ {clause} */
void set(struct s *p, int *q) {{ p->a = 1; p->b = 2; q[1] = 3; }}
int main(void) {{ struct s t = {{0, 0}}; int v[2] = {{0, 0}}; set(&t, v); return 0; }}"""
    assert _verified(text, "main").answer is answer


def test_an_assertion_in_a_comment_stops_no_run_and_proves_nothing_about_memory() -> None:
    text = "int f(int i) { int a[4] = {0};\n //@ assert 0 <= i < 4;\n return a[i]; }"
    outcome = _verified(text, "f", Property.VALID_DEREF)
    assert outcome.answer is Answer.ASSUMING
    assert "i" in " ".join(_words(outcome, AssumptionKind.PRECONDITION))
    assert _verified(text, "f").answer is Answer.UNSAFE


def test_callers_are_checked_against_what_a_function_requires() -> None:
    text = "/*@ requires k > 0; */\nstatic int half(int k) { return k / 2; }\nint use(int n) { return half(n); }"
    outcome = _verified(text, "use")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert "requires k > 0" in outcome.violation.message


def test_a_function_without_a_body_does_what_its_contract_says_and_that_is_listed(tmp_path: Path) -> None:
    header = tmp_path / "pick.h"
    header.write_text("/*@ requires k > 0; ensures 0 <= \\result < k; */\nint pick(int k);\n")
    text = (
        '#include <assert.h>\n#include "pick.h"\n'
        "int use(int n) { if (n <= 0) return 0; int i = pick(n); assert(i < n); return i; }\n"
        "int wrong(int n) { return pick(n); }\n"
    )
    path = str(tmp_path / "use.c")
    outcome = _verified(text, "use", path=path)
    assert outcome.answer is Answer.ASSUMING
    assert any("pick behaves as its contract says" in each for each in _words(outcome, AssumptionKind.LIBRARY))
    assert _verified(text, "wrong", path=path).answer is Answer.UNSAFE


def test_what_is_not_supported_is_named_with_its_place() -> None:
    text = """/*@ ensures \\fresh(k);
  @ behavior small: assumes k < 3; ensures \\result == 1; */
int f(int k) { return k; }"""
    program = read_program(Task((Source(text=text),), Property.ASSERTIONS, function="f"))
    told = [each.text for each in program.assumptions]
    assert any(":1: ensures \\fresh(k) is not checked" in each for each in told)
    assert any(":2: behavior" in each for each in told)
    assert any(":2: ensures \\result == 1 is not checked" in each for each in told)


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) { int a[2] = {1, 2};\n/*@ assert \\exists integer i; 0 <= i < 2 && a[i] == 9; */\nreturn n; }",
        "/*@ ensures \\fresh(n); */ int f(int n) { return n; }",
        "/*@ behavior b: ensures \\result == 7; */ int f(int n) { return n; }",
        "/*@ requires big(n); */ static int g(int n) { return n; } int f(int n) { return g(n); }",
    ],
)
def test_a_proof_needs_what_was_to_be_asserted_and_is_not_understood(text: str) -> None:
    outcome = _verified(text, "f")
    assert outcome.answer is Answer.ASSUMING
    assert [each.kind for each in outcome.assuming] == [AssumptionKind.OTHER]
    assert _verified(text, "f", goal=Property.NO_DIVISION_BY_ZERO).answer is Answer.SAFE


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/*@ requires small(n); */ void f(int n) { assert(n < 5); }", Answer.UNKNOWN),
        ("/*@ ensures even(\\result); */ int lib(int k);\nvoid f(int n) { assert(lib(n) != 5); }", Answer.UNKNOWN),
        ("/*@ ensures even(\\result); */ int lib(int k);\nvoid f(int n) { assert(n != 5); lib(n); }", Answer.UNSAFE),
        ("/*@ assigns \\nothing; */ int lib(int *p);\nvoid f(int n) { lib(&n); assert(n != 5); }", Answer.UNKNOWN),
        ("/*@ assigns \\nothing; */ int lib(int k);\nvoid f(int n) { assert(lib(n) != 5); }", Answer.UNSAFE),
    ],
)
def test_a_run_that_may_not_respect_what_was_to_be_assumed_shows_nothing(text: str, answer: Answer) -> None:
    assert _verified(f"#include <assert.h>\n{text}", "f").answer is answer


@pytest.mark.parametrize(
    "parameter",
    [
        "int",
        "const int",
        pytest.param("struct s", marks=pytest.mark.long),
        pytest.param("struct s *", marks=pytest.mark.long),
        pytest.param("unsigned long", marks=pytest.mark.long),
        "const char *",
    ],
)
def test_a_function_without_a_body_may_have_parameters_without_names(parameter: str) -> None:
    text = (
        "#include <assert.h>\nstruct s { int a; };\n"
        f"/*@ ensures \\result == 4; */ int lib({parameter});\n"
        f"void f({parameter} given) {{ assert(lib(given) == 4); }}"
    )
    assert _verified(text, "f").answer is Answer.ASSUMING


def test_a_condition_of_the_command_line_leaves_other_calls_out() -> None:
    text = "#include <assert.h>\nvoid f(int n) { assert(n <= 100); }"
    assert _verified(text, "f").answer is Answer.UNSAFE
    outcome = _verified(text, "f", assume=("n <= 100",))
    assert outcome.answer is Answer.ASSUMING
    assert _words(outcome, AssumptionKind.PRECONDITION) == ["n <= 100"]


def test_a_condition_of_the_command_line_that_means_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="m means nothing here"):
        _verified("void f(int n) { }", "f", assume=("m <= 100",))
    with pytest.raises(UsageError, match="--function"):
        request([Source("a.c")], reading=Reading(assume=("n > 0",)))


def test_hints_are_told_as_proved_false_or_open_and_never_hurt() -> None:
    text = COUNT.replace("0 <= c <= i;", "0 <= c <= i; loop invariant c < i; loop variant n - i;")
    outcome = _verified(text, "count")
    assert outcome.answer is Answer.ASSUMING
    assert any("loop invariant 0 <= c <= i is proved" in note for note in outcome.notes)
    assert any("loop invariant c < i is false with" in note for note in outcome.notes)
    assert any("loop variant n - i is proved" in note for note in outcome.notes)


def test_what_is_summarized_rests_on_no_assertion_in_a_comment() -> None:
    text = "int f(int n) {\n //@ assert n == 7;\n return n; }\nint main(void) { return f(3); }"
    outcome = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(seconds=60)))
    assert not any("7" in conjunct for contract in outcome.program_contracts for conjunct in contract.conjuncts)
