"""The benchmark runner from the command line, with small tools that answer, sleep or lie."""

from __future__ import annotations

import argparse
import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sorrel.bench import plots
from sorrel.bench.command import add_arguments, available, run
from sorrel.bench.preset import builtin_presets
from sorrel.model.errors import UsageError

# Each tool notes its calls first, so that tests see which runs were made.
CALL = "open({log!r}, 'a').write('{name} ' + sys.argv[1] + chr(10))"
SCRIPTS = {
    "honest": "print('sat' if 'good' in sys.argv[1] else 'unsat')",
    "liar": "print('sat')",
    "slow": "time.sleep(60)",
    "unsure": "print('unknown')",
    # Three calls wait for each other: alone, none of them ever says sat.
    "meeting": "here = lambda: len(open({log!r}).readlines()) > 2; "
    "[time.sleep(0.01) for _ in range(800) if not here()]; print('sat' if here() else 'unknown')",
}


def script(log: Path, name: str) -> str:
    return "import sys, time; " + CALL.format(log=str(log), name=name) + "; " + SCRIPTS[name].format(log=str(log))


class Bench:
    """A folder with three tasks, a configuration and a results folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.suite = folder / "tasks"
        self.log = folder / "calls"
        self.output = folder / "out"
        self.config = folder / "tools.toml"
        self.suite.mkdir()
        self.log.touch()
        tasks = {"good.smt2": "sat", "bad.smt2": "unsat", "query.smt2": "unknown"}
        for name in tasks:
            (self.suite / name).write_text("(query p)" if name == "query.smt2" else "(check-sat)")
        rows = [f"family,{name},{verdict}" for name, verdict in tasks.items()]
        (self.suite / "index.csv").write_text("\n".join(["family,file,expected_verdict", *rows]) + "\n")
        self.configure()

    def configure(self, extra: str = "") -> None:
        tools = [self.definition(name) for name in SCRIPTS]
        preset = f"[preset.small]\nsuites = ['{self.suite}']\ntools = ['honest', 'liar']\ntimeout = 7\n"
        self.config.write_text("\n".join([*tools, preset, extra]))

    def definition(self, name: str) -> str:
        """The honest tool prints `unsat` for a query that cannot be reached, as z3 does."""
        inverted = "true" if name == "honest" else "false"
        return (
            f"[tool.{name}]\n"
            f'command = ["{{python}}", "-I", "-S", "-c", """{script(self.log, name)}""", "{{file}}"]\n'
            "safe = '^sat$'\nunsafe = '^unsat$'\nunknown = '^unknown$'\n"
            f"invert_in_rule_dialect = {inverted}\n"
        )

    def arguments(self, *more: str) -> list[str]:
        return [str(self.suite), "--config", str(self.config), "--output", str(self.output), *more]

    def run(self, *more: str) -> int:
        return self.call(*self.arguments(*more))

    def call(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        return run(parser.parse_args(words))

    def calls(self) -> list[tuple[str, str]]:
        words = [line.split() for line in self.log.read_text().splitlines()]
        return [(tool, Path(file).name) for tool, file in words]

    def rows(self) -> list[dict[str, str]]:
        with (self.output / "results.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def column(self, name: str) -> list[str]:
        return [row[name] for row in self.rows()]

    def summary(self) -> str:
        return (self.output / "summary.md").read_text()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    # Most of these tests are not about pictures, which take longer than the runs.
    monkeypatch.setattr(plots, "available", lambda: False)
    return Bench(tmp_path)


def test_all_tools_run_on_a_task_before_the_next_task(bench: Bench) -> None:
    assert bench.run("--tools", "honest,liar") == 0
    assert bench.calls() == [
        (tool, file) for file in ("good.smt2", "bad.smt2", "query.smt2") for tool in ("honest", "liar")
    ]


def test_wrong_answers_contradictions_and_inversion_are_accounted(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.run("--tools", "honest,liar,unsure")
    verdicts = {(row["task"], row["tool"]): (row["verdict"], row["correctness"]) for row in bench.rows()}
    assert verdicts["good.smt2", "honest"] == ("safe", "correct")
    assert verdicts["bad.smt2", "honest"] == ("unsafe", "correct")
    assert verdicts["bad.smt2", "liar"] == ("safe", "wrong")
    assert verdicts["query.smt2", "honest"] == ("safe", "unchecked")  # it printed unsat
    assert verdicts["good.smt2", "unsure"] == ("unknown", "")
    assert "| bad.smt2 | liar | safe | unsafe |" in bench.summary()
    assert "| bad.smt2 | honest: unsafe, liar: safe | unsafe |" in bench.summary()
    captured = capsys.readouterr()
    assert "1 wrong answers and 1 contradictions" in captured.err
    assert "[9/9] query.smt2 unsure: unknown (gave-up)" in captured.err
    assert "\x1b" not in captured.err


def test_a_recorded_run_is_not_repeated(bench: Bench) -> None:
    bench.run("--tools", "honest", "--filter", "good*")
    bench.run("--tools", "honest,liar")
    assert len(bench.calls()) == 6
    bench.run("--tools", "honest,liar")
    assert len(bench.calls()) == len(bench.rows()) == 6
    bench.run("--tools", "honest,liar", "--fresh")
    assert len(bench.calls()) == 12
    assert len(bench.rows()) == 6
    assert "Runs skipped: 0." in bench.summary()


def test_other_limits_files_or_definitions_make_a_new_run(bench: Bench) -> None:
    bench.run("--tools", "honest")
    bench.run("--tools", "honest", "--timeout", "20")
    assert len(bench.calls()) == 6
    (bench.suite / "good.smt2").write_text("(exit)")
    bench.run("--tools", "honest", "--timeout", "20")
    assert bench.calls()[6:] == [("honest", "good.smt2")]
    bench.config.write_text(bench.config.read_text().replace("'^sat$'", "'^sat *$'"))
    bench.run("--tools", "honest", "--timeout", "20")
    assert len(bench.calls()) == 10
    assert "| honest | 3 | 3 |" in bench.summary()


def test_a_cut_off_results_file_is_continued(bench: Bench) -> None:
    bench.run("--tools", "honest,liar")
    results = bench.output / "results.csv"
    results.write_bytes(results.read_bytes()[:-30])
    bench.run("--tools", "honest,liar")
    assert len(bench.calls()) == 7
    assert bench.column("tool") == ["honest", "liar"] * 3


def test_a_run_over_the_limit_is_unknown_by_time(bench: Bench) -> None:
    bench.run("--tools", "slow", "--timeout", "0.2", "--sample", "1")
    (row,) = bench.rows()
    assert (row["verdict"], row["cause"]) == ("unknown", "time")
    assert "| slow | 1 | 0 | 0 | 0 | 0 | 1 (time 1) | 0 | 0 | 0.40 | – |" in bench.summary()


def test_jobs_run_side_by_side(bench: Bench) -> None:
    bench.run("--tools", "meeting", "--jobs", "3")
    assert bench.column("verdict") == ["safe"] * 3


FAKE_SORREL = """
import json, sys
engine, file = sys.argv[sys.argv.index("--engine") + 1], sys.argv[-1]
if engine not in ("careful", "careless"):
    sys.exit(f"there is no engine {engine}")
confirmations = [{"checker": "z3", "accepted": engine == "careful", "seconds": 0.1, "detail": ""}]
print(json.dumps({"answer": "safe", "engine": engine, "confirmations": confirmations}))
"""


@pytest.fixture
def fake_sorrel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program under our name for the runs, so that their answers are known."""
    package = tmp_path / "fake" / "sorrel"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(FAKE_SORREL)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))


@pytest.mark.usefixtures("fake_sorrel")
def test_an_engine_of_ours_solves_only_with_evidence(bench: Bench) -> None:
    bench.run("--tools", "careful,careless", "--filter", "good*")
    careful, careless = bench.rows()
    assert (careful["verdict"], careful["confirmed"], careful["checkers"]) == ("safe", "yes", "z3")
    assert (careless["verdict"], careless["cause"], careless["claimed"]) == ("unknown", "unconfirmed", "safe")
    assert "| careful | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 1 |" in bench.summary()
    assert "| careless | 1 | 0 | 0 | 0 | 0 | 1 (unconfirmed 1) | 0 | 0 |" in bench.summary()


@pytest.mark.usefixtures("fake_sorrel")
def test_an_engine_that_is_not_there_ends_the_benchmark(bench: Bench) -> None:
    with pytest.raises(UsageError, match="there is no engine carefull"):
        bench.run("--tools", "honest,carefull")
    assert bench.column("tool") == ["honest"]


def test_report_rebuilds_the_summary_from_the_results(bench: Bench) -> None:
    bench.run("--tools", "honest,liar")
    before = bench.summary()
    (bench.output / "summary.md").unlink()
    assert bench.call("--report", str(bench.output)) == 0
    assert bench.summary() == before
    (bench.output / "run.json").unlink()
    bench.call("--report", str(bench.output))
    assert "| honest | 3 | 3 |" in bench.summary()
    assert len(bench.calls()) == 6


def test_a_preset_gives_suite_tools_and_limits(bench: Bench) -> None:
    bench.call("small", "--config", str(bench.config), "--output", str(bench.output))
    assert set(bench.column("tool")) == {"honest", "liar"}
    assert set(bench.column("limits")) == {"wall=7 cpu=none memory=4096"}
    bench.call("small", "--config", str(bench.config), "--output", str(bench.output), "--memory", "500")
    assert bench.column("limits")[-1] == "wall=7 cpu=none memory=500"


def test_a_preset_may_name_suites_in_the_folder_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    suites = builtin_presets()["whale"].suites
    monkeypatch.delenv("SORREL_BENCH", raising=False)
    assert available(suites) == ("bench/programs/pacemaker",)
    monkeypatch.setenv("SORREL_BENCH", "tasks")
    assert available(suites)[1] == "tasks/index-c.csv:c-recursive,c-recursive-simple"


def test_the_variable_names_the_default_suite(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORREL_BENCH", str(bench.suite))
    monkeypatch.chdir(bench.folder)
    bench.call("--config", str(bench.config), "--tools", "honest")
    assert (bench.folder / "bench-results" / "tasks" / "summary.md").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--tools", "honest,honest"), "twice"),
        (("--report", "out"), "without a suite"),
        (("--tools", "honest", "--timeout", "0"), "positive"),
        (("--tools", "honest", "--jobs", "0"), "at least one"),
        (("--tools", "missing"), "the program no-such-program of the tool missing is not there"),
    ],
)
def test_a_call_that_makes_no_sense_says_why(bench: Bench, words: tuple[str, ...], complaint: str) -> None:
    bench.configure("[tool.missing]\ncommand = ['no-such-program', '{file}']\nsafe = 'x'\n")
    with pytest.raises(UsageError, match=complaint):
        bench.run(*words)
    assert bench.calls() == []


def test_plots_are_drawn_or_their_absence_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    bench = Bench(tmp_path)
    bench.run("--tools", "honest,liar")
    assert (bench.output / "cactus.png").exists()
    assert (bench.output / "scatter-honest-vs-liar.png").exists()
    assert "matplotlib" not in capsys.readouterr().out
    monkeypatch.setattr(plots, "available", lambda: False)
    bench.call("--report", str(bench.output))
    assert "they need matplotlib" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_an_interruption_leaves_a_summary_and_no_process(bench: Bench, number: signal.Signals) -> None:
    main = (
        "import argparse, sys; from sorrel.bench.command import add_arguments, run; "
        "p = argparse.ArgumentParser(); add_arguments(p); sys.exit(run(p.parse_args()))"
    )
    words = bench.arguments("--tools", "honest,slow")
    process = subprocess.Popen([sys.executable, "-c", main, *words], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(bench.calls()) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, number)
    assert process.wait(60) == 128 + number
    assert bench.column("tool") == ["honest"]
    assert "| honest | 1 | 1 |" in bench.summary()
    assert "Runs skipped: 5." in bench.summary()
    ours = str(bench.log).encode()
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert ours not in entry.read_bytes()
        except OSError:
            continue
