"""Ranking functions, and the check of certificates made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from sorrel.evidence.certificate import check
from sorrel.evidence.ranking import union
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected
from sorrel.frontends.smtlib import read_text
from sorrel.horn.clause import WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_ranks
from sorrel.horn.verdict import Rank, Ranks, Safe, Summaries, Terminating
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.smt.ranking import Transition, lexicographic_rank
from sorrel.smt.solver import Oracle

X, Y, X1, Y1 = z3.Ints("x y x1 y1")
R, R1 = z3.Reals("r r1")


def step(*literals: Term) -> Transition:
    return Transition((X, Y), (X1, Y1), literals)


def ranks(component: Term, transition: Transition) -> bool:
    """Is the component bounded, and does it decrease, by the solver's word?"""
    there = z3.substitute(component, *zip(transition.before, transition.after, strict=True))
    solver = z3.Solver()
    solver.add(*transition.literals, z3.Not(z3.And(component >= 0, there <= component - 1)))
    return bool(solver.check() == z3.unsat)


def linear_rank(oracle: Oracle, transition: Transition) -> Term | None:
    """A rank of one component, where there is one."""
    found = lexicographic_rank(oracle, [transition])
    return found[0] if found is not None and len(found) == 1 else None


@pytest.mark.parametrize(
    "literals",
    [
        [X > 0, X1 == X - 1],
        [X < 10, X1 >= X + 2, Y1 == Y],
        [X + Y >= 0, X1 == X + 1, Y1 == Y - 2],
        [X >= Y, X1 == X, Y1 == Y + 1],
        [X > Y, Y > 0, X1 == X - Y, Y1 == Y],
    ],
)
def test_a_linear_rank_is_found_and_decreases(literals: list[Term]) -> None:
    transition = step(*literals)
    found = linear_rank(Oracle(), transition)
    assert found is not None
    assert ranks(found, transition)


def test_reals_are_ranked_by_a_decrease_of_at_least_one() -> None:
    transition = Transition((R,), (R1,), (R >= 0, 3 * (R - R1) >= 1))
    found = linear_rank(Oracle(), transition)
    assert found is not None
    assert ranks(found, transition)
    halving = Transition((R,), (R1,), (R > 0, R1 == R / 2))
    assert linear_rank(Oracle(), halving) is None


def test_what_has_no_linear_rank_gets_none() -> None:
    for literals in ([X > 0, X1 == X + Y, Y1 == Y - 1], [X > 0, X1 == X], [X1 == X - 1]):
        assert linear_rank(Oracle(), step(*literals)) is None


def test_several_transitions_are_ranked_in_lexicographic_order() -> None:
    steps = [step(X > 0, X1 == X - 1), step(X1 == X, Y > 0, Y1 == Y - 1)]
    found = lexicographic_rank(Oracle(), steps)
    assert found is not None
    assert [str(component) for component in found] == ["x", "y"]
    assert lexicographic_rank(Oracle(), [*steps, step(X1 == X, Y1 == Y)]) is None


def descends(components: Sequence[Term], transition: Transition) -> bool:
    """Is every step within the relation of the lexicographic rank, by the solver's word?"""
    obligation = WellFounded("steps", transition.before, transition.after, ())
    solver = z3.Solver()
    solver.add(*transition.literals, z3.Not(union(obligation, (Rank(tuple(components)),))))
    return bool(solver.check() == z3.unsat)


@pytest.mark.parametrize(
    "steps",
    [
        [step(X >= 0, X1 == X + Y, Y1 == Y - 1)],
        [step(X >= 0, X1 == X + Y, Y1 <= Y - 1), step(X >= 5, X1 == X + Y - 1, Y1 == Y - 2)],
    ],
)
def test_a_function_may_decrease_only_once_another_one_is_negative(steps: list[Transition]) -> None:
    assert all(linear_rank(Oracle(), each) is None for each in steps)
    found = lexicographic_rank(Oracle(), steps)
    assert found is not None
    assert len(found) > 1
    assert all(descends(found, each) for each in steps)


def test_three_phases_are_found() -> None:
    z, z1 = z3.Ints("z z1")
    fall = Transition((X, Y, z), (X1, Y1, z1), (X >= 0, X1 == X + Y, Y + z == Y1, z1 == z - 1))
    found = lexicographic_rank(Oracle(), [fall])
    assert found is not None
    assert len(found) == 3
    assert descends(found, fall)


@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 4, st.integers(-3, 3)), min_size=3, max_size=5))
def test_whatever_is_found_in_phases_contains_the_step(rows: list[tuple[int, ...]]) -> None:
    transition = step(X >= 0, X1 == X + Y, *(_linear(row) >= 0 for row in rows))
    found = lexicographic_rank(Oracle(), [transition])
    assert found is None or descends(found, transition)


def test_distance_from_a_constant_is_not_preferred() -> None:
    """x is a rank for every start, 2 - y only for this one."""
    found = linear_rank(Oracle(), step(Y == 2, X > 0, X1 == X - Y, Y1 == Y + 1))
    assert found is not None
    assert str(found) == "x"


def _linear(numbers: tuple[int, ...]) -> Term:
    return sum((n * v for n, v in zip(numbers, (X, Y, X1, Y1), strict=False)), z3.IntVal(numbers[-1]))


@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 4, st.integers(-3, 3)), min_size=2, max_size=5))
def test_whatever_is_found_for_random_transitions_is_a_rank(rows: list[tuple[int, ...]]) -> None:
    transition = step(*(_linear(row) >= 0 for row in rows))
    found = linear_rank(Oracle(), transition)
    assert found is None or ranks(found, transition)


# Certificates


LOOP = """(set-logic HORN)
(declare-fun steps (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (or (and (> x 0) (= x1 (- x 1))) (and (= x1 x) (> y 0) (= y1 (- y 1)))) (steps x y x1 y1))))
(dwf loop ((x Int) (y Int)) ((x1 Int) (y1 Int)) (steps x y x1 y1))
(check-sat)
"""


@pytest.fixture
def system() -> HornSystem:
    return read_text(LOOP)


def summaries(system: HornSystem) -> Summaries:
    x, y, x1, y1 = system.predicate["steps"].formals
    falls = z3.Or(z3.And(x > 0, x1 == x - 1), z3.And(x1 == x, y > 0, y1 == y - 1))
    return {"steps": falls}


def lexicographic(system: HornSystem) -> Ranks:
    (obligation,) = system.obligations
    return {"loop": (Rank(obligation.before),)}


def test_ranks_that_contain_the_relation_are_accepted(system: HornSystem) -> None:
    x, y = system.obligations[0].before
    assert isinstance(check(system, Terminating(summaries(system), lexicographic(system))), Accepted)
    disjunctive = {"loop": (Rank((x,)), Rank((y,)))}
    assert isinstance(check(system, Terminating(summaries(system), disjunctive)), Accepted)


def test_a_proof_of_safety_says_nothing_about_obligations(system: HornSystem) -> None:
    result = check(system, Safe(summaries(system)))
    assert isinstance(result, NotConfirmed)
    assert "no ranks" in result.detail


def mutations(system: HornSystem) -> dict[str, Ranks]:
    (obligation,) = system.obligations
    x, y = obligation.before
    x1, _ = obligation.after
    return {
        "no rank": {},
        "an empty rank": {"loop": (Rank(()),)},
        "a component less": {"loop": (Rank((x,)),)},
        "components the other way round": {"loop": (Rank((y, x)),)},
        "another sign": {"loop": (Rank((-x, y)),)},
        "another bound": {"loop": (Rank((x - 2, y)),)},
        "another factor": {"loop": (Rank((x, y + x)),)},
        "a step's end": {"loop": (Rank((x1, y)),)},
        "a stranger": {"loop": (Rank((x, y, z3.Int("z"))),)},
        "not a number": {"loop": (Rank((x > 0, y)),)},
        "no meaning": {"loop": (Rank((z3.Function("f", z3.IntSort(), z3.IntSort())(x), y)),)},
        "another obligation": {**lexicographic(system), "elsewhere": (Rank((x,)),)},
    }


@pytest.mark.parametrize("change", list(mutations(read_text(LOOP))))
def test_ranks_changed_in_one_place_are_rejected(system: HornSystem, change: str) -> None:
    assert isinstance(check(system, Terminating(summaries(system), mutations(system)[change])), Rejected)


def test_a_summary_changed_in_one_place_is_rejected(system: HornSystem) -> None:
    x, y, x1, y1 = system.predicate["steps"].formals
    too_strong = z3.And(x > 0, x1 == x - 1)
    too_weak = z3.Or(x1 == x - 1, z3.And(x1 == x, y > 0, y1 == y - 1))
    for changed in (too_strong, too_weak, terms.TRUE):
        assert isinstance(check(system, Terminating({"steps": changed}, lexicographic(system))), Rejected)


def test_the_bound_of_one_rank_does_not_serve_the_decrease_of_another() -> None:
    """x is bounded and y decreases: no rank, though each half is one of some rank."""
    text = """(set-logic HORN)
(declare-fun t (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int)) (=> (and (>= x 0) (< y1 y) (= x1 x)) (t x y x1 y1))))
(dwf d ((x Int) (y Int)) ((x1 Int) (y1 Int)) (t x y x1 y1))
(check-sat)
"""
    system = read_text(text)
    a, b, c, d = system.predicate["t"].formals
    x, y = system.obligations[0].before
    found = {"t": z3.And(a >= 0, d < b, c == a)}
    for attempt in (((x,), (y,)), ((x, y),), ((y, x),), ((x + y,),)):
        verdict = Terminating(found, {"d": tuple(map(Rank, attempt))})
        assert isinstance(check(system, verdict), Rejected)


def test_a_certificate_survives_writing_and_reading(system: HornSystem) -> None:
    text = write_ranks(system, summaries(system), lexicographic(system))
    again = read_certificate(system, text)
    assert isinstance(again, Terminating)
    assert write_ranks(system, again.summaries, again.ranks) == text
    assert isinstance(check(system, again), Accepted)


@pytest.mark.parametrize(
    "line",
    [
        "(rank elsewhere ((x Int) (y Int)) (x))",
        "(rank loop ((y Int) (x Int)) (x))",
        "(rank loop ((x Int) (y Int)) x)",
        "(rank loop ((x Int) (y Int)) (z))",
    ],
)
def test_a_rank_that_cannot_be_read_is_refused(system: HornSystem, line: str) -> None:
    with pytest.raises(InputError):
        read_certificate(system, write_ranks(system, summaries(system), {}) + line)


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
def test_another_solver_confirms_on_the_text_and_rejects_a_wrong_rank(system: HornSystem, checker: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    good = Terminating(summaries(system), lexicographic(system))
    assert isinstance(recheck(LOOP, system, good, checker, 20), Accepted)
    bad = Terminating(summaries(system), mutations(system)["another bound"])
    assert isinstance(recheck(LOOP, system, bad, checker, 20), Rejected)
    assert isinstance(recheck(LOOP, system, Safe(summaries(system)), checker, 20), NotConfirmed)


def test_examples_with_obligations_survive_writing_and_reading(corpus: Path) -> None:
    from sorrel.horn.text import write_system

    for file in sorted((corpus / "terminating").glob("*.smt2")):
        once = write_system(read_text(file.read_text()))
        assert write_system(read_text(once)) == once, file.name
