"""What a compile_commands.json says about the files that are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorrel.model.errors import InputError
from sorrel.project.compilations import Compilation

_NOTHING = Compilation("", "", (), ())


def _commands(folder: Path, **words: str) -> str:
    entries = [
        {"directory": str(folder), "file": file.replace("_", "."), "command": command}
        for file, command in words.items()
    ]
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return str(path)


def test_options_of_the_files_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("")
    commands = _commands(
        tmp_path,
        a_c="cc -std=c99 -Iinclude -isystem other -DA=1 -include first.h -c a.c",
        b_c="cc -std=gnu11 -DB -c b.c",
    )
    found = _NOTHING.with_commands(commands, [str(tmp_path / "a.c")])
    assert found.include == (str(tmp_path / "include"), str(tmp_path / "other"))
    assert (found.define, found.standard, found.forced) == (("A=1",), "c99", (str(tmp_path / "first.h"),))


def test_files_that_are_compiled_differently_are_refused(tmp_path: Path) -> None:
    commands = _commands(
        tmp_path, a_c="cc -std=c99 -DN=1 -c a.c", b_c="cc -std=c11 -DN=1 -c b.c", c_c="cc -DN=2 -c c.c"
    )
    files = [str(tmp_path / name) for name in ("a.c", "b.c", "c.c")]
    with pytest.raises(InputError, match="is compiled with -std=c11"):
        _NOTHING.with_commands(commands, files[:2])
    with pytest.raises(InputError, match="N is defined as"):
        _NOTHING.with_commands(commands, files[::2])


def test_a_file_without_an_entry_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no entry for"):
        _NOTHING.with_commands(_commands(tmp_path, a_c="cc -c a.c"), [str(tmp_path / "other.c")])
