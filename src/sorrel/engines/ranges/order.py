"""In which order clauses are visited: loops within loops first, until nothing changes in them.

Bourdoncle, *Efficient chaotic iteration strategies with widenings*, FMPA 1993: what an inner loop does is known before
limits of the outer one are raised, so that fewer are raised too far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.horn.system import HornSystem
from sorrel.model.components import strongly_connected

Rank = tuple[int, int]
"""Deeper ones first, then those that come first in the program; the depth is negative."""


def ranks(system: HornSystem) -> dict[str, Rank]:
    """For each predicate by name."""
    callees = system.call_graph.callees
    order = {predicate.name: position for position, predicate in enumerate(system.predicates)}
    placed = list(_nested(callees, tuple(order), 0, order))
    return {name: (-depth, position) for position, (name, depth) in enumerate(placed)}


def _nested(
    callees: Mapping[str, Sequence[str]], names: Sequence[str], depth: int, order: Mapping[str, int]
) -> Iterator[tuple[str, int]]:
    """Predicates with the number of loops around them, what is needed first before what needs it."""
    chosen = frozenset(names)
    within = {name: tuple(callee for callee in callees[name] if callee in chosen) for name in names}
    for component in strongly_connected(within):
        head, *rest = sorted(component, key=order.__getitem__)
        yield head, depth + (head in within[head] or bool(rest))
        yield from _nested(callees, rest, depth + 1, order)
