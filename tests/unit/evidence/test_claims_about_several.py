"""Evidence about several runs, all interleavings and facts: true claims are let in, those changed in one place not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from c_threads import read, threads_text
from sorrel.evidence.door import AllInterleavings, DifferingRuns, InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Summaries
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.run import Run
from sorrel.program.statement import Kind
from sorrel.program.threads import threads_of
from sorrel.program.value import Value
from sorrel.relate.product import Product, product
from sorrel.testing.differing import look

LEAK = """extern int __VERIFIER_nondet_int(void); extern void sorrel_low(int); extern void sorrel_assert_low(int);
int main(void) {{ int open = __VERIFIER_nondet_int(), closed = __VERIFIER_nondet_int(); sorrel_low(open);
  sorrel_assert_low(closed {test} 7); return 0; }}"""
COUNTING = """(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x {start}) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))"""


def _effort() -> Effort:
    options = Options(budget=Budget(seconds=60))
    return Effort(options, options.budget.start(), lambda _: None)


def _refused(outcome: Outcome) -> bool:
    reason = outcome.reason
    return outcome.answer is Answer.UNKNOWN and reason is not None and reason.cause is Cause.UNCONFIRMED


def _runs(test: str) -> Product:
    return product(read(LEAK.format(test=test), frozenset({Kind.LEAK})))


def _accepted(subject: Product, found: Run) -> Outcome:
    task = Task((Source("leak.c", LEAK.format(test=">")),), Property.NONINTERFERENCE)
    return accept(DifferingRuns(subject, task, found), _effort())


@pytest.fixture(scope="module")
def differing() -> Run:
    found = look(_runs(">"), 10.0)
    assert found is not None
    return found


def test_runs_that_differ_are_let_in(differing: Run) -> None:
    outcome = _accepted(_runs(">"), differing)
    assert outcome.answer is Answer.UNSAFE
    assert [each.checker for each in outcome.confirmations] == ["the interpreter"]
    assert len(outcome.runs) == 2


@pytest.mark.parametrize(
    "values",
    [(7, 7, 8, 8), (6, 7, 7, 8), (7, 7, 7)],
    ids=["the same secrets", "other public values", "a value too few"],
)
def test_runs_with_other_values_are_not_let_in(differing: Run, values: Sequence[Value]) -> None:
    """The public value of both runs is chosen first, then the secret of either."""
    changed = tuple(replace(each, value=value) for each, value in zip(differing.used, values, strict=False))
    assert _refused(_accepted(_runs(">"), replace(differing, used=changed)))


def test_runs_say_nothing_about_a_program_that_compares_something_else(differing: Run) -> None:
    assert _refused(_accepted(_runs("<"), differing))


def test_all_interleavings_count_where_nothing_fails_in_any() -> None:
    bodies = ["__VERIFIER_atomic_begin(); g = g + 1; __VERIFIER_atomic_end();"] * 2
    good = threads_of(read(threads_text("int g;", bodies, "if (g != 2) reach_error();")))
    assert accept(AllInterleavings(good), _effort()).answer is Answer.SAFE
    torn = threads_of(read(threads_text("int g;", ["g = g + 1;"] * 2, "if (g != 2) reach_error();")))
    assert _refused(accept(AllInterleavings(torn), _effort()))
    endless = threads_of(read(threads_text("int g;", ["while (1) g = g + 1;"], "if (g < 0) reach_error();")))
    assert _refused(accept(AllInterleavings(endless), _effort()))


def _facts(most: int, start: int = 0) -> Outcome:
    system = read_text(COUNTING.format(start=start))
    facts: Summaries = {"p": system.predicate["p"].formals[0] <= most}
    return accept(InductiveFacts(system, facts), _effort())


def test_facts_are_let_in_if_they_hold_of_the_first_state_and_are_kept() -> None:
    assert _facts(9).answer is Answer.SAFE
    assert _refused(_facts(8))
    assert _refused(_facts(9, start=10))
