"""Runs end because measures go down from call to call, and no measure has to be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.frontends import c
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.modular import coordinator
from sorrel.modular.inquiry import Inquiry, inquire
from sorrel.modular.measuring import Measuring
from sorrel.modular.pool import Answer, Lost
from sorrel.modular.reading import read
from sorrel.program.checks import instrument
from sorrel.program.descending import Form, descending, read_measure, write_measure
from sorrel.program.interpreter import run
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.run import Violated
from sorrel.program.statement import Kind
from sorrel.project.result import ProjectResult, Verdict
from sorrel.project.settings import Limits, Settings
from sorrel.project.sources import sources
from sorrel.store.block import Block, Claim
from sorrel.store.lockfile import Contents

from .test_proving import Here, project, stored, verdicts

COUNTING = "extern int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); %s return 0; }"
DOWN = "int down(int n) { while (n != 0) n--; return n; } " + COUNTING
MUTUAL = (
    "int odd(int n); int even(int n) { if (n <= 0) return 1; return odd(n - 1); } "
    "int odd(int n) { if (n <= 0) return 0; return even(n - 1); } " + COUNTING % "even(n);"
)


def ending(settings: Settings, contents: Contents, workers: Here | None) -> Inquiry:
    reading = read(settings, sources(settings))
    measures = None
    if (asked := workers) is not None:
        measures = Measuring(settings, lambda: asked, False, lambda: False).measures(reading, contents)
    inquiry = inquire(Property.TERMINATION, settings, reading, contents, measures)
    inquiry.prove(workers, lambda _: None, lambda: False, lambda: None)
    return inquiry


def test_loops_and_recursion_end_by_measures_that_are_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, MUTUAL.replace("even(n);", "while (n > 3) n -= 2; even(n);"), monkeypatch)
    first = ending(settings, Contents(), Here())
    assert set(verdicts(first).values()) == {Verdict.PROVED}
    again = Here()
    second = ending(settings, stored(first), again)
    assert again.asked == 0
    assert (verdicts(second), second.blocks) == (verdicts(first), first.blocks)
    assert verdicts(ending(settings, stored(first), None)) == verdicts(first)


def test_a_function_that_ends_for_some_inputs_asks_its_callers_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = project(tmp_path, DOWN % "if (n >= 0) down(n);", monkeypatch)
    found = ending(settings, Contents(), Here())
    assert verdicts(found) == {"down": Verdict.CONDITIONAL, "main": Verdict.PROVED}


def test_a_run_that_comes_back_refutes_and_is_repeated_from_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = project(tmp_path, COUNTING % "while (n != 0) { if (n != 2) n--; }", monkeypatch)
    found = ending(settings, Contents(), Here())
    assert found.results["main"].verdict is Verdict.REFUTED
    assert "does not terminate" in found.results["main"].message
    assert ending(settings, stored(found), None).results["main"].verdict is Verdict.REFUTED
    forged = {key: [replace(block, values=("9", '"x"'))] for key, block in found.blocks.items()}
    assert ending(settings, Contents(forged), None).results["main"].verdict is Verdict.UNKNOWN


FORGED = ("even: 1*#0 7", "even: -1*#0 0", "even: 1*#9 0", "even: 1*nothing 0", "even: 0", "")


def test_a_forged_measure_shows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, MUTUAL, monkeypatch)
    honest = ending(settings, Contents(), Here())
    for forged in FORGED:
        odd = "odd: 1*#0 9; 1*#0 0" if forged.startswith("even: 0") else "odd: 1*#0 9"
        blocks = {key: [_with(block, (forged, odd))] for key, block in honest.blocks.items()}
        assert ending(settings, Contents(blocks), None).results["main"].verdict is Verdict.UNKNOWN


def _with(block: Block, measures: tuple[str, ...]) -> Block:
    claim = Claim.PROVED if block.verdict is not Claim.REFUTED else block.verdict
    return replace(block, verdict=claim, measures=measures if block.measures else ())


def test_no_endless_loop_is_proved_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, COUNTING % "unsigned u = 3; while (u >= 0) u--;", monkeypatch)
    settings = replace(settings, limits=Limits(seconds=0.3))
    found = ending(settings, Contents(), Here())
    assert found.results["main"].verdict is not Verdict.PROVED
    assert "a.c:1" in found.results["main"].message


def test_a_wrong_measure_is_an_assertion_that_a_run_violates() -> None:
    text = "int f(int n) { return n <= 0 ? 0 : f(n - 1); } int main(void) { return f(5); }"
    program = c.read([Source("a.c", text)], c.CSettings())
    flat, _ = loops_as_procedures(instrument(program, frozenset()))
    claims: Mapping[Form, bool] = {
        Form((("#0", 1),), 0): True,
        Form((("#0", 1),), -3): False,
        Form((("#0", -1),), 9): False,
        Form((("#0", 1),), -3, cut=True): False,
    }
    for form, holds in claims.items():
        end = run(descending(flat, {"f": (form,)}), []).end
        assert isinstance(end, Violated) is not holds
        assert holds or (isinstance(end, Violated) and end.assertion.kind is Kind.DESCENT)


def test_measures_are_read_as_they_are_written() -> None:
    measure = (Form((("#0", -2), ("total", 1)), 5), Form((), -1, cut=True))
    assert read_measure(write_measure("f.loop.1", measure)) == ("f.loop.1", measure)
    for text in ("", "f", "f: ", ": 1", "f: x", "f: 1*", "f: 1*#0 y", "f: 1;2", "f: 9" + "9" * 99, "f: 0" + "; 0" * 99):
        assert read_measure(text) is None


def elsewhere(
    settings: Settings, workers: Here, monkeypatch: pytest.MonkeyPatch, here: Here | None = None
) -> ProjectResult:
    """The project proved by a cluster that these workers stand for, and by those here if it is lost."""
    monkeypatch.setattr(coordinator, "Cluster", lambda _address, _memory: workers)
    monkeypatch.setattr(coordinator, "Pool", lambda _jobs, _memory: here)
    asked = replace(settings, properties=("termination",))
    given = {"paths": [], "retry": False, "cluster": "tcp://somewhere"}
    job = {"settings": asked.to_json(), "kind": "prove", "jobs": 1, **given}
    return ProjectResult.from_json(coordinator.perform(job, lambda _: None, lambda: False))


@pytest.mark.long
def test_measures_are_looked_for_by_the_workers_of_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, DOWN % "if (n > 0) down(n);", monkeypatch)
    workers = Here()
    found = elsewhere(settings, workers, monkeypatch)
    assert {each.verdict for each in found.functions if each.entry} == {Verdict.PROVED}
    assert "ranks" in workers.kinds


def test_a_cluster_that_is_lost_while_measures_are_looked_for_costs_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(Here):
        def answers(self) -> Iterator[tuple[str, Answer]]:
            raise Lost("the connection to the scheduler is lost")
            yield

    gone, here = Gone(), Here()
    settings = project(tmp_path, DOWN % "if (n > 0) down(n);", monkeypatch)
    found = elsewhere(settings, gone, monkeypatch, here)
    assert gone.kinds == {"ranks"}
    assert "contract" in here.kinds
    assert not found.interrupted
    assert [note for note in found.notes if "the scheduler is lost" in note] == list(found.notes)
    assert {each.verdict for each in found.functions if each.entry} == {Verdict.PROVED}
