"""Witnesses of verifiers are checked against the program: claims as assertions, inputs by running it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sorrel.cli.main import main

PROGRAM = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0, s = 0;
    while (i < n && i < 1000) {
        i = i + 1;
        s = s + 2;
    }
    if (n >= 0 && n < 1000 && s != 2 * n)
        reach_error();
}
"""
WRONG = PROGRAM.replace("s != 2 * n", "s == 14")
CORRECTNESS = """- entry_type: invariant_set
  metadata: {{format_version: "2.0"}}
  content:
  - invariant:
      type: loop_invariant
      location: {{file_name: elsewhere/p.c, line: {line}, column: 5, function: main}}
      value: "{text}"
      format: c_expression
"""
VIOLATION = """- entry_type: violation_sequence
  metadata: {{format_version: "2.0"}}
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        constraint: {{value: '\\result == {value}', format: ext_c_expression}}
        location: {{file_name: p.c, line: 4, column: 35}}
  - segment:
    - waypoint: {{type: target, action: follow, location: {{file_name: p.c, line: 11}}}}
"""


@pytest.fixture
def checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], in_this_process: None) -> object:
    def ask(program: str, witness: str) -> tuple[int, str]:
        (tmp_path / "p.c").write_text(program)
        (tmp_path / "w.yml").write_text(witness)
        code = main(["check", str(tmp_path / "p.c"), str(tmp_path / "w.yml"), "--timeout", "60"])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return ask


def test_invariants_that_hold_are_accepted_and_others_refuted_by_a_run(checked: object) -> None:
    assert callable(checked)
    code, said = checked(PROGRAM, CORRECTNESS.format(line=6, text="(long long)s == 2 * (long long)i"))
    assert (code in (0, 3), said.startswith("accepted")) == (True, True), said
    code, said = checked(PROGRAM, CORRECTNESS.format(line=6, text="s == i"))
    assert (code, said.split(":")[0]) == (10, "rejected"), said
    assert "n = 1" in said


@pytest.mark.long
def test_assertions_that_nobody_asks_about_do_not_cost_a_witness_its_acceptance(
    checked: object, tmp_path: Path
) -> None:
    """The property is about calls of reach_error, by the task's property file; the program's own assertion fails."""
    assert callable(checked)
    (tmp_path / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (tmp_path / "t.yml").write_text(
        "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: p.prp\n"
        "options:\n  language: C\n  data_model: LP64\n"
    )
    program = "#include <assert.h>\n" + PROGRAM.replace("    int i = 0", "    assert(n != 7); int i = 0")
    checked(program, CORRECTNESS.format(line=7, text="(long long)s == 2 * (long long)i"))
    assert main(["check", str(tmp_path / "t.yml"), str(tmp_path / "w.yml"), "--timeout", "60"]) in (0, 3)


def test_inputs_lead_to_the_error_or_confirm_nothing(checked: object) -> None:
    assert callable(checked)
    code, said = checked(WRONG, VIOLATION.format(value=7))
    assert (code, said.startswith("accepted")) == (0, True), said
    code, said = checked(WRONG, VIOLATION.format(value=8))
    assert (code, said.startswith("not confirmed")) == (5, True), said


@pytest.mark.parametrize(
    ("witness", "told"),
    [
        (CORRECTNESS.format(line=5, text="s == i"), "no loop"),
        (CORRECTNESS.format(line=6, text="q == i"), "q means nothing here"),
        (CORRECTNESS.format(line=6, text="s =="), "a value is missing"),
        ("- entry_type: 3\n", "not a witness in format 2"),
        ("- entry_type: invariant_set\n  content: 5\n", "not a witness in format 2"),
        ("entry_type: [", "not a witness in format 2"),
    ],
)
def test_what_is_no_witness_of_the_program_is_told(checked: object, witness: str, told: str) -> None:
    assert callable(checked)
    code, said = checked(PROGRAM, witness)
    assert (code, told in said) == (2, True), said


LEAKS = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int x) { if (x > 100 || x < 0) return 0; return x + x; }
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    for (int k = 0; k < 3; k++) { } for (int k = 9; k > 3; k--) { }
    if (twice(n) == 0)
        reach_error();
    return m;
}
"""
KEEPS = LEAKS.replace("== 0", "== 1")


def _correctness(*items: str) -> str:
    return "- entry_type: invariant_set\n  metadata: {}\n  content:\n" + "".join(f"  - {item}\n" for item in items)


def _invariant(text: str, kind: str = "loop_invariant", column: str = "") -> str:
    return f"invariant: {{type: {kind}, location: {{file_name: p.c, line: 6{column}}}, value: '{text}'}}"


def _contract(requires: str, ensures: str) -> str:
    place = "location: {file_name: p.c, line: 3, column: 1, function: twice}"
    return f"contract: {{type: function_contract, {place}, requires: '{requires}', ensures: '{ensures}'}}"


def _way(*points: str, target: int = 8) -> str:
    place = f"{{type: target, action: follow, location: {{file_name: p.c, line: {target}}}}}"
    segments = "".join(f"  - segment: [waypoint: {point}]\n" for point in (*points, place))
    return "- entry_type: violation_sequence\n  metadata: {}\n  content:\n" + segments


def _point(kind: str, text: str, line: int = 5, column: int = 35, action: str = "follow") -> str:
    place = f"location: {{file_name: p.c, line: {line}, column: {column}}}"
    return f"{{type: {kind}, action: {action}, constraint: {{value: '{text}'}}, {place}}}"


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("witness", "code"),
    [
        (_correctness(_invariant("k >= 0 && k <= 3")), 0),  # the first of the line, where no column is given
        pytest.param(_correctness(_invariant("k <= 9 && k >= 3", column=", column: 37")), 0, marks=pytest.mark.long),
        (_correctness(_invariant("k <= 9 && k > 3", column=", column: 37")), 10),
        (_correctness(_invariant("k >= 0", "location_invariant")), 5),
        (_correctness(_invariant("k > 9"), _invariant("k >= 0", "location_invariant")), 10),
        pytest.param(_correctness(_contract("1", "\\result >= 0")), 0, marks=pytest.mark.long),
        (_correctness(_contract("x > 500", "\\result == 0")), 10),
        (_correctness(_contract("x == x", "\\result == 4")), 10),
    ],
)
def test_a_correctness_witness_is_accepted_only_if_all_of_it_was_looked_at(
    checked: object, witness: str, code: int
) -> None:
    assert callable(checked)
    found, said = checked(KEEPS, witness)
    assert found == code, said


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("witness", "code"),
    [
        (_way(), 0),
        (_way(_point("function_return", "\\result == 0")), 0),
        (_way(_point("function_return", "\\result == 4294967295U")), 0),  # -1, as C compares them
        (_way(_point("function_return", "\\result == 4294967296")), 5),
        (_way(_point("function_return", "\\result == 0x0")), 5),
        (_way(_point("function_return", "\\result == 0"), _point("function_return", "\\result == 3")), 5),
        (_way(_point("function_return", "\\result == 3", column=64)), 0),  # the second call of the line
        (_way(_point("function_return", "\\result == 3", column=35)), 5),
        (_way(_point("function_return", "\\result == 0", line=6)), 5),
        (_way(_point("assumption", "n == 7", line=7, column=5)), 5),
        (_way(_point("branching", "false", line=7, column=5)), 5),
        (_way(_point("assumption", "n == 0", line=7, column=5, action="avoid")), 5),
        (_way(target=6), 5),
        (_way().replace("type: target", "type: function_enter"), 2),
    ],
)
def test_a_violation_witness_is_accepted_only_if_the_run_is_one_that_it_describes(
    checked: object, witness: str, code: int
) -> None:
    assert callable(checked)
    found, said = checked(LEAKS, witness)
    assert found == code, said


@pytest.mark.usefixtures("in_this_process")
def test_a_value_is_told_at_the_call_that_returned_it_or_not_at_all(tmp_path: Path) -> None:
    program = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
#define N __VERIFIER_nondet_int()
int main(void) {
    int a = N, b = __VERIFIER_nondet_int();
    unsigned long u = /* é */ __VERIFIER_nondet_ulong();
    if (a == 77 && b == 78 && u == -1ul)
        reach_error();
}
"""
    (tmp_path / "p.c").write_text(program)
    main(["verify", str(tmp_path / "p.c"), "--engine", "spacer", "--witness", str(tmp_path / "w.yml"), "-q"])
    (entry,) = yaml.safe_load((tmp_path / "w.yml").read_text())
    points = [each["segment"][0]["waypoint"] for each in entry["content"]]
    told = [(each["location"]["column"], each.get("constraint", {}).get("value")) for each in points]
    assert told == [(42, "\\result == 78"), (56, "\\result == 18446744073709551615u"), (9, None)]
