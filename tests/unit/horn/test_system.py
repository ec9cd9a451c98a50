"""Systems, call graphs, unfoldings and environments."""

from __future__ import annotations

import pytest
import z3

from sorrel.frontends.smtlib import read_text
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import CallGraph, HornSystem, environment, open_clause, unfold
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import TRUE, name_of
from sorrel.logic.walk import free_variables
from sorrel.model.errors import InternalError

FIB = read_text(
    """
(declare-fun fib (Int Int) Bool)
(declare-fun helper (Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (<= n 1) (= r n)) (fib n r))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (fib n r) (helper r))))
(assert (forall ((r Int)) (=> (and (helper r) (< r 0)) false)))
"""
)


def test_clauses_are_found_by_name_head_and_body() -> None:
    assert [c.name for c in FIB.defining["fib"]] == ["c0", "c1"]
    assert [c.name for c in FIB.using["fib"]] == ["c1", "c2"]
    assert [c.name for c in FIB.queries] == ["c3"]
    assert FIB.clause["c2"].head is not None
    assert FIB.statistics() == {"predicates": 2, "clauses": 4, "queries": 1, "recursive": 1}


def test_names_in_a_system_are_unique() -> None:
    p = Predicate("p")
    with pytest.raises(InternalError, match="two predicates"):
        HornSystem((p, Predicate("p")), ())
    with pytest.raises(InternalError, match="two clauses"):
        HornSystem((p,), (Clause("c", p(), (), TRUE), Clause("c", None, (p(),), TRUE)))


def test_components_of_the_call_graph_come_callees_first() -> None:
    graph = CallGraph({"main": ("even", "log"), "even": ("odd",), "odd": ("even", "log"), "log": ()})
    assert graph.components == (("log",), ("even", "odd"), ("main",))
    assert graph.recursive == {"even", "odd"}
    assert graph.callers["log"] == ("main", "odd")


def test_a_long_chain_of_calls_is_sorted_without_recursion() -> None:
    names = [f"p{i}" for i in range(20_000)]
    graph = CallGraph({name: tuple(names[i + 1 : i + 2]) for i, name in enumerate(names)})
    assert graph.components[0] == ("p19999",)
    assert not graph.recursive
    ring = CallGraph({name: (names[(i + 1) % len(names)],) for i, name in enumerate(names)})
    assert len(ring.components) == 1


def test_self_recursion_is_recursion() -> None:
    assert FIB.call_graph.recursive == {"fib"}


def test_unfolding_replaces_a_call_by_a_body() -> None:
    names = Names()
    start = open_clause(FIB.clause["c3"], names)
    once = unfold(start, 0, FIB.clause["c2"], names)
    twice = unfold(once, 0, FIB.clause["c0"], names)
    assert [call.predicate.name for call in once.calls] == ["fib"]
    assert twice.calls == ()
    solver = z3.Solver()
    solver.add(twice.constraint)
    assert solver.check() == z3.sat


def test_unfolding_needs_a_clause_of_the_called_predicate() -> None:
    start = open_clause(FIB.clause["c3"], Names())
    with pytest.raises(InternalError, match="does not define helper"):
        unfold(start, 0, FIB.clause["c0"], Names())


def test_an_unfolding_is_approximated_by_summaries_of_its_calls() -> None:
    names = Names()
    once = unfold(open_clause(FIB.clause["c3"], names), 0, FIB.clause["c2"], names)
    n, r = FIB.predicate["fib"].formals
    solver = z3.Solver()
    solver.add(once.approximate({"fib": terms.conjunction([r >= 0, n >= 0])}))
    assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(once.approximate({"fib": TRUE}))
    assert solver.check() == z3.sat


def test_an_environment_is_what_surrounds_a_call() -> None:
    found = environment([(FIB.clause["c3"], 0), (FIB.clause["c2"], 0), (FIB.clause["c1"], 1)])
    assert found.target.predicate.name == "fib"
    assert [call.predicate.name for call in found.calls] == ["fib"]
    n, r = FIB.predicate["fib"].formals
    summary = {"fib": terms.conjunction([r >= 0, n >= r - 100])}
    solver = z3.Solver()
    solver.add(found.approximate(summary), found.target.arguments[1] >= 0)
    assert solver.check() == z3.unsat


def test_an_environment_needs_a_call_that_is_there() -> None:
    with pytest.raises(InternalError, match="needs a call"):
        environment([])
    with pytest.raises(InternalError, match="has no call 5"):
        environment([(FIB.clause["c3"], 5)])
    with pytest.raises(InternalError, match="has no call 1"):
        environment([(FIB.clause["c3"], 0), (FIB.clause["c2"], 1)])


def test_unfoldings_are_deterministic() -> None:
    def variables() -> list[str]:
        names = Names()
        once = unfold(open_clause(FIB.clause["c1"], names), 0, FIB.clause["c1"], names)
        return [name_of(v) for v in free_variables(once.constraint)]

    assert variables() == variables()
