"""Which lines of a C text belong together because an expression goes over all of them.

Compilers count such an expression at one of its lines, not always at the first (GCC takes the last one where it makes
one comparison of two), so that counts of single lines say nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPAQUE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_GOES_ON = re.compile(r"([-+*/%&|^<>=?:,!~(\[\\]|\breturn)$")
_CONTINUES = re.compile(r"[-+*/%&|^<>=?:,.)\]]")


def extents(lines: Sequence[str]) -> list[range]:
    """For each line, by its number less one, the lines (from 1) of the expression that it is part of."""
    plain = _OPAQUE.sub(_blank, "\n".join(lines)).split("\n")
    found: list[range] = []
    start, depth, before = 1, 0, ""
    for number, line in enumerate(map(str.strip, plain), start=1):
        if line and not _are_one(before, line, depth):
            found += [range(start, number)] * (number - start)
            start, depth = number, 0
        if line:
            depth = max(0, depth + line.count("(") - line.count(")"))
            before = line
    return found + [range(start, len(plain) + 1)] * (len(plain) + 1 - start)


def _are_one(before: str, line: str, depth: int) -> bool:
    if line.startswith("#") or (before.startswith("#") and not before.endswith("\\")):
        return False
    if depth:
        return True
    ends = before.endswith((";", "{", "}")) or (before.endswith(":") and "?" not in before)
    return bool(before) and not ends and bool(_GOES_ON.search(before) or _CONTINUES.match(line))


def _blank(match: re.Match[str]) -> str:
    """A comment is nothing but its lines, a text is a word."""
    return "\n" * match[0].count("\n") if match[0].startswith("/") else "text"
