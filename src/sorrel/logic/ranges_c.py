"""Comparisons in the syntax of ACSL, put together as a person writes them: `0 <= i < n`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sorrel.model.values import dataclass

_COMPARISON = re.compile(r"([^<>=!&|?:]+) (<=|<|>=|>) ([^<>=!&|?:]+)")
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}
_NUMBER = re.compile(r"-?\d+")
_DENIED = re.compile(r"!\((.+)\) \|\| (.+)")


@dataclass(frozen=True, slots=True)
class _Limit:
    """`subject sign limit`, the subject on the left."""

    subject: str
    sign: str
    limit: str


def with_ranges(conjuncts: Sequence[str], subject: str = "") -> list[str]:
    """Two limits of one thing as a range: numbers, or whatever limits the subject that is named."""
    found: list[str] = []
    open_: dict[str, tuple[int, _Limit]] = {}
    for text in conjuncts:
        limit = _limit(text, subject)
        other = open_.get(limit.subject) if limit else None
        if limit is None or (other and other[1].sign[0] == limit.sign[0]):
            found.append(text)
        elif other is None:
            open_[limit.subject] = len(found), limit
            found.append(text)
        else:
            position, first = open_.pop(limit.subject)
            lower, upper = (first, limit) if first.sign[0] == ">" else (limit, first)
            found[position] = f"{lower.limit} {_TURNED[lower.sign]} {lower.subject} {upper.sign} {upper.limit}"
    return found


def _limit(text: str, subject: str) -> _Limit | None:
    compared = _COMPARISON.fullmatch(text)
    if compared is None:
        return None
    left, sign, right = compared.groups()
    if subject:
        if left == subject:
            return _Limit(left, sign, right)
        return _Limit(right, _TURNED[sign], left) if right == subject else None
    if _NUMBER.fullmatch(right):
        return _Limit(left, sign, right)
    return _Limit(right, _TURNED[sign], left) if _NUMBER.fullmatch(left) else None


def as_implication(body: str, variable: str) -> str:
    """`premise ==> rest` in place of `!(premise) || rest`, the premise with the range of the variable."""
    denied = _DENIED.fullmatch(body)
    if denied is None or not _is_balanced(denied[1]):
        return body
    premise = " && ".join(with_ranges(denied[1].split(" && "), variable)) if "(" not in denied[1] else denied[1]
    rest = denied[2]
    return f"{premise} ==> {f'({rest})' if ' ? ' in rest or ' ==> ' in rest else rest}"


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0
