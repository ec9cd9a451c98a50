"""How the facts of a contract are laid out in lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 80
"""Characters of a line that is read at one glance."""
_COMPARISON = re.compile(r"(?P<left>[^=<>!&|?]+?) (?:[<>]=?|[!=]=) [^=<>!&|?:]+")
"""One comparison without a connective."""


def together(facts: Sequence[str]) -> tuple[str, ...]:
    """The facts, those about one thing in one line if they are comparisons and the line stays short."""
    lines: list[tuple[str | None, str]] = []
    for fact in facts:
        found = _COMPARISON.fullmatch(fact)
        subject = found["left"] if found else None
        place = next((i for i, (known, _) in enumerate(lines) if subject is not None and known == subject), None)
        if place is not None and len(lines[place][1]) + len(fact) + 4 <= WIDTH:
            lines[place] = (subject, f"{lines[place][1]} && {fact}")
        else:
            lines.append((subject, fact))
    return tuple(line for _, line in lines)
