"""Lines of source text, cut into pieces that are shown alike.

Only four kinds of pieces are told apart and neighbours of one kind are joined: a file of 5,000 lines would else be
three times as large as it has to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Number, String

from sorrel.model.outline import SourceText
from sorrel.model.values import dataclass

_LEXERS = {"c": "c", "java": "java", "ocaml": "ocaml", "smtlib": "common-lisp"}
_KINDS = ((Keyword, "keyword"), (String, "string"), (Comment, "comment"), (Number, "number"))


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one kind: `keyword`, `string`, `comment`, `number`, or nothing."""

    kind: str
    text: str


def highlighted(source: SourceText) -> list[list[Piece]]:
    """The pieces of each line."""
    lines: list[list[Piece]] = [[]]
    for kind, text in _tokens(source):
        first, *rest = text.split("\n")
        _add(lines[-1], kind, first)
        for part in rest:
            lines.append([])
            _add(lines[-1], kind, part)
    return lines[:-1] if lines and not lines[-1] else lines


def _add(line: list[Piece], kind: str, text: str) -> None:
    if text and line and (line[-1].kind == kind or not text.strip()):
        line[-1] = Piece(line[-1].kind, line[-1].text + text)
    elif text:
        line.append(Piece(kind, text))


def _tokens(source: SourceText) -> Iterator[tuple[str, str]]:
    lexer = _LEXERS.get(source.language)
    if lexer is None:
        yield "", source.text
        return
    for token, text in get_lexer_by_name(lexer, stripnl=False, ensurenl=False).get_tokens(source.text):
        yield _kind(token), text


def _kind(token: Any) -> str:
    return next((name for family, name in _KINDS if token in family), "")
