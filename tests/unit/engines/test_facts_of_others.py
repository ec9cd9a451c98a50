"""Facts that another method has proved make a proof of the clauses as they were; Spacer tells what it has proved."""

from __future__ import annotations

import pytest

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SlicesOptions, SpacerOptions
from sorrel.engines.slices import INFORMED, Slices
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends import smtlib
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown
from sorrel.logic import terms
from sorrel.model.budget import Budget

COMMUTING = """
(set-logic HORN)
(declare-fun times (Int Int Int) Bool)
(assert (forall ((x Int)) (times x 0 0)))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (times x y r) (>= y 0)) (times x (+ y 1) (+ r x)))))
(assert (forall ((x Int) (y Int) (r Int) (s Int)) (=> (and (times x y r) (times y x s) (not (= r s))) false)))
(check-sat)
"""


class Products:
    """Somebody who knows what the clauses compute, or claims something that is wrong."""

    def __init__(self, *, is_right: bool) -> None:
        self._is_right = is_right

    def tell(self, system: HornSystem, facts: Summaries) -> None:
        """Has no use for it."""

    def known(self, system: HornSystem) -> Summaries:
        (predicate,) = system.predicates
        x, y, r = predicate.formals
        return {predicate.name: terms.equal(r, x * y) if self._is_right else terms.FALSE}


@pytest.fixture
def system() -> HornSystem:
    return smtlib.read_text(COMMUTING, "commuting.smt2")


def solved(system: HornSystem, exchange: Products, *, facts: bool = True) -> object:
    run = Circumstances(clock=Budget(seconds=300.0).start().share(1.0, 0.3), exchange=exchange)
    return Slices(SlicesOptions(slice=0.01, facts=facts)).solve(system, run, {})


def test_facts_of_others_make_a_proof_that_holds_of_the_clauses_as_they_were(system: HornSystem) -> None:
    verdict = solved(system, Products(is_right=True))
    assert isinstance(verdict, Safe)
    assert verdict.by == INFORMED
    assert isinstance(check(system, verdict), Accepted)


def test_wrong_facts_make_no_proof(system: HornSystem) -> None:
    assert isinstance(solved(system, Products(is_right=False)), Unknown)


def test_facts_can_be_left_out(system: HornSystem) -> None:
    assert isinstance(solved(system, Products(is_right=True), facts=False), Unknown)


class Listener:
    """Knows nothing, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[HornSystem, Summaries]] = []

    def tell(self, system: HornSystem, facts: Summaries) -> None:
        self.told.append((system, facts))

    def known(self, system: HornSystem) -> Summaries:
        return {}


def test_what_spacer_has_proved_by_the_end_of_its_time_is_told_and_inductive(system: HornSystem) -> None:
    listener = Listener()
    run = Circumstances(clock=Budget(seconds=300.0).start().share(1.0, 0.3), exchange=listener)
    assert isinstance(Spacer(SpacerOptions(lemmas=True)).solve(system, run, {}), Unknown)
    ((about, facts),) = listener.told
    assert not all(map(terms.is_true, facts.values()))
    rules = HornSystem(about.predicates, tuple(clause for clause in about.clauses if not clause.is_query))
    assert isinstance(check(rules, Safe(facts)), Accepted)
