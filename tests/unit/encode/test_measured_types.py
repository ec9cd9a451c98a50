"""Refinement types that tell what data measures: their clauses have a solution where the claim is true, else none."""

from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet

import sorrel
from sorrel.encode.refinement.encoding import encode
from sorrel.encode.refinement.precision import Precision
from sorrel.frontends import ocaml
from sorrel.functional.execution import Kind
from sorrel.functional.simplify import simplified
from sorrel.horn.system import HornSystem
from sorrel.horn.text import write_system
from sorrel.model.outcome import Answer
from sorrel.model.source import Source

pytestmark = pytest.mark.usefixtures("in_this_process")
SUM = "let rec sum l = match l with [] -> 0 | x :: t -> x + sum t\n"
APPEND = "let rec append a b = match a with [] -> b | x :: t -> x :: append t b\n"
SORTED = (
    "let rec sorted l = match l with [] -> true | [_] -> true | x :: y :: t -> x <= y && sorted (y :: t)\n"
    "let rec isort l = match l with [] -> [] | x :: t -> insert x (isort t)\n"
    "let main l = assert (sorted (isort l))"
)
TREE = "type tree = Tip of int | Fork of tree * tree\n"
TIPS = "let rec tips t = match t with Tip x -> x | Fork (l, r) -> tips l + tips r\n"
TRUE = {
    "a list turned round": (
        "sums",
        SUM
        + APPEND
        + "let rec rev l = match l with [] -> [] | x :: t -> append (rev t) [x]\n"
        + "let main l = assert (sum (rev l) = sum l)",
    ),
    "a list in two parts": (
        "sums",
        SUM
        + "let rec parts l = match l with [] -> ([], []) | x :: t ->\n"
        + "  let (a, b) = parts t in if x > 3 then (x :: a, b) else (a, x :: b)\n"
        + "let main l = let (a, b) = parts l in assert (sum a + sum b = sum l)",
    ),
    "insertion": (
        "orders",
        "let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y then x :: l else y :: insert x t\n" + SORTED,
    ),
    "numbers at the tips": (
        "sums",
        TREE
        + TIPS
        + "let rec turned t = match t with Tip x -> Tip x | Fork (l, r) -> Fork (turned r, turned l)\n"
        + "let main t = assert (tips (turned t) = tips t)",
    ),
    "a list that is written down, and one that is chosen": (
        "sums",
        SUM + "let main c a = let l = if c then [a; 2; 3] else [a; 5] in assert (sum l = a + 5)",
    ),
}
FALSE = {
    "the first element is lost": (
        "sums",
        SUM
        + APPEND
        + "let rec rev l = match l with [] -> [] | x :: t -> append (rev t) [x - x]\n"
        + "let main l = assert (sum (rev l) = sum l)",
    ),
    "an element in both parts": (
        "sums",
        SUM
        + "let rec parts l = match l with [] -> ([], []) | x :: t ->\n"
        + "  let (a, b) = parts t in if x > 3 then (x :: a, b) else if x = 2 then (x :: a, x :: b) else (a, x :: b)\n"
        + "let main l = let (a, b) = parts l in assert (sum a + sum b = sum l)",
    ),
    "an insertion in the wrong place": (
        "orders",
        "let rec insert x l = match l with [] -> [x] | y :: t -> if x <= y || y = 7 then x :: l else y :: insert x t\n"
        + SORTED,
    ),
    "a tip that is made larger": (
        "sums",
        TREE
        + TIPS
        + "let rec turned t = match t with Tip x -> Tip (x + 1) | Fork (l, r) -> Fork (turned r, turned l)\n"
        + "let main t = assert (tips (turned t) = tips t)",
    ),
    "a list that is written down, and a longer one": (
        "sums",
        SUM + "let main c a = let l = if c then [a; 2; 3] else [a; 5; 0; 1] in assert (sum l = a + 5)",
    ),
    "lists that are equal in size, sum and order": (
        "orders",
        "let main l = match l with [a; b; c] -> assert (not (a <= b && b <= c) || b = a || b = c) | _ -> ()",
    ),
}


def _marked(programs: dict[str, tuple[str, str]]) -> list[ParameterSet]:
    return [pytest.param(name, marks=pytest.mark.long if "insertion" in name else ()) for name in programs]


def _clauses(text: str, group: str) -> HornSystem:
    program = simplified(ocaml.read([Source("f.ml", text)], "main"))
    return encode(program, frozenset({Kind.ASSERTION}), Precision(measures=group)).system


def _answer(text: str, group: str) -> Answer:
    options = {"guidance": True, "restarts": True}
    return sorrel.solve(write_system(_clauses(text, group)), engine="spacer", options=options, timeout=60).answer


@pytest.mark.parametrize("name", _marked(TRUE))
def test_types_that_tell_measures_prove_what_sizes_do_not(name: str) -> None:
    group, text = TRUE[name]
    assert _answer(text, group) is Answer.SAFE


@pytest.mark.parametrize("name", _marked(FALSE))
def test_what_is_wrong_stays_wrong_over_measures(name: str) -> None:
    group, text = FALSE[name]
    assert _answer(text, group) is Answer.UNSAFE


def test_groups_are_those_that_tell_more_than_the_size() -> None:
    def groups(main: str) -> list[str]:
        program = simplified(ocaml.read([Source("f.ml", main)], "main"))
        return encode(program, frozenset({Kind.ASSERTION})).shapes.groups

    assert groups("let rec f l = match l with [] -> 0 | x :: t -> x + f t\nlet main l = assert (f l >= 0)") == [
        "sums",
        "orders",
    ]
    assert groups("let rec f l = match l with [] -> 0 | _ :: t -> 1 + f t\nlet main l = assert (f [l = 0] >= 0)") == []
    assert groups(
        "type t = Tip | Fork of t * t\nlet rec f t = match t with Tip -> 0 | Fork (l, _) -> f l\n"
        "let main t = assert (f t >= 0)"
    ) == ["heights"]
