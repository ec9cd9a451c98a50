"""Lines of the user's sources, shown with a mark under what is meant, in colour where a terminal can show it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import TextIO

from sorrel.model.errors import Span
from sorrel.model.outcome import EventKind, RunEvent
from sorrel.model.source import Source, lines_of
from sorrel.model.values import dataclass


@dataclass
class Texts:
    """Sources by name; a file is read once, when it is first asked for, and one that cannot be read has no lines."""

    known: dict[str, list[str]] = field(default_factory=dict)

    @staticmethod
    def of(sources: tuple[Source, ...]) -> Texts:
        return Texts({source.name: lines_of(source.text) for source in sources if source.text is not None})

    def lines(self, file: str) -> list[str]:
        if file not in self.known:
            try:
                self.known[file] = lines_of(Path(file).read_text(encoding="utf-8", errors="replace"))
            except OSError:
                self.known[file] = []
        return self.known[file]

    def line(self, file: str, number: int) -> str | None:
        lines = self.lines(file)
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def word(self, span: Span) -> str:
        """The identifier or keyword that begins there; columns count bytes."""
        return word(self.line(span.file, span.line) or "", span.column)


def character(line: str, column: int) -> int:
    """The column in characters, where spans count the bytes of UTF-8."""
    return len(line.encode()[: max(0, column - 1)].decode(errors="replace")) + 1


def word(line: str, column: int) -> str:
    found = re.match(r"[A-Za-z_]\w*", line.encode()[max(0, column - 1) :].decode(errors="replace"))
    return found[0] if found else ""


_HEAD = re.compile(r"(?:(?:if|while|for|switch)\b|pthread_\w+)\s*\(")
_OF_THREADS = "pthread_"
_PLACE = re.compile(r"(\**[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^\]=]*\])*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)")
_MEMBER = re.compile(r"(?:->|\.)(\w+)$")


def by_its_text(event: RunEvent, line: str | None) -> str | None:
    """What stands in the source, for steps that are told by it: decisions, and what locks and signals do inside."""
    if line is None:
        return None
    if event.kind is EventKind.BRANCH:
        return head(line, event.span)
    if event.is_in_block and (place := written_place(event, line)):
        return f"{place} = {event.value}"
    is_inside = event.kind is EventKind.ASSIGN and word(line, event.span.column).startswith(_OF_THREADS)
    return head(line, event.span) if is_inside else None


def written_place(event: RunEvent, line: str) -> str:
    """What stands left of the assignment that wrote to allocated memory; nothing if it was no assignment."""
    found = _PLACE.match(line.encode()[max(0, event.span.column - 1) :].decode(errors="replace"))
    return found[1] if found else ""


def written_part(event: RunEvent, line: str | None) -> str:
    """The member of the object in allocated memory that was written, else the index."""
    member = _MEMBER.search(written_place(event, line)) if line is not None else None
    return member[1] if member and event.index.isdecimal() else event.index


def is_shown(event: RunEvent, line: str | None) -> bool:
    """Not what an allocation writes itself, `calloc` for example: nobody follows that element by element."""
    return line is None or not event.is_in_block or bool(written_place(event, line))


def said(event: RunEvent, line: str | None) -> str:
    """In a few words, without whose step it is."""
    text = by_its_text(event, line)
    if text is None:
        return event.text.removeprefix(whose(event))
    return f"{event.value}: {text}" if event.kind is EventKind.BRANCH else text


def whose(event: RunEvent) -> str:
    """Which thread takes the step, where there are several: what its text begins with."""
    name = f"thread {event.thread} ({event.procedure}): "
    return name if event.text.startswith(name) else ""


def head(line: str, span: Span) -> str:
    """The statement or call that begins there, without what it governs; else what stands there, or the line."""
    text = line.encode()[max(0, span.column - 1) :].decode(errors="replace")
    found = _HEAD.match(text)
    depth = 0
    for position in range(found.end() - 1, len(text)) if found else ():
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return text[: position + 1]
    is_part = span.column > 1 and span.end_line == span.line and span.end_column > span.column
    return text.encode()[: span.end_column - span.column].decode(errors="replace") if is_part else line.strip()


_CODES: Mapping[str, str] = {
    "bad": "1;31",
    "good": "1;32",
    "doubt": "1;33",
    "place": "1",
    "faint": "2",
    "code": "36",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours by meaning; none at all if they are not wanted."""

    wanted: bool = False

    @staticmethod
    def for_stream(stream: TextIO | None) -> Paint:
        """NO_COLOR (no-color.org) and a dumb terminal mean none; so does everything that is not a terminal."""
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return Paint(stream is not None and stream.isatty() and not plain)

    def __call__(self, meaning: str, text: str) -> str:
        return f"\x1b[{_CODES[meaning]}m{text}\x1b[0m" if self.wanted and text else text


def excerpt(texts: Texts, span: Span, paint: Paint) -> Iterator[str]:
    """The line of the span, and a mark under the span's part of it."""
    line = texts.line(span.file, span.line)
    if line is None:
        return
    number = f"{span.line:>6}"
    yield f"{paint('faint', f'{number} |')} {line.rstrip().expandtabs(4)}"
    if span.column:
        first = character(line, span.column)
        before = len(line[: first - 1].expandtabs(4))
        same_line = span.end_line == span.line and span.end_column > span.column
        width = max(1, min(character(line, span.end_column), len(line.rstrip()) + 1) - first) if same_line else 1
        yield f"{paint('faint', ' ' * len(number) + ' |')} {' ' * before}{paint('bad', '^' + '~' * (width - 1))}"
