"""A condition made again for smaller ranges: it holds for the same values in them, whatever it is made of."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.narrowed import Narrowed, between
from sorrel.logic.node import Node, Open, Truth, Value, range_of
from sorrel.logic.whole import Range

RANGE: Range = (-3, 4)
GRAPHS = 50
SAME_SIGNS = ("shift_left", "shift_right")


def _made(graph: Graph, luck: Random, numbers: list[Value]) -> Value:
    """Any operation on what is there. Where it has no value, it is a choice whose other side is taken."""
    name = luck.choice(
        ["add", "subtract", "multiply", "divide", "remainder", "bit_and", "bit_or", "bit_xor", *SAME_SIGNS]
    )
    left, right = luck.choice(numbers), luck.choice([*numbers, 2, 3])
    here, there = range_of(left), range_of(right)
    if name in SAME_SIGNS:
        there = (max(0, there[0]), min(4, max(0, there[1])))
    if not isinstance(right, Node) and right == 0:
        return left
    found: Value = getattr(graph, name)(left, right if isinstance(right, Node) else max(0, right), here, there)
    if luck.random() < 0.4:
        found = graph.wrap(found, 3, luck.random() < 0.5, range_of(found))
    is_plain = not isinstance(right, Node) or name not in ("divide", "remainder", *SAME_SIGNS)
    if is_plain:
        return found
    allowed = graph.conjunction(
        graph.less(0, right, (0, 0), range_of(right)), graph.less(right, 5, range_of(right), (5, 5))
    )
    return graph.choice(allowed, found, left, range_of(found), here)


def _condition(graph: Graph, luck: Random, variables: list[Node]) -> Truth:
    numbers: list[Value] = list(variables)
    truths: list[Truth] = [graph.truth_variable("t")]
    for _ in range(7):
        numbers.append(_made(graph, luck, numbers))
        one, other = luck.choice(numbers), luck.choice(numbers)
        compare = luck.choice([graph.equal, graph.less])
        found: Truth = compare(one, other, range_of(one), range_of(other))
        if isinstance(one, Node) and one.low >= 0 and luck.random() < 0.3:
            found = graph.bit(one, luck.randrange(3))
        truths.append(luck.choice([graph.conjunction, graph.disjunction])(luck.choice(truths), found))
        numbers.append(graph.choice(truths[-1], one, other, range_of(one), range_of(other)))
    return truths[-1]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))])
def test_a_condition_made_again_holds_for_the_same_values(seed: int) -> None:
    luck = Random(seed)
    for _ in range(GRAPHS):
        graph = Graph()
        variables = [each for each in (graph.variable(name, *RANGE) for name in "ab") if isinstance(each, Node)]
        condition = _condition(graph, luck, variables)
        low = luck.randint(*RANGE)
        nearer = (low, luck.randint(low, RANGE[1]))
        again = Narrowed(graph, {variables[0]: nearer}).truth(condition)
        for a, b, truth in product(range(nearer[0], nearer[1] + 1), range(RANGE[0], RANGE[1] + 1), (0, 1)):
            values = {"a": a, "b": b, "t": truth}
            model = Model(lambda node, values=values: values[node.parts[0]])  # type: ignore[misc]
            assert model.holds(again) is model.holds(condition), values


def test_an_element_at_a_place_that_is_chosen_stays_what_it_is() -> None:
    graph = Graph()
    place = graph.variable("i", 0, 9)
    element = graph.element(Open("text", 0, 255, False), place)
    condition = graph.equal(element, 7, range_of(element), (7, 7))
    assert isinstance(place, Node)
    assert Narrowed(graph, {place: (2, 3)}).truth(condition) is condition


def test_bounds_of_a_variable_are_conditions_that_are_not_taken_for_granted() -> None:
    graph = Graph()
    month = graph.variable("month", 1, 12)
    assert isinstance(month, Node)
    for value in range(16):
        model = Model(lambda _, value=value: value)  # type: ignore[misc]
        assert all(map(model.holds, between(month))) is (1 <= value <= 12)


@pytest.mark.parametrize(("nearer", "holds"), [((2, 3), True), ((10, 40), False), ((7, 7), True)])
def test_what_a_smaller_range_decides_is_a_truth_value(nearer: Range, holds: bool) -> None:
    graph = Graph()
    number = graph.variable("a", 0, 99)
    assert isinstance(number, Node)
    third = graph.divide(number, 3, range_of(number), (3, 3))
    condition = graph.conjunction(graph.less(number, 8, (0, 99), (8, 8)), graph.less(third, 3, range_of(third), (3, 3)))
    assert Narrowed(graph, {number: nearer}).truth(condition) is holds
