"""Harnesses: compiled with the system's compiler, they reach the error that they are about, and only that."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from sorrel.model.errors import Span
from sorrel.model.outcome import ChosenValue, Replay, ReplayResult, ValueOrigin, Violation
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.program.statement import FAILS
from sorrel.replay.allocations import linker_flags
from sorrel.replay.compiler import compiler, replay
from sorrel.replay.entry import Entry
from sorrel.replay.harness import write_harness

needs_compiler = pytest.mark.skipif(not compiler(), reason="there is no C compiler")
NONDET = "extern int __VERIFIER_nondet_int(void);\n"


def value(number: int, source: str = "__VERIFIER_nondet_int", origin: ValueOrigin = ValueOrigin.INPUT) -> ChosenValue:
    return ChosenValue(origin, source, "n", "i32", str(number), Span("a.c", 2, 1))


def tried(text: str, kind: str, choices: list[ChosenValue], entry: Entry | None = None, model: str = "") -> Replay:
    function = entry.function if entry else "main"
    task = Task((Source(text=text),), data_model=model or data_model_here(), function=function)
    violation = Violation(kind, "a message", Span("a.c", 3, 1), function)
    harness = write_harness(violation, choices, [text], "cc harness.c", entry)
    flags = linker_flags(choices)
    return replay(task, violation, harness, 30.0, included=entry.file if entry else "", flags=flags)


@needs_compiler
@pytest.mark.parametrize(
    ("kind", "text", "bad", "good"),
    [
        ("assertion", "#include <assert.h>\nint main() { assert(__VERIFIER_nondet_int() != 5); }", 5, 4),
        (
            "error-call",
            "void reach_error(void) {}\nint main() { if (__VERIFIER_nondet_int() < 0) reach_error(); }",
            -7,
            7,
        ),
        (
            "error-call",
            "void abort(void);\nstatic void reach_error(void) { abort(); }\n"
            "int main() { if (__VERIFIER_nondet_int() < 0) reach_error(); }",
            -7,
            7,
        ),
        (
            "error-call",
            "void __VERIFIER_error();\nint main() { if (__VERIFIER_nondet_int()) __VERIFIER_error(); }",
            1,
            0,
        ),
        pytest.param(
            *("overflow", "int main() { return __VERIFIER_nondet_int() + 1 > 0; }", 2**31 - 1, 7),
            marks=pytest.mark.long,
        ),
        ("overflow", "int main() { return 1 << __VERIFIER_nondet_int() > 0; }", 40, 3),
        ("overflow", "int main() { return -__VERIFIER_nondet_int() > 0; }", -(2**31), 3),
        ("division", "int main() { return 1 / __VERIFIER_nondet_int() > 0; }", 0, 3),
        ("bounds", "int a[3];\nint main() { return a[__VERIFIER_nondet_int()]; }", 3, 2),
        pytest.param(
            "bounds",
            "int a[3];\nint f(int *p, int i) { return p[i]; }\nint main() { return f(a, __VERIFIER_nondet_int()); }",
            3,
            2,
            marks=pytest.mark.long,
        ),
    ],
)
def test_the_error_is_reached_with_its_values_and_with_no_others(kind: str, text: str, bad: int, good: int) -> None:
    assert tried(NONDET + text, kind, [value(bad)]).result is ReplayResult.REACHED
    assert tried(NONDET + text, kind, [value(good)]).result is ReplayResult.MISSED


@needs_compiler
def test_an_assertion_is_not_taken_for_an_error_call() -> None:
    text = NONDET + "#include <assert.h>\nint main() { assert(__VERIFIER_nondet_int() != 5); }"
    assert tried(text, "error-call", [value(5)]).result is ReplayResult.MISSED


@needs_compiler
def test_a_program_that_asks_for_other_values_took_another_way() -> None:
    text = NONDET + "int main() { return __VERIFIER_nondet_int() / __VERIFIER_nondet_int(); }"
    result = tried(text, "division", [value(5)])
    assert result.result is ReplayResult.MISSED
    assert "more inputs than" in result.detail
    assert "did not ask for" in tried(text, "division", [value(5, "other", ValueOrigin.EXTERNAL)]).detail


@needs_compiler
def test_functions_without_a_body_return_what_the_run_had() -> None:
    text = "#include <assert.h>\nextern long f(int);\nint main() { assert(f(1) != 1L << 40); }"
    assert tried(text, "assertion", [value(2**40, "f", ValueOrigin.EXTERNAL)]).result is ReplayResult.REACHED


@needs_compiler
def test_deep_recursion_is_no_obstacle() -> None:
    text = "#include <assert.h>\nint d(int n) { return n ? d(n - 1) + 1 : 0; }\nint main() { assert(d(300000) == 0); }"
    assert tried(text, "assertion", []).result is ReplayResult.REACHED


@needs_compiler
@pytest.mark.parametrize(
    "asked",
    [
        "malloc(4)",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("calloc(1, 4)", "realloc(0, 4)", 'strdup("abc")')),
    ],
)
def test_an_allocation_fails_where_the_run_says_so(asked: str) -> None:
    headers = "#include <stdlib.h>\n#include <string.h>\n"
    text = headers + f"int main() {{ free(malloc(1)); char *p = (char *){asked}; *p = 1; free(p); }}"
    fails = [value(0, FAILS), ChosenValue(ValueOrigin.INPUT, FAILS, "missing", "bool", "true", Span("a.c", 3, 1))]
    assert tried(text, "bounds", fails).result is ReplayResult.REACHED
    assert tried(text, "bounds", []).result is ReplayResult.MISSED


@needs_compiler
def test_what_the_harness_allocates_does_not_fail() -> None:
    text = "#include <stdlib.h>\nint f(int *p) { int *q = malloc(4); return *q + *p; }"
    fails = [ChosenValue(ValueOrigin.INPUT, FAILS, "missing", "bool", "true", Span("a.c", 3, 1))]
    entry = Entry("f", "source0.c", ("p",), ("int *p = calloc(1, 4); *p = 1;",))
    assert tried(text, "bounds", fails, entry).result is ReplayResult.REACHED


@needs_compiler
def test_the_library_of_mathematics_is_there() -> None:
    text = "#include <math.h>\n#include <assert.h>\nint main(int c, char **v) { assert(sqrt(c) > 3); }"
    assert tried(text, "assertion", []).result is ReplayResult.REACHED


@needs_compiler
def test_a_static_function_is_called_in_place_of_main() -> None:
    text = "int g;\nstatic int f(unsigned char a, int b) { return (a - g) / b; }\nint main() { return f(1, 2); }"
    entry = Entry("f", "source0.c", ("255LL", "0LL"), ("g = 255LL;",))
    assert tried(text, "division", [], entry).result is ReplayResult.REACHED
    fine = Entry("f", "source0.c", ("255LL", "1LL"))
    assert tried(text, "division", [], fine).result is ReplayResult.MISSED


@needs_compiler
def test_a_program_that_is_not_c_is_impossible_to_replay() -> None:
    result = tried("int main() { return 1 +; }", "assertion", [])
    assert result.result is ReplayResult.IMPOSSIBLE
    assert "does not compile" in result.detail


@needs_compiler
def test_the_word_size_is_the_wanted_one_or_the_outcome_says_so() -> None:
    text = "#include <assert.h>\nint main() { assert(0); }"
    result = tried(text, "assertion", [], model="ILP32")
    assert result.result is ReplayResult.REACHED
    assert result.data_model == "ILP32" or "makes no ILP32 programs" in result.detail


@needs_compiler
def test_sanitizers_work_in_both_data_models() -> None:
    text = "int a[3];\nint f(int *p, int i) { return p[i]; }\nint main() { return f(a, 3); }"
    for model in ("ILP32", "LP64"):
        result = tried(text, "bounds", [], model=model)
        assert result.result is not ReplayResult.MISSED
        assert result.data_model != model or result.result is ReplayResult.REACHED


@needs_compiler
def test_a_program_that_does_not_end_is_ended() -> None:
    text = "int main() { for (;;); }"
    task = Task((Source(text=text),), data_model=data_model_here())
    violation = Violation("assertion", "", Span("a.c", 1, 1), "main")
    result = replay(task, violation, write_harness(violation, [], [text], "cc"), 0.3)
    assert "did not end" in result.detail


def test_without_a_compiler_there_is_no_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    result = tried("int main() { }", "assertion", [])
    assert result.result is ReplayResult.IMPOSSIBLE
    assert "no C compiler" in result.detail


def test_values_that_no_function_returns_are_named() -> None:
    text = "int main() { int x; return x; }"
    violation = Violation("assertion", "*/ tricky", Span("a.c", 1, 1), "main")
    harness = write_harness(violation, [value(7, "x", ValueOrigin.UNINITIALISED)], [text], "cc")
    assert "n = 7 (uninitialised, a.c:2:1)" in harness
    assert harness.index("*/") > harness.index("tricky")


@needs_compiler
@pytest.mark.parametrize(
    ("kind", "printed", "code"),
    [
        ("assertion", r"\nsorrel-replay: assertion failed at a.c:3\n", 10),
        ("error-call", r"\nsorrel-replay: reach_error was called\n", 10),
        ("error-call", "", 10),
        ("overflow", r"a.c:3:1: runtime error: signed integer overflow: 1 + 2147483647\n", 1),
        ("bounds", r"==1==ERROR: AddressSanitizer: stack-buffer-overflow\n", 1),
    ],
)
def test_a_program_that_says_what_a_harness_or_a_sanitizer_says_confirms_nothing(
    kind: str, printed: str, code: int
) -> None:
    text = f'#include <stdio.h>\nint main() {{ fputs("{printed}", stderr); return {code}; }}'
    assert tried(text, kind, []).result is ReplayResult.MISSED


@needs_compiler
def test_a_limit_of_memory_does_not_keep_sanitizers_from_starting() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**36, hard))
    try:
        read = tried("int a[3];\nint main() { return a[__VERIFIER_nondet_int()]; }", "bounds", [value(3)])
        assert read.result is ReplayResult.REACHED, read.detail
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
