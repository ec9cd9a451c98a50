"""Which functions can be active twice at a time, and what can exist more than once."""

from __future__ import annotations

from sorrel.frontends.c.linking import Linked, nodes
from sorrel.frontends.c.objects import ObjectKind, Objects
from sorrel.frontends.c.references import called_function
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.syntax import Node, NodeKind

_LOOPS = (NodeKind.WHILE, NodeKind.DO, NodeKind.FOR)


def call_graph(linked: Linked, points_to: PointsTo) -> dict[str, list[tuple[str, bool]]]:
    """For each function its calls: whom, and whether inside a loop (or in a function with labels, which may loop)."""
    graph: dict[str, list[tuple[str, bool]]] = {}
    for function in linked.reached:
        calls: list[tuple[str, bool]] = []
        if function.body is not None:
            for node, in_loop in _with_loops(function.body):
                if node.kind is not NodeKind.CALL:
                    continue
                direct = called_function(node, linked)
                names = (direct,) if direct is not None else points_to.called(node)
                calls.extend((name, in_loop) for name in names)
        graph[function.name] = calls
    return graph


def _with_loops(root: Node) -> list[tuple[Node, bool]]:
    labels = any(node.kind is NodeKind.LABEL for node in nodes(root))
    found: list[tuple[Node, bool]] = []
    pending = [(root, labels)]
    while pending:
        node, in_loop = pending.pop()
        found.append((node, in_loop))
        inside = in_loop or node.kind in _LOOPS
        below = [*node.children, *node.sizes]
        if node.initializer is not None:
            below.append(node.initializer)
        pending.extend((child, inside) for child in below)
    return found


def recursive_functions(graph: dict[str, list[tuple[str, bool]]]) -> frozenset[str]:
    """Those that can reach themselves."""
    reach: dict[str, set[str]] = {name: {callee for callee, _ in calls} for name, calls in graph.items()}
    changed = True
    while changed:
        changed = False
        for callees in reach.values():
            extra = set().union(*(reach.get(callee, set()) for callee in callees)) - callees
            if extra:
                callees |= extra
                changed = True
    return frozenset(name for name, callees in reach.items() if name in callees)


def mark_several(linked: Linked, objects: Objects, points_to: PointsTo, entry: str) -> frozenset[str]:
    """Sets `several` where one variable would not do; returns the recursive functions."""
    graph = call_graph(linked, points_to)
    recursive = recursive_functions(graph)
    once = _called_once(graph, recursive, entry)
    looping = {
        id(node)
        for function in linked.reached
        if function.body is not None
        for node, in_loop in _with_loops(function.body)
        if in_loop
    }
    for object in objects.all():
        if object.kind is ObjectKind.ALLOCATED:
            repeated = object.node is not None and id(object.node) in looping
            object.several = repeated or bool(object.function and object.function not in once)
        elif object.kind in (ObjectKind.LOCAL, ObjectKind.PARAMETER):
            object.several = object.function in recursive
        elif object.kind is ObjectKind.LITERAL and object.node is not None:
            written = object.node.kind is NodeKind.COMPOUND_LITERAL
            object.several = written and object.function in recursive
    return recursive


def _called_once(graph: dict[str, list[tuple[str, bool]]], recursive: frozenset[str], entry: str) -> set[str]:
    """Functions of which a run has at most one activation ever."""
    sites: dict[str, list[tuple[str, bool]]] = {}
    for caller, calls in graph.items():
        for callee, in_loop in calls:
            sites.setdefault(callee, []).append((caller, in_loop))
    once = {entry} - recursive
    changed = True
    while changed:
        changed = False
        for name, places in sites.items():
            single = len(places) == 1 and not places[0][1] and places[0][0] in once
            if name not in once and single and name not in recursive:
                once.add(name)
                changed = True
    return once
