"""The door of evidence: what is true is let in with who confirmed it, what was changed in one place is not."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sorrel
from c_threads import HEADER, read, threads_text
from sorrel.evidence.door import ComingBack, ErrorRun, Interleaving, NeverLeaving, OnlyRun, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.endless_loop import Recurrence
from sorrel.evidence.worth import supported
from sorrel.frontends.smtlib import read_text
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, Reason
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.program import Program
from sorrel.program.schedules import explore
from sorrel.program.threads import threads_of
from sorrel.smt.solver import Oracle
from sorrel.testing.lasso import find_lasso
from sorrel.testing.recurrence import find_recurrence

ROOMS = Path(sorrel.__file__).parent
MAY_SAY_SO = ("evidence", "model", "report/project_page.py")
"""Where an outcome gets an answer. The page shows those of a project, which certificates have decided, in this form."""
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


GROWING = "unsigned x = 1; while (x != {end}) x = x + 2; return 0; }}"


def _growing(end: int) -> Program:
    return read(HEADER + "int main(void) { " + GROWING.format(end=end), frozenset())


def _recurrence(program: Program) -> Recurrence:
    found = find_recurrence(program, Oracle())
    assert found is not None
    return found


def test_a_set_of_states_that_need_not_be_left_is_let_in() -> None:
    program = _growing(0)
    outcome = accept(NeverLeaving(program, _recurrence(program)), _effort())
    assert outcome.answer is Answer.UNSAFE
    assert [each.checker for each in outcome.confirmations] == ["z3", "the interpreter"]


@pytest.mark.parametrize(
    "change",
    [{"states": ()}, {"states": (terms.FALSE,)}, {"head": "elsewhere"}, {"visits": 0}, {"visits": 10_000}],
    ids=str,
)
def test_another_set_of_states_or_another_place_is_not_let_in(change: dict[str, Any]) -> None:
    program = _growing(0)
    assert _refused(accept(NeverLeaving(program, replace(_recurrence(program), **change)), _effort()))


@pytest.mark.parametrize("end", [7, 2_000_000_001])
def test_a_set_of_states_says_nothing_about_another_program(end: int) -> None:
    """Not even about one with the same variables that goes on for very long: its rounds are not those of the claim."""
    assert _refused(accept(NeverLeaving(_growing(end), _recurrence(_growing(0))), _effort()))
    assert _refused(accept(NeverLeaving(read(CLOSED, frozenset()), _recurrence(_growing(0))), _effort()))


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


def _decides(call: ast.Call) -> bool:
    """Whether a call hands an outcome an answer that is not, in so many words, that nobody knows."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    given = [*(call.args[:1] if name == "Outcome" else []), *(k.value for k in call.keywords if k.arg == "answer")]
    return name in ("Outcome", "replace") and any(ast.unparse(each) != "Answer.UNKNOWN" for each in given)


def _deciding(text: str) -> list[str]:
    # To parse every module takes seconds, and few make or change an answer at all.
    if "Outcome(" not in text and "answer=" not in text:
        return []
    return [ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and _decides(node)]


def test_no_other_room_makes_an_answer() -> None:
    modules = {path.relative_to(ROOMS).as_posix(): path for path in ROOMS.rglob("*.py")}
    others = {name: path for name, path in modules.items() if not name.startswith(MAY_SAY_SO)}
    assert [f"{name}: {call}" for name, path in others.items() for call in _deciding(path.read_text())] == []


@pytest.mark.parametrize(
    "text",
    [
        "Outcome(Answer.SAFE)",
        "Outcome(answer=Answer.UNSAFE)",
        "Outcome(found)",
        "replace(outcome, answer=Answer.ASSUMING)",
        "replace(outcome, answer=other.answer)",
    ],
)
def test_whoever_makes_an_answer_is_noticed(text: str) -> None:
    assert _deciding(text) == [text]


def test_a_proof_that_nobody_confirmed_is_not_supported() -> None:
    """Of an assumption that is false, something else that is assumed instead makes a proof: but only of a proof."""
    about = Outcome(Answer.UNKNOWN, reason=Reason(Cause.ASSUMPTION, "one of its assumptions does not hold"))
    confirmed = replace(about, confirmations=(Confirmation("z3", True, 0.1),))
    assert supported(confirmed, {}, Options()).answer is Answer.SAFE
    assert supported(about, {}, Options()) == about
    refused = replace(about, confirmations=(Confirmation("z3", False, 0.1),))
    assert supported(refused, {}, Options()) == refused
