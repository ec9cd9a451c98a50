"""Deep counterexamples: loops that are taken a million times are one loop of the derivation, checked by induction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import PathsOptions, SlicesOptions, SpacerOptions
from sorrel.engines.paths import Paths
from sorrel.engines.slices import Slices
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.recheck import recheck
from sorrel.evidence.result import Accepted, Rejected
from sorrel.frontends.smtlib import read_text
from sorrel.horn.readable import trace
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_derivation
from sorrel.horn.verdict import ROUND, Derivation, Safe, Step, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.smt.solver import Oracle
from sorrel.transform.loops import accelerate_loops, accelerate_sums

COUNTER = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int))
  (=> (and (P x y) (< x 1000000)) (P (+ x 1) (ite (< x 500000) (+ y 1) (- y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (>= x 1000000) (= y {end})) false)))
(check-sat)
"""
# Two predicates take turns; then another loop counts down to where it began.
TURNS = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(declare-fun Q (Int Int) Bool)
(declare-fun R (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 1000000) (P 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (P x n) (< x n)) (Q (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (Q x n) (P (+ x 2) n))))
(assert (forall ((x Int) (n Int)) (=> (and (P x n) (>= x n)) (R x 0))))
(assert (forall ((x Int) (n Int)) (=> (and (R x n) (> x 0)) (R (- x 1) (+ n 1)))))
(assert (forall ((x Int) (n Int)) (=> (and (R x n) (= x 0) (> n 1000001)) false)))
(check-sat)
"""


# The greater of two numbers by three calls, of which two end at once.
THREE_CALLS = """(set-logic HORN)
(declare-fun m (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (<= x y) (m x y y))))
(assert (forall ((x Int) (y Int) (a Int) (b Int) (r Int))
  (=> (and (> x y) (m (- x 1) y a) (m (- y 1) x b) (m a b r)) (m x y r))))
(assert (forall ((r Int)) (=> (and (m 500000 2 r) (not (= r 7))) false)))
(check-sat)
"""


# Every second round counts; and every third.
ALTERNATING = """(set-logic HORN)
(declare-fun P (Int Bool Int) Bool)
(assert (P 0 true 0))
(assert (forall ((x Int) (b Bool) (y Int))
  (=> (and (P x b y) (< x 1000000)) (P (+ x 1) (not b) (ite b (+ y 1) y)))))
(assert (forall ((x Int) (b Bool) (y Int)) (=> (and (P x b y) (>= x 1000000) (= y 500000)) false)))
(check-sat)
"""
THIRDS = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int))
  (=> (and (P x y) (< x 999999)) (P (+ x 1) (ite (= (mod x 3) 0) (+ y 1) y)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (>= x 999999) (= y 333333)) false)))
(check-sat)
"""


def solve(system: HornSystem) -> Verdict:
    return Spacer(SpacerOptions(passes="loops")).solve(
        system, Circumstances(Budget(seconds=60).start(), all_evidence=True), {}
    )


@pytest.mark.parametrize("text", [ALTERNATING, THIRDS, TURNS, COUNTER.format(end=0)])
def test_paths_on_which_loops_are_taken_at_once_are_short(text: str) -> None:
    system = read_text(text)
    run = Circumstances(Budget(seconds=20).start(), all_evidence=True)
    verdict = Paths(PathsOptions(levels=8, passes="loops")).solve(system, run, {})
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)
    assert sum(loop.count * (loop.last - loop.first + 1) for loop in verdict.derivation.loops) > 900_000


def refuted(text: str) -> tuple[HornSystem, Derivation]:
    system = read_text(text)
    verdict = solve(system)
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)
    return system, verdict.derivation


@pytest.mark.parametrize(("text", "loops"), [(COUNTER.format(end=0), 2), (TURNS, 2)], ids=["phases", "turns"])
def test_a_million_rounds_are_a_few_steps_that_both_solvers_confirm(text: str, loops: int) -> None:
    system, derivation = refuted(text)
    assert len(derivation.loops) == loops
    assert len(derivation.steps) < 10
    for checker in ("z3", "cvc5"):
        assert isinstance(recheck(text, system, Unsafe(derivation), checker, 60), Accepted)
    assert any("for i = 0, …," in step.fact for step in trace(system, derivation))


def test_the_text_of_a_derivation_with_loops_is_read_as_it_was_written() -> None:
    system, derivation = refuted(TURNS)
    written = write_derivation(system, derivation)
    again = read_certificate(system, written)
    assert isinstance(again, Unsafe)
    assert again.derivation.loops == derivation.loops
    assert isinstance(check(system, again), Accepted)
    with pytest.raises(InputError, match="four numbers"):
        read_certificate(system, written.replace("(loop 1 2", "(loop 1 x"))


def test_values_outside_of_loops_must_not_speak_of_rounds() -> None:
    system, derivation = refuted(TURNS)
    with pytest.raises(InputError, match="not a value"):
        read_certificate(system, write_derivation(system, replace(derivation, loops=derivation.loops[1:])))


def loop_mutants(derivation: Derivation) -> list[tuple[str, Derivation]]:
    first, *rest = derivation.loops
    changed = [
        ("one round more", replace(first, count=first.count + 1)),
        ("one round less", replace(first, count=first.count - 1)),
        ("no round", replace(first, count=0)),
        ("too long", replace(first, last=first.last + 1)),
        ("from itself", replace(first, entry=first.first)),
        ("outside", replace(first, last=99)),
    ]
    mutants = [(name, replace(derivation, loops=(loop, *rest))) for name, loop in changed]
    mutants.append(("overlapping", replace(derivation, loops=(first, first, *rest))))
    steps = list(derivation.steps)
    values = dict(steps[first.first].values)
    for variable in values:
        other = {**values, variable: values[variable] + 1}
        mutant = [*steps[: first.first], Step(steps[first.first].clause, other, steps[first.first].premises)]
        mutants.append((f"{variable} later", replace(derivation, steps=(*mutant, *steps[first.first + 1 :]))))
        faster = {**values, variable: values[variable] + ROUND * (ROUND - 1)}  # right in the first two rounds
        mutant = [*steps[: first.first], Step(steps[first.first].clause, faster, steps[first.first].premises)]
        mutants.append((f"{variable} faster", replace(derivation, steps=(*mutant, *steps[first.first + 1 :]))))
    return mutants


@pytest.mark.parametrize("text", [COUNTER.format(end=0), TURNS], ids=["phases", "turns"])
def test_a_loop_that_was_changed_in_one_place_is_rejected(text: str) -> None:
    system, derivation = refuted(text)
    for name, mutant in loop_mutants(derivation):
        assert isinstance(check(system, Unsafe(mutant)), Rejected), name


def test_what_a_loop_does_inside_is_no_premise_outside() -> None:
    system, derivation = refuted(TURNS)
    inside = next(loop for loop in derivation.loops if loop.last > loop.first)
    steps = list(derivation.steps)
    after = steps[inside.last + 1]
    steps[inside.last + 1] = Step(after.clause, after.values, (inside.first,))
    assert isinstance(check(system, Unsafe(replace(derivation, steps=tuple(steps)))), Rejected)


def test_a_loop_about_an_unknown_function_is_no_evidence() -> None:
    system, derivation = refuted(COUNTER.format(end=0))
    function = terms.declare("f", [terms.INT], terms.INT)
    steps = list(derivation.steps)
    number = derivation.loops[0].first
    values = {v: terms.apply(function, [value]) for v, value in steps[number].values.items()}
    steps[number] = Step(steps[number].clause, values, steps[number].premises)
    assert isinstance(check(system, Unsafe(replace(derivation, steps=tuple(steps)))), Rejected)


def test_a_property_that_holds_is_not_refuted_with_loops() -> None:
    system = read_text(COUNTER.format(end="(- 1)"))
    verdict = solve(system)
    assert not isinstance(verdict, Unsafe)
    if isinstance(verdict, Safe):
        assert isinstance(check(system, verdict), Accepted)


@pytest.mark.long
def test_loops_are_told_only_to_those_who_take_them() -> None:
    system = read_text(COUNTER.format(end=0))
    found = Slices(SlicesOptions(slice=0.2)).solve(system, Circumstances(Budget(seconds=3).start()), {})
    assert not (isinstance(found, Unsafe) and found.derivation.loops)


def test_a_system_without_moving_loops_is_left_alone() -> None:
    text = "(declare-fun P (Int) Bool)(assert (P 1))(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))"
    assert accelerate_loops(read_text(text), Oracle(Budget(seconds=5).start())) is None


def test_calls_that_end_at_once_are_answered_in_every_round() -> None:
    system, derivation = refuted(THREE_CALLS)
    (loop,) = derivation.loops
    assert loop.count > 499_000
    assert loop.last - loop.first == 2
    pytest.importorskip("cvc5")
    assert isinstance(recheck(THREE_CALLS, system, Unsafe(derivation), "cvc5", 60), Accepted)


# The sum of a counter; a sum of squares is one of sums, and not covered; what is added is the same in all rounds.
SUM = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 0 7))
(assert (forall ((i Int) (s Int)) (=> (and (P i s) (< i {rounds})) (P (+ i 1) (+ s (* 3 i) (- 2))))))
(assert (forall ((i Int) (s Int)) (=> (and (P i s) (>= i {rounds}) (= s {end})) false)))
(check-sat)
"""
STEPS = """(set-logic HORN)
(declare-fun P (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 5) (P 0 0 n))))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (P i s n) (< i 1000000)) (P (+ i 1) (+ s n) n))))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (P i s n) (>= i 1000000) (= s 13000000)) false)))
(check-sat)
"""


def added_up(rounds: int) -> int:
    return 7 + 3 * rounds * (rounds - 1) // 2 - 2 * rounds


def by_series(text: str, *, levels: int = 6) -> tuple[HornSystem, Verdict]:
    system = read_text(text)
    run = Circumstances(Budget(seconds=20).start(), all_evidence=True)
    return system, Paths(PathsOptions(levels=levels, passes="series")).solve(system, run, {})


@pytest.mark.parametrize("text", [SUM.format(rounds=1_000_000, end=added_up(1_000_000)), STEPS], ids=["sum", "steps"])
def test_sums_of_a_million_rounds_are_a_few_steps_that_both_solvers_confirm(text: str) -> None:
    system, verdict = by_series(text)
    assert isinstance(verdict, Unsafe)
    assert isinstance(check(system, verdict), Accepted)
    assert max(loop.count for loop in verdict.derivation.loops) > 900_000
    for checker in ("z3", "cvc5"):
        assert isinstance(recheck(text, system, verdict, checker, 60), Accepted)


def test_a_sum_that_is_off_by_one_is_not_refuted() -> None:
    _, verdict = by_series(SUM.format(rounds=9, end=added_up(9) + 1), levels=12)
    assert not isinstance(verdict, Unsafe)


def test_a_loop_that_adds_up_something_else_is_rejected() -> None:
    text = SUM.format(rounds=1_000_000, end=added_up(1_000_000))
    system, verdict = by_series(text)
    assert isinstance(verdict, Unsafe)
    (loop,) = verdict.derivation.loops
    step = verdict.derivation.steps[loop.first]
    for variable, value in step.values.items():
        bent = {**step.values, variable: value + ROUND * (ROUND - 1)}
        steps = [*verdict.derivation.steps]
        steps[loop.first] = replace(step, values=bent)
        forged = Unsafe(Derivation(tuple(steps), verdict.derivation.loops))
        assert isinstance(check(system, forged), Rejected)


def test_who_moves_by_constants_alone_has_no_series() -> None:
    assert accelerate_sums(read_text(COUNTER.format(end=0)), Oracle(Budget(seconds=5).start())) is None
