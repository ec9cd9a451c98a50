"""sorrel.lock: blocks sorted by what they are about, read one by one, so that damage stays where it is.

Nothing in the file speaks of the file as a whole, neither a count nor a digest, so that git merges what two people did
to different blocks. Conflict markers, lost ends and lines of something else cost the block they stand in.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path

from sorrel.model.values import dataclass
from sorrel.store.block import HEADER, Block, Damaged, Key, read_block
from sorrel.store.large import Large

NAME = "sorrel.lock"
TITLE = "# sorrel.lock 1: written by sorrel prove; checked against the source, never trusted"
_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
MOST_BYTES = 1 << 30
_LEFT_OVER = 3600.0
"""Seconds after which a temporary file belongs to a process that is gone."""


class NotStored(Exception):
    """The store could not be written; what was found is not kept."""


@dataclass(slots=True)
class Contents:
    """Blocks by what they are about, several if merging left several; and what was ignored, each with its place."""

    blocks: dict[Key, list[Block]] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)

    def by_clauses(self) -> dict[tuple[str, str], list[Block]]:
        """The blocks by the digest of their clauses and what is claimed: for components that were moved or renamed."""
        found: dict[tuple[str, str], list[Block]] = {}
        for blocks in self.blocks.values():
            for block in blocks:
                found.setdefault((block.clauses, block.about), []).append(block)
        return found


def read(path: Path) -> Contents:
    """What the file holds; nothing if there is none."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
            return Contents(
                ignored=[f"{path.name}: is ignored: it is not a regular file, or has more than {MOST_BYTES >> 20} MiB"]
            )
        text = path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return Contents()
    except OSError as problem:
        return Contents(ignored=[f"{path.name}: cannot be read: {problem.strerror}"])
    large = Large.beside(path)
    found = Contents()
    for start, lines in _chunks(text):
        try:
            block = large.inflated(read_block(lines))
        except Damaged as problem:
            found.ignored.append(f"{path.name}:{start}: {_named(lines)} is ignored: {problem}")
            continue
        known = found.blocks.setdefault(block.key, [])
        if block not in known:
            known.append(block)
    return found


def _chunks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of each block without its header, with the number of the line where it starts."""
    start, ended = 0, True
    current: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.rstrip("\r") == HEADER:
            if start and not ended:
                yield start, current
            start, current, ended = number, [], False
        elif start and not ended:
            current.append(line.rstrip("\r"))
            if line.startswith("digest = "):
                yield start, current
                ended = True
        elif line.strip() and not line.startswith(("#", *_MARKERS)):
            yield number, [line]
    if start and not ended:
        yield start, current


def _named(lines: list[str]) -> str:
    named = next((line.removeprefix("id = ") for line in lines if line.startswith("id = ")), "")
    return f"the block of {named[:120]}" if named else "what stands there"


def write(path: Path, changes: Mapping[Key, Block | None], *, only: Iterable[Key] | None = None) -> None:
    """The file with these blocks in place of those about the same; None removes one, `only` keeps no others.

    Others may write at the same time: what is there is read again under a lock, and the new file appears as a whole.
    """
    try:
        with _alone(path):
            blocks = {key: list(found) for key, found in read(path).blocks.items()}
            for key, block in changes.items():
                blocks[key] = [] if block is None else [block]
            if only is not None:
                kept = set(only)
                blocks = {key: found for key, found in blocks.items() if key in kept}
            large = Large.beside(path)
            _replace(path, _text(blocks, large))
            large.sweep(block for found in blocks.values() for block in found)
    except OSError as problem:
        raise NotStored(f"{path}: cannot be written: {problem.strerror or problem}") from None


def _text(blocks: Mapping[Key, list[Block]], large: Large) -> str:
    lines = [TITLE]
    for key in sorted(blocks):
        for block in sorted(blocks[key], key=lambda each: each.lines()):
            lines += ["", *large.deflated(block).lines()]
    return "\n".join(lines) + "\n"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One writer at a time."""
    handle = _locked(path)
    try:
        _sweep(path)
        yield
    finally:
        os.close(handle)


def _locked(path: Path) -> int:
    """The folder is locked, so that no file is left for that; or a file that is never replaced, where it cannot be."""
    handle = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:  # some network file systems lock what can be written, and nothing else
        os.close(handle)
        guard = path.with_name(f".{path.name}.guard")
        handle = os.open(guard, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def _replace(path: Path, text: str) -> None:
    """All or nothing: the new text is on the disk before its name is."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _sweep(path: Path) -> None:
    """Temporary files of writers that were killed."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _LEFT_OVER:
                left.unlink()
