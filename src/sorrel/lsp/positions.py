"""Places of the source as editors count them: lines from 0, and columns in the units that the client asked for."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from sorrel.model.errors import Span


def characters(line: str, column: int) -> int:
    """Code points before the column of a span, which counts the bytes of UTF-8 from 1."""
    return len(line.encode()[: max(0, column - 1)].decode(errors="replace"))


def range_of(span: Span, lines: Sequence[str]) -> lsp.Range:
    """In code points; the whole line if the span says no more, the first one if it says nothing."""
    number = min(max(span.line - 1, 0), max(len(lines) - 1, 0))
    line = lines[number] if lines else ""
    start = lsp.Position(line=number, character=characters(line, span.column) if span.column else 0)
    if span.end_line and span.end_line <= len(lines) and (span.end_line, span.end_column) > (span.line, span.column):
        last = lines[span.end_line - 1]
        return lsp.Range(
            start=start, end=lsp.Position(line=span.end_line - 1, character=characters(last, span.end_column))
        )
    return lsp.Range(start=start, end=lsp.Position(line=number, character=len(line.rstrip("\r\n"))))
