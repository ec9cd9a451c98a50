"""What is known on a path holds of every run that takes it, and of every run where paths meet."""

from __future__ import annotations

from itertools import product
from random import Random

from sorrel.encode.bounds import Bounds
from sorrel.encode.splitting import in_all_cases
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Truth, Value

LEAST, MOST = -2, 3
NAMES = ("a", "b", "c")
SYSTEMS = 150


class _System:
    """Numbers that are made of three variables, and comparisons of them."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._graph = Graph()
        self.numbers: list[Value] = [self._graph.variable(name, LEAST, MOST) for name in NAMES]
        self.truths: list[Truth] = []
        for _ in range(8):
            self._compare()
            self.numbers.append(self._made())
        self.models = [
            Model(lambda node, values=values: values[node.parts[0]])  # type: ignore[misc]
            for values in (
                dict(zip(NAMES, numbers, strict=True)) for numbers in product(range(LEAST, MOST + 1), repeat=3)
            )
        ]

    def _made(self) -> Value:
        chance, graph = self._chance, self._graph
        left, right = chance.choices(self.numbers, k=2)
        number = chance.randint(-3, 3)
        known = Bounds()
        here, there = known.of(left), known.of(right)
        match chance.randrange(6):
            case 0:
                return graph.add(left, right, here, there)
            case 1:
                return graph.subtract(left, right, here, there)
            case 2:
                return graph.add(left, number, here, (number, number))
            case 3:
                return graph.multiply(left, number, here, (number, number))
            case 4:
                return graph.wrap(left, 2, chance.random() < 0.5, here)
            case _:
                return graph.choice(chance.choice(self.truths), left, right, here, there)

    def _compare(self) -> None:
        chance, graph = self._chance, self._graph
        left = chance.choice(self.numbers)
        right = chance.choice([*self.numbers, chance.randint(-3, 4)])
        known = Bounds()
        compare = chance.choice([graph.less, graph.equal])
        made: Truth = compare(left, right, known.of(left), known.of(right))
        if self.truths and chance.random() < 0.4:
            made = graph.conjunction(chance.choice(self.truths), made)
        self.truths.append(graph.negation(made) if chance.random() < 0.3 else made)

    def path(self, start: Bounds, runs: list[Model]) -> tuple[Bounds, list[Model]]:
        """More is known, and fewer runs take the path; none, if that cannot be."""
        known = start.copy()
        for truth in self._chance.choices(self.truths, k=2):
            holds = self._chance.random() < 0.5
            runs = [run for run in runs if run.holds(truth) is holds]
            if not known.learn(truth, holds):
                assert not runs
                return known, []
        node, number = self._chance.choice(self.numbers), self._chance.randint(-3, 4)
        if isinstance(node, Node):
            holds = self._chance.random() < 0.2
            runs = [run for run in runs if (run.value(node) == number) is holds]
            if not known.learn_value(node, number, holds):
                assert not runs
                return known, []
        return known, runs

    def check(self, known: Bounds, runs: list[Model]) -> int:
        """How many comparisons are decided by what is known."""
        for number in self.numbers:
            low, high = known.of(number)
            chosen, settled = known.chosen(number), known.settled(number)
            for run in runs:
                assert low <= run.value(number) <= high
                assert run.value(chosen) == run.value(settled) == run.value(number)
        for truth in self.truths:
            decided = known.decide(truth)
            assert decided is None or all(run.holds(truth) is decided for run in runs)
        return sum(known.decide(truth) is not None for truth in self.truths if isinstance(truth, Node))


def test_what_is_known_on_a_path_and_where_paths_meet_holds_of_all_of_their_runs() -> None:
    decided = 0
    for seed in range(SYSTEMS):
        system = _System(Random(seed))
        first, runs = system.path(Bounds(), system.models)
        decided += system.check(first, runs)
        (left, here), (right, there) = system.path(first, runs), system.path(first, runs)
        if here and there:
            decided += system.check(left, here) + system.check(right, there)
            decided += system.check(left.merged(right), [*here, *there])
    assert decided > SYSTEMS  # else there is nothing to be wrong about


def test_what_holds_in_all_cases_holds_in_all_runs_on_the_path() -> None:
    found = 0
    for seed in range(SYSTEMS):
        system = _System(Random(seed))
        known, runs = system.path(Bounds(), system.models)
        goals: list[Truth] = [truth for truth in system.truths if known.decide(truth) is None]
        for goal in goals:
            if in_all_cases(known, goal):
                found += 1
                assert all(run.holds(goal) for run in runs)
    assert found


def test_a_number_has_bounds_also_where_it_was_not_seen_that_no_run_comes() -> None:
    """Who computes with it would make numbers that are below themselves."""
    graph = Graph()
    x, y = graph.variable("x", 0, 100), graph.variable("y", 0, 100)
    apart = graph.subtract(x, y, (0, 100), (0, 100))
    known = Bounds()
    assert known.learn(graph.less(4, graph.multiply(apart, 3, (-100, 100), (3, 3)), (4, 4), (-300, 300)))
    assert known.learn(graph.less(y, 10, (0, 100), (10, 10)), False)
    known.learn(graph.less(x, 6, (0, 100), (6, 6)))
    low, high = known.of(apart)
    assert low <= high
