"""A module has one noun and fits into one reading; the page about architecture names every package."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from folders import ROOT

MOST_LINES = 450
SOURCES = ROOT / "src" / "sorrel"
FILES = "".join(f"/{path.relative_to(ROOT).as_posix()}\n" for path in ROOT.glob("[!.]*/**/*.py"))
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TABLE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Rooms")[2].partition("\n## ")[0]


def test_every_module_is_short() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES.rglob("*.py")}
    long = {str(path.relative_to(SOURCES)): count for path, count in lines.items() if count > MOST_LINES}
    assert not long, "split them by what they are about"


def test_every_package_is_named_where_the_rooms_are() -> None:
    packages = {str(path.parent.relative_to(SOURCES)) for path in SOURCES.rglob("__init__.py")} - {"."}
    rooms = packages | {path.stem for path in SOURCES.glob("*.py") if not path.stem.startswith("__")}
    named = set(re.findall(r"`([\w/]+)`", TABLE))
    assert rooms - named == set()


def test_no_room_is_described_that_is_not_there() -> None:
    first = re.findall(r"^\| (`[^|]+`) \|", TABLE, flags=re.MULTILINE)
    rooms = [name for cell in first for name in re.findall(r"`([\w/]+)`", cell)]
    assert rooms
    assert [room for room in rooms if not (SOURCES / room).is_dir() and not (SOURCES / f"{room}.py").exists()] == []


def test_folders_of_unit_tests_are_those_of_the_modules() -> None:
    unit = ROOT / "tests" / "unit"
    folders = {path.parent.relative_to(unit).as_posix() for path in unit.rglob("test_*.py")} - {"."}
    assert [folder for folder in sorted(folders) if not (SOURCES / folder).is_dir()] == []


@pytest.mark.parametrize("room", ["model", "program", "evidence", "testing", "explain", "methods", "process"])
def test_no_two_classes_of_a_room_have_one_name(room: str) -> None:
    """But plans, of which every folder has its own, and what a module keeps to itself."""
    texts = [path.read_text(encoding="utf-8") for path in (SOURCES / room).rglob("*.py")]
    names = Counter(name for text in texts for name in re.findall(r"^class ([A-Z]\w*)", text, flags=re.MULTILINE))
    assert [name for name, times in names.items() if times > 1 and name != "Plan"] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = re.findall(r"`([\w./]+\.py)`", text)
    dotted = re.findall(r"`(?:sorrel\.)?([a-z_]+(?:\.[a-z_]+)+)(?:\.[A-Z]\w*)?`", text)
    modules = [name for name in dotted if (SOURCES / name.partition(".")[0]).is_dir() and not name.endswith(".py")]
    assert [name for name in files if f"/{name}\n" not in FILES] == []
    assert [name for name in modules if not _is_module(name)] == []


def _is_module(name: str) -> bool:
    """Whether it is a module or package, or something in one."""
    whole, holder = SOURCES / name.replace(".", "/"), SOURCES / name.rpartition(".")[0].replace(".", "/")
    return any(place.is_dir() or place.with_suffix(".py").exists() for place in (whole, holder))
