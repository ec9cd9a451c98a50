"""Where an input comes from, and its bytes as text."""

from __future__ import annotations

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
        if self.text is not None:
            return self.text
        try:
            with open(self.path, "rb") as file:
                return decode(file.read(), self.path)
        except FileNotFoundError:
            raise InputError("no such file", Span(self.path), hint="Check the path.") from None
        except IsADirectoryError:
            hint = "Name a file; for a suite use sorrel bench."
            raise InputError("this is a folder", Span(self.path), hint=hint) from None
        except OSError as problem:
            raise InputError(f"cannot be read: {problem.strerror}", Span(self.path)) from None


def decode(data: bytes, file: str = "") -> str:
    if b"\0" in data:
        at = data.index(b"\0")
        line = data.count(b"\n", 0, at) + 1
        column = at - data.rfind(b"\n", 0, at)
        raise InputError(
            "this is a binary file", Span(file, line, column), hint="Sorrel reads SMT-LIB 2 text in UTF-8."
        )
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
