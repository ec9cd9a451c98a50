"""How often the lines of a compiled program were executed, and which way its branches went, as gcov counts them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from sorrel.model.values import dataclass

FLAG = "--coverage"
DUMP = "__gcov_dump"
"""The function that writes the counts of a program which does not end by itself."""
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class LineCount:
    """`branches`: for each way out of a decision on the line how often it was taken."""

    count: int
    branches: tuple[int, ...] = ()


def tool(compiler: str) -> str:
    """The program that reads the counts of this compiler's programs; empty if there is none."""
    is_gcc = "clang" not in compiler and shutil.which("gcov")
    return "gcov" if is_gcc else ""


def forget(folder: Path) -> None:
    """The counts of earlier runs: they would be added to."""
    for file in folder.glob("*.gcda"):
        file.unlink()


def counts(gcov: str, folder: Path, unit: str) -> Mapping[str, Mapping[int, LineCount]]:
    """By file and line, for the unit that was compiled to `unit`.o in the folder; empty if gcov says nothing."""
    words = [gcov, "--json-format", "--stdout", "--branch-probabilities", f"{unit}.o"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        told = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}
    found: dict[str, dict[int, LineCount]] = {}
    for file in told.get("files", ()):
        lines = found.setdefault(file["file"], {})
        for line in file["lines"]:
            branches = tuple(branch["count"] for branch in line.get("branches", ()))
            known = lines.get(line["line_number"])
            # A line of several functions has an entry for each.
            both = LineCount(line["count"] + known.count, (*known.branches, *branches)) if known else None
            lines[line["line_number"]] = both or LineCount(line["count"], branches)
    return found
