"""The vocabulary of terms: building, taking apart, substituting."""

from __future__ import annotations

import gc

import pytest
import z3

from sorrel.logic import terms
from sorrel.logic.terms import FALSE, INT, TRUE, Term
from sorrel.model.errors import InternalError

X, Y = terms.variable("x", INT), terms.variable("y", INT)
P, Q, R = (terms.variable(name, terms.BOOL) for name in "pqr")


def deep_conjunction(depth: int) -> Term:
    term = P
    for number in range(depth):
        term = z3.And(term, terms.integer(number) < X)
    return term


def test_conjunction_flattens_drops_true_and_keeps_order() -> None:
    built = terms.conjunction([z3.And(P, TRUE), Q, z3.And(R, P)])
    assert [terms.name_of(c) for c in terms.conjuncts(built)] == ["p", "q", "r"]


def test_false_absorbs_a_conjunction_and_true_a_disjunction() -> None:
    assert terms.is_false(terms.conjunction([P, FALSE, Q]))
    assert terms.is_true(terms.disjunction([P, TRUE, Q]))


def test_empty_conjunctions_and_disjunctions_are_their_neutral_elements() -> None:
    assert terms.is_true(terms.conjunction([]))
    assert terms.is_false(terms.disjunction([]))
    assert terms.is_true(terms.joined([]))


def test_joined_keeps_what_stands_twice() -> None:
    assert terms.joined([P, P]).num_args() == 2
    assert terms.same(terms.joined([P]), P)


def test_negation_takes_off_a_negation() -> None:
    assert terms.same(terms.negation(terms.negation(P)), P)
    assert terms.is_false(terms.negation(TRUE))
    assert terms.is_true(terms.negation(FALSE))


def test_conjuncts_of_a_deep_term_are_found_without_recursion() -> None:
    assert len(terms.conjuncts(deep_conjunction(3_000))) == 3_001


def test_conjuncts_of_a_shared_term_are_linear() -> None:
    term = P
    for _ in range(50):
        term = z3.And(term, term)
    assert len(terms.conjuncts(term)) <= 100


def test_substitution_replaces_all_at_once() -> None:
    assert terms.same(terms.substitute(X < Y, [(X, Y), (Y, X)]), Y < X)


def test_substitution_does_not_capture() -> None:
    term = terms.exists([X], X < Y)
    replaced = terms.substitute(term, [(Y, X)])
    opened = terms.open_quantifier(replaced, [terms.variable("fresh", INT)])
    assert terms.same(opened, terms.variable("fresh", INT) < X)


def test_substitution_refuses_another_sort() -> None:
    with pytest.raises(InternalError, match="well-sorted"):
        terms.substitute(X < Y, [(X, terms.variable("b", terms.BOOL))])


def test_bound_variables_come_outermost_first() -> None:
    term = terms.forall([X, P], z3.Or(P, X > 0))
    assert [(name, str(sort)) for name, sort in terms.bound_variables(term)] == [("x", "Int"), ("p", "Bool")]
    assert terms.same(terms.open_quantifier(term, [Y, Q]), z3.Or(Q, Y > 0))


def test_values_are_told_from_terms() -> None:
    array = z3.Store(z3.K(INT, z3.IntVal(0)), 1, 2)
    assert terms.is_value(array)
    assert terms.is_value(z3.BitVecVal(3, 8))
    assert terms.is_value(z3.RealVal("1/3"))
    assert not terms.is_value(z3.Store(array, X, 2))
    assert not terms.is_value(X)
    assert not terms.is_value(z3.IntVal(1) + 1)


def test_values_that_share_parts_are_recognized_in_linear_time() -> None:
    tree = z3.Datatype("SharedTree")
    tree.declare("leaf")
    tree.declare("node", ("left", tree), ("right", tree))
    sort = tree.create()
    value = sort.leaf
    for _ in range(60):
        value = sort.node(value, value)
    assert terms.is_value(value)


@pytest.mark.parametrize(
    "sort",
    [terms.BOOL, INT, terms.REAL, terms.bitvector_sort(5), terms.array_sort(INT, terms.BOOL)],
    ids=str,
)
def test_every_sort_has_a_default_value(sort: terms.Sort) -> None:
    value = terms.default_value(sort)
    assert terms.is_value(value)
    assert value.sort() == sort


def test_distinct_and_equal_decide_what_is_obvious() -> None:
    assert terms.is_true(terms.equal(X, X))
    assert terms.is_false(terms.distinct(X, X))
    assert terms.is_distinct(z3.Xor(P, Q))


def test_terms_made_from_pointers_stay_alive_on_their_own() -> None:
    parts = terms.children(z3.And(X + 12345 < Y, Y < 54321))
    gc.collect()
    assert [str(part) for part in parts] == ["x + 12345 < y", "y < 54321"]
