"""Lets one method after the other search for a while, and writes what it asked solvers, one file a method.

A script: tests start it in processes of their own, some of them on a machine that is made busy.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sorrel.evidence.effort import Effort
from sorrel.methods.answer import Attempts
from sorrel.methods.question import Question
from sorrel.methods.schedule import Step
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.source import Source
from sorrel.model.work import METER
from sorrel.process.pipeline import asked_about_clauses, asked_about_program
from sorrel.process.request import request
from sorrel.smt.questions import recorded

# Products commute, which no engine shows without multiplication: the search goes on until its plan ends.
COMMUTING = """
(set-logic HORN)
(declare-fun times (Int Int Int) Bool)
(assert (forall ((x Int)) (times x 0 0)))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (times x y r) (>= y 0)) (times x (+ y 1) (+ r x)))))
(assert (forall ((x Int) (y Int) (r Int) (s Int)) (=> (and (times x y r) (times y x s) (not (= r s))) false)))
(check-sat)
"""
PROGRAM = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int times(int x, int y) { return y <= 0 ? 0 : x + times(x, y - 1); }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), s = 0;
    if (x < 0 || y < 0 || x > 9 || y > 9) return 0;
    while (s < times(x, y)) s = s + 1;
    if (times(x, y) != times(y, x)) reach_error();
    return 0;
}
"""
OPTIONS = {"slices": (("slice", "0.02"),)}
"""Short slices, so that many of them end without an answer."""
LONG_ENOUGH = Budget(seconds=900.0)


def question(kind: str, options: Options) -> Question:
    if kind == "clauses":
        return asked_about_clauses(Source(text=COMMUTING), options).question
    (task,) = request([Source(text=PROGRAM)], goal=kind).tasks
    asked = asked_about_program(task, options)
    if isinstance(asked, Outcome):
        raise SystemExit(f"the program was not read: {asked.reason}")
    return asked.question


def search(kind: str, method: str) -> list[str]:
    options = Options(engine=method, budget=LONG_ENOUGH)
    attempts = Attempts(question(kind, options), Effort(options, LONG_ENOUGH.start(), lambda _: None))
    began = METER.done
    with recorded() as log:
        outcome = attempts.step(Step(method, OPTIONS.get(method, ()), seconds=0.3), attempts.effort)
    return [*log, f"{outcome.answer}, {outcome.reason}, {METER.done - began} units"]


def main() -> None:
    folder = Path(sys.argv[1])
    for word in sys.argv[2:]:
        kind, method = word.split(":")
        (folder / f"{kind}-{method}.txt").write_text("\n".join(search(kind, method)), encoding="utf-8")


if __name__ == "__main__":
    main()
