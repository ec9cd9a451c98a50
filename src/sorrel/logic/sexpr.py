"""S-expressions with their places in the text: what the readers of SMT-LIB text share.

Terms are not built here; z3 parses those. This module finds the commands of a script, names and sorts in
declarations, and the line and column of everything, without recursion.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

_TOKEN = re.compile(
    r"""[ \t\r\n]+ | ;[^\n]* | (?P<open>\() | (?P<close>\)) | (?P<quoted>\|[^|]*\|)
      | (?P<string>"(?:[^"]|"")*") | (?P<atom>[^\s()|";]+) | (?P<bad>.)""",
    re.VERBOSE,
)
# Everything between two tokens that matter for nesting, in one match: commands are split at C speed.
_STRUCTURE = re.compile(r"[^()|\";]+|;[^\n]*|\|[^|]*\||\"(?:[^\"]|\"\")*\"|(?P<paren>[()])|(?P<bad>.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Atom:
    text: str
    start: int

    @property
    def name(self) -> str:
        """The symbol without the bars that may quote it: `|p|` and `p` are one symbol."""
        return self.text[1:-1] if self.text.startswith("|") else self.text


@dataclass(frozen=True, slots=True)
class Group:
    items: tuple[SExpr, ...]
    start: int
    end: int


SExpr: TypeAlias = Atom | Group


class Text:
    """A source text that can say where an offset is."""

    def __init__(self, content: str, file: str = "") -> None:
        self.content = content
        self.file = file
        self._starts: list[int] | None = None

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(m.end() for m in re.finditer("\n", self.content))]
        return self._starts

    def span(self, start: int, end: int | None = None) -> Span:
        line, column = self.position(start)
        end_line, end_column = self.position(start if end is None else end)
        return Span(self.file, line, column, end_line, end_column)

    def position(self, offset: int) -> tuple[int, int]:
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        starts = self._line_starts()
        line = min(max(line, 1), len(starts))
        return starts[line - 1] + max(column, 1) - 1

    def line(self, number: int) -> str:
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = self.content.find("\n", starts[number - 1])
        return self.content[starts[number - 1] : end if end >= 0 else len(self.content)].rstrip("\r")

    def error(self, message: str, start: int, *, hint: str = "") -> InputError:
        span = self.span(min(start, len(self.content)))
        left = max(0, span.column - 80)
        window = self.line(span.line)[left : left + 120].replace("\t", " ")
        return InputError(message, span, hint=hint, excerpt=window, marker=span.column - left)


def commands(text: Text) -> Iterator[tuple[int, int]]:
    """Start and end offset of every top-level group."""
    depth = 0
    start = 0
    for match in _STRUCTURE.finditer(text.content):
        kind = match.lastgroup
        if kind is None:
            if depth == 0 and match.group()[0] not in ";" and match.group().strip():
                at = match.start() + len(match.group()) - len(match.group().lstrip())
                raise text.error(
                    "a command in parentheses is expected here", at, hint="A comment starts with a semicolon."
                )
        elif kind == "bad":
            what = "string" if match.group() == '"' else "quoted symbol"
            raise text.error(f"this {what} is never closed", match.start(), hint="Is the file complete?")
        elif match.group() == "(":
            if depth == 0:
                start = match.start()
            depth += 1
        else:
            depth -= 1
            if depth < 0:
                raise text.error(
                    "this parenthesis closes nothing",
                    match.start(),
                    hint="Remove it, or look above for one that closes too early.",
                )
            if depth == 0:
                yield start, match.end()
    if depth:
        missing = "1 closing parenthesis is" if depth == 1 else f"{depth} closing parentheses are"
        raise text.error(f"the text ends inside this command: {missing} missing", start, hint="Is the file complete?")


def read(text: Text, start: int, end: int) -> SExpr:
    """The one expression between two offsets."""
    stack: list[tuple[int, list[SExpr]]] = [(start, [])]
    for match in _TOKEN.finditer(text.content, start, end):
        kind = match.lastgroup
        if kind is None:
            continue
        if kind == "open":
            stack.append((match.start(), []))
        elif kind == "close":
            if len(stack) == 1:
                raise text.error("this parenthesis closes nothing", match.start())
            opened, items = stack.pop()
            stack[-1][1].append(Group(tuple(items), opened, match.end()))
        elif kind == "bad":
            raise text.error("a string or quoted symbol is never closed", match.start())
        else:
            stack[-1][1].append(Atom(match.group(), match.start()))
    if len(stack) != 1 or len(stack[0][1]) != 1:
        raise text.error("the text ends inside this expression", stack[-1][0], hint="Is the file complete?")
    return stack[0][1][0]


def second_item(text: Text, start: int, end: int) -> tuple[int, int] | None:
    """Where the first item after the name of a command starts and ends, without reading what is in it."""
    match = _HEAD.match(text.content, start, end)
    depth = 0
    first = -1
    for token in _TOKEN.finditer(text.content, match.end() if match else start, end):
        kind = token.lastgroup
        if kind is None:
            continue
        if first < 0:
            first = token.start()
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        if depth == 0:
            return first, token.end()
        if depth < 0:
            return None
    return None


def names(text: Text, start: int, end: int) -> set[str]:
    """All symbols between two offsets."""
    tokens = _TOKEN.finditer(text.content, start, end)
    return {Atom(t.group(), t.start()).name for t in tokens if t.lastgroup in ("atom", "quoted")}


def find(text: Text, name: str, start: int, end: int) -> int:
    """Where a symbol stands first between two offsets; `start` if it does not."""
    for token in _TOKEN.finditer(text.content, start, end):
        if token.lastgroup in ("atom", "quoted") and Atom(token.group(), token.start()).name == name:
            return token.start()
    return start


def opening(text: Text, start: int, closing: int) -> int:
    """Where the group was opened that is closed at `closing`; it is no earlier than `start`."""
    stack = [start]
    for token in _TOKEN.finditer(text.content, start, closing):
        if token.lastgroup == "open":
            stack.append(token.start())
        elif token.lastgroup == "close" and len(stack) > 1:
            stack.pop()
    return stack[-1]


_HEAD = re.compile(r"\(\s*(?:;[^\n]*\n\s*)*([^\s()\";|]*)")


def head(text: Text, start: int) -> str:
    """The word a command begins with."""
    match = _HEAD.match(text.content, start)
    return match.group(1) if match else ""
