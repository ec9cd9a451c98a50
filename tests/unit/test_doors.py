"""The import rules fail when somebody breaks them: in any room, and for rooms that nobody listed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from folders import ROOT

SOLVERS_LIVE_IN = {"logic", "smt", "evidence"}
ROOMS = sorted(
    path.stem
    for path in (ROOT / "src" / "sorrel").iterdir()
    if path.stem not in {*SOLVERS_LIVE_IN, "__init__"} and (path.suffix == ".py" or (path / "__init__.py").exists())
)


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the import rules say about a copy in which every room imports a solver, evidence an engine and a
    transformation, and there is a room more."""
    copy = tmp_path_factory.mktemp("copy")
    package = copy / "sorrel"
    shutil.copytree(ROOT / "src" / "sorrel", package, ignore=shutil.ignore_patterns("__pycache__"))
    for room in ROOMS:
        module = package / f"{room}.py"
        if module.exists():
            module.write_text(module.read_text() + "\nimport z3\n")
        else:
            (package / room / "newcomer.py").write_text("import z3\n")
    (package / "evidence" / "newcomer.py").write_text("import sorrel.engines.spacer\nimport sorrel.transform.inline\n")
    (package / "annexe").mkdir()
    (package / "annexe" / "__init__.py").write_text("")
    shutil.copy(ROOT / "pyproject.toml", copy)
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    run = subprocess.run(command, cwd=copy, env={"PYTHONPATH": str(copy)}, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize("room", ROOMS)
def test_a_solver_imported_in_a_room_that_has_none_is_noticed(complaints: str, room: str) -> None:
    assert f"sorrel.{room} -> z3" in complaints or f"sorrel.{room}.newcomer -> z3" in complaints


@pytest.mark.parametrize("known", ["engines.spacer", "transform.inline"])
def test_evidence_that_knows_an_engine_or_a_transformation_is_noticed(complaints: str, known: str) -> None:
    assert f"sorrel.evidence.newcomer -> sorrel.{known}" in complaints


def test_a_room_that_is_not_listed_is_noticed(complaints: str) -> None:
    assert "- sorrel.annexe" in complaints
