"""SMT-LIB text to terms: z3 parses, we keep track of where each piece of its script came from."""

from __future__ import annotations

import re
from bisect import bisect_right

import z3

from sorrel.logic.sexpr import Text, opening
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError

_ERROR = re.compile(r"line (\d+) column (\d+): (.*)", re.DOTALL)


class Script:
    """A script for z3's parser, assembled from pieces of a source text and words of our own."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._line = 2  # the first one is left empty: z3 counts columns from 1 there, and from 0 below
        self._lines: list[int] = []  # first script line of each piece
        self._places: list[tuple[int, int, int]] = []  # start and end in the source, and what precedes it

    def add(self, start: int, end: int, *, prefix: str = "", suffix: str = "", after: int | None = None) -> None:
        """Append prefix + source[after:end] + suffix; errors in it point into the source."""
        after = start if after is None else after
        piece = f"{prefix}{self._text.content[after:end]}{suffix}\n"
        self._lines.append(self._line)
        self._places.append((after, end, len(prefix)))
        self._pieces.append(piece)
        self._line += piece.count("\n")

    def source(self) -> str:
        """The script so far."""
        return "".join(self._pieces)

    def parse(self) -> list[Term]:
        """The asserted formulas, in order."""
        # z3's other parsers know a datatype List of their own, so that a file could not declare one. This
        # solver does nothing with its assertions.
        parser = z3.Tactic("skip").solver()
        try:
            parser.from_string("\n" + self.source())
            return list(parser.assertions())
        except z3.Z3Exception as problem:
            raise self._locate(_message(problem)) from None

    def _locate(self, message: str) -> InputError:
        found = _ERROR.match(message)
        if not found or not self._lines:
            return InputError(message, self._text.span(0))
        what = " ".join(found.group(3).split())
        what = what[max(0, what.find("unknown sort")) :]
        offset = self._offset(int(found.group(1)), int(found.group(2)))
        if self._text.content[offset : offset + 1] == ")" and "expected" not in what:
            # The problem is with what is closed here.
            offset = opening(self._text, self._places[self._piece(int(found.group(1)))][0], offset)
        return self._text.error(what, offset, hint=_hint(what))

    def _piece(self, line: int) -> int:
        return max(0, bisect_right(self._lines, line) - 1)

    def _offset(self, line: int, column: int) -> int:
        """Where in the source a line and column of the script are; z3 counts bytes."""
        index = self._piece(line)
        start, end, before = self._places[index]
        lines = self._pieces[index].split("\n")[: line - self._lines[index] + 1]
        within = sum(len(line) + 1 for line in lines[:-1])
        within += len(lines[-1].encode()[:column].decode(errors="ignore"))
        return min(max(start, start + within - before), max(start, end - 1))


def _message(problem: z3.Z3Exception) -> str:
    """The first of the errors that z3 reports."""
    value = problem.value
    message = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return message.strip().removeprefix('(error "').split('")\n')[0].removesuffix('")')


def _hint(message: str) -> str:
    if message.startswith("unknown constant"):
        return "Declare the symbol before its use, and check the number and sorts of its arguments."
    if message.startswith("unknown sort"):
        return "Declare the sort before its use."
    if message == "unexpected character":
        return "A symbol with other characters than SMT-LIB allows stands between bars: |like this|."
    if "invalid" in message or "unexpected" in message:
        return "This is not SMT-LIB 2 syntax."
    return "Compare this with the declarations above it."
