"""Between a body and what it excludes there is a sum of the body's inequalities, if linear arithmetic shows it."""

from __future__ import annotations

import pytest

from sorrel.logic import terms
from sorrel.smt.solver import Oracle, Unsat
from sorrel.smt.sums_between import sums_between

X, Y, Z = (terms.variable(name, terms.INT) for name in "xyz")
TWO_STEPS = terms.conjunction([terms.equal(Y, X + 1), terms.equal(Z, Y + 1)])


def test_two_steps_of_a_counter_are_a_difference_of_two() -> None:
    found = sums_between(Oracle(), TWO_STEPS, terms.conjunction([terms.equal(X, terms.integer(0)), Z >= 100]), (X, Z))
    assert found is not None
    assert Oracle().equivalent(found, Z <= X + 2)


@pytest.mark.parametrize(
    "body",
    [
        terms.disjunction([TWO_STEPS, terms.conjunction([X >= 50, Z <= X])]),
        terms.conjunction([terms.disjunction([Y <= X, Y <= 7]), Z <= Y + 1]),
    ],
)
def test_what_lies_between_follows_from_the_body_and_excludes_the_environment(body: terms.Term) -> None:
    environment = terms.conjunction([terms.equal(X, terms.integer(0)), terms.distinct(Z, terms.integer(3)), Z >= 60])
    found = sums_between(Oracle(), body, environment, (X, Z))
    assert found is not None
    assert Oracle().entails(body, found)
    assert isinstance(Oracle().check(found, environment), Unsat)


def test_there_is_nothing_between_what_holds_together() -> None:
    assert sums_between(Oracle(), TWO_STEPS, Z >= 100, (X, Z)) is None
