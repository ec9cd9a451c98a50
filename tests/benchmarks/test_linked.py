"""The programs of bench/programs/linked: mistakes show when the program is compiled and run, correct ones run well."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from folders import PROGRAMS

FOLDER = PROGRAMS / "linked"
COMPILER = shutil.which("gcc")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-use-after-free", "-fsanitize=address,undefined")
INPUTS = ("0", "1 0", "3 1 2 1 4 1 1 0 1 0 0 0", "5 1 7 1 7 1 -2 0 0 0", "4 1 -1 1 3 0 1 0 1 1 0")
NO_MORE_INPUTS = 104
REPORTED, CALLED = 23, -6

with (FOLDER / "index.csv").open(newline="", encoding="utf-8") as index:
    ROWS = list(csv.DictReader(index))


def ended(row: dict[str, str], folder: Path, inputs: tuple[str, ...]) -> list[int]:
    assert COMPILER is not None
    program = folder / "program"
    parts = (PROGRAMS / "runtime" / "sequential.c", FOLDER / row["file"])
    subprocess.run([COMPILER, *FLAGS, *parts, "-o", program], check=True)
    leaks = "1" if "memcleanup" in row["expected_verdict"] else "0"
    options = f"detect_leaks={leaks}:exitcode={REPORTED}"
    environment = {**os.environ, "ASAN_OPTIONS": options}
    return [
        subprocess.run([program], input=given, text=True, capture_output=True, env=environment, check=False).returncode
        for given in inputs
    ]


def test_every_program_of_linked_structures_is_listed() -> None:
    assert {row["file"] for row in ROWS} == {path.name for path in FOLDER.glob("*.c")}


@pytest.mark.long
@pytest.mark.skipif(COMPILER is None or not sys.platform.startswith("linux"), reason="gcc on Linux is needed")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["file"])
def test_programs_of_linked_structures_do_what_the_index_says(row: dict[str, str], tmp_path: Path) -> None:
    if row["witness"]:
        assert ended(row, tmp_path, (row["witness"],))[0] in (REPORTED, CALLED)
    else:
        assert set(ended(row, tmp_path, INPUTS)) <= {0, NO_MORE_INPUTS}
