"""Walks on numbers that go on for as long as a timer takes: what they meet is real, and an error on the way is told."""

from __future__ import annotations

from sorrel.engines.whale.function import procedures
from sorrel.engines.whale.long_walks import LENGTHS, MOST_FRUITLESS, ROUNDS, LongWalks
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.model.budget import Budget

TIMER = """
(set-logic HORN)
(declare-fun next (Int Int Int) Bool)
(set-info :sorrel-predicate "next (time input) (beat input) (time.new output)")
(declare-fun loop (Int Int) Bool)
(set-info :sorrel-predicate "loop (time output) (paced output)")
(assert (forall ((time Int) (beat Int) (new Int))
  (=> (= new (ite (or (= beat 1) (>= time 400)) 0 (+ time 1))) (next time beat new))))
(assert (loop 0 0))
(assert (forall ((time Int) (paced Int) (beat Int) (new Int) (count Int))
  (=> (and (loop time paced) (next time beat new) (<= 0 beat 1) (= count (ite (>= time 400) (+ paced 1) paced)))
      (loop new count))))
(assert (forall ((time Int) (paced Int)) (=> (and (loop time paced) (> paced WRONG)) false)))
"""


def timer(wrong: int) -> HornSystem:
    return read_text(TIMER.replace("WRONG", str(wrong)))


def test_a_timer_runs_out_on_some_walk() -> None:
    walks = LongWalks(procedures(timer(10**6), {}))
    assert walks.run(Budget(seconds=5).start()) is None
    met = walks.states("loop")
    assert all(0 <= time <= 400 and paced >= 0 for time, paced in met)
    assert any(time == 400 for time, _ in met)
    assert any(paced > 0 for _, paced in met)


def test_an_error_after_a_long_wait_is_an_execution() -> None:
    found = LongWalks(procedures(timer(0), {})).run(Budget(seconds=20).start())
    assert found is not None
    stack, count = [found], 0
    while stack:
        each = stack.pop()
        count += 1
        stack += each.callees
        assert terms.is_true(evaluate(each.clause.constraint, each.values))
        for call, callee in zip(each.clause.body, each.callees, strict=True):
            told = [evaluate(argument, each.values) for argument in call.arguments]
            assert all(map(terms.same, told, callee.arguments))
    assert count > 800


SWITCH = """
(set-logic HORN)
(declare-fun loop (Bool) Bool)
(set-info :sorrel-predicate "loop (on output)")
(assert (loop false))
(assert (forall ((on Bool)) (=> (loop on) (loop (not on)))))
(assert (forall ((on Bool)) (=> (and (loop on) (not on) on) false)))
"""


def test_walks_end_where_there_is_nothing_new() -> None:
    walks = LongWalks(procedures(read_text(SWITCH), {}))
    assert walks.run(Budget().start()) is None
    assert len(walks.states("loop")) == 2
    assert walks.steps < len(ROUNDS) * (MOST_FRUITLESS + max(LENGTHS)) < sum(ROUNDS)
