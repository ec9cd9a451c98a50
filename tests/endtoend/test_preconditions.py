"""What functions without a main owe and are owed: conditions that were proved, never vacuous, ready to paste."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from folders import CORPUS
from sorrel.contracts.entry import EntryState
from sorrel.evidence.effort import Effort
from sorrel.methods.preconditions.careful import bearing, careful
from sorrel.methods.preconditions.inference import WITHOUT_OVERFLOW, owed
from sorrel.methods.preconditions.proving import Attempt, Proved
from sorrel.methods.preconditions.sampling import Call, Judge, calls
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.reading import instrumented, read_program
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.process.request import for_all_functions, request
from sorrel.program.flattening import flattened
from sorrel.program.statement import Assert, Kind
from sorrel.program.types import Array, Machine
from sorrel.program.value import ArrayValue
from sorrel.program.visible import EntryKind

LIBRARY = CORPUS / "preconditions" / "library.c"
EXPECTED = {
    "sum": r"\valid_read(a + (0 .. n - 1))",
    "copy": r"\valid(d + (0 .. n - 1)) && \valid_read(s + (0 .. n - 1))",
    "length": r"\valid_read_string(s)",
    "copy_string": r"\valid_read_string(s) && \valid(d + (0 .. strlen(s)))"
    r" && \separated(d + (0 .. strlen(s)), s + (0 .. strlen(s)))",
    "largest": r"\valid_read(a) && \valid_read(a + (0 .. n - 1))",
    "search": r"\valid_read(a + (0 .. n - 1)) && 0 <= n",
    "reverse": r"\valid(a + (0 .. n - 1))",
    "parse": r"\valid_read_string(s)",
    "push": r"\valid(r) && r->head < 16",
}
SLOW = ("search", "copy", "reverse", "largest")
"""What is asked of their callers is of a kind with what is asked of those of `sum` and `copy_string`."""


def _task(function: str, source: Source | None = None, goal: Property = Property.VALID_DEREF) -> Task:
    return Task((source or Source(str(LIBRARY)),), goal, function=function)


def _verified(
    function: str, source: Source | None = None, goal: Property = Property.VALID_DEREF, assuming: tuple[str, ...] = ()
) -> Outcome:
    return pipeline.verify(_task(function, source, goal), Options(budget=Budget(seconds=120), assuming=assuming))


def _told(outcome: Outcome) -> str:
    (said,) = (each.words for each in outcome.assumptions if each.kind is AssumptionKind.PRECONDITION)
    return said


def test_a_string_that_the_function_writes_must_be_one_that_may_be_written() -> None:
    source = Source(text="void cut(char *s) { while (*s) { if (*s == 10) *s = 0; else s++; } }")
    assert _told(_verified("cut", source)) == r"\valid_string(s)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"int cut(int **p) { **p = 1; *p = 0; return 0; }", r"\valid(p) && \valid(*p)"),
        (
            r"int cut(int **p, int **q) { *p = 0; return **q; }",
            r"\valid(p) && \valid_read(q) && \valid_read(*q) && \separated(p, q)",
        ),
        (
            r"void *memcpy(void *, const void *, unsigned long); void cut(int *d, int *s) { memcpy(d, s, 8); }",
            r"\valid(d + (0 .. 1)) && \valid_read(s + (0 .. 1)) && \separated(d + (0 .. 1), s + (0 .. 1))",
        ),
    ],
)
def test_callers_are_asked_for_what_the_function_does_to_pointers_in_memory_and_to_whole_blocks(
    text: str, said: str
) -> None:
    assert _told(_verified("cut", Source(text=text))) == said


@pytest.mark.parametrize(
    "function", [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in EXPECTED]
)
def test_a_function_of_a_library_is_safe_for_callers_that_see_to_what_a_person_would_write(function: str) -> None:
    outcome = _verified(function)
    assert outcome.answer is Answer.ASSUMING
    assert _told(outcome) == EXPECTED[function]
    assert any(each.accepted for each in outcome.confirmations)


@pytest.mark.long
def test_the_first_of_several_elements_is_not_asked_for_by_itself() -> None:
    text = "#include <string.h>\nvoid both(int **d, int **s) { memcpy(d, s, 2 * sizeof *d); }"
    outcome = _verified("both", Source("both.c", text))
    (contract,) = outcome.program_contracts
    assert contract.requires[:2] == (r"\valid(d + (0 .. 1))", r"\valid_read(s + (0 .. 1))")


@pytest.mark.long
def test_numbers_that_overflow_matter_only_where_accesses_depend_on_them() -> None:
    """`n < 2147483647`, since `i + w` gets beyond n; that the sum of the elements may wrap round is told."""
    outcome = _verified("window")
    assert outcome.answer is Answer.ASSUMING
    assert _told(outcome) == r"\valid_read(a + (0 .. n - 1)) && n < 2147483647 && 0 <= w"
    assert any(each.kind is AssumptionKind.WRAPPING for each in outcome.assuming)


@pytest.mark.long
def test_numbers_whose_difference_overflows_are_excluded_where_the_proof_takes_it_to_be_exact() -> None:
    outcome = _verified("append")
    assert outcome.answer is Answer.ASSUMING
    said = r"\valid(buf + (0 .. cap - 1)) && \valid_read(t + (0 .. tlen - 1)) && 0 <= len && 0 <= cap"
    assert _told(outcome) == said


def test_a_text_whose_places_are_told_by_an_int_is_not_longer_than_one() -> None:
    source = Source(text="int length(const char *s) { int n = 0; while (s[n]) n++; return n; }")
    outcome = _verified("length", source)
    assert outcome.answer is Answer.ASSUMING
    assert [each.brief for each in outcome.assuming] == [r"\valid_read_string(s) && strlen(s) < 2147483647"]


def test_operations_matter_that_lead_to_an_index_or_to_a_branch_that_looks_at_one() -> None:
    source = Source(text="int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }")
    task = _task("f", source)
    watching = flattened(instrumented(read_program(task), task, WITHOUT_OVERFLOW))
    assert watching is not None
    names = {each.rpartition(".")[2] for each in bearing(watching)}
    assert {"i", "n"} <= names
    assert "s" not in names
    kept = [s for p in careful(watching).procedures for b in p.blocks for s in b.statements]
    assert [s.span.column for s in kept if isinstance(s, Assert) and s.kind is Kind.OVERFLOW] != []


def test_a_precondition_lets_the_function_do_its_work() -> None:
    """`n <= 0` would be enough: under it nothing is ever copied."""
    outcome = _verified("copy")
    said = _told(outcome)
    question = ProgramQuestion(read_program(_task("copy")), _task("copy"))
    state = EntryState.of(question.program)
    assert state is not None
    checked = EntryState(instrumented(state.relaxed(), question.task))
    test = Judge(checked.meaning(said))
    admitted = [call for call in calls(checked) if test.holds(call.state)]
    assert admitted
    assert all(call.is_safe for call in admitted)
    assert any(call.reached for call in admitted)


def test_the_run_that_shows_why_it_is_needed_is_told_with_it() -> None:
    outcome = _verified("push")
    (said,) = (each for each in outcome.assumptions if each.kind is AssumptionKind.PRECONDITION)
    assert said.violation is not None
    assert said.violation.kind == "bounds"
    assert any(choice.source == "r->head" and int(choice.value) >= 16 for choice in said.choices)


def test_a_precondition_that_is_not_enough_is_not_proved() -> None:
    task = _task("sum")
    question = ProgramQuestion(read_program(task), task)
    state = EntryState.of(question.program)
    assert state is not None
    relaxed = EntryState(state.relaxed())
    effort = Effort(Options(), Budget(seconds=60).start(), lambda _: None)
    for text in (r"\valid_read(a)", r"\valid_read(a + (0 .. n - 2))", "n <= 10"):
        assert not isinstance(Attempt(relaxed, [relaxed.meaning(text)], question, effort).settle(), Proved)


def test_without_anything_that_callers_could_do_the_run_is_told() -> None:
    source = Source(text="int f(int n) { int a[3] = {0}; return a[7]; }")
    assert _verified("f", source).answer is Answer.UNSAFE


def test_numbers_are_kept_from_overflow_and_division_by_zero() -> None:
    adding = Source(text="int f(int a, int b) { return a + b; }")
    assert _verified("f", adding, Property.NO_OVERFLOW).answer is Answer.ASSUMING
    dividing = Source(text="int f(int a, int b) { return a / b; }")
    assert _told(_verified("f", dividing, Property.NO_DIVISION_BY_ZERO)).startswith("b != 0")


def test_an_assertion_of_the_program_is_no_fault_of_its_callers() -> None:
    source = Source(text="#include <assert.h>\nvoid f(int n) { assert(n != 7); }")
    assert _verified("f", source, Property.ASSERTIONS).answer is Answer.UNSAFE


def test_a_pointer_that_is_compared_with_null_is_not_said_to_be_anything_for_no_elements() -> None:
    text = """int f(int *p, int n) {
        if (!p) { int a[1]; return a[3]; }
        int s = 0;
        for (int i = 0; i < n; i++) s ^= p[i];
        return s;
    }"""
    assert _told(_verified("f", Source(text=text))) == r"\valid_read(p) && \valid_read(p + (0 .. n - 1))"


# The compiled functions


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler")
def test_compiled_functions_go_wrong_for_no_input_that_is_admitted(tmp_path: Path) -> None:
    lines = [f'#include "{LIBRARY}"', "#include <stdlib.h>", "int main(void) {"]
    for function in ("sum", "copy", "length", "copy_string", "largest", "search", "reverse", "window", "parse"):
        lines += _driver(function)
    driver = tmp_path / "driver.c"
    driver.write_text("\n".join([*lines, "return 0; }"]))
    program = tmp_path / "driver"
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, str(driver), "-o", str(program)], check=True, capture_output=True)
    ended = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr


def _driver(function: str) -> Iterator[str]:
    """Calls of the compiled function in states that the precondition admits, with objects of just that length."""
    task = _task(function)
    state = EntryState.of(read_program(task))
    assert state is not None
    checked = EntryState(instrumented(state.relaxed(), task))
    said = EXPECTED.get(function, r"\valid_read(a + (0 .. n - 1))")
    test = Judge(checked.meaning(said))
    admitted = [call for call in calls(checked) if test.holds(call.state)]
    assert admitted
    for call in admitted[:40:3]:
        yield from _call(function, checked, call)


def _call(function: str, state: EntryState, call: Call) -> Iterator[str]:
    yield "{"
    names = []
    for part in state.program.entry_parts:
        value = call.state.get(part.variable)
        if part.kind is EntryKind.ARGUMENT:
            yield f"long long {part.text} = {value};"
            names.append(part.text)
        elif part.kind is EntryKind.CONTENTS and isinstance(value, ArrayValue):
            type = state.variables[part.variable].type
            assert isinstance(type, Array)
            assert isinstance(type.element, Machine)
            length = call.state[state.vocabulary.pointers[part.text].length.name]  # type: ignore[union-attr]
            word = {8: "char", 32: "int"}[type.element.bits]
            yield f"{word} *{part.text} = malloc({length} * sizeof({word}));"
            assert isinstance(length, int)
            yield from (f"{part.text}[{index}] = {value[index]};" for index in range(length))
    order = {
        "copy": "d, s, n",
        "copy_string": "d, s",
        "length": "s",
        "parse": "s",
        "search": "a, n, key",
        "window": "a, n, w",
    }.get(function, "a, n")
    yield f"{function}({order});"
    yield from (f"free({p.text});" for p in state.program.entry_parts if p.kind is EntryKind.CONTENTS)
    yield "}"


def test_what_is_owed_is_not_looked_for_twice() -> None:
    """An outcome that is no run into an error stays as it is."""
    task = _task("sum")
    question = ProgramQuestion(read_program(task), task)
    safe = Outcome(Answer.SAFE)
    effort = Effort(Options(), Budget(seconds=5).start(), lambda _: None)
    assert owed(question, safe, effort) is safe


def test_what_a_proof_takes_for_granted_of_pointers_is_told_in_acsl() -> None:
    source = Source(text="void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }")
    outcome = _verified("swap", source)
    assert outcome.answer is Answer.ASSUMING
    assert [each.brief for each in outcome.assuming] == [r"\valid(a) && \valid(b) && \separated(a, b)"]


def test_all_functions_but_those_that_callers_in_the_file_are_checked_for(tmp_path: Path) -> None:
    text = (
        "static int get(const int *a, int i) { return a[i]; }\n"
        "int first(const int *a) { return get(a, 0); }\nstatic int unused(int x) { return x; }\n"
        "int main(void) { int a[1] = {0}; return first(a); }\n"
    )
    path = tmp_path / "some.c"
    path.write_text(text)
    asked = for_all_functions(request([Source(str(path))], goal="valid-deref"))
    assert [task.function for task in asked.tasks] == ["first", "unused"]


def test_pointers_that_are_compared_with_each_other_are_said_to_be_apart() -> None:
    """With one object for both, an access goes wrong that cannot happen with two."""
    text = "int f(const int *p, const int *q, int n) { if (p == q) { int a[1] = {0}; return a[n]; } return *p + *q; }"
    outcome = _verified("f", Source(text=text))
    assert outcome.answer is Answer.ASSUMING
    assert any(r"\separated(p, q)" in each.brief for each in outcome.assuming)


def test_a_run_that_no_sample_shows_is_one_more_call() -> None:
    """Few inputs go wrong here, so that the first guess asks for nothing."""
    source = Source(text="int f(int n) { return n == 123457 ? 1 / (n - 123457) : 0; }")
    outcome = _verified("f", source, Property.NO_DIVISION_BY_ZERO)
    assert outcome.answer is Answer.ASSUMING
    assert "123457" in _told(outcome)


COMPARED = """int equal(const unsigned char *a, const unsigned char *b, unsigned n) {
    unsigned char d = 0;
    for (unsigned i = 0; i < n; i++)
        d |= a[i] ^ b[i];
    return d == 0;
}
int beyond(const unsigned char *a, unsigned n) {
    unsigned char own[2] = {0, 0};
    return own[2 + (n & 1)];
}
"""


def _constant_time(function: str, *, preconditions: bool = True) -> Outcome:
    task = replace(_task(function, Source("f.c", COMPARED), Property.CONSTANT_TIME), public=("n",))
    return pipeline.verify(task, Options(budget=Budget(seconds=60), preconditions=preconditions))


def test_callers_see_to_what_a_proof_about_pairs_of_runs_takes_for_granted() -> None:
    outcome = _constant_time("equal")
    assert outcome.answer is Answer.ASSUMING
    assert _told(outcome) == r"\valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1))"
    (contract,) = [each for each in outcome.program_contracts if each.procedure == "equal"]
    assert contract.requires == (r"\valid_read(a + (0 .. n - 1))", r"\valid_read(b + (0 .. n - 1))")
    assert all(each.kind is not AssumptionKind.BOUNDS for each in outcome.assumptions)


@pytest.mark.parametrize(("function", "preconditions"), [("beyond", True), ("equal", False)])
def test_a_proof_that_rests_on_what_is_false_is_none_where_callers_cannot_help_or_are_not_asked(
    function: str, preconditions: bool
) -> None:
    outcome = _constant_time(function, preconditions=preconditions)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.ASSUMPTION
