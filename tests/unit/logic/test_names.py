"""Fresh names are deterministic, and never taken."""

from __future__ import annotations

from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import INT, name_of


def test_a_free_name_is_given_as_it_is() -> None:
    assert Names().fresh("x") == "x"


def test_a_taken_name_gets_a_number() -> None:
    names = Names(["x", "x!2"])
    assert [names.fresh("x") for _ in range(3)] == ["x!1", "x!3", "x!4"]


def test_numbers_do_not_pile_up() -> None:
    names = Names(["x"])
    first = names.fresh("x")
    assert names.fresh(first) == "x!2"


def test_reserved_names_are_avoided() -> None:
    assert Names(reserved={"p"}).fresh("p") == "p!1"


def test_a_name_that_starts_with_a_mark_is_kept() -> None:
    names = Names(["!odd"])
    assert names.fresh("!odd") == "!odd!1"


def test_the_same_wishes_give_the_same_names() -> None:
    wishes = ["x", "y", "x", "x!1", "y", "x"]
    first, second = Names(["y"]), Names(["y"])
    assert [first.fresh(w) for w in wishes] == [second.fresh(w) for w in wishes]


def test_renaming_keeps_sorts() -> None:
    variables = [terms.variable("x", INT), terms.variable("b", terms.BOOL)]
    renaming = Names(["x", "b"]).variables_like(variables)
    assert [(name_of(new), str(new.sort())) for _, new in renaming] == [("x!1", "Int"), ("b!1", "Bool")]
