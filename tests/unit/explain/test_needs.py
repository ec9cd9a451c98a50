"""What callers rely on is told of their callees."""

from __future__ import annotations

from sorrel.explain.needs import with_needs
from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle

CLAUSES = """
(declare-fun callee (Int Int) Bool)
(declare-fun caller (Int Int) Bool)
(assert (forall ((x Int)) (callee x (+ x 1))))
(assert (forall ((x Int) (y Int)) (=> (callee x y) (caller x (+ y 1)))))
"""


def oracle() -> Oracle:
    return Oracle(Budget(seconds=10.0).start(), query_seconds=2.0)


def formals(system: HornSystem, name: str) -> tuple[Term, Term]:
    x, y = system.predicate[name].formals
    return x, y


def test_a_fact_that_a_caller_rests_on_is_told_before_one_that_nobody_needs() -> None:
    system = read_text(CLAUSES, "clauses")
    (x, y), (u, v) = formals(system, "callee"), formals(system, "caller")
    idle = [y != x - k for k in (1, 2, 3)]
    proved = {"callee": terms.conjunction([*idle, y > x, y == x + 1]), "caller": v == u + 2}
    told = {"callee": terms.conjunction(idle), "caller": v == u + 2}
    found = terms.conjuncts(with_needs(system, {"callee", "caller"}, proved, told, oracle())["callee"])
    assert any(terms.same(each, y == x + 1) for each in found)
    assert len(found) == 3


def test_what_suffices_is_left_as_it_is() -> None:
    system = read_text(CLAUSES, "clauses")
    (x, y), (u, v) = formals(system, "callee"), formals(system, "caller")
    proved = {"callee": terms.conjunction([y > x, y == x + 1]), "caller": v == u + 2}
    told = {"callee": y > x, "caller": v > u}
    assert terms.same(with_needs(system, {"callee", "caller"}, proved, told, oracle())["callee"], y > x)


def test_what_cannot_be_decided_adds_nothing() -> None:
    system = read_text(CLAUSES, "clauses")
    (x, y), (u, v) = formals(system, "callee"), formals(system, "caller")
    proved = {"callee": y > x, "caller": v > u}
    told = {"callee": terms.TRUE, "caller": v == u + 2}
    assert terms.is_true(with_needs(system, {"callee", "caller"}, proved, told, oracle())["callee"])
