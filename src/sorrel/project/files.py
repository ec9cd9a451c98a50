"""Files of a project, which a stranger may have written: read if they are files of a sensible size."""

from __future__ import annotations

import stat
from pathlib import Path

from sorrel.model.errors import InputError
from sorrel.model.source import decode, unreadable

MOST_BYTES = 256 << 20


def bytes_of(path: Path) -> bytes:
    """The content of a regular file; a device or a pipe would be read forever."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise InputError(f"{path}: cannot be read: it is not a regular file")
        if about.st_size > MOST_BYTES:
            raise InputError(f"{path}: cannot be read: it has more than {MOST_BYTES >> 20} MiB")
        return path.read_bytes()
    except OSError as problem:
        raise unreadable(str(path), problem) from None
    except ValueError as problem:  # a path with a zero byte in it is no value, either
        raise InputError(f"{path}: cannot be read: {problem}") from None


def text_of(path: Path) -> str:
    return decode(bytes_of(path), str(path))
