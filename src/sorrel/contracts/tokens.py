"""The words of a condition."""

from __future__ import annotations

import re
from enum import StrEnum

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

_WORDS = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*(?!\w|\.(?!\.)))"
    r"|(?P<name>\\?[A-Za-z_]\w*)"
    r"|(?P<sign><==>|==>|->|\.\.|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>!~&|^?:()\[\].,;])"
)


class WordKind(StrEnum):
    NUMBER = "number"
    NAME = "name"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Word:
    kind: WordKind
    text: str
    column: int


def unreadable(message: str, text: str, column: int, place: Span) -> InputError:
    """`place` is where the text stands, `column` where in it the trouble is."""
    span = Span(place.file, place.line, place.column + column - 1 if place.column else column)
    return InputError(message, span, excerpt=text, marker=column)


def words(text: str, place: Span) -> list[Word]:
    """All words, and the end."""
    found: list[Word] = []
    position = 0
    while position < len(text):
        match = _WORDS.match(text, position)
        if match is None or match.lastgroup is None:
            raise unreadable(f"a condition has no “{text[position]}” here", text, position + 1, place)
        if match.lastgroup != "blank":
            found.append(Word(WordKind(match.lastgroup), match[0], position + 1))
        position = match.end()
    found.append(Word(WordKind.END, "", len(text) + 1))
    return found
