"""Paths that meet become one; where they are kept apart, those that are guided alike (`program/guiding.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.encode.cells import Content
from sorrel.encode.unrolled_state import Joining, State
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node
from sorrel.program.expression import Variable
from sorrel.program.guiding import Guiding
from sorrel.program.statement import Call

MOST_APART, MOST_VALUES = 600, 100
"""Paths that are kept apart at one place; values of one variable that paths are made for at the head of a loop."""


class Apart:
    """Without `guiding` paths that meet are always one."""

    def __init__(self, graph: Graph, joining: Joining, globals: frozenset[str], guiding: Guiding | None) -> None:
        self.guiding = guiding
        self._graph = graph
        self._joining = joining
        self._globals = globals

    def guided_by(self, procedure: str, wanted: frozenset[Variable], label: str) -> tuple[Variable, ...]:
        return () if self.guiding is None else self.guiding.before(procedure, wanted)[label]

    def wanted_of(self, call: Call, behind: tuple[Variable, ...]) -> frozenset[Variable]:
        return frozenset() if self.guiding is None else self.guiding.wanted_of(call, behind)

    def value(self, state: State, variable: Variable) -> Content:
        return (state.globals if variable.name in self._globals else state.locals)[variable.name]

    def together(
        self, states: Sequence[State], names: Sequence[str], guided_by: tuple[Variable, ...], carried: tuple[Node, ...]
    ) -> list[State]:
        """Those that are guided alike become one, unless there are too many kinds of them."""
        if not states:
            return []
        kinds: dict[tuple[int | None, ...], list[State]] = {}
        for state in states if len(states) > 1 else ():
            values = (*(self.value(state, each) for each in guided_by), *carried)
            kinds.setdefault(tuple(_number(state, each) for each in values), []).append(state)
        if not 1 < len(kinds) <= MOST_APART:
            return [self._joining.together(states, names)]
        return [self._joining.together(alike, names) for alike in kinds.values()]

    def split(self, procedure: str, head: str, state: State) -> list[State]:
        """At the head of a loop, one path for each value of what guides in it, if that has few."""
        found = [state]
        for variable in self.guiding.inside(procedure)[head] if self.guiding is not None else ():
            parts = [part for each in found for part in self._by_value(each, variable)]
            if len(parts) > MOST_APART:
                break
            found = parts
        return found

    def _by_value(self, state: State, variable: Variable) -> Iterator[State]:
        value = self.value(state, variable)
        low, high = state.bounds.tight(value) if isinstance(value, Node) else (0, 0)
        if not isinstance(value, Node) or not 0 < high - low < MOST_VALUES:
            yield state
            return
        graph = self._graph
        for number in range(low, high + 1):
            each = state.fork()
            if value.is_truth:
                each.meet(graph, value if number else graph.negation(value))
            else:
                each.meet(graph, graph.equal(value, number, (low, high), (number, number)))
                each.is_possible = each.is_possible and each.bounds.learn_value(value, number, True)
            if each.is_possible:
                yield each


def _number(state: State, value: Content) -> int | None:
    """What it is on all of these paths, if bounds tell."""
    if not isinstance(value, Node):
        return value if isinstance(value, int) else None
    low, high = state.bounds.of(value)
    return low if low == high else None
