"""Evidence about functional programs: runs that repeat are let in, changed ones and those of other programs are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.evidence.door import EndlessCalls, ErrorExecution, OnlyExecution, accept
from sorrel.evidence.effort import Effort
from sorrel.frontends import ocaml
from sorrel.functional.execution import Execution, Kind
from sorrel.functional.exploration import find_violation
from sorrel.functional.lasso import Lasso, find_lasso
from sorrel.functional.program import Program
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.source import Source

ASSERTIONS = frozenset({Kind.ASSERTION})
SEVEN = "let main n = assert (n * 2 <> 14)"
ENDLESS = "let rec f n = if n > 3 then f n else n  let main n = ignore (f n)"
CLOSED = "let rec sum n = if n <= 0 then 0 else n + sum (n - 1)  let () = assert (sum 3 = 6)"


def _read(text: str) -> Program:
    return ocaml.read([Source("program.ml", text)], "main")


def _effort() -> Effort:
    options = Options(budget=Budget(seconds=60))
    return Effort(options, options.budget.start(), lambda _: None)


def _accepted(program: Program, found: Execution, forbidden: frozenset[Kind] = ASSERTIONS) -> Outcome:
    return accept(ErrorExecution(program, found, forbidden, (("program.ml", SEVEN),)), _effort())


def _refused(outcome: Outcome) -> bool:
    reason = outcome.reason
    return outcome.answer is Answer.UNKNOWN and reason is not None and reason.cause is Cause.UNCONFIRMED


@pytest.fixture(scope="module")
def error() -> Execution:
    found = find_violation(_read(SEVEN), ASSERTIONS, 5.0)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def lasso() -> Lasso:
    found = find_lasso(_read(ENDLESS), 5.0)
    assert found is not None
    return found


def test_a_run_into_an_error_is_let_in(error: Execution) -> None:
    outcome = _accepted(_read(SEVEN), error)
    assert outcome.answer is Answer.UNSAFE
    assert [each.checker for each in outcome.confirmations] == ["the interpreter"]
    assert [each.value for each in outcome.choices] == ["7"]


@pytest.mark.parametrize("values", [(8,), ()])
def test_a_run_with_other_values_is_not_let_in(error: Execution, values: tuple[int, ...]) -> None:
    used = tuple(replace(one, value=value) for one, value in zip(error.used, values, strict=False))
    assert _refused(_accepted(_read(SEVEN), replace(error, used=used)))


def test_a_run_says_nothing_about_another_program_or_another_property(error: Execution) -> None:
    assert _refused(_accepted(_read(SEVEN.replace("14", "15")), error))
    assert _refused(_accepted(_read(SEVEN), error, frozenset({Kind.OVERFLOW})))


def test_a_call_within_the_same_call_is_let_in(lasso: Lasso) -> None:
    assert accept(EndlessCalls(_read(ENDLESS), lasso), _effort()).answer is Answer.UNSAFE


def test_calls_that_end_are_not_let_in(lasso: Lasso) -> None:
    used = tuple(replace(each, value=2) for each in lasso.run.used)
    ending = replace(lasso, run=replace(lasso.run, used=used))
    assert _refused(accept(EndlessCalls(_read(ENDLESS), ending), _effort()))
    assert _refused(accept(EndlessCalls(_read(ENDLESS.replace("f n else", "f (n - 1) else")), lasso), _effort()))


def test_the_only_run_counts_where_there_is_only_one_and_nothing_goes_wrong_in_it() -> None:
    assert accept(OnlyExecution(_read(CLOSED), ASSERTIONS), _effort()).answer is Answer.SAFE
    assert _refused(accept(OnlyExecution(_read(CLOSED.replace("= 6", "= 7")), ASSERTIONS), _effort()))
    assert _refused(accept(OnlyExecution(_read(SEVEN), ASSERTIONS), _effort()))
