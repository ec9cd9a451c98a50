"""Numbers in a graph: each operation, on all small ranges, computes what it says and stays within its bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Value, range_of
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
