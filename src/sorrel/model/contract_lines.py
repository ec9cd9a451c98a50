"""How the facts of a contract are laid out in lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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


LEAST_ROWS = 3
"""Fewer cases are read in one line."""


def laid_out(fact: str) -> tuple[str, ...]:
    """A fact in lines: one, or a table of values if it says `x == (c ? a : d ? b : …)`."""
    subject, rows = _table(fact)
    if len(rows) < LEAST_ROWS:
        return (fact,)
    width = max(len(value) for value, _ in rows)
    words = ("if", *("else if" for _ in rows[2:]), "otherwise")
    return (
        subject,
        *(
            f"  {value:<{width}}  {word} {condition}".rstrip()
            for word, (value, condition) in zip(words, rows, strict=True)
        ),
    )


def _table(fact: str) -> tuple[str, list[tuple[str, str]]]:
    """What has the values, and each value with its condition; the last has none."""
    subject, sign, chain = fact.partition(" == (")
    if not sign or not chain.endswith(")") or any(each in subject for each in "?&|(<>="):
        return fact, []
    parts = list(_pieces(chain[:-1]))
    rows = (
        [(value, condition) for condition, value in zip(parts[:-1:2], parts[1::2], strict=True)]
        if len(parts) % 2
        else []
    )
    return f"{subject} ==", [*rows, (parts[-1], "")] if rows else []


def _pieces(chain: str) -> Iterator[str]:
    """Conditions and values in turn, between signs outside of parentheses; nothing if these do not take turns."""
    depth, start, wanted = 0, 0, "?"
    found: list[str] = []
    for position, character in enumerate(chain):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0 or (depth == 0 and character in "?:" and character != wanted):
            return
        if depth == 0 and character == wanted:
            found.append(chain[start:position].strip())
            start, wanted = position + 1, ":" if wanted == "?" else "?"
    yield from (*found, chain[start:].strip())
