"""Outcomes about programs as text, ACSL, witnesses, SARIF and JSON."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
import yaml

from folders import DOCUMENTS
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    ChosenValue,
    Confirmation,
    ContractKind,
    EventKind,
    Outcome,
    ProgramContract,
    Reason,
    Replay,
    ReplayResult,
    RunEvent,
    SideRun,
    ValueOrigin,
    Violation,
)
from sorrel.model.outline import SourceText
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.report.acsl import annotated
from sorrel.report.excerpt import Paint, Texts, excerpt, head
from sorrel.report.sarif import sarif
from sorrel.report.schema import outcome_schema
from sorrel.report.verification import MOST_EVENTS, verification_lines
from sorrel.report.witness import Format, witness

PROGRAM = """extern int __VERIFIER_nondet_int(void);
int down(int n) {
  while (n > 0) n--;
  return n;
}
int main() {
  int x = __VERIFIER_nondet_int(
  );
  assert(down(x) != -3);
}
"""
SOURCE = Source("down.c", PROGRAM)
TASK = Task((SOURCE,), Property.ASSERTIONS, "ILP32")
CALL = Span("down.c", 7, 11, 8, 4)
ERROR = Span("down.c", 9, 3, 9, 24)
SAFE = Outcome(
    Answer.SAFE,
    source="down.c",
    engine="clover",
    goal="assertions",
    arithmetic="ideal",
    program_contracts=(
        ProgramContract(
            "down", ContractKind.FUNCTION, Span("down.c", 2, 1), (r"\result <= 0", r"n < 0 ==> \result == n")
        ),
        ProgramContract(
            "down",
            ContractKind.LOOP,
            Span("down.c", 3, 3),
            ("n <= 0 ==> n <= 1", r"n <= \at(n, Pre)"),
            in_c=("!(n <= 0) || n <= 1",),
        ),
    ),
    assumptions=(Assumption.that(AssumptionKind.OVERFLOW),),
    confirmations=(Confirmation("z3", True, 0.01),),
)
UNSAFE = Outcome(
    Answer.UNSAFE,
    source="down.c",
    engine="spacer",
    goal="assertions",
    violation=Violation("assertion", "assertion violated: down(x) != -3", ERROR, "main"),
    run=(
        RunEvent(EventKind.CHOOSE, CALL, "main", 0, "x = -3", "x", "-3"),
        RunEvent(EventKind.CALL, ERROR, "down", 1, "down(n = -3)"),
        RunEvent(EventKind.BRANCH, Span("down.c", 3, 10), "down", 1, "the condition is false", value="false"),
        RunEvent(EventKind.RETURN, Span("down.c", 4, 3), "down", 1, "down returns -3", value="-3"),
        RunEvent(EventKind.VIOLATION, ERROR, "main", 0, "assertion violated: down(x) != -3"),
    ),
    choices=(ChosenValue(ValueOrigin.INPUT, "__VERIFIER_nondet_int", "x", "i32", "-3", CALL),),
    replay=Replay(ReplayResult.REACHED, "assertion failed at down.c:9"),
)
UNKNOWN = Outcome(
    Answer.UNKNOWN,
    source="down.c",
    goal="no-overflow",
    reason=Reason(Cause.TIME, "the time limit was reached"),
    program_contracts=SAFE.program_contracts,
    missing=(ProgramContract("down", ContractKind.FUNCTION, Span("down.c", 2, 1), (r"\result >= -2",)),),
)


def text_of(outcome: Outcome, *, verbose: bool = False) -> str:
    return "\n".join(verification_lines(outcome, Texts.of(TASK.sources), Paint(), verbose=verbose))


def test_safe_shows_contracts_in_the_users_words_and_what_is_assumed() -> None:
    text = text_of(SAFE)
    assert "function down (down.c:2)\n  \\result <= 0\n" in text
    assert "loop in down (down.c:3)" in text
    assert "assumptions\n  no signed overflow" in text
    assert "proved over unbounded integers by clover" in text


def test_unsafe_shows_the_error_the_values_and_the_run() -> None:
    text = text_of(UNSAFE)
    assert "down.c:9:3: error: assertion violated" in text
    assert "     9 |   assert(down(x) != -3);\n       |   ^~~~~" in text
    assert "x = -3  __VERIFIER_nondet_int(), down.c:7" in text
    assert "down.c:3    while (n > 0) n--;  /* false */" in text
    assert "The compiled program reaches the error: assertion failed" in text


def test_unknown_shows_what_is_proved_and_what_is_missing() -> None:
    text = text_of(UNKNOWN)
    assert text.startswith("the time limit was reached")
    assert text.index("Proved so far") < text.index("would be sufficient") < text.index(r"\result >= -2")


def test_a_long_run_is_shown_without_its_middle() -> None:
    steps = tuple(RunEvent(EventKind.ASSIGN, Span("down.c", 3, 1), "down", 0, f"n = {i}") for i in range(500))
    text = text_of(replace(UNSAFE, run=steps))
    assert f"{500 - MOST_EVENTS} steps are left out" in text
    assert "n = 0" in text
    assert "n = 499" in text
    assert "n = 250" not in text
    assert "n = 250" in text_of(replace(UNSAFE, run=steps), verbose=True)


def test_colour_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Paint.for_stream(Terminal()).wanted
    assert not Paint.for_stream(io.StringIO()).wanted
    assert not Paint.for_stream(None).wanted
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Paint.for_stream(Terminal()).wanted
    assert "\x1b[1;31m" in Paint(True)("bad", "x")


def test_an_excerpt_marks_the_right_place_behind_tabs() -> None:
    texts = Texts({"a.c": ["\tx = 1 / y;"]})
    line, mark = excerpt(texts, Span("a.c", 1, 6, 1, 11), Paint())
    assert mark.index("^") == line.index("1 / y")
    assert mark.count("~") == 4
    assert list(excerpt(texts, Span("b.c", 1, 1), Paint())) == []


def test_acsl_puts_each_contract_above_its_function_or_loop() -> None:
    lines = annotated(PROGRAM, "down.c", SAFE.program_contracts).splitlines()
    at = lines.index("int down(int n) {")
    assert lines[at - 2] == r"/*@ ensures \result <= 0;"
    assert lines[at - 1] == r"  @ ensures n < 0 ==> \result == n; */"
    loop = lines.index("  while (n > 0) n--;")
    assert lines[loop - 1].startswith("    @ loop invariant n <= ")
    kept = [line for line in lines if "@" not in line]
    assert "\n".join(kept) + "\n" == PROGRAM


def test_acsl_within_a_line_stays_on_that_line() -> None:
    contract = ProgramContract("f", ContractKind.LOOP, Span("a.c", 1, 16), ("i >= 0",), ())
    text = annotated("void f() { if (1)while (i) i--; }\n", "a.c", (replace(contract, span=Span("a.c", 1, 18)),))
    assert text == "void f() { if (1)/*@ loop invariant i >= 0; */ while (i) i--; }\n"


def load(outcome: Outcome) -> dict[str, Any]:
    (entry,) = yaml.safe_load(witness(outcome, TASK, Texts.of(TASK.sources), "1.2"))
    assert isinstance(entry, dict)
    return entry


def test_a_correctness_witness_has_the_loop_invariants_that_are_plain_c() -> None:
    entry = load(SAFE)
    assert entry["entry_type"] == "invariant_set"
    assert entry["content"] == [
        {
            "invariant": {
                "type": "loop_invariant",
                "location": {"file_name": "down.c", "line": 3, "column": 3, "function": "down"},
                "value": "!(n <= 0) || n <= 1",
                "format": "c_expression",
            }
        }
    ]


def test_format_2_1_has_contracts_of_functions_that_anybody_may_call() -> None:
    said = (r"\result <= 0", r"g == \at(g, Old) + 1")
    contract = replace(SAFE.program_contracts[0], in_c=said)
    outcome = replace(SAFE, program_contracts=(contract, replace(contract, requires=("n > 0",))))
    (entry,) = load(outcome)["content"]
    assert entry["contract"]["ensures"] == r"(\result <= 0) && (g == \at(g, Old) + 1)"
    assert entry["contract"]["location"]["function"] == "down"
    (older,) = yaml.safe_load(witness(outcome, TASK, Texts.of(TASK.sources), "1.2", Format.LOOPS))
    assert (older["metadata"]["format_version"], older["content"]) == ("2.0", [])


def test_a_violation_witness_follows_the_returned_values_to_the_target() -> None:
    entry = load(UNSAFE)
    assert entry["entry_type"] == "violation_sequence"
    content = entry["content"]
    assert isinstance(content, list)
    first, last = (segment["segment"][0]["waypoint"] for segment in content)
    assert first["constraint"] == {"value": r"\result == -3", "format": "ext_c_expression"}
    assert first["location"] == {"file_name": "down.c", "line": 8, "column": 3, "function": "main"}
    assert (last["type"], last["action"], last["location"]["line"]) == ("target", "follow", 9)


def test_a_witness_names_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    metadata = load(SAFE)["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["format_version"] == "2.1"
    assert metadata["creation_time"] == "1970-01-01T00:00:00+00:00"
    assert metadata["task"]["specification"] == "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    assert metadata["task"]["data_model"] == "ILP32"
    assert load(SAFE) == load(SAFE)
    assert witness(UNKNOWN, TASK, Texts(), "1") == ""


def test_a_witness_has_invariants_where_a_loop_begins() -> None:
    """A label or a macro is no place for one, and of a loop that ends in its condition formats think differently."""
    contract = ProgramContract("down", ContractKind.LOOP, Span("down.c", 4, 3), (), in_c=("n <= 1",))
    assert load(replace(SAFE, program_contracts=(contract,)))["content"] == []
    assert annotated(PROGRAM, "down.c", (replace(contract, conjuncts=("n <= 1",)),)) == PROGRAM


def test_sarif_has_a_result_and_the_run_as_a_code_flow() -> None:
    log = json.loads(sarif([UNSAFE, SAFE, UNKNOWN], "1.2"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    bad, good, open_ = run["results"]
    assert (bad["kind"], bad["level"], good["kind"], open_["kind"]) == ("fail", "error", "pass", "open")
    region = bad["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 9, "startColumn": 3, "endLine": 9, "endColumn": 24}
    assert len(bad["codeFlows"][0]["threadFlows"][0]["locations"]) == len(UNSAFE.run)
    assert run["tool"]["driver"]["rules"][open_["ruleIndex"]]["id"] == "no-overflow"


def test_sarif_has_a_flow_for_each_of_two_runs_and_for_each_thread() -> None:
    one, other = UNSAFE.run[:2], tuple(replace(event, thread=1) for event in UNSAFE.run[2:])
    leak = replace(UNSAFE, run=(), runs=(SideRun("a", (), one), SideRun("b", (), one + other)))
    flows = json.loads(sarif([leak], "1"))["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
    assert [flow["id"] for flow in flows] == ["a", "b", "b, thread 1"]
    assert [len(flow["locations"]) for flow in flows] == [2, 2, 3]


def test_sarif_knows_a_finding_again_after_its_lines_have_moved() -> None:
    assert UNSAFE.violation is not None
    moved = replace(UNSAFE, violation=replace(UNSAFE.violation, span=Span("down.c", 90, 1)))
    other = replace(UNSAFE, violation=replace(UNSAFE.violation, message="assertion violated: x != 0"))
    found = json.loads(sarif([UNSAFE, moved, other], "1"))["runs"][0]["results"]
    prints = [each["partialFingerprints"]["sorrel/v1"] for each in found]
    assert prints[0] == prints[1] != prints[2]


def test_sarif_says_of_which_bytes_it_speaks() -> None:
    source = SourceText("my files/down.c", "c", "ab" * 32, PROGRAM)
    (run,) = json.loads(sarif([replace(SAFE, sources=(source,))], "1"))["runs"]
    assert run["artifacts"] == [
        {
            "location": {"uri": "my%20files/down.c"},
            "sourceLanguage": "c",
            "hashes": {"sha-256": "ab" * 32},
        }
    ]


def test_a_notebook_shows_the_report_in_a_frame_that_nothing_can_leave() -> None:
    shown = replace(SAFE, source='<script>alert("x")</script>.c')._repr_html_()
    assert shown.startswith("<p><strong>&lt;script&gt;")
    assert shown.count("<") == 6  # a paragraph, its emphasis and the frame: everything else is inside of an attribute
    assert 'sandbox="allow-scripts"' in shown
    assert "default-src" in shown


def test_the_published_schema_is_that_of_the_program() -> None:
    published = DOCUMENTS / "schema" / "outcome.json"
    assert published.read_text() == outcome_schema()


@pytest.mark.parametrize("outcome", [SAFE, UNSAFE, UNKNOWN])
def test_outcomes_follow_the_schema_and_come_back_from_json(outcome: Outcome) -> None:
    data = json.loads(outcome.dumps())
    assert Outcome.from_json(data) == outcome
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(data, json.loads(outcome_schema()))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "answer": "maybe"}, json.loads(outcome_schema()))


@pytest.mark.parametrize(
    ("line", "column", "end", "expected"),
    [
        ("  if (a[f(i)] > m) m = a[i];", 3, 29, "if (a[f(i)] > m)"),
        ("  for (int i = 0; i < 3; i++) sum();", 3, 0, "for (int i = 0; i < 3; i++)"),
        ("int f(int n) { while (n) n--; }", 16, 30, "while (n)"),
        ("  x = a ? b : c; y = 1;", 7, 16, "a ? b : c"),
        ("  MACRO(x)", 0, 0, "MACRO(x)"),
        ('  puts("é"); if (n) f();', 15, 0, "if (n)"),
        ("  if (a &&", 3, 0, "if (a &&"),
    ],
)
def test_a_branch_is_told_by_its_condition(line: str, column: int, end: int, expected: str) -> None:
    assert head(line, Span("f.c", 1, column, 1 if end else 0, end)) == expected


@pytest.mark.parametrize(
    ("variable", "type", "value", "is_told"),
    [
        ("table.object", "[int]", "{all -3}", False),
        ("p offset", "int", "0", False),
        ("p offset", "int", "2", True),
        ("s.object", "i32", "7", True),
        ("offset", "int", "0", True),
        ("what exists before the call", "[int]", "{all 0}", False),
    ],
)
def test_numbers_that_objects_have_in_the_model_are_not_told(
    variable: str, type: str, value: str, is_told: bool
) -> None:
    assert ChosenValue(ValueOrigin.INPUT, variable, variable, type, value, CALL).is_worth_telling is is_told
