"""Every command of the pages that show some, in order, in an empty folder: what it prints is what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from folders import DOCUMENTS, EXAMPLES

FAST = "../README.md"
PAGES = (
    FAST,
    "tutorial.md",
    "outputs.md",
    "contracts.md",
    *sorted(f"howto/{page.name}" for page in (DOCUMENTS / "howto").glob("*.md")),
)
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<title>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSIS = "…"


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a block with the output that the page shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def matches(output: str, shown: str) -> bool:
    pattern = re.escape(shown.rstrip("\n")).replace(ELLIPSIS, ".*")
    return re.fullmatch(pattern, output.rstrip("\n"), re.DOTALL) is not None


@pytest.mark.skipif(shutil.which("cc") is None, reason="the tutorial compiles")
@pytest.mark.skipif(shutil.which("git") is None, reason="the tutorial commits")
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.long) if page != FAST else page for page in PAGES]
)
def test_the_commands_of_a_page_print_what_it_shows(page: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for block in BLOCK.finditer((DOCUMENTS / page).read_text(encoding="utf-8")):
        if block["title"]:
            (tmp_path / block["title"]).write_text(block["text"], encoding="utf-8")
        if block["kind"] != "console":
            continue
        for command, shown in commands(block["text"]):
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert matches(done.stdout, shown), f"{command}\n{done.stdout}{done.stderr}"
    for written in re.findall(r"^\$ .*--html (\S+)", (DOCUMENTS / page).read_text(encoding="utf-8"), re.MULTILINE):
        assert (tmp_path / written).stat().st_size > 1000
