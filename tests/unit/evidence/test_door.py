"""The door of evidence: what is true is let in with who confirmed it, what was changed in one place is not."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import sorrel
from c_threads import HEADER, read, threads_text
from sorrel.evidence.door import ComingBack, ErrorRun, Interleaving, NeverLeaving, OnlyRun, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.schedules import explore
from sorrel.program.threads import threads_of
from sorrel.smt.solver import Oracle
from sorrel.testing.lasso import find_lasso
from sorrel.testing.recurrence import find_recurrence

ROOMS = Path(sorrel.__file__).parent
MAY_SAY_SO = ("evidence", "model")
"""Rooms in which an outcome gets an answer."""
DIVISION = HEADER + "int main(void) { int x = __VERIFIER_nondet_int(); if (x * 2 == 14) reach_error(); return 0; }"
CLOSED = HEADER + "int main(void) { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); return 0; }"


def _effort() -> Effort:
    options = Options(budget=Budget(seconds=60))
    return Effort(options, options.budget.start(), lambda _: None)


def _task() -> Task:
    return Task((Source("program.c", "int main(void) { return 0; }"),))


def _refused(outcome: Outcome) -> bool:
    reason = outcome.reason
    return (
        outcome.answer is Answer.UNKNOWN and reason is not None and reason.cause in (Cause.UNCONFIRMED, Cause.INTERNAL)
    )


def test_values_that_lead_into_an_error_are_let_in_and_others_are_not() -> None:
    program = read(DIVISION)
    found = accept(ErrorRun(program, _task(), [7]), _effort())
    assert found.answer is Answer.UNSAFE
    assert [each.checker for each in found.confirmations] == ["the interpreter"]
    assert _refused(accept(ErrorRun(program, _task(), [8]), _effort()))
    assert _refused(accept(ErrorRun(program, _task(), []), _effort()))


def test_the_only_run_counts_where_there_is_only_one() -> None:
    assert accept(OnlyRun(read(CLOSED)), _effort()).answer is Answer.SAFE
    assert _refused(accept(OnlyRun(read(DIVISION)), _effort()))
    assert _refused(accept(OnlyRun(read(CLOSED.replace("i != 5", "i == 5"))), _effort()))


def test_a_lasso_with_another_round_is_not_let_in() -> None:
    text = HEADER + "int main(void) { int x = 0; while (x < 3) { x = x + __VERIFIER_nondet_int(); } return 0; }"
    program = read(text, frozenset())
    lasso = find_lasso(program, Budget(seconds=20).start())
    assert lasso is not None
    assert accept(ComingBack(program, lasso), _effort()).answer is Answer.UNSAFE
    ending = replace(lasso, cycle=tuple(replace(used, value=5) for used in lasso.cycle))
    assert _refused(accept(ComingBack(program, ending), _effort()))
    assert _refused(accept(ComingBack(read(CLOSED, frozenset()), lasso), _effort()))


def test_a_set_of_states_that_can_be_left_is_not_let_in() -> None:
    program = read(HEADER + "int main(void) { unsigned x = 1; while (x != 0) x = x + 2; return 0; }", frozenset())
    found = find_recurrence(program, Oracle())
    assert found is not None
    assert accept(NeverLeaving(program, found), _effort()).answer is Answer.UNSAFE
    everything = replace(found, evidence=replace(found.evidence, states=terms.TRUE))
    assert _refused(accept(NeverLeaving(program, everything), _effort()))
    assert _refused(accept(NeverLeaving(read(CLOSED, frozenset()), found), _effort()))


def test_a_schedule_that_is_cut_short_is_not_let_in() -> None:
    threads = threads_of(read(threads_text("int g;", ["g = g + 1;", "g = g + 1;"], "if (g != 2) reach_error();")))
    error = explore(threads, most=20_000).error
    assert error is not None
    assert accept(Interleaving(threads, error), _effort()).answer is Answer.UNSAFE
    assert _refused(accept(Interleaving(threads, error[:-1]), _effort()))


def test_summaries_count_against_the_clauses_that_were_asked_about() -> None:
    text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (p x))))"
    text += "(assert (forall ((x Int)) (=> (and (p x) (> x {most})) false)))"
    summaries = {"p": read_text(text.format(most=3)).predicate["p"].formals[0] <= 3}
    good = read_text(text.format(most=3))
    assert accept(Solution(good, Safe(summaries)), _effort()).answer is Answer.SAFE
    assert _refused(accept(Solution(read_text(text.format(most=2)), Safe(summaries)), _effort()))


def _says_so(call: ast.Call) -> bool:
    """Whether a call hands an answer to an outcome."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    given = [*(call.args[:1] if name == "Outcome" else []), *(k.value for k in call.keywords if k.arg == "answer")]
    return name in ("Outcome", "replace") and any(
        isinstance(each, ast.Attribute) and each.attr in ("SAFE", "UNSAFE", "ASSUMING") for each in given
    )


def test_no_other_room_makes_an_answer() -> None:
    found = []
    for module in ROOMS.rglob("*.py"):
        text = module.read_text()
        # To parse every module takes seconds, and few name an answer at all.
        if module.relative_to(ROOMS).parts[0] not in MAY_SAY_SO and any(each in text for each in ("SAFE", "ASSUMING")):
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
            found += [f"{module}: {ast.unparse(call)}" for call in calls if _says_so(call)]
    assert not found
