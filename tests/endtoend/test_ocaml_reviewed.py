"""Programs that OCaml runs into an error in ways that are easy to overlook, and the same ones without an error."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import sorrel
from sorrel.cli.console import EXIT_USAGE
from sorrel.cli.main import main
from sorrel.encode.refinement.encoding import encode
from sorrel.frontends import ocaml
from sorrel.functional.execution import Kind
from sorrel.functional.simplify import simplified
from sorrel.horn.text import write_system
from sorrel.model.outcome import Answer
from sorrel.model.source import Source

pytestmark = pytest.mark.usefixtures("in_this_process")

KEY = 1_077_777
"""The argument with which `main` fails; the programs write it so that no run tries it by chance."""
HIDDEN = "(1000 * 1000 + 77777)"
WRONG = {
    "what a module opens it does not define": """
        let x = 1
        module M = struct let x = 2 end
        module N = struct open M let z = x end
        open N
        let main k = assert (x = 2 || k <> KEY)""",
    "what a module includes it defines": """
        module M = struct let x = 2 end
        open M
        module N = struct include M let w = x end
        let x = 5
        open N
        let main k = assert (x = 5 || k <> KEY)""",
    "a signature hides exceptions": """
        exception E
        module N : sig val f : int -> int end = struct exception E let f k = if k = KEY then raise E else k end
        open N
        let main k = try ignore (f k) with E -> () | _ -> assert false""",
    "a module of the user has nothing of ours": """
        let length _ = 42
        module List = struct let size l = length l end
        let main k = assert (List.size [] = 0 || k <> KEY)""",
    "operators that decide can be defined": """
        let (&&) a b = a || b
        let main k = if k = KEY && false then assert false""",
    "operators that apply can be defined": """
        let (|>) x f = f (x + 1)
        let main k = if k = KEY then assert ((1 |> fun x -> x) = 1)""",
    "an exception before all arguments are there": """
        exception E
        let rec f n = if n <= 0 then raise E else if n > 5 then f (n - 1) else fun x -> x + n
        let main k = if k = KEY then try ignore (f (k - k)) with E -> assert false""",
    "an assignment before all arguments are there": """
        let main k =
          let r = ref 0 in
          let rec f n = if n > 3 then f (n - 1) else (r := 1; fun x -> x + n) in
          let g = f 5 in
          if k = KEY then assert (!r = 0); ignore (g 1)""",
    "a pattern that fails before all arguments are there": """
        let f (Some x) y = x + y
        let rec loop n = if n > 0 then loop (n - 1) else None
        let main k = if k = KEY then try ignore (f (loop 3)) with Match_failure _ -> assert false""",
    "cases of exceptions handle the subject alone": """
        let main k = try (match k with 5 -> k | n -> if n = KEY then raise Exit else n | exception Exit -> 0)
          with Exit -> assert false""",
    "guards of exceptions decide": """
        exception E of int
        let f n = if n > 10 then raise (E n) else n
        let main k =
          let x = match f k with n -> n | exception E m when m > 20 -> 100 | exception (E _ | Exit) -> 11 in
          if k = KEY then assert (x = 11)""",
    "lists of lists": """
        let rec f l = match l with [] -> 0 | [] :: r -> f r | (x :: s) :: r -> assert (x >= 0); f (s :: r)
        let main k = f [[1]; [if k = KEY then - 1 else 1]]""",
    "an assertion that a handler raises again": """
        let f k = assert (k <> KEY)
        let main k = try f k with Not_found -> () | e -> print_int 3; raise e""",
    "what is asked for a random number is evaluated": """
        let main k = Random.int (assert (k <> KEY); 3)""",
}


def written(text: str, folder: Path) -> Path:
    path = folder / "program.ml"
    path.write_text(text.replace("KEY", HIDDEN), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", WRONG)
def test_the_error_is_found(name: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(WRONG[name], tmp_path), timeout=60)
    assert outcome.answer is Answer.UNSAFE, outcome.reason


@pytest.mark.skipif(shutil.which("ocamlc") is None, reason="there is no ocamlc")
@pytest.mark.parametrize("name", WRONG)
def test_ocaml_runs_into_the_error(name: str, tmp_path: Path) -> None:
    path = written(f"{WRONG[name]}\nlet _ = main {KEY}", tmp_path)
    program = tmp_path / "program"
    made = subprocess.run(["ocamlc", "-w", "-a", "-o", program, path], capture_output=True, timeout=60, check=False)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert "Assert_failure" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "let main (f : (int -> int) -> int) = try ignore (f (fun x -> raise Exit)) with Exit -> assert false",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "let main (f : (int -> int) -> int -> int) = ignore (f (fun x -> assert (x < 1000 * 1000); x))",
            marks=pytest.mark.long,
        ),
        "type t = F of (int -> int)  let main k = try ignore (F (fun x -> k) = F (fun x -> x)) with _ -> assert false",
        """type s = C of s  type t = A | B of s
           let rec f n = if n <= 0 then A else f (n - 1)
           let main k = match f (if k = KEY then 3 else 4) with A -> assert (k <> KEY) | B _ -> ()""",
    ],
)
def test_functions_from_outside_and_types_without_values_prove_nothing(text: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(text, tmp_path), timeout=60)
    assert outcome.answer is (Answer.UNSAFE if "KEY" in text else Answer.UNKNOWN), outcome.reason


@pytest.mark.parametrize(
    "text",
    [
        "let main n = if n > 0 then let x = Random.int n in assert (x >= 0 && x < n)",
        pytest.param(
            """type tree = Node of tree * tree | Leaf of int
           let rec size t = match t with Leaf _ -> 1 | Node (l, r) -> size l + size r
           let main (t : tree) = assert (size t >= 1)""",
            marks=pytest.mark.long,
        ),
        "let main n = assert ((match List.hd (if n > 0 then [n] else []) with x -> x | exception Failure _ -> 0) >= 0)",
        pytest.param(
            """let rec f l = match l with [] -> 0 | [] :: r -> f r | (x :: s) :: r -> assert (x >= 0); f (s :: r)
               let rec make n = if n <= 0 then [] else [n; n + 1] :: make (n - 1)
               let main n = f (make n)""",
            marks=pytest.mark.long,
        ),
        """let f n = assert (n < 1000)
           let safely g = try g (); true with Assert_failure _ -> false
           let main n = assert (safely (fun () -> f n) = (n < 1000))""",
        """type array = A | B  type ref = X of int
           let main k = match (if k then A else B), X 5 with A, X n -> assert (k && n = 5) | B, _ -> assert (not k)""",
    ],
)
def test_what_holds_is_proved(text: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(text, tmp_path), timeout=60)
    assert outcome.answer in (Answer.SAFE, Answer.ASSUMING), outcome.reason


@pytest.mark.parametrize(
    "text",
    [
        "let main n = let r = ref (fun x -> x) in r := (fun n -> if n <= 0 then 0 else !r (n - 1)); assert (!r n = 0)",
        "type t = F of (t -> int)  let main n = let f (F g) = g (F g) in assert (f (F f) = n)",
        "type v = |  let main (x : v option) = match x with None -> () | Some _ -> assert false",
        "type 'a t = N | C of 'a * ('a * 'a) t  let main (t : int t) = match t with N -> () | C _ -> assert true",
        "type s = C of s  let main (x : s) = assert (x <> x)",
    ],
)
def test_what_cannot_be_walked_is_refused_by_name(text: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(text, tmp_path), engine="spacer", timeout=60)
    assert outcome.answer is Answer.UNKNOWN
    assert "not supported" in str(outcome.reason)


def overflow(text: str, folder: Path) -> Answer:
    return sorrel.verify(written(text, folder), property="no-overflow", timeout=60).answer


def test_the_smallest_number_has_no_opposite_in_a_division_either(tmp_path: Path) -> None:
    divided = "let main x y = if x < - KEY * KEY && y < 0 && y > -3 then ignore (x / y)"
    assert overflow(divided, tmp_path) is not Answer.SAFE
    assert overflow("let main x y = if x > 5 && y <> 0 then ignore (x / y + x mod y)", tmp_path) is not Answer.SAFE
    assert (
        overflow("let main x y = if x > 5 && x < 99 && y <> 0 then ignore (x / y + x mod y)", tmp_path) is Answer.SAFE
    )


def test_a_loop_may_end_at_the_largest_number(tmp_path: Path) -> None:
    assert overflow("let main () = for i = max_int - 1 to max_int do ignore i done", tmp_path) is Answer.SAFE
    assert overflow("let main () = for i = max_int - 1 to max_int do ignore (i + 1) done", tmp_path) is Answer.UNSAFE


def test_functions_from_outside_may_stand_inside_of_data(tmp_path: Path) -> None:
    text = "let main (o : (int -> int) option) = match o with None -> () | Some f -> assert (f 3 = f 3)"
    assert sorrel.verify(written(text, tmp_path), timeout=60).answer is Answer.UNSAFE


def test_clauses_of_every_program_can_be_written(tmp_path: Path) -> None:
    for name in WRONG:
        source = Source("program.ml", written(WRONG[name], tmp_path).read_text(encoding="utf-8"))
        simpler = simplified(ocaml.read([source], "main"))
        assert write_system(encode(simpler, frozenset({Kind.ASSERTION})).system)


def test_what_a_handler_catches_is_seen_by_the_compiled_program_too(tmp_path: Path) -> None:
    divided = written("let main a b = try ignore (a / b) with Division_by_zero -> ()", tmp_path)
    outcome = sorrel.verify(divided, property="no-division-by-zero", timeout=60)
    assert outcome.answer is Answer.UNSAFE
    assert "let ( / ) a b = if b = 0" in outcome.harness


SUM = "let rec sum n = if n <= 0 then 0 else n + sum (n - 1)  let main n = assert (n <= sum n)"


@pytest.mark.parametrize(
    "options",
    [
        ["--witness", "w.yml"],
        ["--acsl", "a.ml"],
        ["--spec", "commutativity"],
        ["--arith", "exact"],
        ["--rule", "invariance"],
        ["--validate"],
        ["-I", "."],
        ["-D", "X=1"],
        ["--data-model", "LP64"],
        ["--property", "noninterference"],
        ["other.c"],
    ],
)
def test_what_is_about_other_languages_is_refused_by_name(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(written(SUM, tmp_path)), *options]) == EXIT_USAGE
    assert "OCaml" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--flow"], ["--acsl", "x.ml"], ["--data-model", "LP64"], ["-I", "."]])
def test_summaries_refuse_by_name_what_is_about_c(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summarize", str(written(SUM, tmp_path)), *options]) == EXIT_USAGE
    assert "OCaml" in capsys.readouterr().err


@pytest.mark.long
def test_proofs_can_be_checked_by_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    horn, certificate = str(tmp_path / "clauses.smt2"), str(tmp_path / "evidence")
    main(["verify", str(written(SUM, tmp_path)), "--horn", horn, "--certificate", certificate])
    capsys.readouterr()
    assert main(["check", horn, certificate]) == 0
    assert "accepted" in capsys.readouterr().out


def test_outcomes_are_told_to_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report, repeated = written(SUM.replace("<= sum", "< sum"), tmp_path), tmp_path / "r.sarif", tmp_path / "h.ml"
    main(["verify", str(path), "--json", "--sarif", str(report), "--harness", str(repeated)])
    told = json.loads(capsys.readouterr().out)
    assert told["answer"] == "unsafe"
    assert told["violation"]["kind"] == "assertion"
    [found] = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
    assert "let _ = main" in repeated.read_text(encoding="utf-8")
