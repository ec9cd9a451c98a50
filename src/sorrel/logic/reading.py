"""SMT-LIB text to terms: z3 parses, we keep track of where each piece of its script came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

import z3

from sorrel.errors import InputError
from sorrel.logic.sexpr import Text
from sorrel.logic.terms import Declaration, Sort, Term

_ERROR = re.compile(r"line (\d+) column (\d+): (.*)", re.DOTALL)


class Script:
    """A script for z3's parser, assembled from pieces of a source text and words of our own."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._line = 1
        self._lines: list[int] = []  # first script line of each piece
        self._places: list[tuple[int, int]] = []  # its offset in the source, and the length of what precedes it

    def add(self, start: int, end: int, *, prefix: str = "", suffix: str = "", after: int | None = None) -> None:
        """Append prefix + source[after:end] + suffix; errors in it point into the source."""
        after = start if after is None else after
        piece = f"{prefix}{self._text.content[after:end]}{suffix}\n"
        self._lines.append(self._line)
        self._places.append((after, len(prefix)))
        self._pieces.append(piece)
        self._line += piece.count("\n")

    def parse(
        self, sorts: Mapping[str, Sort] | None = None, declarations: Mapping[str, Declaration] | None = None
    ) -> list[Term]:
        """The asserted formulas, in order."""
        try:
            return list(z3.parse_smt2_string("".join(self._pieces), dict(sorts or {}), dict(declarations or {})))
        except z3.Z3Exception as problem:
            raise self._locate(problem) from None

    def _locate(self, problem: z3.Z3Exception) -> InputError:
        value = problem.value
        message = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
        message = message.strip().removeprefix('(error "').split('")\n')[0].removesuffix('")')
        found = _ERROR.match(message)
        if not found or not self._lines:
            return InputError(message, self._text.span(0))
        line, column = int(found.group(1)), int(found.group(2))
        index = max(0, bisect_right(self._lines, line) - 1)
        start, shift = self._places[index]
        if line == self._lines[index]:
            offset = start + max(0, column - 1 - shift)
        else:
            first, _ = self._text.position(start)
            offset = self._text.offset(first + line - self._lines[index], column)
        what = " ".join(found.group(3).split())
        return self._text.error(what, offset, hint=_hint(what))


def _hint(message: str) -> str:
    if message.startswith("unknown constant"):
        return "Declare the symbol before its use, and check the number and sorts of its arguments."
    if message.startswith("unknown sort"):
        return "Declare the sort before its use."
    if "invalid" in message or "unexpected" in message:
        return "This is not SMT-LIB 2 syntax."
    return ""


def parse_terms(text: Text, script: str, sorts: Mapping[str, Sort] | None = None) -> list[Term]:
    """The formulas asserted by a script that we wrote ourselves from `text`."""
    try:
        return list(z3.parse_smt2_string(script, dict(sorts or {})))
    except z3.Z3Exception as problem:
        value = problem.value
        message = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
        found = _ERROR.search(message)
        raise InputError(" ".join(found.group(3).split()) if found else message, text.span(0)) from None
