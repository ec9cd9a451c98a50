"""How the facts of a contract are laid out in lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 80
"""Characters of a line that is read at one glance."""
_COMPARISON = re.compile(r"[^=<>!&|?]+?(?: (?:[<>]=?|[!=]=) [^=<>!&|?:]+){1,2}")
"""One comparison, or a range, without a connective."""


def together(facts: Sequence[str]) -> tuple[str, ...]:
    """The facts, several in one line if they are comparisons and the line stays short."""
    lines: list[tuple[bool, str]] = []
    for fact in facts:
        is_plain = _COMPARISON.fullmatch(fact.replace("->", ".")) is not None
        if is_plain and lines and lines[-1][0] and len(lines[-1][1]) + len(fact) + 4 <= WIDTH:
            lines[-1] = (True, f"{lines[-1][1]} && {fact}")
        else:
            lines.append((is_plain, fact))
    return tuple(line for _, line in lines)
