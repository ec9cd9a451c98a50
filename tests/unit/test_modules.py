"""A module has one noun and fits into one reading; the page about architecture names every package."""

from __future__ import annotations

import re

from folders import ROOT

MOST_LINES = 450
SOURCES = ROOT / "src" / "sorrel"
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
