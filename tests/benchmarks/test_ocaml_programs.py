"""The OCaml programs of bench/programs: OCaml accepts them, and runs do what their index says."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from folders import PROGRAMS
from sorrel.frontends import ocaml
from sorrel.functional.execution import Kind
from sorrel.functional.exploration import find_violation
from sorrel.functional.lasso import find_lasso
from sorrel.model.source import Source

FOLDER = PROGRAMS / "ocaml"
KINDS = {
    "assertions": Kind.ASSERTION,
    "bounds": Kind.BOUNDS,
    "no-exceptions": Kind.EXCEPTION,
    "no-division-by-zero": Kind.DIVISION,
    "no-overflow": Kind.OVERFLOW,
}
with (FOLDER / "index.csv").open(newline="", encoding="utf-8") as file:
    ROWS = [(row["file"], *row["expected_verdict"].split("=")) for row in csv.DictReader(file)]


def test_every_program_is_listed_once() -> None:
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.ml")}
    listed = [name for name, _, _ in ROWS]
    assert there == set(listed)
    assert len(listed) == len(there)


@pytest.mark.skipif(shutil.which("ocamlc") is None, reason="there is no ocamlc")
def test_ocaml_accepts_them(tmp_path: Path) -> None:
    copies = [name.replace("/", "_") for name, _, _ in ROWS]
    for (name, _, _), copy in zip(ROWS, copies, strict=True):
        shutil.copy(FOLDER / name, tmp_path / copy)
    # Together: to start the compiler takes longer than to compile one of them.
    command = ["ocamlc", "-w", "-a", "-c", *copies]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def _rows() -> list[object]:
    """What does not hold shows at once, unless data grow; that nothing is found takes its time, for all but a few."""
    holding = [row for row in ROWS if row[2] == "true"]
    slow = [*holding[2:], *(row for row in ROWS if row[0] == "termination/growing_list.ml")]
    return [pytest.param(*row, marks=pytest.mark.long if row in slow else ()) for row in ROWS]


@pytest.mark.parametrize(("name", "wanted", "verdict"), _rows())
def test_runs_violate_what_the_index_says(name: str, wanted: str, verdict: str) -> None:
    program = ocaml.read([Source(str(FOLDER / name))], "main")
    if wanted == "termination":
        found = find_lasso(program, 0.3) is not None
    else:
        found = find_violation(program, frozenset({KINDS[wanted]}), 1.0 if verdict == "false" else 0.2) is not None
    assert found is (verdict == "false")
