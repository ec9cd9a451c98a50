"""What `sorrel init` finds in a folder, written down as settings that its owner can change."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from sorrel.model.errors import UsageError
from sorrel.model.property import Property

_SKIPPED = {".git", "build", "node_modules", "third_party", "vendor", ".venv"}
_MAIN = re.compile(r"\bmain\s*\(")
_COMPILATIONS = ("compile_commands.json", "build/compile_commands.json")


def settings_text(folder: Path) -> str:
    """The text of sorrel.toml for the C files below the folder."""
    files = sorted(_files(folder))
    if not files:
        raise UsageError(f"there is no C file below {folder}")
    lines = ["# What sorrel prove proves and sorrel check checks; all settings are listed in docs/store.md.", ""]
    compilations = next((name for name in _COMPILATIONS if (folder / name).is_file()), "")
    if compilations:
        lines.append(f"compile-commands = {json.dumps(compilations)}")
    else:
        lines.append(f"sources = {json.dumps(_patterns(files))}")
    include = sorted({header.parent.as_posix() for header in _headers(folder)} - {"."})
    if include and not compilations:
        lines.append(f"include = {json.dumps(include)}")
    lines.append(f"properties = {json.dumps([str(Property.ASSERTIONS)])}")
    lines.append(f"# also: {', '.join(_others())}")
    mains = [file for file in files if _MAIN.search((folder / file).read_text(errors="replace"))]
    if len(mains) > 1:
        lines += [f"# There is more than one main ({', '.join(map(str, mains))}): leave all but one out with exclude."]
        lines += [f"exclude = {json.dumps([str(each) for each in mains[1:]])}"]
    if not mains:
        lines += [
            "# There is no main: runs start with the functions that others can call and none of the files does.",
            '# entry-points = ["f", "g"]',
        ]
    lines += ["", "[limits]", "seconds = 20   # for an attempt at one function", "memory = 2048  # MiB for a process"]
    return "\n".join(lines) + "\n"


def _others() -> Iterator[str]:
    for each in (Property.NO_OVERFLOW, Property.VALID_DEREF, Property.NO_DIVISION_BY_ZERO):
        yield json.dumps(str(each))


def _patterns(files: list[Path]) -> list[str]:
    """Files of the folder itself, and a pattern for each folder in it."""
    tops = sorted({file.parts[0] for file in files if len(file.parts) > 1})
    return [*(["*.c"] if any(len(file.parts) == 1 for file in files) else []), *(f"{top}/**/*.c" for top in tops)]


def _files(folder: Path, suffix: str = ".c") -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        yield from (Path(place, name).relative_to(folder) for name in names if name.endswith(suffix))


def _headers(folder: Path) -> Iterator[Path]:
    return _files(folder, ".h")
