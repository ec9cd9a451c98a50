"""Whether a value fits a pattern."""

from __future__ import annotations

from sorrel.functional.term import Anything, Between, Bind, Case, Either, Exactly, Items, Pattern, Within
from sorrel.functional.value import Cell, Hidden, Looked, Made, Value


def matches(pattern: Pattern, value: Value) -> dict[str, Value] | None:
    """What the names of the pattern stand for; None if the value is another one."""
    bound: dict[str, Value] = {}
    return bound if _fits(pattern, value, bound) else None


def _fits(pattern: Pattern, value: Value, bound: dict[str, Value]) -> bool:
    match pattern:
        case Anything():
            return True
        case Bind(binder, inner):
            bound[binder.name] = value
            return _fits(inner, value, bound)
        case _ if isinstance(value, Hidden):
            raise Looked
        case Exactly(wanted):
            return wanted == value
        case Between(first, last):
            return isinstance(value, int) and first <= value <= last
        case Items(items):
            return isinstance(value, tuple) and all(map(_fits, items, value, [bound] * len(items)))
        case Case(constructor, arguments):
            if not isinstance(value, Made) or value.constructor != constructor:
                return False
            return all(map(_fits, arguments, value.arguments, [bound] * len(arguments)))
        case Either(left, right):
            return _fits(left, value, bound) or _fits(right, value, bound)
        case Within(content):
            return isinstance(value, Cell) and _fits(content, value.content, bound)
