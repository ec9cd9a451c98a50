"""What has no model among integers has none: every value of every variable is tried."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.smt.integer_solver import IntegerSolver
from sorrel.smt.word_solver import WordSolver

NAMES, LEAST, MOST = ("a", "b", "c"), -3, 4


class _Drawn:
    """Numbers made of three variables by all kinds of operations, and a condition about them."""

    def __init__(self, chance: Random) -> None:
        self.graph = graph = Graph()
        numbers: list[Value] = [graph.variable(name, LEAST, MOST) for name in NAMES]
        truths: list[Truth] = []
        for _ in range(9):
            left, right = chance.choices(numbers, k=2)
            here, there = range_of(left), range_of(right)
            number = chance.randint(1, 4)
            given = (number, number)
            match chance.randrange(12):
                case 0 | 1:
                    numbers.append(graph.add(left, right, here, there))
                case 2:
                    numbers.append(graph.subtract(left, right, here, there))
                case 3:
                    numbers.append(graph.multiply(left, number - 5, here, (number - 5,) * 2))
                case 4:
                    numbers.append(graph.divide(left, number, here, given))
                case 5:
                    numbers.append(graph.remainder(left, number, here, given))
                case 6:
                    numbers.append(graph.wrap(left, number, chance.random() < 0.5, here))
                case 7:
                    numbers.append(graph.shift_right(left, number, here, given))
                case 8:
                    numbers.append(graph.bit_and(left, chance.choice((1, 3, 7, 5)), here, (1, 7)))
                case 9:
                    numbers.append(graph.bit_xor(left, right, here, there))
                case 10:
                    numbers.append(graph.shift_left(left, number, here, given))
                case _ if truths:
                    numbers.append(graph.choice(chance.choice(truths), left, right, here, there))
            truths.append(self._compared(chance, numbers))
        self.condition: Truth = True
        for each in chance.sample(truths, 5):
            self.condition = graph.conjunction(self.condition, graph.negation(each) if chance.random() < 0.5 else each)

    def _compared(self, chance: Random, numbers: list[Value]) -> Truth:
        left, right = chance.choices(numbers[-6:], k=2)
        if chance.random() < 0.2 and isinstance(left, Node) and left.low >= 0:
            return self.graph.bit(left, chance.randrange(3))
        right = chance.randint(-3, 6) if chance.random() < 0.4 else right
        compare = chance.choice((self.graph.less, self.graph.equal))
        return compare(left, right, range_of(left), range_of(right))

    def has_a_model(self) -> bool:
        given = (dict(zip(NAMES, numbers, strict=True)) for numbers in product(range(LEAST, MOST + 1), repeat=3))
        return any(Model(lambda node, each=each: each[node.parts[0]]).holds(self.condition) for each in given)  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(80))
def test_what_is_excluded_has_no_model(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorrel.smt.word_solver.WORD", 6)
    drawn = _Drawn(Random(seed))
    exists = drawn.has_a_model()
    assert not (IntegerSolver().excludes(drawn.condition, 2.0) and exists)
    assert not (WordSolver(open_words=True).ask([drawn.condition], lambda: False) is False and exists)


def test_much_of_what_has_no_model_is_excluded() -> None:
    impossible = [each for each in map(_Drawn, map(Random, range(80))) if not each.has_a_model()]
    excluded = [each for each in impossible if IntegerSolver().excludes(each.condition, 2.0)]
    assert len(excluded) > len(impossible) * 0.8 > 8


def test_a_total_grows_with_one_of_its_parts() -> None:
    graph = Graph()
    limits = (-(1 << 31), (1 << 31) - 1)
    before: Value = 0
    after: Value = 0
    for place in range(12):
        part, more = graph.variable(f"part{place}", *limits), graph.variable(f"more{place}", 0, 1000)
        before = graph.add(before, part, range_of(before), limits)
        grown = graph.add(part, more, limits, (0, 1000))
        after = graph.add(after, grown, range_of(after), range_of(grown))
    less = graph.less(after, before, range_of(after), range_of(before))
    assert IntegerSolver().excludes(less, 5.0)
    assert not IntegerSolver().excludes(graph.less(before, after, range_of(before), range_of(after)), 1.0)


def test_words_are_left_open_and_what_does_not_depend_on_them_is_known() -> None:
    graph = Graph()
    word, n = graph.variable("word", 0, (1 << 32) - 1), graph.variable("n", 0, 10)
    product = graph.multiply(word, 31, range_of(word), (31, 31))
    odd = graph.equal(graph.bit_and(product, 1, range_of(product), (1, 1)), 1, (0, 1), (1, 1))
    even = graph.equal(graph.bit_and(word, 1, range_of(word), (1, 1)), 0, (0, 1), (0, 0))
    impossible = graph.conjunction(odd, even)
    assert WordSolver().ask([impossible], lambda: False) is False
    assert WordSolver(open_words=True).ask([impossible], lambda: False) is True
    nothing = graph.conjunction(graph.less(product, n, range_of(product), (0, 10)), graph.less(n, 1, (0, 10), (1, 1)))
    assert WordSolver(open_words=True).ask([nothing], lambda: False) is False


def test_a_number_that_no_run_has_excludes_nothing_elsewhere() -> None:
    graph = Graph()
    x, z = graph.variable("x", -9, 9), graph.variable("z", 0, 9)
    masked = graph.bit_and(x, z, (0, -5), (0, -5))
    there = graph.truth_variable("there")
    chosen = graph.choice(there, masked, 8, range_of(masked), (8, 8))
    condition = graph.conjunction(graph.negation(there), graph.less(7, chosen, (7, 7), (-9, 9)))
    assert not IntegerSolver().excludes(condition, 2.0)
