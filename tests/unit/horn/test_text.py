"""The text form of systems, certificates and facts."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from sorrel.frontends.smtlib import read_file, read_text
from sorrel.horn.clause import Argument, Clause, Predicate, Role, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.text import (
    Facts,
    read_certificate,
    write_definition,
    write_derivation,
    write_summaries,
    write_system,
)
from sorrel.horn.verdict import Derivation, Safe, Step, Unsafe
from sorrel.logic import terms
from sorrel.logic.terms import BOOL, FALSE, INT, REAL, TRUE, name_of
from sorrel.model.errors import InputError, InternalError, Span

X, Y = terms.variable("x", INT), terms.variable("y", INT)
R = terms.variable("r", REAL)
THIRD = z3.RealVal("-1/3")
P = Predicate("p", (Argument("x", INT, Role.INPUT), Argument("r", REAL, Role.OUTPUT)))
ODD = Predicate("a strange name", (Argument("x.1", INT, Role.INPUT, 1, "x"), Argument("x.2", INT, Role.INPUT, 2, "x")))
DONE = Predicate("done")


def system() -> HornSystem:
    half = terms.variable("one half", REAL)
    return HornSystem(
        (P, ODD, DONE),
        (
            Clause("start", P(terms.integer(-1), R), (), z3.RealVal("-1/3") == R, Span('a "file".c', 3, 5, 3, 9)),
            Clause("twice", DONE(), (P(X, R), P(X, R)), TRUE),
            Clause("two words", ODD(X, X), (DONE(),), terms.negation(terms.negation(X > 0))),
            Clause("never", ODD(X, Y), (), FALSE),
            Clause("query", None, (P(X, half), ODD(X, Y)), terms.negation(z3.Or(X > Y, half > 2))),
        ),
        (WellFounded("d", (X,), (Y,), (ODD(X, Y),)),),
    )


def test_a_system_survives_writing_and_reading() -> None:
    original = system()
    again = read_text(write_system(original))
    assert write_system(again) == write_system(original)
    assert [c.name for c in again.clauses] == ["start", "twice", "two words", "never", "query"]
    assert again.predicates[0].arguments == P.arguments
    assert again.predicates[1].arguments == ODD.arguments
    assert again.clauses[0].origin == original.clauses[0].origin


def test_an_atom_that_stands_twice_is_kept_twice() -> None:
    """Derivations count premises by position."""
    again = read_text(write_system(system()))
    assert len(again.clause["twice"].body) == 2


def test_a_clause_that_can_never_be_applied_is_kept() -> None:
    assert terms.is_false(read_text(write_system(system())).clause["never"].constraint)


def test_the_text_is_taken_by_another_parser() -> None:
    text = "".join(line for line in write_system(system()).splitlines(True) if not line.startswith("(dwf"))
    solver = z3.SolverFor("HORN")
    solver.from_string(text)
    assert len(solver.assertions()) == 5


def test_obligations_survive_writing_and_reading() -> None:
    (again,) = read_text(write_system(system())).obligations
    assert again.name == "d"
    assert [name_of(v) for v in (*again.before, *again.after)] == ["x", "y"]
    assert [atom.predicate.name for atom in again.relation] == ["a strange name"]


def test_obligations_on_conjunctions_and_on_nothing_survive() -> None:
    for relation in ((ODD(X, Y), ODD(Y, X)), ()):
        original = HornSystem((ODD,), (), (WellFounded("d", (X,), (Y,), relation),))
        (again,) = read_text(write_system(original)).obligations
        assert len(again.relation) == len(relation)


def test_variables_that_text_could_not_tell_apart_are_refused() -> None:
    same_name = Clause("c", P(X, R), (), terms.conjunction([X > 0, terms.variable("x", BOOL)]))
    like_predicate = Clause("c", None, (P(terms.variable("p", INT), R),), TRUE)
    for clause in (same_name, like_predicate):
        with pytest.raises(InternalError, match="name of another symbol"):
            write_system(HornSystem((P,), (clause,)))


@pytest.mark.parametrize("folder", ["safe", "unsafe"])
def test_every_example_survives_writing_and_reading(corpus: Path, folder: str) -> None:
    for file in sorted((corpus / folder).glob("*.smt2")):
        once = write_system(read_file(file))
        assert write_system(read_text(once)) == once, file.name


# Certificates


def test_summaries_survive_writing_and_reading() -> None:
    owner = system()
    (x, r), (x1, x2) = P.formals, ODD.formals
    summaries = {"p": z3.And(x <= -1, r < z3.RealVal("-1/7")), "a strange name": x1 == x2, "done": TRUE}
    for kind, type_ in (("safe", Safe), ("facts", Facts)):
        again = read_certificate(owner, write_summaries(owner, summaries, kind))
        assert isinstance(again, type_)
        assert list(again.summaries) == list(summaries)
        for name, body in summaries.items():
            assert terms.same(terms.simplify(again.summaries[name]), terms.simplify(body))


def test_a_model_of_another_solver_is_a_certificate() -> None:
    owner = system()
    model = "((define-fun p ((a Int) (b Real)) Bool (> b 0.0))\n (define-fun done () Bool true))"
    for text in (model, f"(model {model[1:]}"):
        again = read_certificate(owner, text)
        assert isinstance(again, Safe)
        assert str(again.summaries["p"]) == "r > 0"


def test_definitions_write_quoted_names_and_sorts() -> None:
    written = write_definition(ODD, ODD.formals[0] > -2)
    assert written == "(define-fun |a strange name| ((x.1 Int) (x.2 Int)) Bool (> x.1 (- 2)))"


def values_system() -> HornSystem:
    return read_text(
        """
(declare-datatypes ((Pair 0)) (((pair (left Int) (right (Array Int Bool))))))
(declare-fun p (Int Real Bool (_ BitVec 8) (Array Int Int) Pair) Bool)
(assert (forall ((i Int) (r Real) (|a bool| Bool) (v (_ BitVec 8)) (m (Array Int Int)) (d Pair))
  (p i r |a bool| v m d)))
(assert (forall ((i Int) (r Real) (b Bool) (v (_ BitVec 8)) (m (Array Int Int)) (d Pair))
  (=> (p i r b v m d) false)))
"""
    )


def test_a_derivation_survives_writing_and_reading() -> None:
    owner = values_system()
    i, r, b, v, m, d = owner.clauses[0].variables
    values = {
        i: z3.IntVal(-5),
        r: z3.RealVal("-7/3"),
        b: TRUE,
        v: z3.BitVecVal(200, 8),
        m: z3.Store(z3.K(INT, z3.IntVal(-1)), z3.IntVal(-2), z3.IntVal(3)),
        d: d.sort().constructor(0)(z3.IntVal(-1), z3.K(INT, FALSE)),
    }
    renamed = dict(zip(owner.clauses[1].variables, values.values(), strict=True))
    derivation = Derivation((Step("c0", values), Step("c1", renamed, (0,))))
    written = write_derivation(owner, derivation)
    again = read_certificate(owner, written)
    assert isinstance(again, Unsafe)
    assert write_derivation(owner, again.derivation) == written
    assert again.derivation.steps[1].premises == (0,)
    for step, original in zip(again.derivation.steps, derivation.steps, strict=True):
        for variable, value in original.values.items():
            assert terms.same(terms.simplify(step.values[variable]), terms.simplify(value))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("(define-fun q () Bool true)", 13, "the system has no predicate q"),
        ("(define-fun p ((x Int)) Bool true)", 15, "p takes 2 arguments, not 1"),
        ("(define-fun p ((x Int) (r Int)) Bool true)", 15, "the arguments of p have other sorts"),
        ("(define-fun p ((x Int) (r Real)) Bool (> x y))", 44, "unknown constant y"),
        ("(define-fun done () Bool true)(define-fun done () Bool true)", 43, "done is defined twice"),
        ("(define-fun p x)", 1, "a definition is"),
        ("(assert true)", 1, "not a line of a certificate"),
        ("", 1, "this is not a certificate"),
        ("(step 1 twice () ())", 7, "step 0 is expected here"),
        ("(step 0 none () ())", 9, "the system has no clause none"),
        ("(step 0 twice ((x 1) (z 2)) ())", 22, "not a value of a variable of clause twice"),
        ("(step 0 twice ((x 1) (x 2)) ())", 22, "not a value of a variable of clause twice"),
        ("(step 0 twice ((x 1.5)) ())", 19, "not a value of the sort Int"),
        ("(step 0 twice ((x (div 1 0))) ())", 19, "not a value of the sort Int"),
        ("(step 0 twice ((x 1)) (a))", 23, "premises are numbers of steps"),
        ("(step 0 twice)", 1, "a step is"),
    ],
)
def test_certificates_that_do_not_fit_are_refused_where_they_do_not(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_certificate(system(), text, "proof")
    assert message in caught.value.message
    assert (caught.value.span.line, caught.value.span.column) == (1, column)
