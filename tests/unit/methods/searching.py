"""Lets one method after the other search for a while, and writes what it asked solvers, one file a method.

A script: tests start it in processes of their own, some of them on a machine that is made busy.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sorrel.evidence.effort import Effort
from sorrel.methods.answer import Attempts
from sorrel.methods.features import Subject
from sorrel.methods.method import Method
from sorrel.methods.question import Question
from sorrel.methods.registry import METHODS
from sorrel.methods.schedule import Step
from sorrel.model.budget import Budget
from sorrel.model.options import Finite, Options
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
EXAMPLES = Path(__file__).parents[3] / "examples"
LINEAR = """
(set-logic HORN)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 7) (loop n 0 0))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (loop n x y) (< x n)) (loop n (+ x 1) (+ y x)))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (loop n x y) (> x 0) (< (* 2 y) (* (- x 1) (- x 2)))) false)))
(check-sat)
"""
ROUNDED = """
(set-logic HORN)
(declare-fun loop (Int Real) Bool)
(assert (loop 0 0.0))
(assert (forall ((i Int) (x Real) (y Real))
  (=> (and (loop i x) (< i 1000) (<= (- x y) 0.0) (<= (- y x) (+ 0.1 (* x 0.001)))) (loop (+ i 1) y))))
(assert (forall ((i Int) (x Real)) (=> (and (loop i x) (> x 200.0)) false)))
(check-sat)
"""
THREADS = """
#include <pthread.h>
extern void reach_error(void);
int turn, inside, want0, want1;
void *first(void *unused) {
    for (;;) {
        want0 = 1; turn = 1; while (want1 && turn == 1) ;
        inside++; if (inside > 1) reach_error(); inside--; want0 = 0;
    }
}
void *second(void *unused) {
    for (;;) {
        want1 = 1; turn = 0; while (want0 && turn == 0) ;
        inside++; if (inside > 1) reach_error(); inside--; want1 = 0;
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    return 0;
}
"""
CLOSED = """
extern void reach_error(void);
int main(void) {
    int steps = 0;
    for (long n = 97; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    if (steps != 118) reach_error();
    return 0;
}
"""
LIST = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *first = 0;
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = 3;
        node->next = first;
        first = node;
    }
    for (; first; first = first->next) sum += first->value;
    if (sum < 0) reach_error();
    return 0;
}
"""
COMPARED = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < high; i++) s = s + i * i;
    return s * 0 + low;
}
"""
CALLS = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int times(int x, int y) { int r = 0; for (int i = 0; i < y; i++) r = r + x; return r; }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < 0 || x > 99 || y > 99) return 0;
    if (times(x, y) != times(y, x)) reach_error();
    return 0;
}
"""
ORDER = """
int digits(int n) { int s = 0; while (n > 0) { s = s + n % 10; n = n / 10; } return s; }
int compare(int x, int y) {
    int left = digits(x), right = digits(y);
    return left < right ? -1 : left > right ? 1 : 0;
}
"""
LAW = """
int apart(int x, int y) {
    int rounds = 0;
    while (x < y) { x = x + 1; rounds = rounds + 1; }
    while (y < x) { y = y + 1; rounds = rounds + 1; }
    return rounds;
}
"""
FUNCTIONAL = """
let rec times x y = if y <= 0 then 0 else x + times x (y - 1)
let () = let x = read_int () and y = read_int () in
  if x >= 0 && y >= 0 && x < 9 && y < 9 then assert (times x y = times y x)
"""
FINITE = "finite/sum.bool"


@dataclass(frozen=True, slots=True)
class Asked:
    """A text, what is asked about it, and the methods that search for an answer for as long as their plan lasts."""

    text: str
    methods: tuple[str, ...]
    name: str = ""
    goal: str = ""
    law: str = ""
    function: str = ""


KINDS = {
    "clauses": Asked(COMMUTING, ("clover", "evaluation", "hsf", "slices", "spacer", "trees", "unwind", "whale")),
    "linear": Asked(LINEAR, ("flower", "induction", "interpolation", "paths", "ranges", "tpa", "trees")),
    "rounded": Asked(ROUNDED, ("lines",)),
    "unreach-call": Asked(PROGRAM, ("running", "exploration", "mutation", "clover", "unrolling"), goal="unreach-call"),
    "calls": Asked(CALLS, ("whole",), goal="unreach-call"),
    "closed": Asked(CLOSED, ("only-run",), goal="unreach-call"),
    "list": Asked(LIST, ("linked",), goal="unreach-call"),
    "termination": Asked(PROGRAM, ("hsf", "lasso", "recurrent-set", "ranks"), goal="termination"),
    "threads": Asked(
        THREADS, ("interleavings", "product", "configurations", "thread-rules", "hsf"), goal="unreach-call"
    ),
    "noninterference": Asked(COMPARED, ("labels", "differing-runs", "flower", "spacer"), goal="noninterference"),
    "law": Asked(LAW, ("synonym",), law="commutativity", function="apart"),
    "order": Asked(ORDER, ("functions", "parts"), law="P2", function="compare"),
    "functional": Asked(FUNCTIONAL, ("facts", "running", "clover"), name="times.ml", goal="assertions"),
    "finite": Asked(FINITE, ("cdnf",)),
}
SUBJECTS = {
    Subject.CLAUSES: "clauses",
    Subject.PROGRAM: "unreach-call",
    Subject.ENDING: "termination",
    Subject.THREADS: "threads",
    Subject.RELATION: "noninterference",
    Subject.LAW: "law",
    Subject.FUNCTIONAL: "functional",
}
"""What a method is asked for which nobody has found a question that keeps it busy."""


def questions(methods: Mapping[str, Method]) -> list[str]:
    """Those that are named above, and one for each method that is not."""
    found = [f"{kind}:{method}" for kind, asked in KINDS.items() for method in asked.methods]
    named = {name for asked in KINDS.values() for name in asked.methods}
    for name in (each for each in methods if each not in named):
        kind = next(kind for subject, kind in SUBJECTS.items() if subject in methods[name].ways)
        found.append(f"{kind}:{name}")
    return found


QUESTIONS = questions(METHODS)
OPTIONS = {"slices": (("slice", "0.02"),)}
"""Short slices, so that many of them end without an answer."""
LONG_ENOUGH = Budget(seconds=900.0)


def question(kind: str, options: Options) -> Question:
    asked = KINDS[kind]
    if kind == "finite":
        options = replace(options, finite=Finite(12, properties=("r > 0",)))
        return asked_about_clauses(Source(str(EXAMPLES / asked.text)), options).question
    if not asked.goal and not asked.law:
        return asked_about_clauses(Source(text=asked.text), options).question
    (task,) = request(
        [Source(asked.name, text=asked.text)], goal=asked.goal, specification=asked.law, function=asked.function
    ).tasks
    read = asked_about_program(task, options)
    if isinstance(read, Outcome):
        raise SystemExit(f"the program was not read: {read.reason}")
    return read.question


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
