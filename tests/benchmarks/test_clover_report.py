"""Tables about bounds and scale are computed from recorded runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.report import bound_of, cost, families, length_of, line_through, main
from sorrel.bench.record import Ledger, Record
from sorrel.model.outcome import Answer


def record(task: str, tool: str, wall: float, queries: dict[str, dict[str, Any]]) -> Record:
    safe = Answer.SAFE
    return Record(
        *("s", "f", task, tool, "own", safe, safe, "correct", "", safe, True, wall, wall, 10.0, 0),
        *("clover", ("z3",), "d", "h", "l", ""),
        {"queries": queries},
    )


def asked(count: int, seconds: float, largest: int) -> dict[str, Any]:
    return {"count": count, "seconds": seconds, "largest": largest, "undecided": 0}


CHAINS = [
    record(
        f"scale/chain_{n:04}.smt2",
        "clover-contracts",
        n / 10 + 1,
        {"OO": asked(n, 1.0, 200), "safe": asked(1, 0.1, 90)},
    )
    for n in (10, 30, 100)
]


def test_the_bound_is_read_from_the_name_of_the_tool() -> None:
    assert bound_of("clover-k10") == 10
    assert bound_of("clover") is None


def test_kinds_of_queries_add_up() -> None:
    one = record("a", "clover-k2", 1.0, {"project.model": asked(3, 0.5, 1), "OO": asked(2, 0.25, 1)})
    assert cost([one, one], ("project",)).count == 6
    assert cost([one, one], ("OO",)).seconds == 0.5


def test_the_fit_of_a_line_is_that_line() -> None:
    lengths = [length for chain in CHAINS if (length := length_of(chain))]
    slope, start = line_through(lengths)
    assert (round(slope, 6), round(start, 6)) == (0.1, 1.0)
    assert {length.largest for length in lengths} == {200}


@pytest.mark.long
def test_reports_are_written_beside_the_results(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.repair()
    for item in [*CHAINS, record("a", "clover-k2", 1.0, {"OO": asked(2, 0.25, 1)})]:
        ledger.append(item)
    assert main(["scale", str(tmp_path)]) == 0
    assert "by a factor of 1.00" in (tmp_path / "scale.md").read_text()
    assert main(["bounds", str(tmp_path)]) == 0
    assert "| 2 | 1 | 1 | 1.00 |" in (tmp_path / "bounds.md").read_text()


def test_a_table_of_families_counts_answers_and_says_who_decided(tmp_path: Path) -> None:
    one = replace(record("a", "portfolio", 2.0, {}), limits="wall=60 cpu=none memory=4096", decided_by="Spacer")
    left = replace(one, task="b", verdict=Answer.UNKNOWN, cause="time", decided_by="")
    ledger = Ledger(tmp_path / "lin")
    ledger.path.parent.mkdir()
    ledger.repair()
    for each in (one, left):
        ledger.append(each)
    text = families(tmp_path)
    assert "| lin | 2 | 1 | 1 | 0 | 0 | 1 | 0 | 2.00 | 61.00 |" in text
    assert "| lin | Spacer 1 |" in text
