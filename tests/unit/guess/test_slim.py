"""Proofs without what they do not need, what callers rely on, and what is missing."""

from __future__ import annotations

from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends import smtlib
from sorrel.guess.missing import missing
from sorrel.guess.slim import asked_for, slim, suffices
from sorrel.horn.verdict import Safe
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

# up(n, r): r = n counted up from 0; the query needs r >= 0 only, which is inductive together with r = n.
SYSTEM = smtlib.read_text(
    """(set-logic HORN)
(declare-fun up (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (= n 0) (= r 0)) (up n r))))
(assert (forall ((n Int) (r Int)) (=> (and (up n r) (>= n 0)) (up (+ n 1) (+ r 1)))))
(assert (forall ((n Int) (r Int)) (=> (and (up n r) (< r 0)) false)))
(check-sat)
""",
    "up.smt2",
)
(UP,) = SYSTEM.predicates
N, R = UP.formals


def oracle() -> Oracle:
    return Oracle(Budget(20.0).start())


def test_a_slim_proof_is_a_proof_and_has_nothing_to_spare() -> None:
    fat = terms.conjunction([terms.equal(N, R), R >= 0, N >= -1, R >= -5])
    slimmed = slim(SYSTEM, {"up": fat}, oracle())
    assert isinstance(check(SYSTEM, Safe(slimmed), 20.0), Accepted)
    assert len(terms.conjuncts(slimmed["up"])) == 1


def test_callers_rely_on_less_than_the_induction_does() -> None:
    proof = {"up": terms.conjunction([terms.equal(N, R), N >= 0, R >= 0])}
    asked = asked_for(SYSTEM, proof, oracle())["up"]
    assert oracle().entails(proof["up"], asked)
    assert len(terms.conjuncts(asked)) < 3
    assert suffices(SYSTEM, proof, "up", asked, oracle())
    assert not suffices(SYSTEM, proof, "up", R >= -1, oracle())


def test_many_clauses_are_asked_one_after_the_other() -> None:
    """More clauses than solvers are kept at once."""
    names = [f"p{i}" for i in range(60)]
    lines = ["(set-logic HORN)", *(f"(declare-fun {name} (Int) Bool)" for name in names)]
    lines.append("(assert (forall ((x Int)) (=> (= x 1) (p0 x))))")
    lines += [f"(assert (forall ((x Int)) (=> (p{i} x) (p{i + 1} (+ x 1)))))" for i in range(59)]
    lines.append("(assert (forall ((x Int)) (=> (and (p59 x) (< x 0)) false)))\n(check-sat)")
    system = smtlib.read_text("\n".join(lines), "chain.smt2")
    proof = {p.name: p.formals[0] >= 0 for p in system.predicates}
    assert asked_for(system, proof, oracle()).keys() == proof.keys()


def test_what_is_missing_would_be_enough() -> None:
    found = missing(SYSTEM, {}, oracle())["up"]
    assert suffices(SYSTEM, {"up": found}, "up", found, oracle())
    assert oracle().equivalent(found, R >= 0)
    assert missing(SYSTEM, {"up": R >= 0}, oracle()) == {}
