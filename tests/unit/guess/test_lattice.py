"""Lattice Houdini keeps exactly the antecedents that induction needs."""

from __future__ import annotations

from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends import smtlib
from sorrel.guess.lattice import Implication, LatticeHoudini, Literal, Shape, index_terms
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

SUM = """(set-logic HORN)
(declare-fun sum (Int Int Int Int Int Int) Bool)
(assert (forall ((n Int) (m Int) (s Int) (t Int)) (=> (and (<= n 0) (<= m 0)) (sum n m s t s t))))
(assert (forall ((n Int) (m Int) (s Int) (t Int) (u Int) (v Int))
  (=> (and (> n 0) (> m 0) (sum (- n 1) (- m 1) (+ s n) (+ t m) u v)) (sum n m s t u v))))
(assert (forall ((n Int) (s Int) (u Int) (v Int)) (=> (and (sum n n s s u v) (distinct u v)) false)))
(check-sat)
"""


def system() -> HornSystem:
    return smtlib.read_text(SUM, "sum")


def shape(found: HornSystem) -> Shape:
    n, m, s, t, u, v = found.predicates[0].formals
    antecedents = (Literal(n == m), Literal(s == t), Literal(n >= 5))
    return Shape(terms.TRUE, antecedents, (Literal(u == v),), (2, 3))


def houdini(found: HornSystem) -> LatticeHoudini:
    return LatticeHoudini(found, {"sum": shape(found)}, Oracle(Budget(20).start()), {})


def test_only_the_antecedents_that_induction_needs_are_kept() -> None:
    assert houdini(system()).run() == {"sum": [Implication(frozenset({0, 1}), 0)]}


def test_what_is_left_settles_the_query_and_is_a_certificate() -> None:
    found = system()
    search = houdini(found)
    search.run()
    support = search.support()
    assert support is not None
    summaries = {name: terms.conjunction(facts) for name, facts in support.items()}
    assert isinstance(check_summaries(found, summaries), Accepted)


def test_nothing_is_left_when_no_antecedent_helps() -> None:
    found = system()
    n, _, _, _, u, v = found.predicates[0].formals
    weak = Shape(terms.TRUE, (Literal(n >= 5),), (Literal(u == v),), (1,))
    search = LatticeHoudini(found, {"sum": weak}, Oracle(Budget(20).start()), {})
    assert search.run() == {"sum": []}
    assert search.support() is None


def test_contradictory_antecedents_are_not_taken() -> None:
    found = system()
    n, _, _, _, u, v = found.predicates[0].formals
    odd = Shape(terms.TRUE, (Literal(n >= 5), Literal(n <= 4)), (Literal(u == v),), (2,))
    search = LatticeHoudini(found, {"sum": odd}, Oracle(Budget(20).start()), {})
    assert search.run() == {"sum": []}


def test_shrinking_drops_what_no_clause_needs() -> None:
    search = houdini(system())
    search.guess("sum", [Implication(frozenset({0, 1, 2}), 0)])
    search.run()
    search.shrink()
    assert all(i.antecedents <= {0, 1} for i in search.run()["sum"])


def test_preconditions_are_what_holds_at_every_call_from_a_query() -> None:
    """n = m and s = t are preserved by the recursion; n ≥ 5 is not."""
    assert houdini(system()).preconditions() == {"sum": frozenset({0, 1})}


def test_index_terms_are_where_arrays_are_read_and_what_is_passed_beside_them() -> None:
    text = """(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int)) (=> (= (select a (+ i 2)) 0) (p a i))))
(check-sat)
"""
    clause = smtlib.read_text(text, "p").clauses[0]
    assert sorted(map(str, index_terms(clause))) == ["i", "i + 2"]
