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
    assert found.own == {}
    shared = found.shared
    assert shared.include == (str(tmp_path / "include"), str(tmp_path / "other"))
    assert (shared.define, shared.standard, shared.forced) == (("A=1",), "c99", (str(tmp_path / "first.h"),))


def test_files_that_are_compiled_differently_have_options_of_their_own(tmp_path: Path) -> None:
    commands = _commands(tmp_path, a_c="cc -std=c99 -DN=1 -UM -Ihere -c a.c", b_c="cc -std=c11 -D N=2 -c b.c")
    files = [str(tmp_path / name) for name in ("a.c", "b.c")]
    found = _NOTHING.with_commands(commands, files)
    assert found.shared == _NOTHING
    assert found.own == {
        files[0]: ("-std=c99", "-D", "N=1", "-U", "M", "-I", str(tmp_path / "here")),
        files[1]: ("-std=c11", "-D", "N=2"),
    }
    said = Compilation("", "", (), (), "c17").with_commands(commands, files)
    assert said.own[files[1]] == ("-D", "N=2")


@pytest.mark.parametrize(
    "command", ["cc -Wp,-DA=1,-MD,x.d", "cc -Xclang -DA=1", "cc -o -DB -DA=1", "cc -DA=1 -MF -DB -O2 -Wall"]
)
def test_options_are_found_wherever_they_stand(tmp_path: Path, command: str) -> None:
    commands = _commands(tmp_path, a_c=f"{command} -c a.c")
    assert _NOTHING.with_commands(commands, [str(tmp_path / "a.c")]).shared.define == ("A=1",)


@pytest.mark.parametrize(
    "option", ["-funsigned-char", "-fshort-enums", "-fpack-struct=1", "-Xclang -funsigned-char", "@more", "-ffast-math"]
)
def test_options_that_give_c_another_meaning_are_refused(tmp_path: Path, option: str) -> None:
    commands = _commands(tmp_path, a_c=f"cc {option} -c a.c")
    with pytest.raises(InputError, match="not supported"):
        _NOTHING.with_commands(commands, [str(tmp_path / "a.c")])


def test_a_file_that_is_compiled_twice_means_one_thing(tmp_path: Path) -> None:
    path = tmp_path / "compile_commands.json"
    entries = [{"directory": str(tmp_path), "file": "a.c", "command": f"cc -DN={n} -c a.c"} for n in (1, 1, 2)]
    path.write_text(json.dumps(entries[:2]))
    assert _NOTHING.with_commands(str(path), [str(tmp_path / "a.c")]).shared.define == ("N=1",)
    path.write_text(json.dumps(entries))
    with pytest.raises(InputError, match="compiled twice"):
        _NOTHING.with_commands(str(path), [str(tmp_path / "a.c")])


def test_what_is_said_here_must_not_say_something_else(tmp_path: Path) -> None:
    commands = _commands(tmp_path, a_c="cc -DN -c a.c")
    files = [str(tmp_path / "a.c")]
    assert Compilation("", "", (), ("N=1",)).with_commands(commands, files).shared.define == ("N=1", "N")
    for other in ("N=", "N(x)=1"):
        with pytest.raises(InputError, match="N is defined as"):
            Compilation("", "", (), (other,)).with_commands(commands, files)


def test_a_file_without_an_entry_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no entry for"):
        _NOTHING.with_commands(_commands(tmp_path, a_c="cc -c a.c"), [str(tmp_path / "other.c")])
