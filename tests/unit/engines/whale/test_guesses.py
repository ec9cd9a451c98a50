"""WHALE's guesses: executions that are explored, what they suggest, and contracts that rest on it."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.whale import exploration, loop_walks
from sorrel.engines.whale.candidates import Candidates
from sorrel.engines.whale.engine import Whale
from sorrel.engines.whale.executions import Executions
from sorrel.engines.whale.exploration import Exploration
from sorrel.engines.whale.function import procedures
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.guessing import Guessing
from sorrel.engines.whale.options import WhaleOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

pytestmark = pytest.mark.usefixtures("short_walks")

AMPLIFIER = """
(set-logic HORN)
(declare-fun off (Int Int Int Int) Bool)
(set-info :sorrel-predicate "off (on input) (timer input) (on.new output) (timer.new output)")
(declare-fun count (Int Int Int Int) Bool)
(set-info :sorrel-predicate "count (on input) (timer input) (on.new output) (timer.new output)")
(declare-fun loop (Int Int Int) Bool)
(set-info :sorrel-predicate "loop (on output) (timer output) (clock output)")
(assert (forall ((on Int) (timer Int)) (=> (= on 1) (off on timer 0 2))))
(assert (forall ((on Int) (timer Int)) (=> (> timer 1) (count on timer on (- timer 1)))))
(assert (forall ((on Int) (timer Int)) (=> (= timer 1) (count on timer 1 0))))
(assert (loop 1 0 0))
(assert (forall ((on Int) (timer Int) (clock Int) (a Int) (b Int))
  (=> (and (loop on timer clock) (off on timer a b) (> clock 12)) (loop a b 0))))
(assert (forall ((on Int) (timer Int) (clock Int) (a Int) (b Int))
  (=> (and (loop on timer clock) (count on timer a b)) (loop a b (+ clock 1)))))
(assert (forall ((on Int) (timer Int) (clock Int))
  (=> (and (loop on timer clock) (= timer 0) (< clock 100)) (loop on timer (+ clock 1)))))
(assert (forall ((on Int) (timer Int) (clock Int))
  (=> (and (loop on timer clock) (or (and (= on 0) (= timer 0)) (and (= on 1) (> timer 0)) (> timer 2))) false)))
"""


@pytest.fixture(autouse=True)
def short_explorations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_walks, "MOST_STATES", 120)
    monkeypatch.setattr(exploration, "MOST_COMPOSED", 16)


def explored(system: HornSystem) -> tuple[InterproceduralGraph, Executions, Exploration]:
    graph = InterproceduralGraph(procedures(system, {}), merge=True)
    executions = Executions()
    oracle = Oracle(Budget(seconds=60).start())
    exploration = Exploration(graph, procedures(system, {}), executions, oracle)
    assert exploration.walk(oracle.clock) is None
    exploration.compose(oracle.clock)
    return graph, executions, exploration


def test_counters_run_until_something_new_happens() -> None:
    _, executions, _ = explored(read_text(AMPLIFIER))
    states = {tuple(map(str, execution.arguments[:2])) for execution in executions.of("loop")}
    assert states == {("1", "0"), ("0", "2"), ("0", "1")}


def test_executions_of_several_calls_are_composed() -> None:
    fibonacci = """(set-logic HORN)
    (declare-fun fib (Int Int) Bool)
    (set-info :sorrel-predicate "fib (n input) (r output)")
    (assert (forall ((n Int)) (=> (and (>= n 0) (<= n 1)) (fib n n))))
    (assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
    (assert (forall ((n Int) (r Int)) (=> (and (fib n r) (< r 0)) false)))"""
    _, executions, _ = explored(read_text(fibonacci))
    found = {tuple(int(str(a)) for a in execution.arguments) for execution in executions.of("fib")}
    assert {(5, 5), (6, 8), (7, 13)} <= found


def test_candidates_hold_of_everything_seen_and_exclude_what_was_not() -> None:
    flag, timer, clock = (terms.variable(name, terms.INT) for name in ("flag", "timer", "clock"))
    points = [(1, 0, n) for n in range(9)] + [(0, 2, 3), (0, 1, 4)]
    candidates = Candidates([flag, timer, clock], [0, 1, 2], points, [9])
    made = [*candidates.exclusive(3), *candidates.unconditional(), *candidates.conditional()]
    values = [dict(zip((flag, timer, clock), map(terms.integer, point), strict=True)) for point in points]
    assert all(terms.is_true(evaluate(each, value)) for each in made for value in values)
    wrong = {flag: terms.integer(0), timer: terms.integer(0), clock: terms.integer(0)}
    assert any(terms.is_false(evaluate(each, wrong)) for each in made)


def test_under_a_value_that_was_hardly_met_bounds_of_all_sizes_are_guessed() -> None:
    phase, timer, clock = (terms.variable(name, terms.INT) for name in ("phase", "timer", "clock"))
    common = [(phase, timer, timer) for phase in (0, 3) for timer in range(1, 31)]
    for points in (common, [*common, (2, 25, 12)]):
        found = Candidates([phase, timer, clock], [0, 1, 2], points, [9, 20]).under_rare_values()[0]
        for limit in (9, 20):
            bound = terms.implication(terms.equal(phase, terms.integer(2)), timer + clock >= limit)
            assert terms.identity(bound) in map(terms.identity, found)


def test_what_is_kept_is_inductive_and_found_by_what_small_functions_work_on() -> None:
    system = read_text(AMPLIFIER)
    graph, executions, exploration = explored(system)
    oracle = Oracle(Budget(seconds=60).start())
    guessing = Guessing(graph, procedures(system, {}), executions, exploration, oracle)
    for _ in guessing.more(oracle.clock):
        pass
    on, timer, _ = system.predicate["loop"].formals
    facts = terms.conjunction(guessing.facts["loop"])
    blind = terms.conjunction([terms.equal(on, terms.integer(0)), terms.equal(timer, terms.integer(0))])
    assert oracle.entails(facts, terms.negation(blind))


@pytest.mark.parametrize(
    "methods", ["guesses+strongest", pytest.param("spacer+guesses+blocking+strongest+weakest", marks=pytest.mark.long)]
)
def test_contracts_come_from_guesses(methods: str) -> None:
    system = read_text(AMPLIFIER)
    run = Circumstances(Budget(seconds=60).start())
    verdict = Whale(WhaleOptions(methods=methods, audit=True)).solve(system, run, {})
    assert isinstance(verdict, Safe)
    assert isinstance(check(system, verdict), Accepted)
    assert run.statistics.counts["ARGs"] > 1
    assert run.statistics.counts["refinements"] > 0
