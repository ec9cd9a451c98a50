"""Whether a run comes to one of many places, and conditions without what lies far below: against all values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from sorrel.encode.unrolling import Ending
from sorrel.evidence.case_by_case import CaseByCase
from sorrel.evidence.last_question import LastQuestion
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.nearby import nearby
from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.model.budget import Budget
from sorrel.model.errors import NOWHERE
from sorrel.smt.word_solver import WordSolver

LEAST, MOST = -4, 3
"""All numbers of three bits: what a program chooses has all values of its bits, and solvers know of no other bounds."""


def conditions(draw: Callable[..., Any], graph: Graph, count: int, rounds: int) -> tuple[list[Node], list[Truth]]:
    """Variables, and conditions on numbers that are made of each other."""
    variables = [graph.variable(name, LEAST, MOST) for name in "abc"[:count]]
    numbers: list[Value] = list(variables)
    truths: list[Truth] = []
    for _ in range(rounds):
        one, other = draw(st.sampled_from(numbers)), draw(st.sampled_from([*numbers, 0, 1, 5]))
        here, there = range_of(one), range_of(other)
        compare = draw(st.sampled_from([graph.equal, graph.less]))
        test: Truth = compare(one, other, here, there)
        if truths and draw(st.booleans()):
            test = graph.conjunction(graph.negation(draw(st.sampled_from(truths))), test)
        truths.append(test)
        make = draw(st.sampled_from([graph.add, graph.subtract, graph.multiply, graph.bit_xor]))
        made = make(one, other, here, there)
        numbers.append(graph.choice(test, made, one, range_of(made), here) if draw(st.booleans()) else made)
    return [each for each in variables if isinstance(each, Node)], truths


def models(variables: list[Node]) -> Iterator[Model]:
    for values in product(range(LEAST, MOST + 1), repeat=len(variables)):
        chosen = dict(zip(variables, values, strict=True))
        yield Model(chosen.__getitem__)


def decided(solver: WordSolver) -> bool:
    found = solver.ask([], lambda: False)
    assert found is not None
    return found


@given(data=st.data(), most=st.integers(1, 12))
def test_a_condition_without_what_lies_far_below_has_a_model_wherever_it_had_one_before(
    data: st.DataObject, most: int
) -> None:
    variables, truths = conditions(data.draw, Graph(), 2, 6)
    condition = truths[-1]
    if not isinstance(condition, Node):
        return
    weaker = nearby(condition, most)
    if weaker is None or not any(model.holds(condition) for model in models(variables)):
        return
    solver = WordSolver()
    solver.add(weaker)
    assert decided(solver)


@given(data=st.data(), near=st.booleans(), together=st.integers(1, 3))
def test_a_run_comes_to_one_of_the_places_if_and_only_if_some_values_lead_there(
    data: st.DataObject, near: bool, together: int
) -> None:
    graph = Graph()
    variables, truths = conditions(data.draw, graph, 2, 5)
    endings = [Ending(each, None, NOWHERE) for each in truths if each is not False]
    guards = [each.guard for each in endings]
    asked = LastQuestion(graph, endings, Budget(60.0).start(), near=(3, 8) if near else (), together=together)
    found = asked.answer()
    assert found is any(model.holds(guard) for model in models(variables) for guard in guards)
    if found:
        known = asked.solver.model()
        model = Model(lambda node: known.get(node, max(0, node.low)))
        assert any(model.holds(guard) for guard in guards)


@given(data=st.data())
def test_what_is_too_hard_together_is_answered_by_cases_or_alone(data: st.DataObject) -> None:
    graph = Graph()
    variables, truths = conditions(data.draw, graph, 2, 5)
    asked = LastQuestion(graph, [Ending(each, None, NOWHERE) for each in truths], Budget(60.0).start(), near=())
    with patch.object(LastQuestion, "_ask_together", lambda *_: None):
        found = asked.answer()
    assert found is any(model.holds(guard) for model in models(variables) for guard in truths)


@given(data=st.data(), size=st.sampled_from([1.0, 6.0, 100.0]))
def test_case_by_case_conditions_are_excluded_if_and_only_if_no_values_satisfy_one(
    data: st.DataObject, size: float
) -> None:
    graph = Graph()
    variables, truths = conditions(data.draw, graph, 2, 5)
    excluded = CaseByCase(graph, Budget(60.0).start(), size=size).excluded(truths[-2:])
    assert excluded is not any(model.holds(guard) for model in models(variables) for guard in truths[-2:])


def test_a_solver_that_does_not_know_shows_nothing() -> None:
    graph = Graph()
    number = graph.variable("a", 0, 255)
    square = graph.multiply(number, number, range_of(number), range_of(number))
    test = graph.equal(square, 3, range_of(square), (3, 3))
    over = Budget(60.0).start().within(0.0)
    assert LastQuestion(graph, [Ending(test, None, NOWHERE)], over).answer() is None
