"""What a stranger writes into a project is read, refused with a reason, and never a way to anything else."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from pathlib import Path

import pytest

from sorrel.model.errors import InputError
from sorrel.project.compilations import compilations
from sorrel.project.pack import digests, read_header
from sorrel.project.settings import load
from sorrel.project.sources import sources
from sorrel.store import lockfile
from sorrel.store.block import Block, Claim
from sorrel.store.large import LONG

LONG_CONTRACT = ("(define-fun f () Bool " + "true " * LONG + ")",)


@pytest.mark.parametrize(
    "text",
    [
        "[limits]\nseconds = nan",
        "[limits]\nseconds = inf",
        "[limits]\nmemory = 0.5",
        'define = ["A\\n#include </etc/passwd>"]',
        'include = ["\\u0000"]',
        'packs = ["\\u001b[2J"]',
        'run = "make"',
        'command = "make"',
        'properties = ["noninterference"]',
    ],
)
def test_settings_that_make_no_sense_are_refused_with_their_place(tmp_path: Path, text: str) -> None:
    (tmp_path / "sorrel.toml").write_text(f'sources = ["*.c"]\n{text}\n')
    with pytest.raises(InputError) as caught:
        load(tmp_path / "sorrel.toml")
    assert "sorrel.toml:" in str(caught.value)


@pytest.mark.parametrize("pattern", ["/etc/*", "../*.c", "a/../../*.c"])
def test_sources_stand_below_the_project(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "sorrel.toml").write_text(f'sources = ["{pattern}"]\n')
    with pytest.raises(InputError, match="downwards"):
        sources(load(tmp_path / "sorrel.toml"))


def test_names_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sorrel.toml").write_text('sources = ["*.c"]\n')
    for name in (b"a\nb.c", b"\xff.c"):
        path = os.path.join(os.fsencode(tmp_path), name)
        with open(path, "w") as file:
            file.write("int f(void) { return 0; }")
        with pytest.raises(InputError, match="rename it"):
            sources(load(tmp_path / "sorrel.toml"))
        os.unlink(path)


@pytest.mark.parametrize(
    "entry",
    [
        {"directory": "/", "file": "a.c", "command": "gcc 'unclosed"},
        {"directory": "\0", "file": "a.c", "arguments": []},
        {"directory": "/", "file": "a.c"},
        {"directory": 1, "file": "a.c", "arguments": []},
        "gcc a.c",
    ],
)
def test_damaged_compilations_are_refused(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "cc.json"
    path.write_text(json.dumps([entry]))
    with pytest.raises(InputError, match="entry 0"):
        list(compilations(path))


def test_files_that_never_end_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="regular"):
        list(compilations(Path("/dev/zero")))
    with pytest.raises(InputError, match="regular"):
        read_header(Path("/dev/zero"))
    assert digests(tmp_path, ("/dev/zero", "nothing")) == {}
    os.mkfifo(tmp_path / "sorrel.lock")
    assert "is ignored" in lockfile.read(tmp_path / "sorrel.lock").ignored[0]


def test_text_that_nests_too_deep_is_refused(tmp_path: Path) -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000):
        (tmp_path / "cc.json").write_text(text)
        with pytest.raises(InputError):
            list(compilations(tmp_path / "cc.json"))


def test_a_link_in_place_of_the_folder_of_contracts_leads_nowhere(tmp_path: Path) -> None:
    others, project = tmp_path / "others", tmp_path / "project"
    others.mkdir()
    project.mkdir()
    (others / "mine.smt2").write_text("(check-sat)")
    (project / "sorrel.lock.d").symlink_to(others)
    path = project / "sorrel.lock"
    lockfile.write(path, {("a", "b"): Block("a", "b", "c", (), Claim.UNKNOWN)})
    with pytest.raises(lockfile.NotStored, match="link"):
        lockfile.write(path, {("a", "b"): Block("a", "b", "c", (), Claim.PROVED, LONG_CONTRACT)})
    assert [file.name for file in others.iterdir()] == ["mine.smt2"]


def test_files_of_others_in_the_folder_of_contracts_stay(tmp_path: Path) -> None:
    folder = tmp_path / "sorrel.lock.d"
    folder.mkdir()
    (folder / "notes.smt2").write_text("mine")
    path = tmp_path / "sorrel.lock"
    lockfile.write(path, {("a", "b"): Block("a", "b", "c", (), Claim.PROVED, LONG_CONTRACT)})
    assert len(list(folder.iterdir())) == 2
    lockfile.write(path, {("a", "b"): None})
    assert [file.name for file in folder.iterdir()] == ["notes.smt2"]


def test_a_store_leaves_nothing_beside_it(tmp_path: Path) -> None:
    lockfile.write(tmp_path / "sorrel.lock", {("a", "b"): Block("a", "b", "c", (), Claim.UNKNOWN)})
    assert [file.name for file in tmp_path.iterdir()] == ["sorrel.lock"]


def test_where_folders_cannot_be_locked_a_link_in_place_of_the_guard_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(handle: int, _: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EBADF, "no lock")

    monkeypatch.setattr(fcntl, "flock", flock)
    (tmp_path / ".sorrel.lock.guard").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(lockfile.NotStored):
        lockfile.write(tmp_path / "sorrel.lock", {("a", "b"): Block("a", "b", "c", (), Claim.UNKNOWN)})
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / ".sorrel.lock.guard").unlink()
    lockfile.write(tmp_path / "sorrel.lock", {("a", "b"): Block("a", "b", "c", (), Claim.UNKNOWN)})
    assert lockfile.read(tmp_path / "sorrel.lock").blocks
