"""Sums of comparisons that were met on a path say nothing that some run on it does not keep."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sorrel.encode.bounds import Bounds
from sorrel.encode.differences import form_of, least
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Truth, Value, range_of

NAMES = ("i", "k", "n", "m")
LEAST, MOST = -1, 3


def _number(graph: Graph, name: str, low: int = 0, high: int = 100) -> Node:
    found = graph.variable(name, low, high)
    assert isinstance(found, Node)
    return found


def _sum(graph: Graph, left: Value, right: Value) -> Value:
    return graph.add(left, right, range_of(left), range_of(right))


def _less(graph: Graph, left: Value, right: Value) -> Truth:
    return graph.less(left, right, range_of(left), range_of(right))


def test_an_index_is_within_what_is_left_of_a_text() -> None:
    graph = Graph()
    i, n, length = (_number(graph, name) for name in ("i", "n", "length"))
    left = graph.subtract(n, i, range_of(n), range_of(i))
    known = Bounds()
    inside = _less(graph, _sum(graph, i, 3), n)
    assert known.decide(inside) is None
    assert known.learn(graph.negation(_less(graph, left, length)))  # length <= n - i
    assert known.decide(inside) is None
    assert known.learn(_less(graph, 3, length))
    assert known.decide(inside) is True
    assert known.decide(graph.negation(inside)) is False


def test_a_sum_that_was_compared_has_the_bounds_of_what_it_was_compared_with() -> None:
    graph = Graph()
    written, length = _number(graph, "written", 0, 64), _number(graph, "length", 0, 64)
    room = graph.subtract(64, written, (64, 64), range_of(written))
    total = _sum(graph, written, length)
    known = Bounds()
    assert known.tight(total) == (0, 128)
    assert known.learn(graph.negation(_less(graph, room, length)))
    assert known.tight(total) == (0, 64)


@pytest.mark.parametrize("larger", [False, True])
@pytest.mark.parametrize("denied", [False, True])
def test_the_smaller_of_two_numbers_is_at_most_either(larger: bool, denied: bool) -> None:
    """`if (cut > size) cut = size;` leaves no more than there is."""
    graph = Graph()
    cut, size = _number(graph, "cut"), _number(graph, "size")
    condition = _less(graph, size, cut) if larger else _less(graph, cut, size)
    if denied:
        condition = graph.negation(condition)
    smallest, largest = (size, cut) if larger is not denied else (cut, size)
    least_one = graph.choice(condition, smallest, largest, (0, 100), (0, 100))
    most_one = graph.choice(condition, largest, smallest, (0, 100), (0, 100))
    known = Bounds()
    for each in (cut, size):
        assert known.decide(_less(graph, each, least_one)) is False
        assert known.decide(_less(graph, most_one, each)) is False
        assert known.decide(_less(graph, least_one, each)) is None


def test_the_smaller_of_two_numbers_is_not_limited_by_what_is_known_of_one_where_it_was_chosen() -> None:
    """Two nodes of one value: the other was made on a path where its parts are small."""
    graph = Graph()
    a, x, y = (_number(graph, name, 0, 10) for name in ("a", "x", "y"))
    compared, chosen = _sum(graph, x, y), graph.add(x, y, (0, 3), (0, 3))
    smaller = graph.choice(_less(graph, a, compared), a, chosen, (0, 10), (0, 6))
    assert Bounds().decide(_less(graph, 6, smaller)) is None


def test_what_was_met_on_another_path_is_not_known() -> None:
    graph = Graph()
    i, n, m = (_number(graph, name) for name in ("i", "n", "m"))
    known = Bounds()
    other = known.copy()
    assert other.learn(_less(graph, i, n))
    assert other.learn(_less(graph, n, m))
    assert other.decide(_less(graph, i, m)) is True
    assert known.decide(_less(graph, i, m)) is None
    assert known.merged(other).decide(_less(graph, i, m)) is None


@pytest.mark.parametrize("seed", range(60))
def test_no_run_on_a_path_is_below_what_is_least_there(seed: int) -> None:
    chance, graph = Random(seed), Graph()
    numbers: list[Value] = [_number(graph, name, LEAST, MOST) for name in NAMES]
    for _ in range(6):
        left, right = chance.sample(numbers, 2)
        make = chance.choice([graph.add, graph.subtract])
        if chance.random() < 0.3:
            right = chance.randint(-2, 2)
        numbers.append(make(left, right, range_of(left), range_of(right)))
        if chance.random() < 0.3 and isinstance(right, Node):
            choice = graph.less(left, right, range_of(left), range_of(right))
            one, other = chance.sample((left, right), 2)
            numbers.append(graph.choice(choice, one, other, range_of(one), range_of(other)))
        if chance.random() < 0.3 and isinstance(numbers[-1], Node):
            numbers[-1] = graph.multiply(numbers[-1], 3, range_of(numbers[-1]), (3, 3))
    models = [
        Model(lambda node, given=given: given[node.parts[0]])  # type: ignore[misc]
        for given in (dict(zip(NAMES, each, strict=True)) for each in product(range(LEAST, MOST + 1), repeat=4))
    ]
    known = Bounds()
    for _ in range(5):
        left, right = chance.sample(numbers, 2)
        compare = graph.equal if chance.random() < 0.2 else graph.less
        truth = compare(left, right, range_of(left), range_of(right))
        holds = chance.random() < 0.6
        kept = [model for model in models if model.holds(truth) is holds]
        if kept:
            assert known.learn(truth, holds)
            models = kept
    for left, right in product(numbers, repeat=2):
        found = least(known, left, right, 1 << 20)
        assert found <= min(model.value(left) - model.value(right) for model in models)
        for opened in (0, 1, 2):
            terms, constant = form_of(left, right, opened)
            for model in models[:5]:
                sum_of_terms = constant + sum(factor * model.value(node) for node, factor in terms)
                assert sum_of_terms == model.value(left) - model.value(right)
