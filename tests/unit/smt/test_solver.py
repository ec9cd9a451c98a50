"""Questions run under limits, are counted, and stay undecided rather than wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest
import z3

from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle, Sat, Session, Undecided, Unsat, limit_memory

x, y, z = z3.Ints("x y z")
p, q = z3.Bools("p q")
HARD = z3.And(x * x * x + y * y * y + z * z * z == 114, x * y != z)


class Failing:
    """A solver that fails like z3 does, with bytes."""

    def set(self, *_: Any, **__: Any) -> None:
        pass

    def add(self, *_: Any) -> None:
        raise z3.Z3Exception(b"out of memory")

    def check(self, *_: Any) -> Any:
        raise z3.Z3Exception(b"canceled")


@pytest.fixture
def no_memory_limit_afterwards() -> Iterator[None]:
    yield
    limit_memory(None)


def test_model_core_and_refutation() -> None:
    oracle = Oracle()
    answer = oracle.check(x > 3, x < 5)
    assert isinstance(answer, Sat)
    assert answer.model[x].as_long() == 4
    assert isinstance(oracle.check(x > 3, x < 4), Unsat)
    assert oracle.core([x > 3], [y > 0, x < 2, y > 1]) == [1]
    assert oracle.core([x > 3], [y > 0]) is None


def test_core_of_a_session_is_a_part_of_the_assumptions() -> None:
    session = Oracle().session()
    session.add(z3.Implies(p, x > 0), z3.Implies(q, y > 0), x < 0)
    answer = session.check([p, q])
    assert isinstance(answer, Unsat)
    assert [literal.decl().name() for literal in answer.core] == ["p"]


def test_entailment_has_three_answers() -> None:
    oracle = Oracle(query_seconds=0.05)
    assert oracle.entails(x > 3, x > 2) is True
    assert oracle.entails(x > 2, x > 3) is False
    assert oracle.entails(HARD, x > 0) is None


def test_redundant_conjuncts_go_last_ones_first() -> None:
    assert [str(part) for part in Oracle().without_redundant([x > 3, y > 0, x > 2])] == ["x > 3", "y > 0"]


def test_session_answers_again_after_a_time_out() -> None:
    session = Oracle().session()
    session.push()
    session.add(HARD)
    assert isinstance(session.check(seconds=0.05), Undecided)
    session.pop()
    session.add(x > 3)
    assert isinstance(session.check(), Sat)
    session.add(x < 3)
    assert isinstance(session.check(), Unsat)


def test_resource_limit_counts_for_every_single_query() -> None:
    session = Oracle(Budget(rlimit=2000).start()).session()
    session.push()
    session.add(HARD)
    assert isinstance(session.check(), Undecided)
    session.pop()
    session.add(x > 3)
    assert all(isinstance(session.check(), Sat) for _ in range(20))


def test_what_others_asked_before_a_plan_began_is_not_its_work() -> None:
    oracle = Oracle(Budget(seconds=60.0).start())
    oracle.check(x > 3)
    stranger = z3.Solver()
    stranger.set(rlimit=3_000_000)
    stranger.add(HARD)
    stranger.check()
    part = oracle.clock.share(1.0, at_most=0.5)
    assert isinstance(Oracle(part).check(x > 3), Sat)
    assert part.remaining() > 0.4


def test_no_time_at_all_is_a_limit_too() -> None:
    oracle = Oracle()
    assert isinstance(oracle.check(x > 3, seconds=0.0), Undecided)
    assert oracle.statistics.tally("check").undecided == 1


def test_expired_clock_leaves_everything_undecided() -> None:
    oracle = Oracle(Budget(seconds=0.0).start())
    assert isinstance(oracle.check(x > 3), Undecided)
    assert oracle.entails(x > 3, x > 2) is None
    assert oracle.core([x > 3], [x < 2]) is None


def test_interrupted_search_is_undecided_and_the_next_one_runs() -> None:
    oracle = Oracle()
    timer = threading.Timer(0.1, z3.main_ctx().interrupt)
    timer.start()
    try:
        assert isinstance(oracle.check(HARD, seconds=5.0), Undecided)
    finally:
        timer.cancel()
        timer.join()
    assert isinstance(oracle.check(x > 3), Sat)


def test_exception_of_the_solver_is_undecided_with_its_message_as_text() -> None:
    oracle = Oracle()
    assert oracle.run(cast(z3.Solver, Failing()), (), "check", 0) == Undecided("canceled")
    assert oracle.statistics.tally("check").undecided == 1


def test_formula_that_could_not_be_added_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the session would be about other formulas."""
    oracle = Oracle()
    monkeypatch.setattr(oracle, "new_solver", Failing)
    session = Session(oracle, "check")
    session.add(x > 3)
    assert session.check() == Undecided("out of memory")


@pytest.mark.usefixtures("no_memory_limit_afterwards")
def test_search_stops_at_the_memory_limit_and_goes_on_when_it_is_lifted() -> None:
    a, b, c = z3.BitVecs("a b c", 512)
    oracle = Oracle(Budget(memory=24).start())
    heavy = z3.And(a * b == c, a * c == b + 1, z3.UGT(a, 5), z3.UDiv(a, b) * c == 7)
    answer = oracle.check(heavy, seconds=20.0)
    assert isinstance(answer, Undecided)
    assert "mem" in answer.reason
    limit_memory(None)
    assert isinstance(oracle.check(x > 3), Sat)


def test_questions_are_counted_by_kind_with_their_size() -> None:
    oracle = Oracle()
    oracle.check(x > 3, kind="first")
    oracle.check(x > 3, y > x + 1, kind="first")
    oracle.entails(HARD, x > 0, "second", seconds=0.02)
    counted = oracle.statistics.as_json()
    assert set(counted) == {"first", "second"}
    assert counted["first"]["count"] == 2
    assert counted["first"]["largest"] >= 7
    assert counted["second"]["undecided"] == 1
    assert counted["second"]["seconds"] > 0
