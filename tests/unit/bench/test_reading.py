"""What a tool said, from what it printed; and how tools are described."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from sorrel.bench.dialect import is_rule_dialect
from sorrel.bench.process import Execution, Limits
from sorrel.bench.reading import Reading, read_execution
from sorrel.bench.tool import Patterns, Tool, builtin_tools, choose_tools, read_tools
from sorrel.model.errors import InputError, UsageError
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, Reason

Z3 = builtin_tools()["z3"]
OWN = Tool("spacer", engine="spacer")
LIMITS = Limits(wall=10)


def printed(stdout: str, **changes: Any) -> Execution:
    fields: dict[str, Any] = {"stderr": "", "wall": 1.0, "cpu": 1.0, "memory": 10.0, "exit_code": 0}
    return Execution(stdout, **(fields | changes))


def read(tool: Tool, execution: Execution, *, rule_dialect: bool = False) -> Reading:
    return read_execution(tool, execution, LIMITS, rule_dialect=rule_dialect)


def test_sat_is_safe_in_the_horn_dialect_and_unsafe_for_a_query() -> None:
    assert read(Z3, printed("sat\n")).verdict is Answer.SAFE
    assert read(Z3, printed("unsat\n")).verdict is Answer.UNSAFE
    assert read(Z3, printed("sat\n"), rule_dialect=True).verdict is Answer.UNSAFE
    assert read(Z3, printed("unsat\n"), rule_dialect=True).verdict is Answer.SAFE


def test_several_queries_are_safe_only_when_all_are() -> None:
    assert read(Z3, printed("unsat\nunsat\n"), rule_dialect=True).verdict is Answer.SAFE
    assert read(Z3, printed("unsat\nsat\n"), rule_dialect=True).verdict is Answer.UNSAFE
    assert read(Z3, printed("unsat\nunknown\n"), rule_dialect=True).verdict is Answer.UNKNOWN


def test_an_answer_behind_an_error_is_not_believed() -> None:
    reading = read(Z3, printed('(error "line 3: unknown constant p")\nsat\n', exit_code=1))
    assert (reading.verdict, reading.cause) == (Answer.UNKNOWN, "error")
    assert "unknown constant p" in reading.detail


def test_an_error_behind_the_answer_does_not_matter() -> None:
    reading = read(Z3, printed('unsat\n(error "model is not available")\n', exit_code=1))
    assert reading.verdict is Answer.UNSAFE


@pytest.mark.parametrize(
    ("execution", "cause"),
    [
        (printed("unknown\n"), "gave-up"),
        (printed("satisfied\n"), "no-answer"),
        (printed("", exit_code=-11), "crash"),
        (printed("", exit_code=1, stderr="std::bad_alloc"), "memory"),
        (printed('(error "out of memory")\n', exit_code=101), "memory"),
        (printed("sat\nunsat\n"), "ambiguous"),
        (printed("sat\n", stopped="time"), "time"),
        (printed("sat\n", stopped="memory"), "memory"),
        (printed("sat\n", exit_code=-24), "cpu"),
        (printed("sat\n", wall=10.01), "time"),
        (printed("", exit_code=None, failure="No such file"), "crash"),
    ],
)
def test_every_unknown_has_its_cause(execution: Execution, cause: str) -> None:
    reading = read(Z3, execution)
    assert (reading.verdict, reading.cause) == (Answer.UNKNOWN, cause)


def test_what_was_claimed_too_late_is_remembered() -> None:
    assert read(Z3, printed("sat\n", wall=11.0)).claimed is Answer.SAFE


ACCEPTED = Confirmation("z3", True, 0.1)
REJECTED = Confirmation("cvc5", False, 0.1, "timeout")


def test_our_answer_counts_with_accepted_evidence() -> None:
    outcome = Outcome(
        Answer.UNSAFE,
        engine="unwind",
        confirmations=(REJECTED, ACCEPTED),
        seconds=0.5,
        statistics={"queries": 3},
    )
    reading = read(OWN, printed(outcome.dumps() + "\n", exit_code=10))
    assert (reading.verdict, reading.engine, reading.checkers) == (Answer.UNSAFE, "unwind", ("z3",))
    assert reading.statistics == {"seconds": 0.5, "queries": 3}


@pytest.mark.parametrize("confirmations", [(), (REJECTED,)])
def test_our_answer_without_accepted_evidence_is_unknown(confirmations: tuple[Confirmation, ...]) -> None:
    reading = read(OWN, printed(Outcome(Answer.SAFE, confirmations=confirmations).dumps()))
    assert (reading.verdict, reading.cause, reading.claimed) == (Answer.UNKNOWN, "unconfirmed", Answer.SAFE)


def test_our_reason_is_the_cause() -> None:
    outcome = Outcome(Answer.UNKNOWN, reason=Reason(Cause.UNSUPPORTED, "no\narrays"))
    reading = read(OWN, printed(outcome.dumps(), exit_code=5))
    assert (reading.cause, reading.detail) == ("unsupported", "no arrays")


def test_our_outcome_may_be_indented_or_follow_other_lines() -> None:
    data = Outcome(Answer.SAFE, confirmations=(ACCEPTED,)).to_json()
    assert read(OWN, printed(json.dumps(data, indent=2))).verdict is Answer.SAFE
    assert read(OWN, printed("a note\n" + json.dumps(data))).verdict is Answer.SAFE


def test_our_engines_get_a_second_of_tolerance() -> None:
    outcome = Outcome(Answer.SAFE, confirmations=(ACCEPTED,)).dumps()
    assert read(OWN, printed(outcome, wall=10.9)).verdict is Answer.SAFE
    assert read(OWN, printed(outcome, wall=11.1)).cause == "time"


@pytest.mark.parametrize(
    ("stdout", "exit_code", "stderr", "cause"),
    [
        ("", 2, "x.smt2:1:1: not a Horn clause", "input"),
        ("", 6, "an invariant is broken", "internal"),
        ("", 1, "Traceback (most recent call last): …", "crash"),
        ("", 1, "Traceback … MemoryError", "memory"),
        ('{"answer": "maybe", "confirmations": []}', 0, "", "internal"),
        ('{"answer": "safe", "confirmations": 3}', 0, "", "internal"),
    ],
)
def test_a_broken_run_of_ours_has_a_cause(stdout: str, exit_code: int, stderr: str, cause: str) -> None:
    assert read(OWN, printed(stdout, exit_code=exit_code, stderr=stderr)).cause == cause


def test_an_engine_that_does_not_exist_stops_the_benchmark() -> None:
    with pytest.raises(UsageError, match="spacr"):
        read(Tool("spacr", engine="spacr"), printed("", exit_code=1, stderr="there is no engine spacr"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(declare-rel p (Int))", True),
        ("(set-logic HORN)\n( rule (p 1))", True),
        ("(query p)", True),
        ("; (rule (p 1))\n(assert true)", False),
        ('(set-info :source "\n(rule x)")(assert true)', False),
        ("(declare-fun |(rule| () Bool)", False),
        ("(declare-fun query (Int) Bool)(assert (forall ((x Int)) (query x)))", False),
        ("(rules p)", False),
        ("", False),
    ],
)
def test_the_dialect_shows_in_top_level_commands_only(text: str, expected: bool) -> None:
    assert is_rule_dialect(text) is expected


def test_our_engine_is_called_with_its_limits() -> None:
    call = Tool("x", engine="unwind", options=("--recheck", "cvc5")).call(Path("a.smt2"), Limits(2.5, None, 100))
    assert call[0] == sys.executable
    expected = "-m sorrel solve --engine unwind --timeout 2.5 --memory 100 --json --recheck cvc5 a.smt2"
    assert " ".join(call[1:]) == expected
    assert OWN.enforced(Limits(2.5, None, 100)) == Limits(7.5, None, 356)
    assert Z3.enforced(LIMITS) is LIMITS


def test_placeholders_are_filled_and_other_braces_stay() -> None:
    tool = Tool("x", command=("{python}", "-c", "print({1: 2})", "-t{timeout}", "{property}", "{file}"))
    assert tool.call(Path("a"), LIMITS, "p")[1:] == ["-c", "print({1: 2})", "-t10", "p", "a"]


def test_a_definition_changes_with_everything_that_decides_a_run() -> None:
    tool = Tool("x", command=("a", "{file}"), patterns=Patterns(safe="s"))
    variants = [
        tool.definition("1"),
        tool.definition("2"),
        Tool("x", command=("b", "{file}"), patterns=Patterns(safe="s")).definition("1"),
        Tool("x", command=("a", "{file}"), patterns=Patterns(safe="t")).definition("1"),
        Tool("x", engine="x").definition("1"),
        Tool("x", engine="x", options=("-v",)).definition("1"),
    ]
    assert len(set(variants)) == len(variants)
    assert tool.definition("1") == variants[0]


def test_the_built_in_z3_tells_its_version() -> None:
    assert re.search(r"\d+\.\d+", Z3.version())


def test_a_name_without_configuration_is_an_engine() -> None:
    assert choose_tools(["z3", "portfolio"], {"z3": Z3}) == [Z3, Tool("portfolio", engine="portfolio")]


@pytest.mark.parametrize("names", [[], ["z3", "z3"], ["../x"]])
def test_a_choice_of_tools_that_makes_no_sense_is_refused(names: list[str]) -> None:
    with pytest.raises(UsageError):
        choose_tools(names, {"z3": Z3})


def test_tools_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tools.toml"
    file.write_text(
        '[tool.peer]\ncommand = ["peer", "{file}"]\nsafe = "^OK"\nunsafe = "^BAD"\n'
        '[tool.deep]\nkind = "sorrel"\nengine = "unwind"\noptions = ["--set", "depth=9"]\n'
    )
    tools = read_tools(file)
    assert tools["peer"].command == ("peer", "{file}")
    assert not tools["peer"].own
    assert tools["deep"] == Tool("deep", engine="unwind", options=("--set", "depth=9"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[tool.x]\ncommand = ["x"]\nsafe = "s"', "no {file}"),
        ('[tool.x]\ncommand = ["x", "{file}"]', "no pattern"),
        ('[tool.x]\ncommand = ["x", "{file}"]\nsafe = "("', "regular expression"),
        ('[tool.x]\ncommand = "x {file}"\nsafe = "s"', "wrong type"),
        ('[tool.x]\ncommand = ["x", 3, "{file}"]\nsafe = "s"', "wrong type"),
        ('[tool.x]\ncommand = ["x", "{file}"]\nsafe = "s"\nsave = "t"', "save is not known"),
        ('[tool.x]\nkind = "sorrel"\ncommand = ["x"]', "command is not known"),
        ('[tool.x]\nkind = "magic"', "magic is not known"),
        ('[tool."a b"]\nkind = "sorrel"', "not simple"),
        ("[tool]\nx = 3", "table of tables"),
        ("[tool", "not a TOML file"),
    ],
)
def test_a_bad_configuration_says_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "tools.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=re.escape(complaint)):
        read_tools(file)
