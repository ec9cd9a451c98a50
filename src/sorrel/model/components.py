"""Who is reached from whom, and who calls whom in circles.

Written here because importing networkx takes longer than reading and solving a small system.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reached(start: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> tuple[Node, ...]:
    """All that some way leads to, the start first."""
    found = dict.fromkeys(start)
    work = list(found)
    while work:
        for node in following(work.pop()):
            if node not in found:
                found[node] = None
                work.append(node)
    return tuple(found)


def strongly_connected(callees: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Strongly connected components, callees first (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in callees:
        if root in index:
            continue
        work = [(root, iter(callees[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, successors = work[-1]
            for callee in successors:
                if callee not in index:
                    index[callee] = low[callee] = len(index)
                    path.append(callee)
                    on_path.add(callee)
                    work.append((callee, iter(callees[callee])))
                    break
                if callee in on_path:
                    low[node] = min(low[node], index[callee])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = [path.pop()]
                    while group[-1] != node:
                        group.append(path.pop())
                    on_path.difference_update(group)
                    found.append(tuple(reversed(group)))
    return tuple(found)
