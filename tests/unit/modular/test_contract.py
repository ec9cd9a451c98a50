"""Lines of a contract say what is written there about the arguments, or nothing at all."""

from __future__ import annotations

import pytest

from sorrel.horn.clause import Argument, Predicate
from sorrel.horn.text import write_definition
from sorrel.logic import terms
from sorrel.modular.contract import WrongShape, read_summary

PREDICATE = Predicate("f", (Argument("x", terms.INT), Argument("ok", terms.BOOL)))
X, OK = PREDICATE.formals
LINE = "(define-fun f ((a0 Int) (a1 Bool)) Bool (and a1 (<= a0 3)))"
MEANT = terms.conjunction([OK, X <= 3])


def test_a_line_as_it_is_written_speaks_of_the_arguments() -> None:
    numbered = Predicate("f", (Argument("a0", terms.INT), Argument("a1", terms.BOOL)))
    a0, a1 = numbered.formals
    assert write_definition(numbered, terms.conjunction([a1, a0 <= 3])) == LINE
    assert terms.same(read_summary(PREDICATE, "f", (LINE,)), MEANT)


@pytest.mark.parametrize(
    "line",
    [
        "(define-fun f ((a0 Int) (a1 Bool))  Bool (and a1 (<= a0 3)))",
        "(define-fun f ( (a0 Int) (a1 Bool)) Bool (and a1 (<= a0 3))) ; as ever",
        "(define-fun f ((n Int) (b Bool)) Bool (and b (<= n 3)))",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool (and a1 (<= a0 3)) ; as ever\n)",
    ],
)
def test_a_line_in_another_layout_means_the_same(line: str) -> None:
    assert terms.same(read_summary(PREDICATE, "f", (line,)), MEANT)


@pytest.mark.parametrize(
    "line",
    [
        "(define-fun f ((a0 Int) (a1 Bool)) Bool )",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool a1 a1)",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool a1) (define-fun f ((a0 Int) (a1 Bool)) Bool false)",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool a1)) (assert (or false false)",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool true) (assert false)",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool (<= a0 3)",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool (<= a0 3) ; )",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool (<= a2 3))",
        "(define-fun f ((a0 Int) (a1 Bool)) Bool a0)",
        '(define-fun f ((a0 Int) (a1 Bool)) Bool (= a0 ")"))',
        "(define-fun f ((a0 Bool) (a1 Int)) Bool a0)",
        "(define-fun f ((a0 Int)) Bool true)",
        "(define-fun g ((a0 Int) (a1 Bool)) Bool true)",
        "(declare-const a2 Int)",
        "",
    ],
)
def test_a_line_that_was_changed_is_none(line: str) -> None:
    with pytest.raises(WrongShape):
        read_summary(PREDICATE, "f", (line,))


def test_names_in_a_line_are_those_that_it_binds() -> None:
    line = "(define-fun f ((a0 Int) (a1 Bool)) Bool (forall ((a0 Int)) (or a1 (<= a0 3))))"
    (spoken,) = {terms.name(v) for v in (OK,)}
    found = read_summary(PREDICATE, "f", (line,))
    assert terms.is_forall(found)
    assert spoken in str(found)
    assert "a1" not in str(found)
