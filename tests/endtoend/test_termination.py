"""Termination of C programs: ranks in the user's variables, and runs that come back."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

import folders
from asking import asked
from c_threads import HEADER, read
from sorrel.guess.differences import differences
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.testing.lasso import find_lasso

PROGRAMS = folders.PROGRAMS / "termination"


def _asked(text: str, seconds: float = 60.0) -> Outcome:
    return asked(read(text, frozenset()), Property.TERMINATION, seconds=seconds)


@pytest.mark.parametrize(
    ("text", "components"),
    [
        ("int main(void) { int n = __VERIFIER_nondet_int(); while (n > 0) n--; return 0; }", ("n",)),
        (
            "int f(int n) { return n <= 0 ? 0 : f(n - 2); } int main(void) { return f(__VERIFIER_nondet_int()); }",
            ("n",),
        ),
        pytest.param(
            "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();"
            "while (a > 0 && b > 0) { if (__VERIFIER_nondet_int()) { a--; b = __VERIFIER_nondet_int(); } else b--; }"
            "return 0; }",
            ("a", "b"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "unsigned f(unsigned x) { return x == 0 ? 0 : f(x - 1) + 1; }"
            "int main(void) { return f(__VERIFIER_nondet_int()); }",
            ("x",),
            marks=pytest.mark.long,
        ),
    ],
)
def test_ranks_are_told_in_the_users_variables(text: str, components: tuple[str, ...]) -> None:
    outcome = _asked(HEADER + text)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.rankings[0].components == components
    assert outcome.confirmations[0].accepted


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param("jacobi", marks=pytest.mark.long), "lexicographic"])
def test_loop_nests_are_proved(name: str) -> None:
    assert _asked((PROGRAMS / f"{name}.c").read_text()).answer is Answer.SAFE


@pytest.mark.parametrize("file", sorted(PROGRAMS.glob("*_loops.c")), ids=lambda file: file.stem)
def test_programs_that_do_not_end_are_refuted(file: Path) -> None:
    outcome = _asked(file.read_text())
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.message.startswith("the program does not terminate: ")


def test_a_counter_that_decides_nothing_does_not_hide_a_loop() -> None:
    text = "int main(void) { unsigned i; for (i = 0; 1; i++) { } }"
    lasso = find_lasso(read(HEADER + text, frozenset()), Budget(seconds=20).start())
    assert lasso is not None
    assert not lasso.nested


@pytest.mark.long
def test_a_counter_that_would_overflow_is_no_run_without_end() -> None:
    text = "int main(void) { int i; for (i = 0; 1; i++) { } }"
    assert find_lasso(read(HEADER + text, frozenset()), Budget(seconds=2).start()) is None


def test_a_loop_that_turns_round_has_a_rank_of_two_phases() -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
    text += "while (x > 0) { x = x + y; y = y - 1; } return 0; }"
    outcome = _asked(HEADER + text)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert len(outcome.rankings[0].components) == 2
    assert outcome.confirmations[0].accepted


@pytest.mark.long
def test_what_has_no_rank_of_ours_is_not_called_endless() -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
    text += "while (x > 0 && y > 0 && x < 1000000 / y) { x = x * 2; y = y + 1; } return 0; }"
    outcome = _asked(HEADER + text, seconds=8.0)
    assert outcome.answer is not Answer.UNSAFE


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }"
            "int main(void) { return f(__VERIFIER_nondet_int()); }",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "int m(int n); int f(int n) { return n <= 0 ? 1 : n - m(f(n - 1)); }"
            "int m(int n) { return n <= 0 ? 0 : n - f(m(n - 1)); }"
            "int main(void) { return f(__VERIFIER_nondet_int()); }",
            marks=pytest.mark.long,
        ),
    ],
    ids=["mccarthy", "hofstadter"],
)
def test_nested_calls_are_ranked_by_what_the_inner_one_returns(text: str) -> None:
    outcome = _asked(HEADER + text)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.confirmations[0].accepted


def test_bounds_on_differences_hold_on_the_points_they_come_from() -> None:
    """Also where a pair of numbers is bounded only under a condition on one of them."""
    n, r = z3.Ints("n r")
    predicate = Predicate("f", (Argument("n", terms.INT), Argument("r", terms.INT)))
    values = [(-4, 1), (-1, 1), (0, 1), (1, 1), (2, 2), (3, 2), (5, 3)]
    points = [{n: terms.integer(a), r: terms.integer(b)} for a, b in values]
    fact = Clause("fact", Atom(predicate, (n, r)), (), n <= 0)
    found = differences(HornSystem((predicate,), (fact,)), {"f": points}, guarded=True)["f"]
    assert any(each.eq(r >= 1) for each in found)
    assert any(each.eq(terms.implication(n >= 0, n - r >= -1)) for each in found)
    for guess in found:
        for a, b in values:
            assert z3.is_true(z3.simplify(z3.substitute(guess, (n, z3.IntVal(a)), (r, z3.IntVal(b))))), guess
