"""What is stored is checked side by side, in any order; what comes of it counts under the theorem's condition alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.horn.verdict import Summaries
from sorrel.model.property import Property
from sorrel.modular import checking
from sorrel.modular.component import Component
from sorrel.modular.inquiry import Inquiry, inquire
from sorrel.modular.judging import Judged, standings
from sorrel.modular.reading import read
from sorrel.project.result import Verdict
from sorrel.project.settings import Limits, Settings
from sorrel.project.sources import sources
from sorrel.store.block import Block, Claim
from sorrel.store.lockfile import Contents

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int low(int x) {{ return x > {high} ? {high} : x; }}
int middle(int x) {{ int r = low(x); assert(r <= 10); return r; }}
int main(void) {{ int r = middle(__VERIFIER_nondet_int()); assert(r <= 10); return 0; }}
"""
CONTRACTS = {
    "low": "(define-fun low ((a0 Int) (a1 Int)) Bool (<= a1 10))",
    "middle": "(define-fun middle ((a0 Int) (a1 Int) (a2 Bool)) Bool (and a2 (<= a1 10)))",
}


def inquiry(folder: Path, monkeypatch: pytest.MonkeyPatch, high: int, contracts: dict[str, str]) -> Inquiry:
    """The project with a store that claims these contracts."""
    (folder / "a.c").write_text(PROGRAM.format(high=high))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(checking, "FEWEST", 1)
    settings = Settings(str(folder), ("a.c",), limits=Limits(seconds=5))
    empty = inquire(Property.ASSERTIONS, settings, read(settings, sources(settings)), Contents())
    known = empty.known
    blocks = {}
    for component in known.parts.components:
        lines = tuple(contracts[component.name].split("\n")) if component.name in contracts else ()
        block = Block(known.identity(component), known.about, "", (), Claim.PROVED, lines)
        blocks[block.key] = [block]
    return replace(empty, contents=Contents(blocks))


def verdicts(asked: Inquiry, jobs: int) -> dict[str, Verdict]:
    asked.check_stored(jobs, (), lambda: False)
    asked.prove(None, lambda _: None, lambda: False, lambda: None)
    return {name: result.verdict for name, result in asked.results.items()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_copies_of_a_process_say_what_it_would_say_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    asked = inquiry(tmp_path, monkeypatch, 10, CONTRACTS)
    assert verdicts(asked, jobs) == dict.fromkeys(("low", "middle", "main"), Verdict.PROVED)
    assert len(asked.checked) == (3 if jobs > 1 else 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_rests_on_a_false_claim_about_a_callee_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    asked = inquiry(tmp_path, monkeypatch, 11, CONTRACTS)
    found = verdicts(asked, jobs)
    if jobs > 1:
        assert asked.checked["middle"].accepted  # under what is claimed of low, which is false
    assert found["main"] is Verdict.UNKNOWN
    assert found["middle"] is Verdict.UNKNOWN


def test_a_circle_of_claims_that_support_each_other_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = {"middle": "(define-fun middle ((a0 Int) (a1 Int) (a2 Bool)) Bool false)"}
    claims["low"] = "(define-fun low ((a0 Int) (a1 Int)) Bool false)"
    assert verdicts(inquiry(tmp_path, monkeypatch, 11, claims), 2)["main"] is Verdict.UNKNOWN


def test_a_copy_that_dies_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = inquiry(tmp_path, monkeypatch, 10, CONTRACTS)
    monkeypatch.setattr(checking, "_findings", _die)
    assert verdicts(asked, 2)["main"] is Verdict.PROVED
    assert not asked.checked


def _die(_: object) -> list[object]:
    import os

    os._exit(7)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_line_that_others_quote_says_to_callers_what_was_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """Read as one text the lines define `low` as anything; a caller that reads the middle one alone gets `false`."""
    lines = [
        "(set-info :note |",
        "(define-fun low ((a0 Int) (a1 Int)) Bool false)",
        "|) (define-fun  low ((a0 Int) (a1 Int)) Bool true)",
    ]
    asked = inquiry(tmp_path, monkeypatch, 100, {**CONTRACTS, "low": "\n".join(lines)})
    found = verdicts(asked, jobs)
    assert (found["middle"], found["main"]) == (Verdict.UNKNOWN, Verdict.UNKNOWN)


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_lines_about_one_function_are_no_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    both = "(define-fun low ((a0 Int) (a1 Int)) Bool false)\n" + CONTRACTS["low"]
    asked = inquiry(tmp_path, monkeypatch, 100, {**CONTRACTS, "low": both})
    found = verdicts(asked, jobs)
    assert (found["middle"], found["main"]) == (Verdict.UNKNOWN, Verdict.UNKNOWN)


def test_a_block_that_ends_or_stops_who_checks_it_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = inquiry(tmp_path, monkeypatch, 10, CONTRACTS)
    monkeypatch.setattr(checking, "LONGEST_SECONDS", 0.5)
    monkeypatch.setattr(checking, "standings", _stuck)
    found = verdicts(asked, 2)
    assert asked.checked["middle"].detail == checking.LOST
    assert asked.checked["low"].accepted
    assert (found["low"], found["middle"], found["main"]) == (Verdict.PROVED, Verdict.UNKNOWN, Verdict.UNKNOWN)


def _stuck(component: Component, contracts: Summaries) -> dict[str, Judged]:
    while component.name == "middle":
        pass
    return standings(component, contracts)
