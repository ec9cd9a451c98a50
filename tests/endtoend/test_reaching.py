"""Where nothing is there to check, that is said."""

from __future__ import annotations

import pytest

from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

DECLARED = """#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void reach_error(void);
"""


def verify(body: str, goal: Property = Property.ASSERTIONS) -> Outcome:
    text = f"{DECLARED}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}"
    return pipeline.verify(Task((Source(text=text),), goal), Options(budget=Budget(30.0)))


def test_assertions_are_counted_and_runs_that_get_to_them_are_looked_for() -> None:
    outcome = verify("assert(x == x); if (x != x) assert(x == 3); if (x > 10000 && x < 10005) assert(x < 20000);")
    assert (outcome.answer, outcome.checks, outcome.reached, outcome.unreachable) == (Answer.SAFE, 3, 2, 1)


@pytest.mark.parametrize("goal", [Property.ASSERTIONS, Property.UNREACH_CALL])
def test_a_program_without_checks_has_none(goal: Property) -> None:
    outcome = verify("", goal)
    assert (outcome.answer, outcome.checks) == (Answer.SAFE, 0)


def test_assumptions_that_contradict_each_other_are_noticed() -> None:
    outcome = verify("__VERIFIER_assume(x > 3); __VERIFIER_assume(x < 2); assert(x == 7);")
    assert outcome.unreachable == outcome.checks == 1
    assert any("contradict" in note for note in outcome.notes)


def test_an_error_function_that_is_never_called_is_a_check_all_the_same() -> None:
    outcome = verify("if (x != x) reach_error();", Property.UNREACH_CALL)
    assert (outcome.checks, outcome.reached, outcome.unreachable) == (1, 0, 0)
    assert not any("contradict" in note for note in outcome.notes)
