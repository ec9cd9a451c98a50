"""Conditions that depend on few numbers, looked at in halves of their ranges: excluded only if no value is left."""

from __future__ import annotations

import pytest

from sorrel.evidence.case_by_case import CaseByCase
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Truth, Value, range_of
from sorrel.model.budget import Budget, Clock

YEARS, FIRST = 60, 1600


def _clock(seconds: float = 60.0) -> Clock:
    return Budget(seconds).start()


def _less(graph: Graph, one: Value, other: Value) -> Truth:
    return graph.less(one, other, range_of(one), range_of(other))


def _sum(graph: Graph, one: Value, other: Value) -> Value:
    return graph.add(one, other, range_of(one), range_of(other))


def _scaled(graph: Graph, one: Value, factor: int) -> Value:
    return graph.multiply(one, factor, range_of(one), (factor, factor))


def _year_of(graph: Graph, days: Value) -> Value:
    """The year in which a day lies, as a loop over years finds it."""
    found: Value = FIRST + YEARS
    for year in reversed(range(YEARS)):
        before = _less(graph, days, 365 * (year + 1))
        found = graph.choice(before, FIRST + year, found, (FIRST + year,) * 2, range_of(found))
    return found


def _differs(graph: Graph, last_day: int) -> Truth:
    """Whether days that are counted become another year than the one they were made of."""
    year, day = graph.variable("year", 0, YEARS - 1), graph.variable("day", 0, last_day)
    found = _year_of(graph, _sum(graph, _scaled(graph, year, 365), day))
    again = _sum(graph, year, FIRST)
    return graph.negation(graph.equal(found, again, range_of(found), range_of(again)))


def test_days_that_are_counted_become_the_year_that_they_were_made_of() -> None:
    graph = Graph()
    search = CaseByCase(graph, _clock(), size=50.0)
    assert search.excluded([_differs(graph, 364)])
    assert search.cases > 1


def test_one_day_too_many_is_another_year() -> None:
    graph = Graph()
    assert not CaseByCase(graph, _clock()).excluded([_differs(graph, 365)])


def test_of_several_conditions_each_has_to_be_excluded() -> None:
    graph = Graph()
    number = graph.variable("a", 0, 1000)
    never = graph.conjunction(_less(graph, number, 5), _less(graph, 7, number))
    sometimes = _less(graph, number, 1)
    assert CaseByCase(graph, _clock()).excluded([never, never])
    assert not CaseByCase(graph, _clock()).excluded([never, sometimes])


@pytest.mark.parametrize("condition", [True, False])
def test_what_is_known_without_cases(condition: bool) -> None:
    assert CaseByCase(Graph(), _clock()).excluded([condition]) is not condition


def test_nothing_is_excluded_without_time() -> None:
    graph = Graph()
    square = graph.variable("a", 0, 1 << 40)
    found = graph.multiply(square, square, range_of(square), range_of(square))
    condition = graph.equal(found, 3, range_of(found), (3, 3))
    assert isinstance(condition, Node)
    assert not CaseByCase(graph, _clock().within(0.0)).excluded([condition])


def test_conditions_on_many_numbers_are_left_to_others() -> None:
    graph = Graph()
    total: Value = 0
    for place in range(9):
        number = graph.variable(f"a{place}", 0, 255)
        square = graph.multiply(number, number, range_of(number), range_of(number))
        total = _sum(graph, total, square)
    search = CaseByCase(graph, _clock(), size=1.0)
    assert not search.excluded([graph.equal(total, 7, range_of(total), (7, 7))])
    assert search.cases == 1
