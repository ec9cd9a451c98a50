"""Runs without an end: what comes to itself, and what a run does not look at."""

from __future__ import annotations

import pytest

from sorrel.frontends import ocaml
from sorrel.functional import lasso
from sorrel.functional.lasso import find_lasso
from sorrel.model.source import Source

SECONDS = 5.0


@pytest.fixture(autouse=True)
def short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the usual length; programs that end later than that do so here as well."""
    monkeypatch.setattr(lasso, "STEPS", lasso.STEPS // 5)
    monkeypatch.setattr(lasso, "MOST_CALLS", lasso.MOST_CALLS // 5)


ENDLESS = {
    "an accumulator grows": "let rec f n acc = if n = 5 then f n (acc + 1) else acc  let main n = ignore (f n 0)",
    "a list grows": "let rec f n l = if n > 0 then f n (n :: l) else l  let main n = ignore (f n [])",
    "a list grows at whose head is looked": """
        let rec f l = match l with [] -> 0 | x :: _ -> f (x :: l)
        let main (l : int list) = f l""",
    "a reference grows": """
        let main n = let c = ref 0 in let x = ref n in while !x > 3 do c := !c + 1; x := !x done""",
    "a field grows until it wraps round": """
        type t = { a : int; b : int }
        let rec f t = if t.a < 0 then t.b else f { t with b = t.b * 2 + 1 }
        let main n = ignore (f { a = n; b = 0 })""",
    "an element of an array grows": "let main () = let a = [|0; 0|] in while true do a.(0) <- a.(0) + 1 done",
    "a text grows": 'let rec f s = f (s ^ "a")  let main s = f s',
    "two steps make one": "let rec f b n = if b then f (not b) (n + 1) else f (not b) (n + 2)  let main n = f true n",
    "two functions make one": "let rec f n = g (n + 1) and g n = f (n * 2)  let main n = f n",
    "a handler goes on": """
        exception E
        let rec f n c = try if n > 0 then raise E else c with E -> f n (c + 1)
        let main n = ignore (f n 0)""",
}
ENDING = {
    "numbers wrap round": "let rec up n = if n >= 0 then up (n + 1) else n  let main n = ignore (up n)",
    "what grows is looked at late": "let rec f n = if n > 1000 then n else f (n + 1)  let main n = ignore (f n)",
    "through another name": """
        let main n = let a = ref 0 in let b = a in while !b < 1800 do a := !a + 1 done""",
    "inside of a comparison": "let rec f l n = if l = [n] then 0 else f (n :: l) n  let main n = f [] n",
    "by its length": 'let rec f s = if String.length s > 1800 then s else f (s ^ "a")  let main s = f s',
    "by a division": """
        let rec f n = ignore (100 / (n - 1999)); f (n + 1)
        let main n = try ignore (f n) with Division_by_zero -> ()""",
    "by an index": """
        let main (a : int array) = let i = ref 0 in try while true do ignore a.(!i); incr i done with _ -> ()""",
    "an exception left the first call": """
        exception E
        let f x = if x > 0 then raise E else x
        let main n = (try ignore (f n) with E -> ()); (try ignore (f n) with E -> ())""",
    "an exception left a call through a handler inside": """
        exception E
        let g x = try raise E with Not_found -> x
        let f x = try g x with E -> 0
        let main n = f n + f n""",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_run_without_an_end_is_found(name: str) -> None:
    assert find_lasso(ocaml.read([Source("program.ml", ENDLESS[name])], "main"), SECONDS) is not None


@pytest.mark.parametrize("name", ENDING)
def test_a_run_that_ends_is_not_taken_for_one_without_an_end(name: str) -> None:
    assert find_lasso(ocaml.read([Source("program.ml", ENDING[name])], "main"), 0.1) is None
