"""Facts as a person writes them: small ones first, two bounds as a range, the smaller side first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Condition, Infix, nodes
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass

RESULT = "\\result"
_NAME = re.compile(r"[A-Za-z_]")
_UPPER, _LOWER = {"<=": "<=", "<": "<"}, {">=": "<=", ">": "<"}


@dataclass(frozen=True, slots=True)
class _Bound:
    """`subject` is at most `limit`, or at least; `sign` is what stands between the smaller and the greater."""

    subject: str
    sign: str
    limit: str
    is_upper: bool


def arranged(texts: Sequence[str]) -> tuple[str, ...]:
    """The same facts of ACSL; `0 <= i <= n` in place of `i >= 0` and `i <= n`."""
    known = {text: _tree(text) for text in texts}
    bounds = {text: bound for text, tree in known.items() if (bound := _bound(text, tree)) is not None}
    found: list[str] = []
    used: set[str] = set()
    for text in dict.fromkeys(texts):
        if text in used:
            continue
        partner = _partner(text, bounds, used)
        if partner is None:
            found.append(_rising(text, bounds.get(text)))
            continue
        used.update((text, partner))
        lower, upper = sorted((bounds[text], bounds[partner]), key=lambda bound: bound.is_upper)
        found.append(f"{lower.limit} {lower.sign} {lower.subject} {upper.sign} {upper.limit}")
    return tuple(sorted(found, key=_size))


def _rising(text: str, bound: _Bound | None) -> str:
    """`position <= length` in place of `length >= position`; results and comparisons with numbers stay as they are."""
    if bound is None or bound.is_upper or RESULT in bound.subject or not _NAME.search(bound.limit):
        return text
    return f"{bound.limit} {bound.sign} {bound.subject}"


def _tree(text: str) -> Condition | None:
    try:
        return read(text, Dialect.ACSL)
    except InputError:
        return None


def _size(text: str) -> tuple[int, int, str]:
    tree = _tree(text)
    return (sum(1 for _ in nodes(tree)) if tree is not None else len(text), len(text), text)


def _bound(text: str, tree: Condition | None) -> _Bound | None:
    if not isinstance(tree, Infix) or tree.operator not in (*_UPPER, *_LOWER) or _is_chain(tree):
        return None
    at = tree.column - 1
    subject, limit = text[:at].strip(), text[at + len(tree.operator) :].strip()
    is_upper = tree.operator in _UPPER
    return _Bound(subject, (_UPPER if is_upper else _LOWER)[tree.operator], limit, is_upper)


def _is_chain(tree: Infix) -> bool:
    return any(
        isinstance(side, Infix) and side.operator in (*_UPPER, *_LOWER, "&&") for side in (tree.left, tree.right)
    )


def _partner(text: str, bounds: dict[str, _Bound], used: set[str]) -> str | None:
    own = bounds.get(text)
    if own is None:
        return None
    return next(
        (
            other
            for other, bound in bounds.items()
            if other not in used and bound.subject == own.subject and bound.is_upper is not own.is_upper
        ),
        None,
    )
