"""Programs in text form at the door of `verify`, and systems with obligations at that of `solve`."""

from __future__ import annotations

from pathlib import Path

import pytest

from asking import verified
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process.pipeline import verify
from sorrel.process.request import request
from sorrel.process.supervise import solve

COUNTING = """
procedure main() {
  local x: int;
  local n: int;
start:
  havoc n input "n";
  x = 0;
  goto head;
head:
  if x < n goto body else done;
body:
  x = x + 1;
  goto head;
done:
  assert n < 0 || x == n;
  return;
}
"""

THREADS = """
global flag: int = 0;
procedure __VERIFIER_thread_begin() returns (thread: int) { start: thread = 0; return; }
procedure __VERIFIER_thread_end() { start: return; }
procedure __VERIFIER_thread_join(thread: int) { start: return; }
procedure other() { start: flag = 1; return; }
procedure main() {
  local t: int;
start:
  t = call __VERIFIER_thread_begin();
  call other();
  call __VERIFIER_thread_end();
  call __VERIFIER_thread_join(t);
  assert flag == 1;
  return;
}
"""


def _verified(folder: Path, text: str, goal: str = "", rule: str = "", function: str = "") -> Outcome:
    file = folder / "program.sorrel"
    file.write_text(text)
    (task,) = request([Source(str(file))], goal=goal, function=function).tasks
    options = Options(budget=Budget(seconds=300))
    return verify(Task(task.sources, task.goal, function=task.function, rule=rule), options)


def test_a_program_in_text_form_is_verified(tmp_path: Path) -> None:
    assert _verified(tmp_path, COUNTING).answer is Answer.SAFE
    broken = _verified(tmp_path, COUNTING.replace("x == n", "x == n + 1"))
    assert broken.answer is Answer.UNSAFE
    assert broken.violation is not None


def test_its_termination_is_decided(tmp_path: Path) -> None:
    assert _verified(tmp_path, COUNTING, "termination").answer is Answer.SAFE
    endless = COUNTING.replace("x = x + 1", "x = x")
    assert _verified(tmp_path, endless, "termination").answer is Answer.UNSAFE


def test_it_may_be_started_elsewhere(tmp_path: Path) -> None:
    text = COUNTING + "procedure other(x: i32) { start: assert x > 0i32; return; }"
    assert _verified(tmp_path, text, function="other").answer is Answer.UNSAFE
    with pytest.raises(InputError, match="there is no procedure nobody"):
        _verified(tmp_path, text, function="nobody")


def test_a_rule_is_used_on_it(tmp_path: Path) -> None:
    outcome = _verified(tmp_path, COUNTING, rule="invariance")
    assert outcome.answer is Answer.SAFE
    assert "rule satisfied: invariance" in outcome.notes


def test_its_threads_are_threads(tmp_path: Path) -> None:
    assert _verified(tmp_path, THREADS).answer is Answer.SAFE
    unjoined = THREADS.replace("  call __VERIFIER_thread_join(t);\n", "")
    outcome = _verified(tmp_path, unjoined)
    assert outcome.answer is Answer.UNSAFE
    assert "schedule of" in outcome.notes[0]


@pytest.mark.parametrize(
    ("wrong", "place"), [("x = y;", "12:7"), ("x = ;", "12:7"), ("havoc x;", "12:10"), ("x = true;", "12:3")]
)
def test_mistakes_are_shown_where_they_are(tmp_path: Path, wrong: str, place: str) -> None:
    with pytest.raises(InputError) as problem:
        _verified(tmp_path, COUNTING.replace("x = x + 1;", wrong))
    assert f"program.sorrel:{place}" in str(problem.value)


def test_a_program_in_text_form_stands_alone() -> None:
    with pytest.raises(UsageError, match="give no other file"):
        request([Source("a.sorrel"), Source("b.c")])


OBLIGATION = """
(set-logic HORN)
(declare-fun T (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (> x 0) (= y (- x 1))) (T x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (T x y) (> y 0) (= z (- y 1))) (T x z))))
(dwf end ((x Int)) ((y Int)) (T x y))
"""


def test_the_portfolio_gives_obligations_to_the_engine_that_knows_them() -> None:
    outcome = solve(Source(text=OBLIGATION), Options(engine="portfolio", budget=Budget(seconds=300)))
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.engine == "hsf"
    assert outcome.rankings


NARROW = """procedure main() {
  local x: i8;
  local go: bool;
start:
  x = 0i8;
  goto head;
head:
  havoc go input;
  if go goto more else out;
more:
  x = x + 1i8;
  goto head;
out:
  assert x >= 0i8;
  return;
}
"""


def test_an_overflow_in_a_narrow_type_is_not_taken_to_be_impossible(tmp_path: Path) -> None:
    file = tmp_path / "narrow.sorrel"
    file.write_text(NARROW)
    outcome = verified(file, engine="spacer", timeout=20)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert "no signed overflow" in outcome.reason.message
