"""The programs of bench/programs/realc: errors are repeated under sanitizers, correct programs run without any."""

from __future__ import annotations

import csv
import os
import random
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from folders import PROGRAMS
from sorrel.bench.suite import Selection, read_tasks
from sorrel.model.outcome import Answer

FOLDER = PROGRAMS / "realc"
CLAIMS = ("valid-memsafety", "no-overflow", "assertions")
COMPILER = shutil.which("gcc")
FLAGS = (
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-use-after-free",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)
NO_MORE_INPUTS = 104

needs_sanitizers = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="gcc on Linux is needed"
)


def rows() -> list[dict[str, str]]:
    with (FOLDER / "index.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ROWS = rows()
WRONG = [row for row in ROWS if row["witness"]]
CORRECT = [row for row in ROWS if not row["witness"]]


def named(row: dict[str, str]) -> str:
    return row["file"]


def compiled(file: str, folder: Path) -> Path:
    assert COMPILER is not None
    parts = (PROGRAMS / "runtime" / "sequential.c", FOLDER / file)
    target = folder / "program"
    subprocess.run([COMPILER, *FLAGS, *parts, "-o", target], check=True)
    return target


def ended(program: Path, inputs: str, leaks: bool = True) -> tuple[int, str]:
    options = {**os.environ, "ASAN_OPTIONS": f"detect_leaks={int(leaks)}"}
    done = subprocess.run([program], input=inputs, capture_output=True, text=True, timeout=20, check=False, env=options)
    return done.returncode, done.stderr


def test_every_program_is_there_with_and_without_its_error() -> None:
    files = {row["file"] for row in ROWS}
    assert files == {path.name for path in FOLDER.glob("*.c")}
    assert {row["file"].replace("_bug", "") for row in WRONG} == {row["file"] for row in CORRECT}
    tasks = read_tasks([str(FOLDER)], Selection(property=",".join(CLAIMS)))
    safe = [task.name for task in tasks if task.expected is Answer.SAFE]
    unsafe = [task.name.split()[0] for task in tasks if task.expected is Answer.UNSAFE]
    assert sorted(safe) == sorted(f"{row['file']} {claim}" for row in CORRECT for claim in CLAIMS)
    assert sorted(unsafe) == sorted(row["file"] for row in WRONG)


def test_a_third_is_frozen_and_half_of_the_programs_have_a_hundred_lines() -> None:
    frozen = [row for row in ROWS if row["family"] == "realc-frozen"]
    assert 3 * len(frozen) >= len(ROWS)
    lengths = [len((FOLDER / row["file"]).read_text(encoding="utf-8").splitlines()) for row in ROWS]
    assert statistics.median(lengths) >= 100


@pytest.mark.long
@needs_sanitizers
@pytest.mark.parametrize("row", WRONG, ids=named)
def test_the_witness_of_a_planted_error_is_repeated_by_a_sanitizer(row: dict[str, str], tmp_path: Path) -> None:
    program = compiled(row["file"], tmp_path)
    code, said = ended(program, row["witness"])
    assert code not in (0, NO_MORE_INPUTS)
    assert "Sanitizer" in said or "runtime error" in said or "Assertion" in said
    shorter = " ".join(row["witness"].split()[:-1])
    assert ended(program, shorter, leaks=False)[0] == NO_MORE_INPUTS


@pytest.mark.long
@needs_sanitizers
@pytest.mark.parametrize("row", CORRECT, ids=named)
def test_a_correct_program_runs_without_complaint_on_random_inputs(row: dict[str, str], tmp_path: Path) -> None:
    program = compiled(row["file"], tmp_path)
    for seed in range(10):
        source = random.Random(seed)
        largest = source.choice((1, 3, 10, 100, 255))
        values = [source.randint(0, largest) for _ in range(source.choice((30, 120, 4000)))]
        inputs = " ".join(map(str, [source.randint(1, 7000), *values]))
        code, said = ended(program, inputs)
        cut_off = "LeakSanitizer:" in said and ended(program, inputs, leaks=False)[0] == NO_MORE_INPUTS
        assert cut_off or code in (0, 1, NO_MORE_INPUTS), said
        assert cut_off or "Sanitizer:" not in said, said
