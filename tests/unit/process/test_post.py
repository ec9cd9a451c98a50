"""What lanes tell each other: only what is inductive, of the same clauses, and by work instead of by time."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sorrel.frontends import smtlib
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.work import METER, SECOND
from sorrel.process.post import INTERVAL, Post, open_post

COUNTING = """
(set-logic HORN)
(declare-fun count (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (count x))))
(assert (forall ((x Int)) (=> (and (count x) (< x 10)) (count (+ x 1)))))
(assert (forall ((x Int)) (=> (and (count x) (> x {most})) false)))
(check-sat)
"""


def counting(most: int = 20) -> HornSystem:
    return smtlib.read_text(COUNTING.format(most=most), "counting.smt2")


@pytest.fixture
def lanes() -> Iterator[tuple[Post, Post]]:
    file = open_post()
    clock = Budget(seconds=60.0).start()
    yield Post(file, 0, (1,), clock, METER.done), Post(file, 1, (), clock, METER.done)
    os.close(file)


def at_least(system: HornSystem, least: int) -> dict[str, terms.Term]:
    (predicate,) = system.predicates
    return {predicate.name: predicate.formals[0] >= least}


def test_facts_are_seen_once_the_reader_has_done_twice_the_work(lanes: tuple[Post, Post]) -> None:
    reader, teller = lanes
    system = counting()
    METER.add(SECOND // 10)
    teller.tell(system, at_least(system, 0))
    assert reader.known(system) == {}
    METER.add(SECOND)
    teller.close()
    known = reader.known(system)
    assert [terms.conjuncts(fact) for fact in known.values()] == [list(at_least(system, 0).values())]


def test_facts_that_are_not_inductive_are_not_used(lanes: tuple[Post, Post]) -> None:
    reader, teller = lanes
    system = counting()
    teller.tell(system, at_least(system, 1))
    teller.close()
    METER.add(SECOND)
    assert reader.known(system) == {}


def test_facts_about_other_clauses_are_not_used(lanes: tuple[Post, Post]) -> None:
    reader, teller = lanes
    teller.tell(counting(most=15), at_least(counting(most=15), 0))
    teller.close()
    METER.add(SECOND)
    assert reader.known(counting()) == {}


def test_a_lane_says_how_far_it_is(lanes: tuple[Post, Post]) -> None:
    reader, teller = lanes
    teller.open()
    try:
        METER.add(2 * INTERVAL)
        assert reader.known(counting()) == {}  # without waiting: the other has done half as much
    finally:
        METER.report(2**62, lambda: None)


def test_nobody_waits_for_lanes_that_tell_nothing(lanes: tuple[Post, Post]) -> None:
    _, alone = lanes
    METER.add(100 * SECOND)
    assert alone.known(counting()) == {}


def test_a_lane_starts_from_what_it_has_told_itself_once_that_is_checked(lanes: tuple[Post, Post]) -> None:
    _, alone = lanes
    system = counting()
    alone.tell(system, at_least(system, 0))
    METER.add(SECOND)
    assert [terms.conjuncts(fact) for fact in alone.known(system).values()] == [list(at_least(system, 0).values())]
    alone.tell(system, at_least(system, 1))
    METER.add(4 * SECOND)
    assert alone.known(system) == {}
