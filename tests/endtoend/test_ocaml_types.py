"""Refinement types of OCaml functions: golden ones, read back from their text, as interfaces."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import sorrel
from sorrel.encode.refinement.offering import offered
from sorrel.encode.refinement.readback import Readback
from sorrel.frontends import ocaml
from sorrel.functional.claims import CHECK, claim
from sorrel.functional.execution import Kind
from sorrel.functional.exploration import find_violation
from sorrel.functional.refined import RefinedFunction, read_refined
from sorrel.functional.simplify import simplified
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.printing_ml import ml_syntax
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.smt.solver import Oracle

pytestmark = pytest.mark.usefixtures("in_this_process")

GOLDEN = {
    "sum": (
        "let rec sum n = if n <= 0 then 0 else n + sum (n - 1)",
        "n:int -> {r:int | r >= 0 && r >= n}",
    ),
    "mc91": (
        "let rec mc91 n = if n > 100 then n - 10 else mc91 (mc91 (n + 11))",
        "n:int -> {r:int | r = (if n >= 101 then n - 10 else 91)}",
    ),
    "iter": (
        "let rec iter f i n = if i < n then (f i; iter f (i + 1) n)",
        "({x:int | x >= i && x < n} -> 'a) -> i:int -> n:int -> unit",
    ),
    "total": (
        "let rec fold_left f acc xs = match xs with [] -> acc | x :: rest -> fold_left f (f acc x) rest\n"
        "let total xs = fold_left (fun acc x -> acc + (if x > 0 then x else 0)) 0 xs",
        "int list -> {r:int | r >= 0}",
    ),
    "map": (
        "let rec map f xs = match xs with [] -> [] | x :: rest -> f x :: map f rest",
        "('a -> 'b) -> xs:'a list -> {r:'b list | List.length r = List.length xs}",
    ),
    "append": (
        "let rec append xs ys = match xs with [] -> ys | x :: rest -> x :: append rest ys",
        "xs:'a list -> ys:'a list -> {r:'a list | List.length r = List.length xs + List.length ys}",
    ),
    "fill": (
        "let fill a v = for i = 0 to Array.length a - 1 do a.(i) <- v done",
        "'a array -> 'a -> unit",
    ),
    "even": (
        "let rec even n = if n = 0 then true else odd (n - 1) and odd n = if n = 0 then false else even (n - 1)",
        "n:int -> {r:bool | r = (n mod 2 = 0)}",
    ),
    "sum_cps": (
        "let rec sum_cps n k = if n <= 0 then k 0 else sum_cps (n - 1) (fun r -> k (n + r))",
        "n:int -> ({x:int | x >= 0 && x >= n} -> 'a) -> 'a",
    ),
    "sort": (
        "let rec insert x xs = match xs with [] -> [x] | y :: rest -> if x <= y then x :: xs else y :: insert x rest\n"
        "let rec sort xs = match xs with [] -> [] | x :: rest -> insert x (sort rest)",
        "xs:'a list -> {r:'a list | List.length r = List.length xs}",
    ),
}
"""What a person would write; what is told is no longer than that."""
SLOW = ("total", "iter", "map", "append", "sort")


def written(text: str, folder: Path) -> Path:
    path = folder / "program.ml"
    path.write_text(text, encoding="utf-8")
    return path


def told(text: str, folder: Path, function: str = "") -> dict[str, str]:
    outcome = sorrel.summarize(written(text, folder), function=function)
    return {each.procedure: each.conjuncts[0].partition(" : ")[2] for each in outcome.program_contracts}


@pytest.mark.usefixtures("few_runs")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in SLOW else ()) for name in GOLDEN]
)
def test_a_type_is_what_a_person_would_write(name: str, tmp_path: Path) -> None:
    text, expected = GOLDEN[name]
    assert told(text, tmp_path, name) == {name: expected}


@pytest.mark.parametrize(
    "text",
    [
        *(expected for _, expected in GOLDEN.values()),
        "(int * int) list -> int",
        "p:(int * bool) -> {r:int | r = fst p}",
        "{n:int | n >= 0 && (n < 5 || n > 9)} -> ({x:int | x = n} -> {y:int | y > x} list) -> unit",
        "n:int -> {r:{x:int | x >= n} list | List.length r = n}",
        "{x:int | x >= 0} array -> {y:int | y > 1} list",
        "(int -> int) list -> ('a, 'b) t -> unit",
    ],
)
def test_a_type_is_read_from_its_text(text: str) -> None:
    assert str(read_refined(text)) == text


@pytest.mark.parametrize("text", ["", "int ->", "{r:int | r > 0", "(int -> int", "{:int | true}", "int }"])
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_refined(text)


def surviving(text: str, name: str, summaries: Summaries, said: str) -> str | None:
    encoding = offered(simplified(ocaml.read_functions([Source("program.ml", text)], name)))
    readback = Readback(encoding.shapes, summaries, Oracle(Budget().start()), ocaml.read_condition)
    found = readback.surviving(encoding.functions[name][0], read_refined(said))
    return None if found is None else str(found)


SUM = "let rec sum n = if n <= 0 then 0 else n + sum (n - 1)"
N, R = terms.variable("n", terms.INT), terms.variable("r", terms.INT)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("n:int -> {r:int | r >= n}", "n:int -> {r:int | r >= n}"),
        ("n:int -> {r:int | r > n}", "n:int -> r:int"),
        ("n:int -> {r:int | r >= n && r = 7}", "n:int -> {r:int | r >= n}"),
        ("n:int -> {r:int | r >= m}", "n:int -> r:int"),
        ("n:int -> {r:int | n / r = 1}", "n:int -> r:int"),
    ],
)
def test_a_promise_that_does_not_follow_is_not_told(said: str, left: str) -> None:
    assert surviving(SUM, "sum", {"sum:gives": R >= N}, said) == left


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("{n:int | n >= 3} -> int", True),
        ("{n:int | n >= 4} -> int", True),
        ("{n:int | n >= 2} -> int", False),
        ("int -> int", False),
        ("int -> int -> int", False),
    ],
)
def test_a_type_that_demands_less_than_the_proof_is_not_told(said: str, is_told: bool) -> None:
    assert (surviving(SUM, "sum", {"sum:takes": N >= 3}, said) is not None) == is_told


@pytest.mark.parametrize(
    ("text", "name", "said", "holds"),
    [
        (SUM, "sum", "n:int -> {r:int | r >= n}", True),
        (SUM, "sum", "n:int -> {r:int | r > n}", False),
        pytest.param(SUM, "sum", "{n:int | n > 1} -> {r:int | r > n}", True, marks=pytest.mark.long),
        pytest.param(
            GOLDEN["iter"][0],
            "iter",
            "({x:int | x >= i && x < n} -> 'a) -> i:int -> n:int -> unit",
            True,
            marks=pytest.mark.long,
        ),
        (GOLDEN["iter"][0], "iter", "({x:int | x > i} -> 'a) -> i:int -> n:int -> unit", False),
        pytest.param(
            "let rec up n = if n <= 0 then [] else n :: up (n - 1)",
            "up",
            "n:int -> {x:int | x > 0} list",
            True,
            marks=pytest.mark.long,
        ),
        ("let rec up n = if n <= 0 then [] else n :: up (n - 1)", "up", "n:int -> {x:int | x > 1} list", False),
    ],
)
def test_a_type_that_is_false_shows_in_a_run(text: str, name: str, said: str, holds: bool) -> None:
    refined = read_refined(said)
    assert isinstance(refined, RefinedFunction)
    checking = Source("claims.ml", f"open Program\n{claim(name, refined)}")
    program = ocaml.read([Source("program.ml", text), checking], CHECK)
    seconds = 0.1 if holds else 1.0  # what is not there is not found in a longer time either
    assert (find_violation(program, frozenset({Kind.ASSERTION}), seconds) is None) == holds


INTERFACE = """
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type point = { x : int; mutable y : int }
type shape = Circle of point * int | Pair of (int * int) | Fun of (int -> int)
exception Bad of int * string
let ( +! ) a b = a + b
let cell = ref []
let limit = 10
let compose f g x = f (g x)
let move p dx = { p with x = p.x + dx }
module M = struct type t = A let f A = 1 end
let hidden (x : M.t) = M.f x
"""


@pytest.mark.usefixtures("few_runs")
@pytest.mark.skipif(shutil.which("ocamlc") is None, reason="OCaml is not installed")
def test_an_interface_compiles_with_its_program(tmp_path: Path) -> None:
    outcome = sorrel.summarize(written(INTERFACE, tmp_path))
    (tmp_path / "program.mli").write_text(outcome.interface, encoding="utf-8")
    assert "(** p:point -> dx:int -> {r:point | r.x = p.x + dx} *)" in outcome.interface
    assert re.search(r"val \( \+! \) : int -> int -> int", outcome.interface)
    for file in ("program.mli", "program.ml"):
        command = ["ocamlc", "-w", "-a", "-c", file]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)


@pytest.mark.usefixtures("few_runs")
def test_a_function_that_calls_itself_with_a_function_keeps_all_its_parameters(tmp_path: Path) -> None:
    text = GOLDEN["iter"][0] + "\nlet main n = iter (fun i -> assert (i >= 0)) 0 n"
    outcome = sorrel.verify(written(text, tmp_path))
    assert outcome.answer.is_proof
    assert all("iter" not in each.procedure for each in outcome.program_contracts)


def test_summaries_are_about_functions_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no function nothing"):
        sorrel.summarize(written(SUM, tmp_path), function="nothing")


def test_a_condition_under_another_one_is_written_without_an_arrow() -> None:
    n, r = terms.variable("n", terms.INT), terms.variable("r", terms.INT)
    said = terms.implication(terms.conjunction([n > 3, n < 9]), r == n)
    assert ml_syntax(said, {"n": "n", "r": "r"}) == "not (n > 3 && n < 9) || r = n"
