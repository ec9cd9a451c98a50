"""String literals as libclang writes them back: printable characters and escapes in quotes."""

from __future__ import annotations

import re

_PARTS = re.compile(r'""|\\([0-7]{1,3}|x[0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|(.)', re.DOTALL)
_LETTERS = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_PREFIX = re.compile(r'(u8|u|U|L)?"')


def code_units(literal: str, bits: int) -> tuple[int, ...] | None:
    """What an array with elements of so many bits holds for it, without the zero at the end; None: no literal."""
    start = _PREFIX.match(literal)
    if start is None or not literal.endswith('"'):
        return None
    plain_text = literal[start.end() : -1]
    if "\\" not in plain_text and '""' not in plain_text and plain_text.isascii():
        return tuple(plain_text.encode())
    found: list[int] = []
    for part in _PARTS.finditer(literal, start.end(), len(literal) - 1):
        escape, plain = part.group(1), part.group(2)
        if escape is not None:
            found.extend(_escaped(escape, bits))
        elif plain is not None:
            found.extend(_encoded(ord(plain), bits))
        # Two quotes separate a hexadecimal escape from a digit that follows it.
    return tuple(found)


def _escaped(letters: str, bits: int) -> tuple[int, ...]:
    if letters[0] in "uU":
        return _encoded(int(letters[1:], 16), bits)
    if letters[0] == "x":
        return (int(letters[1:], 16) & ((1 << bits) - 1),)
    if letters[0] in "01234567":
        return (int(letters, 8) & ((1 << bits) - 1),)
    return (_LETTERS.get(letters, ord(letters)),)


def _encoded(code_point: int, bits: int) -> tuple[int, ...]:
    """A character in UTF-8, UTF-16 or UTF-32."""
    if bits == 8:
        return tuple(chr(code_point).encode("utf-8", "surrogatepass"))
    if bits == 16 and code_point > 0xFFFF:
        over = code_point - 0x10000
        return (0xD800 | over >> 10, 0xDC00 | over & 0x3FF)
    return (code_point,)
