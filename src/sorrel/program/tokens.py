"""Program text cut into tokens, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal, NoReturn, TypeAlias

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

TokenKind: TypeAlias = Literal["name", "word", "number", "string", "symbol", "end"]

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+ | //[^\n]*)
      | (?P<number>[0-9]+ (?: (?: /[0-9]+ )? (?: r | f32 | f64 ) | [iu][1-9][0-9]* )? (?![A-Za-z0-9_$.]))
      | (?P<word>[A-Za-z_$.][A-Za-z0-9_$.]*)
      | `(?P<quoted>(?:[^`\\\n]|\\.)*)`
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<symbol>==>|==|!=|<=|>=|<<|>>|&&|\|\||:=|[-+*/%<>=!~&|^?:;,(){}\[\]@])""",
    re.VERBOSE,
)

_KINDS: dict[str, TokenKind] = {"number": "number", "word": "word", "symbol": "symbol"}
_EXCERPT = 120


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is without quotes and escapes; a `name` was in backticks, a `word` was not."""

    kind: TokenKind
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else f"'{self.text}'"


class Text:
    """A program's text, which can say where something is wrong."""

    def __init__(self, content: str, file: str) -> None:
        self.content = content
        self.file = file

    def fail(self, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        line, column = self._position(start)
        end_line, end_column = self._position(end)
        full = self.content.split("\n", line)[line - 1].rstrip("\r")
        first = max(0, column - _EXCERPT)  # a window that ends in the place, if the line is too long
        raise InputError(
            message,
            Span(self.file, line, column, end_line, end_column),
            hint=hint,
            excerpt=full[first : first + _EXCERPT + 40],
            marker=column - first,
        )

    def _position(self, offset: int) -> tuple[int, int]:
        before = self.content[:offset]
        return before.count("\n") + 1, offset - before.rfind("\n")

    def tokens(self) -> Iterator[Token]:
        position = 0
        while position < len(self.content):
            match = _TOKEN.match(self.content, position)
            if match is None:
                self._bad(position)
            position = match.end()
            group = match.lastgroup or ""
            if group == "quoted" or group == "string":
                inner = self._unescaped(match, match.group()[1:-1])
                yield Token("name" if group == "quoted" else "string", inner, match.start(), match.end())
            elif group != "space":
                yield Token(_KINDS[group], match.group(), match.start(), match.end())
        yield Token("end", "", len(self.content), len(self.content))

    def _unescaped(self, match: re.Match[str], inner: str) -> str:
        try:
            return str(json.loads(f'"{inner}"', strict=False))
        except json.JSONDecodeError as error:
            self.fail(f"bad escape: {error.msg}", match.start(), match.end(), "Escapes are those of JSON strings.")

    def _bad(self, position: int) -> NoReturn:
        character = self.content[position]
        if character in '"`':
            self.fail(f"a {character} is not closed on its line", position, position + 1)
        if character.isdigit():
            self.fail("not a number", position, position + 1, "Numbers look like 5, 5i32, 5u8, 5r, 1/3r or 1/2f32.")
        self.fail(f"unexpected character {character!r}", position, position + 1)
