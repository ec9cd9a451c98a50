"""Which functions can be active twice at a time, and what can exist more than once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.pointer_uses import called_function
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.syntax import Node

Executed: TypeAlias = dict[str, list[tuple[Node, bool]]]
"""For each function with a body its calls, variables and literals, and whether an activation may execute them again."""


def call_graph(linked: Linked, points_to: PointsTo, made: Executed) -> dict[str, list[tuple[str, bool]]]:
    """For each function its calls: whom, and whether inside a loop (or in a function with labels, which may loop)."""
    graph: dict[str, list[tuple[str, bool]]] = {}
    for function in linked.reached:
        calls: list[tuple[str, bool]] = []
        if function.body is not None:
            for node, in_loop in made[function.name]:
                if not isinstance(node, syntax.Call):
                    continue
                direct = called_function(node, linked)
                names = (direct,) if direct is not None else points_to.called(node)
                calls.extend((name, in_loop) for name in names)
        graph[function.name] = calls
    return graph


def _executed(root: Node) -> list[tuple[Node, bool]]:
    """Calls, variables and literals below, and whether that may be executed more than once in one activation."""
    found: list[tuple[Node, bool]] = []
    labels = False
    pending = [(root, False)]
    while pending:
        node, in_loop = pending.pop()
        if isinstance(node, syntax.Call | syntax.Variable | syntax.CompoundLiteral):
            found.append((node, in_loop))
        elif isinstance(node, syntax.Label):
            labels = True
        inside = in_loop or isinstance(node, syntax.Loop)
        pending.extend([(child, inside) for child in node.children])
    return [(node, True) for node, _ in found] if labels else found


def recursive_functions(graph: dict[str, list[tuple[str, bool]]]) -> frozenset[str]:
    """Those that can reach themselves."""
    successors = {name: {callee for callee, _ in calls} for name, calls in graph.items()}
    return frozenset(name for name in graph if _reaches(name, successors))


def _reaches(name: str, successors: dict[str, set[str]]) -> bool:
    """Whether calls can lead from the function back to it."""
    seen: set[str] = set()
    pending = list(successors[name])
    while pending:
        callee = pending.pop()
        if callee == name:
            return True
        if callee not in seen:
            seen.add(callee)
            pending.extend(successors.get(callee, ()))
    return False


def executed(linked: Linked) -> Executed:
    return {function.name: _executed(function.body) for function in linked.reached if function.body is not None}


def calls_of(linked: Linked, points_to: PointsTo, made: Executed) -> dict[str, set[str]]:
    """For each function those that it calls itself."""
    return {name: {callee for callee, _ in calls} for name, calls in call_graph(linked, points_to, made).items()}


def mark_several(
    linked: Linked,
    objects: Objects,
    points_to: PointsTo,
    made: Executed,
    entries: frozenset[str],
    outlived: Sequence[Object] = (),
    *,
    threads: bool = False,
) -> frozenset[str]:
    """Sets `several` where one variable would not do; returns the recursive functions.

    A variable that is `outlived` by a pointer is another one at each declaration: the pointer must not find the next.
    With `threads`, calls may overlap though no function calls itself.
    """
    graph = call_graph(linked, points_to, made)
    recursive = recursive_functions(graph)
    once = _called_once(graph, recursive, entries)
    looping = {id(node) for below in made.values() for node, repeated in below if repeated}
    left = {id(object) for object in outlived}
    overlapping = graph.keys() - once if threads else recursive
    for object in objects.all():
        if object.kind is ObjectKind.ALLOCATED:
            object.several = id(object.node) in looping or bool(object.function and object.function not in once)
        elif object.kind in (ObjectKind.LOCAL, ObjectKind.PARAMETER, ObjectKind.TEMPORARY):
            kept = id(object) in left and (object.function not in once or id(object.node) in looping)
            object.several = kept or object.function in overlapping
        elif object.kind is ObjectKind.LITERAL and object.node is not None:
            written = isinstance(object.node, syntax.CompoundLiteral)
            kept = id(object) in left and (object.function not in once or id(object.node) in looping)
            object.several = written and (kept or object.function in overlapping)
    return recursive


def _called_once(
    graph: dict[str, list[tuple[str, bool]]], recursive: frozenset[str], entries: frozenset[str]
) -> set[str]:
    """Functions of which a run has at most one activation ever."""
    sites: dict[str, list[tuple[str, bool]]] = {}
    for caller, calls in graph.items():
        for callee, in_loop in calls:
            sites.setdefault(callee, []).append((caller, in_loop))
    once = set(entries - recursive - sites.keys())
    changed = True
    while changed:
        changed = False
        for name, places in sites.items():
            single = len(places) == 1 and not places[0][1] and places[0][0] in once
            if name not in once and single and name not in recursive:
                once.add(name)
                changed = True
    return once
