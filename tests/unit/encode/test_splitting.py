"""What is said to hold in all cases holds in all runs on the path."""

from __future__ import annotations

from sorrel.encode.bounds import Bounds
from sorrel.encode.splitting import in_all_cases
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Value, range_of


def test_a_number_that_is_chosen_is_looked_at_choice_by_choice() -> None:
    graph = Graph()
    length = graph.variable("length", 0, 100)
    room = graph.variable("room", 0, 100)
    fits = graph.negation(graph.less(room, length, (0, 100), (0, 100)))
    written: Value = graph.choice(fits, length, 0, (0, 100), (0, 0))
    assert isinstance(written, Node)
    goal = graph.negation(graph.less(room, written, (0, 100), range_of(written)))
    assert Bounds().decide(goal) is None
    assert in_all_cases(Bounds(), goal)
    assert not in_all_cases(Bounds(), graph.less(written, room, range_of(written), (0, 100)))
