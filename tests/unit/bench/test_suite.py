"""Suites and presets: which tasks a text names, and what the index knows of them."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from folders import ROOT
from sorrel.bench.preset import builtin_presets, read_presets
from sorrel.bench.process import Limits
from sorrel.bench.suite import Selection, default_folder, read_index, read_tasks
from sorrel.bench.tool import Tool
from sorrel.model.errors import InputError, UsageError
from sorrel.model.outcome import Answer

ALL = Selection()


def make_suite(folder: Path, rows: list[tuple[str, str, str]], index: str = "index.csv") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["family,file,bytes,expected_verdict"]
    for family, file, verdict in rows:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"; {file}")
        lines.append(f"{family},{file},9,{verdict}")
    (folder / index).write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [("loops", f"loops/{number}.smt2", verdict) for number, verdict in enumerate(("sat", "unsat", "unknown"))]
    return make_suite(tmp_path / "tasks", [*rows, ("calls", "calls/3.smt2", "safe"), ("calls", "calls/4.smt2", "")])


def test_a_folder_gives_its_tasks_in_the_order_of_the_index(folder: Path) -> None:
    tasks = read_tasks([str(folder)], ALL)
    assert [task.name for task in tasks] == [
        *("loops/0.smt2", "loops/1.smt2", "loops/2.smt2"),
        *("calls/3.smt2", "calls/4.smt2"),
    ]
    assert [task.expected for task in tasks] == [
        *(Answer.SAFE, Answer.UNSAFE, Answer.UNKNOWN),
        *(Answer.SAFE, Answer.UNKNOWN),
    ]
    assert {task.suite for task in tasks} == {"tasks"}


def test_families_follow_a_colon_or_the_option(folder: Path) -> None:
    assert len(read_tasks([f"{folder}:calls"], ALL)) == 2
    assert len(read_tasks([f"{folder}:calls,loops"], ALL)) == 5
    assert len(read_tasks([f"{folder}/index.csv:calls"], ALL)) == 2
    assert len(read_tasks([str(folder)], Selection(families=("loops",)))) == 3


def test_a_task_that_is_named_twice_is_run_once(folder: Path) -> None:
    assert len(read_tasks([f"{folder}:calls", str(folder)], ALL)) == 5


def test_filter_matches_the_path_or_the_name(folder: Path) -> None:
    assert [task.name for task in read_tasks([str(folder)], Selection(pattern="3.*"))] == ["calls/3.smt2"]
    assert len(read_tasks([str(folder)], Selection(pattern="loops/*"))) == 3


def test_a_sample_is_always_the_same_and_grows_by_adding(folder: Path) -> None:
    samples = [read_tasks([str(folder)], ALL, size) for size in (1, 2, 3, 4, 5, 99)]
    assert [len(sample) for sample in samples] == [1, 2, 3, 4, 5, 5]
    assert samples[2] == read_tasks([str(folder)], ALL, 3)
    for small, large in pairwise(samples):
        assert set(small) <= set(large)


def test_verdicts_by_property_need_a_property(tmp_path: Path) -> None:
    rows = [
        ("c", "a.c", "unreach-call=true;termination=false"),
        ("c", "b.c", "termination=true;coverage-branches=none"),
        ("yml", "a.yml", ""),
    ]
    index = str(make_suite(tmp_path / "tasks", rows, "index-c.csv") / "index-c.csv")
    with pytest.raises(InputError, match="for each property"):
        read_tasks([index], ALL)
    (task,) = read_tasks([index], Selection(property="unreach-call"))
    assert (task.suite, task.name, task.expected) == ("tasks-index-c", "a.c", Answer.SAFE)
    tasks = read_tasks([index], Selection(property="termination"))
    assert [task.expected for task in tasks] == [Answer.UNSAFE, Answer.SAFE]


def test_the_digest_follows_the_content(folder: Path) -> None:
    task = read_tasks([str(folder)], ALL)[0]
    before = task.digest()
    task.path.write_text("other")
    assert task.digest() != before


def test_errors_say_what_next(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(UsageError, match="a suite is a folder with"):
        read_tasks([str(tmp_path / "nowhere")], ALL)
    with pytest.raises(UsageError, match="it has loops, calls"):
        read_tasks([f"{folder}:recursion"], ALL)
    with pytest.raises(UsageError, match="no task is selected"):
        read_tasks([str(folder)], Selection(pattern="*.java"))
    with pytest.raises(UsageError, match="two suites are called tasks"):
        read_tasks([str(folder), str(make_suite(tmp_path / "b" / "tasks", [("x", "x", "sat")]))], ALL)
    with pytest.raises(UsageError, match="at least one"):
        read_tasks([str(folder)], ALL, 0)


def test_a_bad_index_is_an_input_error_with_its_line(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "tasks", [("a", "a", "sat"), ("a", "b", "perhaps")])
    with pytest.raises(InputError, match=r"index\.csv:3:1: perhaps is not a verdict"):
        read_tasks([str(folder)], ALL)
    (folder / "b").unlink()
    (folder / "index.csv").write_text("family,file,expected_verdict\na,b,sat\n")
    with pytest.raises(InputError, match="the file b is not there"):
        read_tasks([str(folder)], ALL)
    (folder / "index.csv").write_text("family,path\n")
    with pytest.raises(InputError, match="no column file, expected_verdict"):
        read_tasks([str(folder)], ALL)


def test_without_a_suite_the_variable_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORREL_BENCH", "somewhere")
    assert default_folder() == "somewhere"
    monkeypatch.delenv("SORREL_BENCH")
    with pytest.raises(UsageError, match="set SORREL_BENCH"):
        default_folder()


def test_the_foundation_preset_is_there() -> None:
    preset = builtin_presets()["foundation"]
    assert preset.tools == ("z3", "spacer")
    assert preset.timeout == 30
    assert "chc-lia-nonlin" in preset.families


@pytest.mark.parametrize(
    ("name", "families", "tasks"),
    [
        ("hsf-threads", {"threads"}, 17),
        ("hsf-sequential", {"numeric", "drivers"}, 27),
        ("hsf-termination", {"termination"}, 16),
    ],
)
def test_the_programs_of_the_hsf_paper_are_presets(
    name: str, families: set[str], tasks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    preset = builtin_presets()[name]
    found = read_tasks(preset.suites, Selection(preset.families, property=preset.property))
    assert {task.family for task in found} == families
    assert len(found) == tasks
    assert all(task.expected is not Answer.UNKNOWN for task in found)


def test_a_preset_with_a_strange_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "presets.toml"
    file.write_text('[preset.mine]\nsuites = ["tasks"]\ntimeouts = 3\n')
    with pytest.raises(InputError, match="timeouts"):
        read_presets(file)


@pytest.mark.skipif("SORREL_BENCH" not in os.environ, reason="SORREL_BENCH names no folder")
def test_the_foundation_preset_fits_the_development_tasks() -> None:
    preset = builtin_presets()["foundation"]
    tasks = read_tasks([os.environ["SORREL_BENCH"]], Selection(families=preset.families))
    assert {task.family for task in tasks} == set(preset.families)


def test_several_properties_are_several_questions_about_one_file(tmp_path: Path) -> None:
    (tmp_path / "C.java").write_text("class C {}")
    index = tmp_path / "index.csv"
    index.write_text("family,file,expected_verdict\nlaws,C.java,P1=obeys;P2=violates\n")
    tasks = read_index(index, Selection(property="P1,P2,P3"))
    assert [(task.name, task.property, task.expected) for task in tasks] == [
        ("C.java P1", "P1", Answer.SAFE),
        ("C.java P2", "P2", Answer.UNSAFE),
    ]


def test_java_files_are_asked_about_laws(tmp_path: Path) -> None:
    call = Tool("portfolio", engine="portfolio").call(tmp_path / "C.java", Limits(), "P2")
    assert call[call.index("--spec") + 1] == "P2"
    assert "--replay" not in call


def test_violations_of_laws_of_c_functions_are_repeated_by_compiled_programs(tmp_path: Path) -> None:
    call = Tool("portfolio", engine="portfolio").call(tmp_path / "f.c", Limits(), "P14")
    assert call[call.index("--spec") + 1] == "P14"
    assert "--replay" in call
