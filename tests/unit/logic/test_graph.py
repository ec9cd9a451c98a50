"""Numbers in a graph: each operation, on all small ranges, computes what it says and stays within its bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.logic.whole import Range, quotient

ENDS = (-3, -1, 0, 1, 2, 4)
RANGES: list[Range] = list(combinations_with_replacement(ENDS, 2))
WIDEST = (-8, 8)
"""Between these numbers a variable lies wherever it is used; on the path at hand less is possible."""
_NOT_NEGATIVE = frozenset(("shift_left", "shift_right"))
_NOT_ZERO = frozenset(("divide", "remainder"))
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
    "divide": quotient,
    "remainder": lambda left, right: left - right * quotient(left, right),
    "bit_and": lambda left, right: left & right,
    "bit_or": lambda left, right: left | right,
    "bit_xor": lambda left, right: left ^ right,
    "shift_left": lambda left, right: left << right,
    "shift_right": lambda left, right: left >> right,
    "equal": lambda left, right: left == right,
    "less": lambda left, right: left < right,
}


def values_of(known: Range) -> range:
    return range(known[0], known[1] + 1)


def operand(graph: Graph, name: str, known: Range, is_choice: bool) -> Value:
    """A variable of which so much is known here, or a choice between two numbers; a number if there is only one."""
    if known[0] == known[1]:
        return known[0]
    if is_choice:
        return graph.choice(graph.truth_variable(name), *known, (known[0],) * 2, (known[1],) * 2)
    return graph.variable(name, *WIDEST)


def possible(value: Value, known: Range) -> list[tuple[int, int]]:
    """What the operand may be, each with what its variable is then."""
    if isinstance(value, Node) and value.kind == "ite":
        return [(known[0], 1), (known[1], 0)]
    return [(number, number) for number in values_of(known)]


@pytest.mark.parametrize("operands", ["variables", "choices", "deep choices"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_computes_what_it_says_and_stays_within_its_bounds(
    name: str, operands: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_choice = operands != "variables"
    if operands == "deep choices":  # those are not followed to their ends
        monkeypatch.setattr("sorrel.logic.graph.DEEPEST_CHOICE", 0)
    for here, there in product(RANGES, RANGES):
        if (name in _NOT_NEGATIVE and there[0] < 0) or (name in _NOT_ZERO and there == (0, 0)):
            continue
        graph = Graph()
        left, right = operand(graph, "a", here, is_choice), operand(graph, "b", there, False)
        made = getattr(graph, name)(left, right, here, there)
        low, high = range_of(made)
        for (one, first), (other, second) in product(possible(left, here), possible(right, there)):
            if name in _NOT_ZERO and other == 0:
                continue
            chosen = {"a": first, "b": second}
            wanted = OPERATIONS[name](one, other)
            assert Model(lambda node, chosen=chosen: chosen[node.parts[0]]).value(made) == wanted  # type: ignore[misc]
            assert low <= wanted <= high, (name, here, there, one, other)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("bits", [1, 2, 3])
def test_what_wraps_around_is_congruent_and_of_its_type(bits: int, signed: bool) -> None:
    least = -(1 << (bits - 1)) if signed else 0
    for known in RANGES:
        graph = Graph()
        made = graph.wrap(operand(graph, "a", known, False), bits, signed, known)
        low, high = range_of(made)
        for number in values_of(known):
            wanted = (number - least) % (1 << bits) + least
            assert Model(lambda _, number=number: number).value(made) == wanted  # type: ignore[misc]
            assert low <= wanted <= high


@pytest.mark.parametrize("name", ["add", "multiply"])
def test_numbers_that_a_choice_is_known_not_to_be_are_left_out_of_what_is_made_of_it(name: str) -> None:
    """Where it is one of the others, the result is right, and among those that its bounds tell."""
    names = ("p", "q", "r")
    for seed, known in product(range(40), [each for each in RANGES if each[0] < each[1]]):
        chance, graph = Random(seed), Graph()
        arms: list[Value] = [chance.randint(-3, 4) for _ in range(5)]
        while len(arms) > 1:
            then, otherwise = (arms.pop(chance.randrange(len(arms))) for _ in range(2))
            condition = graph.truth_variable(chance.choice(names))
            arms.append(graph.choice(condition, then, otherwise, range_of(then), range_of(otherwise)))
        (chosen,) = arms
        number = chance.randint(-3, 3)
        made = getattr(graph, name)(chosen, number, known, (number, number))
        low, high = range_of(made)
        for values in product((0, 1), repeat=3):
            model = Model(lambda node, values=values: values[names.index(node.parts[0])])  # type: ignore[misc]
            if known[0] <= model.value(chosen) <= known[1]:
                assert model.value(made) == OPERATIONS[name](model.value(chosen), number)
                assert low <= model.value(made) <= high


def test_a_conjunction_of_limits_says_what_they_say_together() -> None:
    graph, decided = Graph(), 0
    x, y = graph.variable("x", *WIDEST), graph.variable("y", *WIDEST)
    limits: list[Truth] = [graph.less(number, x, (number,) * 2, WIDEST) for number in range(-1, 3)]
    limits += [graph.less(x, number, WIDEST, (number,) * 2) for number in range(-1, 3)]
    limits += [graph.negation(each) for each in limits]
    limits.append(graph.less(y, 0, WIDEST, (0, 0)))
    models = [
        Model(lambda node, given=given: given[node.parts[0]])  # type: ignore[misc]
        for given in ({"x": one, "y": other} for one in range(-4, 5) for other in (-1, 1))
    ]
    for first, second, third in product(limits, repeat=3):
        left = graph.conjunction(graph.conjunction(first, second), third)
        right = graph.conjunction(first, graph.conjunction(second, third))
        decided += left is False
        for model in models:
            wanted = model.holds(first) and model.holds(second) and model.holds(third)
            assert model.holds(left) is wanted
            assert model.holds(right) is wanted
    assert decided


@pytest.mark.parametrize("seed", range(60))
def test_choices_of_one_value_and_what_is_mixed_in_twice_are_what_they_were(seed: int) -> None:
    """Whatever is left out because two sides are the same."""
    chance, graph, names = Random(seed), Graph(), ("p", "q", "r")
    words: list[Value] = [graph.variable(name, 0, 3) for name in ("a", "b")]
    made = list(words)
    plain: list[Callable[[dict[str, int]], int]] = [lambda given: given["a"], lambda given: given["b"]]
    for _ in range(14):
        one, other = chance.randrange(len(made)), chance.randrange(len(made))
        left, right, here, there = made[one], made[other], range_of(made[one]), range_of(made[other])
        first, second = plain[one], plain[other]
        if chance.random() < 0.5:
            name = chance.choice(names)
            made.append(graph.choice(graph.truth_variable(name), left, right, here, there))
            plain.append(
                lambda given, name=name, first=first, second=second: first(given) if given[name] else second(given)  # type: ignore[misc]
            )
        else:
            made.append(graph.bit_xor(left, right, here, there))
            plain.append(lambda given, first=first, second=second: first(given) ^ second(given))  # type: ignore[misc]
    for numbers in product(range(4), range(4), (0, 1), (0, 1), (0, 1)):
        given = dict(zip(("a", "b", *names), numbers, strict=True))
        model = Model(lambda node, given=given: given[node.parts[0]])  # type: ignore[misc]
        for value, meant in zip(made, plain, strict=True):
            assert model.value(value) == meant(given)


def test_a_key_is_gone_where_it_is_mixed_in_again_on_the_paths_that_did() -> None:
    graph = Graph()
    word, key, other = (graph.variable(name, 0, 255) for name in ("word", "key", "other"))
    was_mixed = graph.truth_variable("mixed")
    mixed = graph.bit_xor(word, key, (0, 255), (0, 255))
    before = graph.choice(was_mixed, mixed, other, (0, 255), (0, 255))
    after = graph.bit_xor(before, key, (0, 255), (0, 255))
    assert isinstance(after, Node)
    assert after.parts[:2] == (was_mixed, word)
