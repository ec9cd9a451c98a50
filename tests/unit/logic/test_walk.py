"""Walks look at every node once, however deep and however shared."""

from __future__ import annotations

import z3

from sorrel.logic import terms, walk
from sorrel.logic.terms import INT, Term, name_of

X, Y, Z = (terms.variable(name, INT) for name in "xyz")


def shared(levels: int) -> Term:
    """A term with 2^levels leaves and levels + 1 nodes."""
    term = X
    for _ in range(levels):
        term = term + term
    return term


def deep(levels: int) -> Term:
    term = X
    for _ in range(levels):
        term = -term
    return term


def test_a_shared_term_is_walked_once() -> None:
    assert walk.size(shared(50)) == 51
    assert list(map(name_of, walk.free_variables(shared(50)))) == ["x"]


def test_a_deep_term_is_walked_without_recursion() -> None:
    assert walk.size(deep(4_000)) == 4_001
    assert not walk.has_quantifier(deep(4_000) > 0)


def test_free_variables_come_in_order_of_first_occurrence() -> None:
    found = walk.free_variables(Y + X > Z, X > 0)
    assert list(map(name_of, found)) == ["y", "x", "z"]


def test_bound_variables_are_not_free() -> None:
    assert list(map(name_of, walk.free_variables(terms.exists([X], X > Y)))) == ["y"]


def test_subterms_come_parents_first() -> None:
    term = X + Y > Z
    found = list(walk.subterms(term))
    assert terms.same(found[0], term)
    assert len(found) == 5


def test_quantifiers_are_found_below_other_operators() -> None:
    assert walk.has_quantifier(z3.Or(X > 0, terms.forall([Y], Y > X)))


def test_applications_of_uninterpreted_functions_are_found() -> None:
    f = terms.declare("f", [INT], INT)
    found = walk.uninterpreted_applications(f(f(X)) > Y)
    assert [str(term) for term in found] == ["f(f(x))", "f(x)"]


def test_mentions_tells_which_subterms_apply_a_predicate() -> None:
    p = terms.declare("p", [INT], terms.BOOL)
    formula = z3.And(z3.Or(p(X), Y > 0), Z > 0)
    mentions = walk.Mentions(formula, frozenset({"p"}))
    left, right = formula.children()
    assert mentions(formula)
    assert mentions(left)
    assert not mentions(right)


def test_mentions_looks_under_quantifiers_and_into_arguments() -> None:
    p = terms.declare("p", [terms.BOOL], terms.BOOL)
    q = terms.variable("q", terms.BOOL)
    mentions = walk.Mentions(None, frozenset({"q"}))
    assert mentions(terms.forall([X], z3.Or(X > 0, p(q))))
    assert not mentions(terms.forall([X], X > 0))


def test_mentions_is_linear_on_shared_and_safe_on_deep_terms() -> None:
    p = terms.declare("p", [INT], terms.BOOL)
    mentions = walk.Mentions(None, frozenset({"p"}))
    assert mentions(p(shared(50)))
    assert not mentions(deep(4_000) > 0)


def test_mentions_is_not_fooled_by_terms_that_were_freed() -> None:
    """Addresses are used again for other terms once nobody holds the first."""
    p = terms.declare("p", [INT], terms.BOOL)
    mentions = walk.Mentions(None, frozenset({"p"}))
    for number in range(300):
        assert mentions(p(X + number))
        assert not mentions(X + number > Y)


def test_function_names_are_those_of_declared_functions_and_constructors() -> None:
    option = z3.Datatype("OptionOfWalk")
    option.declare("nothing")
    option.declare("just", ("content", INT))
    sort = option.create()
    f = terms.declare("f", [INT], INT)
    term = z3.And(f(X) > 0, z3.Const("o", sort) == sort.just(Y), sort.content(z3.Const("o", sort)) > 0)
    assert walk.function_names(term) == {"f", "just", "content"}
