"""The two ways things go wrong: the input is not what we can read, or we broke a promise of our own."""

from __future__ import annotations

import os

from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands in a source file; lines and columns start at 1, 0 means nowhere.

    Columns count the bytes of UTF-8, as compilers do.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


NOWHERE = Span()


class SorrelError(Exception):
    """Whatever Sorrel raises on purpose."""


class UsageError(SorrelError):
    """The call asks for something that does not exist or does not fit together."""


class InputError(SorrelError):
    """The input cannot be read or is not supported: where, what, and what next."""

    def __init__(
        self, message: str, span: Span = NOWHERE, *, hint: str = "", excerpt: str = "", marker: int = 0
    ) -> None:
        """`excerpt` is the line, or a window into it; `marker` is the column of the excerpt to point at."""
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self.excerpt = excerpt
        self.marker = marker

    def __str__(self) -> str:
        lines = [f"{self.span}: {self.message}" if self.span.file or self.span.line else self.message]
        if self.excerpt:
            lines.append(f"  {self.excerpt}")
            lines.append("  " + " " * max(0, self.marker - 1) + "^")
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class Unsupported(InputError):
    """A construct, reachable from the entry, that has no meaning here yet: the answer is unknown, never a guess."""

    def __init__(self, construct: str, span: Span, hint: str = "") -> None:
        super().__init__(f"{construct}: not supported", span, hint=hint)
        self.construct = construct


class InternalError(SorrelError):
    """An invariant of ours is broken. Never a verdict: the command line saves a reproducer."""


def complain(message: str, span: Span = NOWHERE) -> None:
    """A mistake of ours that was noticed in time, so that nobody is told; an error where SORREL_PEDANTIC is set."""
    if os.environ.get("SORREL_PEDANTIC"):
        raise InternalError(f"{span}: {message}" if span.line else message)
