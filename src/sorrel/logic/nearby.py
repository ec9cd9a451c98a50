"""A condition without what it is made of far below: a weaker one, which says so little that a solver soon knows."""

from __future__ import annotations

from sorrel.logic.node import Node

_CHOSEN = frozenset(("variable", "truth variable"))


def nearby(condition: Node, most: int) -> Node | None:
    """The condition with at most so many nodes, the nearest ones; None if it has no others.

    What stands where others were may have any value with as many bits. So the condition that is returned has a model
    wherever the given one has: theirs are among the values that others may have.
    """
    border = _border(condition, most)
    if not border:
        return None
    made: dict[Node, Node] = {}
    for place, node in enumerate(border):
        kind = "truth variable" if node.is_truth else "variable"
        name = f"far!{place}"
        made[node] = node if node.kind in _CHOSEN else Node(kind, (name,), node.low, node.high, node.is_truth)
    stack = [condition]
    while stack:
        top = stack[-1]
        waiting = [each for each in top.parts if isinstance(each, Node) and each not in made]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        parts = tuple(made[each] if isinstance(each, Node) else each for each in top.parts)
        same = all(one is other for one, other in zip(parts, top.parts, strict=True))
        made[top] = top if same else Node(top.kind, parts, top.low, top.high, top.is_truth)
    return made[condition]


def _border(condition: Node, most: int) -> list[Node]:
    """Nodes that lie below the nearest ones, all of which are as far away or nearer."""
    level, seen = [condition], {condition}
    while level and len(seen) <= most:
        below: list[Node] = []
        for node in level:
            for part in node.parts:
                if isinstance(part, Node) and part not in seen:
                    seen.add(part)
                    below.append(part)
        level = below
    return level
