"""Verifying C programs: answers with contracts, runs and harnesses, from the pipeline and from the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sorrel
from asking import asked, commanded
from folders import EXAMPLES
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, EventKind, Outcome, ReplayResult, ValueOrigin
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.replay.compiler import compiler
from sorrel.testing.probe import probe

SORREL = [sys.executable, "-m", "sorrel"]
NONDET = "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int); void reach_error(void);\n"
DEEP = (
    "int twice(int n) { if (n <= 0) return 0; return twice(n - 1) + 2; }\n"
    "int main(void) { __VERIFIER_assert(twice(20000) != 40000); }\n"
)
BEYOND = (
    "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
    "  if (x > 2000000000 && y > 2000000000) { int z = x + y; __VERIFIER_assert(z == 7); } return 0; }"
)
needs_compiler = pytest.mark.skipif(not compiler(), reason="there is no C compiler")


def verify(
    text: str,
    goal: Property = Property.ASSERTIONS,
    *,
    replay: bool = False,
    arithmetic: str = "auto",
    function: str = "main",
    assuming: tuple[str, ...] = (),
) -> Outcome:
    task = Task((Source(text=NONDET + text),), goal, arithmetic=arithmetic, function=function)
    return pipeline.verify(task, Options(budget=Budget(60.0), replay=replay, assuming=assuming))


# Answers


def test_a_proof_over_unbounded_integers_comes_first_and_lists_what_it_assumes() -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 9) __VERIFIER_assert(x + 1 > 4); }"
    outcome = verify(text)
    assert (outcome.answer, outcome.arithmetic) == (Answer.SAFE, "ideal")
    assert any("overflow" in assumption.text for assumption in outcome.assumptions)
    assert outcome.confirmations[0].checker == "z3"


def test_what_only_holds_within_ranges_is_proved_within_ranges() -> None:
    outcome = verify(BEYOND, assuming=("overflow",))
    assert (outcome.answer, outcome.arithmetic) == (Answer.ASSUMING, "ranged")


def test_a_counterexample_beyond_the_machine_is_none() -> None:
    outcome = verify(BEYOND, arithmetic="ideal")
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.UNCONFIRMED
    assert "machine arithmetic" in outcome.reason.message


def test_bits_are_exact_when_asked_for() -> None:
    text = "int main(void) { unsigned x = (unsigned)__VERIFIER_nondet_int(); __VERIFIER_assert((x & (x ^ x)) == 0); }"
    assert verify(text, arithmetic="exact").answer is Answer.SAFE


def test_unsigned_numbers_wrap() -> None:
    text = "int main(void) { unsigned x = (unsigned)__VERIFIER_nondet_int(); __VERIFIER_assert(x + 1 > x); }"
    outcome = verify(text)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.choices[0].value in ("-1", "4294967295")


@pytest.mark.parametrize(
    ("goal", "bad", "good"),
    [
        (Property.UNREACH_CALL, "if (x == 77) reach_error();", "if (x != x) reach_error();"),
        (Property.NO_OVERFLOW, "return x + 7 > 0;", "return x > 0 ? x - 1 : 0;"),
        (Property.NO_DIVISION_BY_ZERO, "return 1 / (x - 9);", "return x > 9 ? 1 / (x - 9) : 0;"),
        (Property.VALID_DEREF, "return a[x];", "return x >= 0 && x < 4 ? a[x] : 0;"),
    ],
)
def test_each_property_is_refuted_and_proved(goal: Property, bad: str, good: str) -> None:
    text = "int a[4]; int main(void) {{ int x = __VERIFIER_nondet_int(); {} return 0; }}"
    unsafe = verify(text.format(bad), goal)
    assert unsafe.answer is Answer.UNSAFE
    assert unsafe.violation is not None
    assert unsafe.violation.kind in goal.kinds
    assert unsafe.run[-1].kind is EventKind.VIOLATION
    assert verify(text.format(good), goal).answer is Answer.SAFE


def test_assertions_do_not_count_as_error_calls() -> None:
    text = "int main(void) { __VERIFIER_assert(0); }"
    assert verify(text).answer is Answer.UNSAFE
    assert verify(text, Property.UNREACH_CALL).answer is Answer.SAFE


def test_a_run_is_told_line_by_line_through_calls() -> None:
    text = (
        "int half(int n) {\n  int m = n / 2;\n  return m;\n}\n"
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  __VERIFIER_assert(half(x) != 21);\n}\n"
    )
    outcome = verify(text)
    assert outcome.answer is Answer.UNSAFE
    told = [event.text for event in outcome.run]
    x = next(choice.value for choice in outcome.choices)
    assert outcome.choices[0].variable == "x"
    assert f"half(n = {x})" in told
    assert told.index("m = 21") < told.index("half returns 21")


@pytest.mark.long
@needs_compiler
def test_the_compiled_program_confirms_a_deep_counterexample() -> None:
    outcome = verify(DEEP, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED
    assert [c.checker for c in outcome.confirmations][-1] == "the compiled program"


@needs_compiler
def test_a_function_is_verified_for_all_inputs_and_replayed_with_those_found() -> None:
    text = (
        "int limit = 3; unsigned char table[2];\n"
        "static int pick(int *p, int n) {\n"
        "  return n == 2 && p[1] == 5 && limit == 8 && table[1] == 4 ? 1 / (n - 2) : 0; }\n"
        "int main(void) { return 0; }\n"
    )
    outcome = verify(text, Property.NO_DIVISION_BY_ZERO, replay=True, function="pick")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED
    assert "pick(p, n)" in outcome.harness


def test_a_closed_program_is_settled_by_its_only_run() -> None:
    nested = "".join(f"for ({v} = 0; {v} < 6; {v}++) " for v in "ab")
    text = f"int main(void) {{ int a, b; {nested};\n  __VERIFIER_assert(a + b == 12); }}"
    program = read([Source(text=NONDET + text)], CSettings(DataModel.LP64))
    looked = probe(program, 0.1)
    assert looked.only is not None
    assert verify(text).answer is Answer.SAFE
    text = text.replace("a = 0; a < 6", "; a < 6")
    looked = probe(read([Source(text=NONDET + text)], CSettings(DataModel.LP64)), 0.1)
    assert looked.only is None  # what a local holds before it is written is a choice if it is looked at


def test_an_abstracted_value_proves_nothing() -> None:
    type = "long double"
    text = (
        f"{type} root({type} x) {{ return x / 2; }}\nint main(void) {{ {type} r = root(2); __VERIFIER_assert(r > 1); }}"
    )
    outcome = verify(text)
    assert outcome.answer is Answer.UNKNOWN


def test_an_unsupported_construct_is_named_and_the_answer_unknown() -> None:
    outcome = verify('int main(void) { __asm__("nop"); return 0; }')
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.INPUT
    assert "<text>:2:" in outcome.reason.message


def test_external_functions_are_assumptions() -> None:
    text = "extern int sensor(int); int main(void) { __VERIFIER_assert(sensor(1) != 12345); }"
    outcome = verify(text, replay=bool(compiler()))
    assert outcome.answer is Answer.UNSAFE
    assert any("sensor" in assumption.text for assumption in outcome.assumptions)
    assert outcome.choices[0].origin is ValueOrigin.EXTERNAL
    assert not compiler() or (outcome.replay is not None and outcome.replay.result is ReplayResult.REACHED)


def test_unknown_tells_what_is_proved_and_what_would_be_enough() -> None:
    text = (
        "int f(int n) { if (n <= 0) return 1; return 3 * f(n - 1); }\n"
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(f(n) % 2 != 0 || n * n < 0); }\n"
    )
    task = Task((Source(text=NONDET + text),), arithmetic="ideal")
    outcome = pipeline.verify(task, Options(engine="clover", budget=Budget(6.0)))
    if outcome.answer is Answer.UNKNOWN:
        assert outcome.reason is not None
        assert all("\\result" in conjunct for contract in outcome.missing for conjunct in contract.conjuncts)


def test_ideal_numbers_cannot_overflow() -> None:
    with pytest.raises(UsageError, match="do not overflow"):
        verify("int main(void) { return 0; }", Property.NO_OVERFLOW, arithmetic="ideal")


def test_verified_needs_no_files() -> None:
    program = read([Source(text=NONDET + "int main(void) { return 0; }")], CSettings(DataModel.ILP32))

    assert asked(program, Property.ASSERTIONS, seconds=20).answer is Answer.SAFE


# Requests


def test_a_task_file_brings_its_files_properties_and_data_model(tmp_path: Path) -> None:
    (tmp_path / "t.yml").write_text(
        "input_files: a.c\nproperties:\n  - property_file: unreach-call.prp\n  - property_file: no-overflow.prp\n"
        "  - property_file: coverage-branches.prp\noptions: {data_model: ILP32}\n"
    )
    asked = request([Source(str(tmp_path / "t.yml"))])
    assert [task.goal for task in asked.tasks] == [Property.UNREACH_CALL, Property.NO_OVERFLOW]
    assert {task.data_model for task in asked.tasks} == {"ILP32"}
    assert "property coverage-branches is not checked by Sorrel" in asked.notes
    one = request([Source(str(tmp_path / "t.yml"))], goal="valid-deref", data_model="LP64")
    assert [(task.goal, task.data_model) for task in one.tasks] == [(Property.VALID_DEREF, "LP64")]
    with pytest.raises(UsageError, match="give no other file"):
        request([Source(str(tmp_path / "t.yml")), Source("b.c")])


# The command line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "safe.c").write_text(NONDET + "int main(void) { __VERIFIER_assert(1); return 0; }\n")
    (tmp_path / "unsafe.c").write_text(
        NONDET
        + "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 7) reach_error();\n  return x + 1;\n}\n"
    )
    (tmp_path / "broken.c").write_text("int main(void) { return 1 +; }\n")
    (tmp_path / "t.yml").write_text(
        "input_files: unsafe.c\nproperties:\n  - property_file: unreach-call.prp\n  - property_file: no-overflow.prp\n"
        "  - property_file: coverage-branches.prp\noptions: {data_model: LP64}\n"
    )
    return tmp_path


def run(folder: Path, *words: str, seconds: float = 90, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more}
    return subprocess.run(
        [*SORREL, *words], cwd=folder, capture_output=True, text=True, timeout=seconds, env=environment
    )


def test_the_first_line_is_the_answer_and_the_exit_code_says_the_same(folder: Path) -> None:
    safe = run(folder, "verify", "safe.c")
    assert (safe.returncode, safe.stdout.splitlines()[0], safe.stderr) == (0, "safe", "")
    unsafe = run(folder, "verify", "unsafe.c", "-q")
    assert (unsafe.returncode, unsafe.stdout, unsafe.stderr) == (10, "unsafe\n", "")


@pytest.mark.usefixtures("in_this_process")
def test_files_are_written_for_other_tools(folder: Path) -> None:
    words = ["--harness", "h.c", "--witness", "w.yml", "--sarif", "r.sarif", "--replay", "--json"]
    result = commanded(folder, "verify", "unsafe.c", *words)
    outcome = Outcome.from_json(json.loads(result.stdout))
    assert (result.returncode, outcome.answer) == (10, Answer.UNSAFE)
    assert '{"__VERIFIER_nondet_int", 7LL}' in (folder / "h.c").read_text()
    assert "violation_sequence" in (folder / "w.yml").read_text()
    assert json.loads((folder / "r.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "assertions"
    if compiler():
        command = re.search(r"\n {5}(\S.*harness)\n", (folder / "h.c").read_text())
        assert command is not None
        script = command[1].replace("harness.c", "h.c")
        assert subprocess.run(["/bin/sh", "-c", script], cwd=folder, capture_output=True).returncode == 10


@pytest.mark.usefixtures("in_this_process")
def test_the_clauses_and_the_evidence_about_them_are_saved_and_checked(folder: Path) -> None:
    goal = ["--property", "termination"]
    (folder / "ends.c").write_text(NONDET + "int main(void) { int n = __VERIFIER_nondet_int(); while (n > 0) n--; }\n")
    assert (
        commanded(folder, "verify", "ends.c", *goal, "--horn", "e.smt2", "--certificate", "e.proof", "-q").returncode
        == 0
    )
    assert "(rank " in (folder / "e.proof").read_text()
    assert commanded(folder, "check", "e.smt2", "e.proof").stdout == "accepted: sat\n"
    wrong = (folder / "e.proof").read_text().replace(") (n))", ") ((- n)))")
    (folder / "e.proof").write_text(wrong)
    assert commanded(folder, "check", "e.smt2", "e.proof").returncode != 0


@pytest.mark.usefixtures("in_this_process")
def test_an_answer_from_running_the_program_has_no_clauses_to_save(folder: Path) -> None:
    (folder / "shallow.c").write_text(NONDET + "int main(void) { reach_error(); }\n")
    result = commanded(folder, "verify", "shallow.c", "--horn", "h.smt2", "--certificate", "c.smt2", "-q")
    assert (result.returncode, result.stdout) == (10, "unsafe\n")
    assert "h.smt2: not written, the answer does not come from Horn clauses" in result.stderr
    assert not (folder / "c.smt2").exists()


@pytest.mark.usefixtures("in_this_process")
def test_a_task_with_several_properties_answers_each(folder: Path) -> None:
    result = commanded(folder, "verify", "t.yml")
    assert (result.returncode, result.stdout.splitlines()[0]) == (10, "unsafe")
    assert "property unreach-call: unsafe" in result.stdout
    assert "property no-overflow: unsafe" in result.stdout
    assert "coverage-branches is not checked" in result.stdout
    one = commanded(folder, "verify", "t.yml", "--property", "no-division-by-zero", "-q")
    assert (one.returncode, one.stdout) == (3, "safe, assuming signed overflow wraps around\n")
    refused = commanded(folder, "verify", "t.yml", "--harness", "h.c")
    assert refused.returncode == 1
    assert "--property" in refused.stderr


@pytest.mark.usefixtures("in_this_process")
def test_a_property_that_is_not_ours_is_unknown(folder: Path) -> None:
    (folder / "coverage-branches.prp").write_text("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n")
    result = commanded(folder, "verify", "safe.c", "--property", "coverage-branches.prp")
    assert (result.returncode, result.stdout.splitlines()[0]) == (5, "unknown")
    assert "not checked by Sorrel" in result.stdout


@pytest.mark.usefixtures("in_this_process")
def test_summaries_are_printed_and_written_into_a_copy(folder: Path) -> None:
    result = commanded(folder, "summarize", str(EXAMPLES / "mccarthy91.c"), "--acsl", "annotated.c")
    assert result.returncode == 0, result.stderr
    assert "function mccarthy" in result.stdout
    lines = (folder / "annotated.c").read_text().splitlines()
    at = lines.index("int mccarthy(int n) {")
    assert lines[at - 1].startswith("/*@ ensures ") or lines[at - 1].startswith("  @ ensures ")


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["verify", "missing.c"], 2, "missing.c"),
        (["verify", "broken.c"], 2, "broken.c:1:"),
        (["verify", "safe.c", "--function", "nobody"], 2, "nobody"),
        (["verify", "safe.c", "--property", "speed"], 1, "no property speed"),
        (["verify", "safe.c", "--engine", "magic"], 1, "no engine magic"),
        (["summarize", "safe.c", "--engine", "whale"], 1, "unrecognized arguments: --engine whale"),
        (["verify"], 1, "FILE"),
        (["verify", "missing.yml"], 2, "missing.yml"),
        (["verify", "safe.c", "--sarif", "/nowhere/x.sarif"], 1, "cannot be written"),
    ],
)
def test_mistakes_are_named(folder: Path, words: list[str], code: int, complaint: str) -> None:
    result = commanded(folder, *words)
    assert (result.returncode, "Traceback" in result.stderr) == (code, False), result.stderr
    assert complaint in result.stderr


def test_without_a_compiler_the_answer_stands_and_says_that_it_was_not_replayed(folder: Path) -> None:
    result = run(folder, "verify", "unsafe.c", "--replay", PATH=str(folder), CC="")
    assert (result.returncode, result.stdout.splitlines()[0]) == (10, "unsafe"), result.stderr
    assert "there is no C compiler" in result.stdout


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    command = f"{' '.join(SORREL)} verify unsafe.c | head -1"
    result = subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=90)
    assert (result.stdout, result.stderr) == ("unsafe\n", "")


def test_an_interrupt_leaves_an_answer_and_nothing_else(folder: Path) -> None:
    hard = NONDET + (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();\n"
        "  if (x > 9 && y > 9 && z > 9) __VERIFIER_assert(x * x * x + y * y * y != z * z * z); }\n"
    )
    (folder / "hard.c").write_text(hard)
    process = subprocess.Popen(
        [*SORREL, "verify", "hard.c"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output.splitlines()[0], errors) == (130, "unknown", "")
    assert "interrupted" in output


# The Python interface


def test_the_api_verifies_text_and_files(tmp_path: Path) -> None:
    file = tmp_path / "file.c"
    file.write_text(NONDET + "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x == x); }")
    assert sorrel.verify(str(file), timeout=60).answer is Answer.SAFE
    outcome = sorrel.verify(NONDET + "int main(void) { __VERIFIER_assert(0); }", timeout=60)
    assert outcome.answer is Answer.UNSAFE
    with pytest.raises(InputError):
        sorrel.verify("missing.c")
    with pytest.raises(UsageError):
        sorrel.verify([])


UNORDERED = "int i, a[3]; int f(void) { i = 1; return 5; } int main(void) { %s a[i] += f(); %s return 0; }"


def test_a_violation_that_depends_on_an_open_order_needs_the_word_of_the_compiler() -> None:
    outcome = verify(UNORDERED % ("", "if (a[0] == 5) reach_error();"))
    assert outcome.answer is Answer.UNKNOWN
    assert "from left to right, which C leaves open" in str(outcome.reason)


def test_a_violation_before_anything_is_open_needs_no_such_word() -> None:
    assert verify(UNORDERED % ("if (__VERIFIER_nondet_int() == 3) reach_error();", "")).answer is Answer.UNSAFE


def test_a_violation_in_every_order_is_one_if_the_compiled_program_reaches_it() -> None:
    outcome = verify(UNORDERED % ("", "if (a[0] + a[1] == 5) reach_error();"), replay=True)
    assert outcome.answer is Answer.UNSAFE
