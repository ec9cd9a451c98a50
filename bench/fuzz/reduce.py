"""A smaller text that still fails: lines go away, in large pieces first, then one by one; blocks lose their frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

Fails = Callable[[Sequence[str]], bool]


def reduced(lines: Sequence[str], fails: Fails, seconds: float) -> list[str]:
    """Lines of which no balanced piece can be left out, as far as time allows; `lines` themselves must fail."""
    deadline = time.monotonic() + seconds
    kept = list(lines)
    smaller = True
    while smaller:
        smaller = False
        for candidate in candidates(kept):
            if time.monotonic() > deadline:
                return kept
            if fails(candidate):
                kept, smaller = candidate, True
                break
    return kept


def candidates(lines: list[str]) -> Iterator[list[str]]:
    """Without a piece that opens as many braces as it closes, the longest first; then without a pair of braces."""
    size = len(lines) // 2
    while size >= 1:
        for start in range(0, len(lines) - size + 1, max(1, size // 2)):
            if _is_balanced(lines[start : start + size]):
                yield lines[:start] + lines[start + size :]
        size //= 2
    for start, end in _blocks(lines):
        yield lines[:start] + lines[end + 1 :]
        yield lines[:start] + lines[start + 1 : end] + lines[end + 1 :]


def _is_balanced(lines: Sequence[str]) -> bool:
    depth = 0
    for line in lines:
        for letter in line:
            depth += (letter == "{") - (letter == "}")
            if depth < 0:
                return False
    return depth == 0


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last lines of blocks that take several."""
    for start, line in enumerate(lines):
        if line.count("{") <= line.count("}"):
            continue
        depth = 0
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            if depth == 0:
                yield start, end
                break
