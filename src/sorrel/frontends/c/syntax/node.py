"""What all parts of a syntax tree have in common: where they stand, and what is below them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from sorrel.model.errors import Span
from sorrel.model.values import dataclass

N = TypeVar("N", bound="Node")


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """Each is a thing of its own, however much it looks like another: tables refer to nodes by identity."""

    span: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """What is directly below, in the order of the text."""
        return ()


def nodes(root: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        below = node.children
        if below:
            pending.extend(below[::-1])


def rebuilt(node: N, change: Callable[[Node], Node], **others: object) -> N:
    """The node with each part below it changed, and other attributes as given; itself if nothing is different."""
    changed: dict[str, Any] = dict(others)
    for name in _names(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            new = change(value)
            if new is not value:
                changed[name] = new
        elif isinstance(value, tuple) and value and isinstance(value[0], Node):
            # A list: deep nesting stays on Python's own stack, which grows; a generator would use the machine's.
            parts = [change(each) for each in value]
            if any(one is not other for one, other in zip(parts, value, strict=True)):
                changed[name] = tuple(parts)
    return replace(node, **changed) if changed else node


_NAMES: dict[type[Node], tuple[str, ...]] = {}


def _names(node: Node) -> tuple[str, ...]:
    """The attributes that may hold nodes, looked up once for each class."""
    known = _NAMES.get(type(node))
    if known is None:
        found = (field.name for field in fields(node) if field.name not in ("span", "type", "symbol"))
        known = _NAMES[type(node)] = tuple(found)
    return known
