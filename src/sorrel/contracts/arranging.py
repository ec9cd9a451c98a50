"""Facts as a person writes them: small ones first, two bounds as a range, the smaller side first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
    ranges: dict[str, str] = {}
    used: set[str] = set()
    numbers_first = sorted(bounds, key=lambda text: bool(_NAME.search(bounds[text].limit)))
    for forms in (_as_written, _either_way):  # what needs no turning round comes first
        for text in numbers_first:
            found = None if text in used else _range(text, {t: b for t, b in bounds.items() if t not in used}, forms)
            if found is not None:
                partner, ranges[text] = found
                used.update((text, partner))
    alone = [_rising(_premise_rising(text), bounds.get(text)) for text in dict.fromkeys(texts) if text not in used]
    return tuple(sorted((*ranges.values(), *alone), key=_size))


def _premise_rising(text: str) -> str:
    """The same for what a fact is so under."""
    premise, arrow, rest = text.partition(" ==> ")
    bound = _bound(premise, _tree(premise)) if arrow else None
    return f"{_rising(premise, bound)}{arrow}{rest}"


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


def _as_written(bound: _Bound) -> tuple[_Bound, ...]:
    return (bound,)


def _either_way(bound: _Bound) -> tuple[_Bound, ...]:
    """Where two places are compared, each limits the other; of results it is said what limits them."""
    if RESULT in bound.subject + bound.limit or not _NAME.search(bound.limit):
        return (bound,)
    return (bound, _Bound(bound.limit, bound.sign, bound.subject, not bound.is_upper))


def _range(
    text: str, bounds: dict[str, _Bound], forms: Callable[[_Bound], tuple[_Bound, ...]]
) -> tuple[str, str] | None:
    """Another bound on the other side of the same thing, and both as one."""
    for own in forms(bounds[text]):
        for other, bound in bounds.items():
            for one in forms(bound) if other != text else ():
                if one.subject == own.subject and one.is_upper is not own.is_upper:
                    lower, upper = (own, one) if one.is_upper else (one, own)
                    return other, f"{lower.limit} {lower.sign} {lower.subject} {upper.sign} {upper.limit}"
    return None
