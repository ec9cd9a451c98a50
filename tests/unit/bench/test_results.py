"""Counting, recording and showing results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sorrel.bench.plots import draw
from sorrel.bench.process import Limits
from sorrel.bench.provenance import Definition, Machine, Provenance, Session
from sorrel.bench.record import Ledger, Record, judge
from sorrel.bench.summary import render
from sorrel.bench.tally import contradictions, missing, overheads, par2, solved_by_one, tally, wrong
from sorrel.model.errors import InputError, UsageError
from sorrel.model.outcome import Answer

LIMITS = Limits(wall=10)


def record(task: str, tool: str, verdict: str, wall: float = 1.0, **changes: Any) -> Record:
    answer = Answer(verdict)
    expected = changes.get("expected", Answer.UNKNOWN)
    fields: dict[str, Any] = {
        "suite": "s",
        "family": "f",
        "task": task,
        "tool": tool,
        "kind": "peer" if tool == "z3" else "own",
        "verdict": answer,
        "expected": expected,
        "correctness": judge(answer, expected),
        "cause": "time" if answer is Answer.UNKNOWN else "",
        "claimed": answer,
        "confirmed": tool != "z3" and answer is not Answer.UNKNOWN,
        "wall": wall,
        "cpu": wall,
        "memory_mb": 10.0,
        "exit_code": 0,
        "engine": "",
        "checkers": (),
        "definition": "d",
        "file_hash": "h",
        "limits": str(LIMITS),
        "detail": "",
    }
    return Record(**(fields | changes))


SAMPLE = [
    record("a", "z3", "safe", 0.5, expected=Answer.SAFE),
    record("a", "spacer", "safe", 0.75, expected=Answer.SAFE),
    record("b", "z3", "unsafe", 2.0, expected=Answer.SAFE),
    record("b", "spacer", "safe", 3.0, expected=Answer.SAFE),
    record("c", "z3", "unknown", 10.0),
    record("c", "spacer", "unsafe", 4.0),
    record("d", "z3", "safe", 0.25),
    record("d", "spacer", "unknown", 0.5, cause="unconfirmed"),
    record("e", "z3", "safe", 0.5),
    record("e", "spacer", "unsafe", 1.5),
]


def of(tool: str) -> list[Record]:
    return [item for item in SAMPLE if item.tool == tool]


def provenance(*sessions: Session) -> Provenance:
    tools = {"z3": Definition("d", "Z3 version 0", "{z3} {file}"), "spacer": Definition("d", "1", "")}
    return Provenance(LIMITS, tools, sessions)


def test_judgement_compares_with_the_index() -> None:
    assert judge(Answer.SAFE, Answer.SAFE) == "correct"
    assert judge(Answer.SAFE, Answer.UNSAFE) == "wrong"
    assert judge(Answer.SAFE, Answer.UNKNOWN) == "unchecked"
    assert judge(Answer.UNKNOWN, Answer.SAFE) == ""


def test_every_task_is_counted_once() -> None:
    counts = tally("z3", of("z3"), 10)
    assert (counts.tasks, counts.safe, counts.unsafe, counts.wrong, counts.unsolved) == (5, 3, 0, 1, 1)
    assert counts.tasks == counts.solved + counts.wrong + counts.unsolved
    assert counts.confirmed == 0
    counts = tally("spacer", of("spacer"), 10)
    assert (counts.safe, counts.unsafe, counts.confirmed) == (2, 2, 4)
    assert counts.unknown == (("unconfirmed", 1),)


def test_par2_charges_twice_the_limit_for_wrong_and_unknown() -> None:
    assert par2(of("z3"), 10) == pytest.approx((0.5 + 20 + 20 + 0.25 + 0.5) / 5)
    assert par2(of("spacer"), 10) == pytest.approx((0.75 + 3 + 4 + 20 + 1.5) / 5)
    assert par2([record("x", "spacer", "safe", 10.8)], 10) == 10  # the tolerance is not a penalty
    assert par2([], 10) == 0


def test_the_median_is_over_solved_tasks() -> None:
    assert tally("z3", of("z3"), 10).median == 0.5
    assert tally("spacer", of("spacer"), 10).median == 2.25
    assert tally("z3", [record("c", "z3", "unknown")], 10).median is None


def test_wrong_answers_and_contradictions_are_found() -> None:
    assert [(item.task, item.tool) for item in wrong(SAMPLE)] == [("b", "z3")]
    assert [group[0].task for group in contradictions(SAMPLE)] == ["b", "e"]


def test_the_same_name_in_two_suites_is_no_contradiction() -> None:
    pair = [record("a", "z3", "safe"), record("a", "spacer", "unsafe", suite="t")]
    assert contradictions(pair) == []


def test_what_one_tool_did_and_another_did_not_is_skipped() -> None:
    assert missing(SAMPLE) == 0
    assert missing([*SAMPLE, record("f", "z3", "safe")]) == 1
    assert missing([]) == 0


def test_tasks_that_one_tool_solved() -> None:
    found = [(item.task, item.tool) for item in solved_by_one(SAMPLE)]
    assert found == [("b", "spacer"), ("c", "spacer"), ("d", "z3")]
    assert solved_by_one([record("a", "z3", "safe")]) == []


def test_overhead_is_measured_on_tasks_that_are_easy_for_the_peer() -> None:
    quick, (row,) = overheads(SAMPLE, "z3", ["z3", "spacer"])
    assert quick == 3
    assert (row.tool, row.tasks) == ("spacer", 2)
    assert row.median == pytest.approx(0.625)


def test_records_survive_the_file(tmp_path: Path) -> None:
    rich = record(
        "a,b\n|c|",
        "spacer",
        "unsafe",
        checkers=("z3", "cvc5"),
        exit_code=None,
        detail='a "quoted"\u2028 line',
        statistics={"queries": 3, "note": "two\nlines"},
    )
    ledger = Ledger(tmp_path)
    ledger.repair()
    ledger.append(rich)
    ledger.append(SAMPLE[0])
    assert ledger.read() == [replace(rich, task="a,b |c|", detail='a "quoted"  line'), SAMPLE[0]]


def test_a_cut_off_last_line_is_a_run_that_was_not_made(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.repair()
    for item in SAMPLE[:3]:
        ledger.append(item)
    whole = ledger.path.read_bytes()
    start = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(start, len(whole)):
        ledger.path.write_bytes(whole[:end])
        assert ledger.read() == SAMPLE[:2]
        ledger.repair()
        ledger.append(SAMPLE[2])
        assert ledger.path.read_bytes() == whole


def test_a_cut_off_heading_is_written_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.path.write_text("suite,fam")
    ledger.repair()
    ledger.append(SAMPLE[0])
    assert ledger.read() == SAMPLE[:1]


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("task,answer\n")
    with pytest.raises(InputError, match="--fresh"):
        Ledger(tmp_path).read()


def test_a_folder_belongs_to_one_runner(tmp_path: Path) -> None:
    with Ledger(tmp_path).held(), pytest.raises(UsageError, match="another run"), Ledger(tmp_path).held():
        pass


def test_only_records_of_the_present_definitions_and_limits_count() -> None:
    records = [
        record("a", "z3", "safe", definition="old"),
        record("a", "z3", "unsafe"),
        record("a", "z3", "unknown"),
        record("b", "z3", "safe", limits=str(Limits(wall=99))),
        record("c", "gone", "safe"),
    ]
    assert provenance().current(records) == [records[2]]


def test_without_a_description_the_last_definitions_count() -> None:
    records = [record("a", "z3", "safe", definition="old"), *SAMPLE]
    guess = Provenance.guess(records)
    assert guess.limits == LIMITS
    assert guess.current(records) == SAMPLE


MACHINE = Machine("a processor", 4, 8000, "a system", "3.11")


def test_provenance_survives_the_file_and_goes_on(tmp_path: Path) -> None:
    first = provenance(Session("then", MACHINE, "abc", 1))
    first.write(tmp_path)
    assert Provenance.read(tmp_path) == first
    second = replace(provenance(Session("now", MACHINE, "abd", 1)), tools={"new": Definition("e", "", "")})
    both = second.after(first)
    assert list(both.tools) == ["z3", "spacer", "new"]
    assert [session.commit for session in both.sessions] == ["abc", "abd"]
    other = replace(second, limits=Limits(wall=11))
    assert other.after(first) == other


def test_the_summary_tells_the_whole_story() -> None:
    sessions = Session("then", MACHINE, "abc", 1), Session("now", MACHINE, "abd with local changes", 1)
    text = render(SAMPLE, provenance(*sessions), ["cactus.png"])
    for part in (
        "| processor | a processor, 4 cores |",
        "| commit | abd with local changes |",
        "Some of these runs are older: started then;",
        "| wall limit | 10 s |",
        "| z3 | Z3 version 0 | `{z3} {file}` |",
        "| z3 | 5 | 3 | 3 | 0 | 0 | 1 (time 1) | 1 | 0 | 8.25 | 0.50 |",
        "| spacer | 5 | 4 | 2 | 0 | 2 | 1 (unconfirmed 1) | 0 | 4 | 5.85 | 2.25 |",
        "## s: f",
        "| b | z3 | unsafe | safe |",
        "| e | z3: safe, spacer: unsafe | unknown |",
        "| spacer | c | unsafe | 4.00 |",
        "z3 solves 3 tasks in less than 1 s",
        "| spacer | 2 | +0.62 |",
        "![cactus](cactus.png)",
    ):
        assert part in text, part


def test_what_an_engine_counts_is_told_task_by_task() -> None:
    counted = [
        record("b", "whale", "safe", wall=3.0, cpu=2.0, statistics={"counts": {"ARGs": 7, "refinements": 3}}),
        record("a", "whale", "unknown", wall=9.0, cpu=8.0, statistics={"counts": {"ARGs": 12}}),
    ]
    text = render([*SAMPLE, *counted], provenance())
    assert "## whale, task by task" in text
    assert "| task | verdict | #ARGs | #refinements | CPU (s) | wall (s) |" in text
    assert text.index("| a | unknown | 12 | – | 8.0 | 9.0 |") < text.index("| b | safe | 7 | 3 | 2.0 | 3.0 |")
    assert "## z3, task by task" not in text


def test_the_summary_says_when_a_tool_is_behind() -> None:
    assert "spacer has run on 4 of 5 tasks" in render(SAMPLE[:-1], provenance())
    assert "There are no results yet" in render([], provenance())


@pytest.mark.long
def test_plots_are_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    names = draw(tmp_path, [*SAMPLE, record("a", "unwind", "unknown")], provenance())
    assert names == [
        "cactus.png",
        *("scatter-z3-vs-spacer.png", "scatter-z3-vs-unwind.png", "scatter-spacer-vs-unwind.png"),
    ]
    for name in names:
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert draw(tmp_path, [], provenance()) == []
