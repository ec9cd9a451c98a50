"""What a method is worth is counted on the tasks that it decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.leave_one_out import Worth, by_method, evenly, main, without
from sorrel.bench import plots
from sorrel.bench.process import Limits
from sorrel.bench.record import Ledger, Record
from sorrel.bench.suite import Task
from sorrel.bench.tool import builtin_tools, choose_tools
from sorrel.model.outcome import Answer


def record(task: str, engine: str, wall: float = 1.0, verdict: Answer = Answer.SAFE) -> Record:
    return Record(
        *("s", "f", task, "portfolio", "own", verdict, Answer.SAFE, "correct", "", verdict, True, wall, wall, 10.0, 0),
        *(engine, ("z3",), "d", "h", "l", ""),
    )


def task(name: str) -> Task:
    return Task("s", "f", name, Path(name), Answer.SAFE)


def test_tasks_are_asked_again_of_the_default_without_who_decided_them() -> None:
    records = [record("a", "clover"), record("b", "slices"), record("c", "clover", 50.0), record("d", "clover")]
    found = by_method(records, {name: task(name) for name in "abc"}, Limits(20.0), 4)
    assert found == {"clover": (2, ["a"]), "slices": (1, ["b"])}


def test_what_took_more_of_the_processor_than_is_allowed_is_not_asked() -> None:
    records = [record("a", "clover", 5.0), record("b", "clover", 15.0)]
    assert by_method(records, {name: task(name) for name in "ab"}, Limits(20.0, cpu=10.0), 4) == {"clover": (2, ["a"])}


def test_what_was_not_decided_is_nobodys() -> None:
    assert by_method([record("a", "", verdict=Answer.UNKNOWN)], {"a": task("a")}, Limits(20.0), 4) == {}


def test_the_same_few_are_chosen_from_the_first_to_the_last() -> None:
    assert evenly([str(number) for number in range(10)], 3) == ["0", "3", "6"]


def test_a_method_is_left_out_of_the_schedule_of_the_same_tool() -> None:
    tool = without(choose_tools(["portfolio-pick"], builtin_tools())[0], "flower")
    assert (tool.engine, tool.options) == ("portfolio-flower", ("--function", "pick"))


def test_lost_is_what_the_default_decides_and_what_is_left_of_it_does_not() -> None:
    before = (record("a", "clover"), record("b", "", verdict=Answer.UNKNOWN), record("c", "clover"))
    after = (record("a", "", verdict=Answer.UNKNOWN), record("b", "", verdict=Answer.UNKNOWN), record("c", "slices"))
    worth = Worth("clover", 3, before, after)
    assert [each.task for each in worth.lost] == ["a"]
    assert worth.row()[:5] == ("clover", "3", "3", "2", "1")


def test_a_task_that_another_method_decides_as_well_is_not_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)  # pictures take longer than the runs
    suite = tmp_path / "tasks"
    suite.mkdir()
    (suite / "counting.c").write_text("int main(void) { int i = 0; while (i < 3) i++; return 0; }\n")
    (suite / "index.csv").write_text("family,file,expected_verdict\nown,counting.c,termination=true\n")
    results = tmp_path / "results"
    results.mkdir()
    ledger = Ledger(results)
    ledger.repair()
    ledger.append(record("counting.c", "ranks"))
    arguments = [str(results), str(suite), "--property", "termination", "--output", str(tmp_path / "again")]
    assert main(arguments) == 0
    assert "| ranks | 1 | 1 | 1 | 0 |" in capsys.readouterr().out
