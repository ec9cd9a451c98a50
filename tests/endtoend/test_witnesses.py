"""Witnesses of verifiers are checked against the program: claims as assertions, inputs by running it."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        ("- entry_type: 3\n", "no witness of format 2"),
        ("- entry_type: invariant_set\n  content: 5\n", "no witness of format 2"),
        ("entry_type: [", "no witness of format 2"),
    ],
)
def test_what_is_no_witness_of_the_program_is_told(checked: object, witness: str, told: str) -> None:
    assert callable(checked)
    code, said = checked(PROGRAM, witness)
    assert (code, told in said) == (2, True), said
