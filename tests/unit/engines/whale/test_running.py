"""Paths that are run on numbers: what comes out are executions, and terms are calculated as the logic says."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import procedures
from sorrel.engines.whale.loop_walks import Habit, LoopWalk
from sorrel.engines.whale.program import body
from sorrel.engines.whale.running import Runner
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.compiled import calculations
from sorrel.logic.evaluate import evaluate
from sorrel.model.budget import Budget

LAMP = """
(set-logic HORN)
(declare-fun turn (Int Int Bool) Bool)
(set-info :sorrel-predicate "turn (on input) (on.new output) (ok output)")
(declare-fun loop (Int Int) Bool)
(set-info :sorrel-predicate "loop (on output) (count output)")
(assert (forall ((on Int) (new Int) (ok Bool))
  (=> (and (= new (- 1 on)) (= ok (not (= on 7)))) (turn on new ok))))
(assert (loop 0 0))
(assert (forall ((on Int) (count Int) (key Int) (a Int) (b Int) (new Int) (ok Bool))
  (=> (and (loop on count) (turn on new ok) ok (or (and (= key 1) (= a new) (= b count))
       (and (not (= key 1)) (< count 9) (= a on) (= b (+ count 1))))) (loop a b))))
(assert (forall ((on Int) (count Int)) (=> (and (loop on count) (= on 1) (> count WRONG)) false)))
"""


def lamp(wrong: int) -> HornSystem:
    return read_text(LAMP.replace("WRONG", str(wrong)))


def walked(system: HornSystem) -> tuple[Execution | None, Executions]:
    executions = Executions()
    found = procedures(system, {})
    walk = LoopWalk(found, executions)
    return walk.through(found.functions["loop"], Budget(seconds=60).start()), executions


def is_real(execution: Execution) -> bool:
    """Its constraint holds, and its callees returned what it says."""
    stack = [execution]
    while stack:
        each = stack.pop()
        stack += each.callees
        if not terms.is_true(evaluate(each.clause.constraint, each.values)):
            return False
        for call, callee in zip(each.clause.body, each.callees, strict=True):
            told = [evaluate(argument, each.values) for argument in call.arguments]
            if not all(map(terms.same, told, callee.arguments)):
                return False
    return True


def test_all_that_a_small_loop_can_do_is_met_and_real() -> None:
    violation, executions = walked(lamp(9))
    assert violation is None
    assert {execution.key for execution in executions.of("loop")} == {(on, n) for on in (0, 1) for n in range(10)}
    assert all(map(is_real, executions.of("loop")))


def test_a_violation_is_met_on_the_way() -> None:
    violation, _ = walked(lamp(5))
    assert violation is not None
    assert violation.clause.head is None
    assert is_real(violation)


def test_journeys_repeat_themselves() -> None:
    first, second = (walked(lamp(9))[1] for _ in range(2))
    assert [e.key for e in first.of("loop")] == [e.key for e in second.of("loop")]


def test_a_path_that_contradicts_what_its_call_returned_is_not_run() -> None:
    found = procedures(lamp(9), {})
    (start, step) = (body(path) for path in found.functions["loop"].paths)
    (turn,) = (body(path) for path in found.functions["turn"].paths)
    (query,) = (body(path) for path in found.main.paths)
    assert start is not None
    assert step is not None
    assert turn is not None
    assert query is not None
    runner = Runner(found.functions, {"turn": [turn]})
    habit = Habit(random.Random(0), [])
    begun = runner.run(start, {}, habit)
    assert begun is not None
    assert runner.run(step, {0: begun.execution}, habit) is not None
    assert runner.run(query, {0: begun.execution}, habit) is None


def test_paths_over_arrays_are_not_run() -> None:
    system = read_text("""(set-logic HORN)
    (declare-fun p ((Array Int Int)) Bool)
    (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 1) (p a))))
    (assert (forall ((a (Array Int Int))) (=> (and (p a) (= (select a 0) 2)) false)))""")
    assert all(body(path) is None for path in procedures(system, {}).functions["p"].paths)


X, Y, B = terms.variable("x", terms.INT), terms.variable("y", terms.INT), terms.variable("b", terms.BOOL)
TERMS = [
    X + Y - 3,
    X * Y,
    -X,
    X / terms.integer(3),
    X % terms.integer(3),
    X / terms.integer(-3),
    X % terms.integer(-3),
    terms.ite(X < Y, X, Y + 1),
    terms.conjunction([B, X >= Y]),
    terms.disjunction([terms.negation(B), X > Y]),
    terms.implication(X <= Y, B),
    terms.equal(B, X == Y),
    terms.distinct(X, Y),
]


@given(st.integers(-20, 20), st.integers(-20, 20), st.booleans())
def test_calculation_agrees_with_the_logic(x: int, y: int, b: bool) -> None:
    values = {X: terms.integer(x), Y: terms.integer(y), B: terms.TRUE if b else terms.FALSE}
    made = calculations([X, Y, B], TERMS)
    for term, calculation in zip(TERMS, made, strict=True):
        assert calculation.run([x, y, int(b)]) == int(terms.as_number(evaluate(term, values)) or 0)
