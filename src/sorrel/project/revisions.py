"""Versions of a project: folders as they are, and what git knows under a name."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sorrel.model.errors import InputError, UsageError
from sorrel.project.settings import NAME, Settings, find, load


@contextmanager
def version(name: str, here: Path, fallback: Settings | None) -> Iterator[Settings]:
    """The settings of a folder, or of a revision that is unpacked while this is entered.

    A version that has no settings of its own has those of the other one.
    """
    if Path(name).is_dir():
        yield _settings(Path(name), fallback)
        return
    top = Path(_git(here, "rev-parse", "--show-toplevel").decode().strip())
    inside = here.resolve().relative_to(top.resolve())
    try:
        revision = _git(top, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").decode().strip()
    except InputError:
        raise UsageError(f"{name} is neither a folder nor a revision that git knows") from None
    with TemporaryDirectory(prefix="sorrel-") as folder:
        packed = _git(top, "archive", "--format=tar", revision)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield _settings(Path(folder) / inside, fallback)


def _settings(folder: Path, fallback: Settings | None) -> Settings:
    if (folder / NAME).is_file():
        return load(find(folder))
    if fallback is None:
        raise UsageError(f"there is no {NAME} in {folder}; `sorrel init` writes one")
    return replace(fallback, folder=str(folder.resolve()))


def _git(folder: Path, *words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except OSError as problem:
        raise InputError(f"git cannot be run: {problem.strerror}") from None
    if done.returncode:
        raise InputError(f"git {words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
