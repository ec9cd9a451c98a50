"""Runs that never end and never come back: sets of states that a loop need not leave, and the check of such a set."""

from __future__ import annotations

import pytest

from asking import asked
from c_threads import HEADER, read
from sorrel.evidence.door import NeverLeaving, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.recheck import recheck_recurrent
from sorrel.evidence.recurrence import check_recurrent
from sorrel.evidence.result import Accepted, Rejected
from sorrel.horn.recurrence import RecurrentSet, Round
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.smt.solver import Oracle
from sorrel.testing.recurrence import find_recurrence


def _main(body: str) -> str:
    return HEADER + "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { " + body + " return 0; }"


ENDLESS = [
    "unsigned s = 0, x = 0; while (1) { s = s + 2; x++; if (!(s == x * 2 || s == 0)) return 1; }",
    "unsigned x = 1; while (x != 0) x = x + 2;",
    "unsigned x = 0, n = __VERIFIER_nondet_uint(); while (n != 3) x = x + 7 * n;",
]
ENDING = [
    "int x = 1; while (x > 0) x = x + 1;",  # only an overflow ends it, which has no meaning
    "unsigned x = 1; while (x != 0) x = x + 1;",  # it wraps
    "unsigned x = 0; while (x < 4000000000u) x = x + 2;",
    "int n = __VERIFIER_nondet_int(); while (n > 0) n = n - 1;",
]


@pytest.mark.parametrize("body", ENDLESS)
def test_a_loop_that_grows_forever_is_found(body: str) -> None:
    program = read(_main(body), frozenset())
    found = find_recurrence(program, Oracle())
    assert found is not None
    outcome = accept(NeverLeaving(program, found), Effort(Options(), Budget(seconds=60).start(), lambda _: None))
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.span.line


@pytest.mark.parametrize("body", ENDING)
def test_a_loop_that_ends_or_overflows_has_no_such_set(body: str) -> None:
    assert find_recurrence(read(_main(body), frozenset()), Oracle()) is None


@pytest.mark.long
def test_the_set_is_told() -> None:
    program = read(_main(ENDLESS[0]), frozenset())
    outcome = asked(program, Property.TERMINATION, seconds=300, recheck="z3")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert "can be repeated forever while" in outcome.violation.message
    assert [c.checker for c in outcome.confirmations] == ["z3", "z3 on the saved text", "the interpreter"]
    assert outcome.certificate.count("(check-sat)") == 2


X, Y = terms.variable("x", terms.INT), terms.variable("y", terms.INT)
UP = Round(X > 0, [(X, X + 1)])
START = [(X, terms.integer(5))]


def test_a_recurrent_set_is_accepted() -> None:
    claimed = RecurrentSet(X > 2, (UP,), START)
    assert isinstance(check_recurrent(claimed), Accepted)
    assert isinstance(recheck_recurrent(claimed, "z3", 10.0), Accepted)


@pytest.mark.parametrize(
    ("states", "rounds", "message"),
    [
        (X > 5, [UP], "does not reach"),
        (X >= 0, [UP], "no step back"),
        (X < 9, [UP], "no step back"),
        (X > 2, [Round(X > 0, [(X, X - 1)])], "no step back"),
        (X > 2, [], "no step back"),
        (X > Y, [UP], "not a variable of the loop"),
        (X > 2, [Round(X > 0, [(X, X + Y)])], "not a variable of the loop"),
    ],
)
def test_what_is_not_recurrent_is_rejected(states: terms.Term, rounds: list[Round], message: str) -> None:
    result = check_recurrent(RecurrentSet(states, tuple(rounds), START))
    assert isinstance(result, Rejected)
    assert message in result.detail


@pytest.mark.parametrize("states", [X > 5, X >= 0, X < 9])
def test_the_saved_text_of_a_set_that_is_not_recurrent_is_rejected(states: terms.Term) -> None:
    assert isinstance(recheck_recurrent(RecurrentSet(states, (UP,), START), "z3", 10.0), Rejected)
