"""Where an input comes from, and its bytes as text."""

from __future__ import annotations

import re

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

READERS = {".sorrel": "sorrel.program.text:read"}
"""Languages in which one file is a whole program, which nobody compiles: how its name ends, and which function makes a
`Program` of its text and name. One that is registered here can be verified."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or a text with the name that messages use for it.

    `options`: what the compiler is told about this file alone, after what it is told about all of them.
    """

    path: str = ""
    text: str | None = None
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.path or "<text>"

    @property
    def is_java(self) -> bool:
        return self.path.endswith(".java")

    @property
    def is_ocaml(self) -> bool:
        return self.path.endswith(".ml")

    @property
    def reader(self) -> str:
        """Of a language that `READERS` knows, else nothing."""
        return next((reader for suffix, reader in READERS.items() if self.path.endswith(suffix)), "")

    def read(self) -> str:
        """The text; an error says why there is none."""
        return self.text if self.text is not None else decode(self._bytes(), self.path)

    def read_as_compilers_do(self) -> str:
        """The text, with a mark in place of what is no UTF-8, which C has in comments and in strings."""
        if self.text is not None:
            return self.text
        return _not_binary(self._bytes(), self.path).decode("utf-8-sig", errors="replace")

    def _bytes(self) -> bytes:
        try:
            with open(self.path, "rb") as file:
                return file.read()
        except OSError as problem:
            raise unreadable(self.path, problem) from None


def lines_of(text: str, *, keep_ends: bool = False) -> list[str]:
    """The lines as compilers count them: a form feed or another separator of Unicode ends none."""
    found = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
    return found if keep_ends else [line.rstrip("\r\n") for line in found]


def unreadable(path: str, problem: OSError) -> InputError:
    """Why there is no text, and what to do about it."""
    if isinstance(problem, FileNotFoundError):
        return InputError("no such file", Span(path), hint="Check the path.")
    if isinstance(problem, IsADirectoryError):
        hint = "Name a file; sorrel init and sorrel prove are for the C files of a folder, sorrel bench for a suite."
        return InputError("this is a folder", Span(path), hint=hint)
    return InputError(f"cannot be read: {problem.strerror}", Span(path))


def _not_binary(data: bytes, file: str) -> bytes:
    if b"\0" not in data:
        return data
    at = data.index(b"\0")
    line = data.count(b"\n", 0, at) + 1
    column = at - data.rfind(b"\n", 0, at)
    raise InputError("this is a binary file", Span(file, line, column), hint="Sorrel reads text in UTF-8.")


def decode(data: bytes, file: str = "") -> str:
    data = _not_binary(data, file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        column = problem.start - data.rfind(b"\n", 0, problem.start)
        raise InputError(
            f"byte 0x{data[problem.start]:02x} is not UTF-8",
            Span(file, line, column),
            hint="Convert the file, for example with iconv -t UTF-8.",
        ) from None
