"""Predicates, atoms and clauses."""

from __future__ import annotations

from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import BOOL, INT, TRUE, name_of
from sorrel.model.errors import Span

X, Y, Z = (terms.variable(name, INT) for name in "xyz")
FIB = Predicate("fib", (Argument("n", INT, Role.INPUT), Argument("r", INT, Role.OUTPUT)))
DONE = Predicate("done")


def test_a_predicate_knows_its_formals_sorts_and_declaration() -> None:
    assert [name_of(formal) for formal in FIB.formals] == ["n", "r"]
    assert [str(sort) for sort in FIB.sorts] == ["Int", "Int"]
    assert FIB.declaration.arity() == 2
    assert repr(FIB) == "fib(n, r)"
    assert DONE.declaration.arity() == 0


def test_an_atom_is_a_term_and_binds_formals_to_arguments() -> None:
    atom = FIB(X + 1, Y)
    assert str(atom.term) == "fib(x + 1, y)"
    assert [(name_of(formal), str(argument)) for formal, argument in atom.bind()] == [
        ("n", "x + 1"),
        ("r", "y"),
    ]
    assert str(DONE().term) == "done"


def test_variables_and_locals_of_a_clause() -> None:
    clause = Clause("c", FIB(X, Y), (FIB(X - 1, Z),), terms.conjunction([X > 0, Y > Z]))
    assert [name_of(v) for v in clause.variables] == ["x", "y", "z"]
    assert [name_of(v) for v in clause.locals] == ["z"]
    assert not clause.is_query
    assert [p.name for p in clause.predicates] == ["fib", "fib"]


def test_the_formula_of_a_query_ends_in_false() -> None:
    clause = Clause("q", None, (FIB(X, Y),), Y < 0)
    assert str(clause.formula) == "Implies(And(y < 0, fib(x, y)), False)"
    assert clause.is_query
    assert [name_of(v) for v in clause.locals] == ["y", "x"]


def test_a_clause_is_renamed_apart() -> None:
    clause = Clause("c", FIB(X, Y), (), X == Y, Span("f", 3, 1))
    fresh, renaming = clause.rename_apart(Names(["x"]))
    assert [(name_of(a), name_of(b)) for a, b in renaming] == [("x", "x!1"), ("y", "y")]
    assert str(fresh.constraint) == "x!1 == y"
    assert fresh.origin == clause.origin


def test_nullary_predicates_are_no_variables() -> None:
    clause = Clause("c", DONE(), (DONE(),), TRUE)
    assert clause.variables == ()


def test_arguments_of_a_product_say_which_run_they_belong_to() -> None:
    argument = Argument("x.2", BOOL, Role.ACTIVATION, copy=2, base="x")
    assert (argument.copy, argument.base, argument.role) == (2, "x", "activation")
