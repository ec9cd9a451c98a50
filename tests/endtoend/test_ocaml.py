"""OCaml programs: reading, types, runs, proofs by refinement types."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import sorrel
from sorrel.cli.main import main
from sorrel.encode.refinement.encoding import encode
from sorrel.evidence.effort import Effort
from sorrel.frontends import ocaml
from sorrel.functional.execution import Execution, Finished, Kind, Violated
from sorrel.functional.exploration import find_violation
from sorrel.functional.interpreter import execute
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.type import shown
from sorrel.horn.verdict import Safe
from sorrel.methods.clauses import decide
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, ReplayResult, Standing
from sorrel.model.source import Source

pytestmark = pytest.mark.usefixtures("in_this_process")

ASSERTIONS = frozenset({Kind.ASSERTION})


def read(text: str, function: str = "main") -> Program:
    return ocaml.read([Source("program.ml", text)], function)


def run(text: str, *values: int, forbidden: frozenset[Kind] = ASSERTIONS) -> Execution:
    return execute(read(text), values, forbidden)


def written(text: str, folder: Path) -> Path:
    path = folder / "program.ml"
    path.write_text(text, encoding="utf-8")
    return path


def types(text: str) -> dict[str, str]:
    return {name: shown(type) for name, type in read(text).declared.items()}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("let id x = x", "id", "'a -> 'a"),
        ("let compose f g x = f (g x)", "compose", "('a -> 'b) -> ('c -> 'a) -> 'c -> 'b"),
        ("let rec map f = function [] -> [] | x :: r -> f x :: map f r", "map", "('a -> 'b) -> 'a list -> 'b list"),
        ("let swap (a, b) = (b, a)", "swap", "'a * 'b -> 'b * 'a"),
        ("let r = ref []  let f x = r := x :: !r; !r  let g = f 3", "f", "int -> int list"),
        ("type 'a t = L | N of 'a t * 'a  let rec n t = match t with L -> 0 | N (r, _) -> 1 + n r", "n", "'a t -> int"),
        ("type p = {x : int; mutable y : bool}  let f p = p.y <- p.x > 0", "f", "p -> unit"),
        ("module M = struct let twice f x = f (f x) end  let g = M.twice (fun b -> not b)", "g", "bool -> bool"),
    ],
)
def test_types_are_those_of_ocaml(text: str, name: str, expected: str) -> None:
    assert types(text)[name] == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("let f x = x + true", "this has type bool, but int is expected as an operand"),
        ("let f x = if x then 1 else false", "this has type bool, but int is expected by the other branch"),
        ("let f x = x x", "is applied to an argument"),
        ("let f x = y", "y is not defined"),
        ("let rec f = 1 + f", "not a function"),
    ],
)
def test_errors_name_both_types_and_the_place(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as found:
        read(text)
    assert complaint in str(found.value)
    assert found.value.span.line == 1


def test_operands_are_evaluated_from_right_to_left() -> None:
    text = """
    let r = ref 0
    let f x = r := !r * 10 + x; x
    let main () = let _ = f 1 + f 2 in let _ = (f 3, f 4) in assert (!r = 2143)
    """
    assert isinstance(run(text).end, Finished)


@pytest.mark.parametrize(
    ("subject", "order"),
    [("f 1, f 2", 12), ("(f 1, f 2), f 3", 213), ("1, f 1, 2, f 2", 12), ("!r + 3, f 1", 1), ("[f 1; f 2]", 21)],
)
def test_a_tuple_that_is_matched_on_the_spot_is_evaluated_from_left_to_right(subject: str, order: int) -> None:
    """As compiled OCaml does, which never makes that tuple; anything else goes from right to left."""
    text = f"""
    let r = ref 0
    let f x = r := !r * 10 + x; x
    let main () = (match {subject} with _ -> ()); assert (!r = {order})
    """
    assert isinstance(run(text).end, Finished)


@pytest.mark.parametrize(
    ("expression", "value"),
    [("-7 / 2", -3), ("-7 mod 2", -1), ("7 / -2", -3), ("max_int - 1 + 1", 2**62 - 1), ("5 lxor 3", 6)],
)
def test_arithmetic_is_that_of_ocaml(expression: str, value: int) -> None:
    assert isinstance(run(f"let main () = assert (({expression}) = ({value}))").end, Finished)


def test_an_exception_goes_to_the_innermost_handler_that_matches() -> None:
    text = """
    exception A of int
    exception B
    let f n = if n > 0 then raise (A n) else raise B
    let g n = try f n with B -> 100
    let main n = let r = (try g n with A k -> k + 1) in assert (r = (if n > 0 then n + 1 else 100))
    """
    assert isinstance(run(text, 3).end, Finished)
    assert isinstance(run(text, -3).end, Finished)


def test_deep_recursion_is_run() -> None:
    text = "let rec sum n = if n <= 0 then 0 else n + sum (n - 1) let main () = assert (sum 5000 = 12502500)"
    assert isinstance(execute(read(text), (), ASSERTIONS, steps=1_000_000).end, Finished)


def test_a_number_that_does_not_fit_ends_what_is_looked_at() -> None:
    assert not isinstance(run("let main n = assert (n + 1 > n)", 2**62 - 1).end, Violated)


def test_an_array_that_is_too_large_to_be_run_violates_nothing() -> None:
    found = run("let main n = ignore (Array.make n 0)", 2**60, forbidden=frozenset({Kind.BOUNDS}))
    assert not isinstance(found.end, Violated)


def test_violations_are_found_near_the_numbers_of_the_program() -> None:
    found = find_violation(read("let main x y = if x = 1234 then assert (y <> 77)"), ASSERTIONS, 5.0)
    assert found is not None
    assert [used.value for used in found.used] == [1234, 77]


SAFE = {
    "sum": "let rec sum n = if n <= 0 then 0 else n + sum (n - 1) let main n = assert (n <= sum n)",
    "iter": """let rec iter f i n = if i < n then (f i; iter f (i + 1) n)
               let main n = iter (fun k -> assert (0 <= k && k < n)) 0 n""",
    "append": """let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t
                 let rec append a b = match a with [] -> b | x :: t -> x :: append t b
                 let main a b = assert (length (append a b) = length a + length b)""",
    "filter": """let rec filter p l = match l with [] -> [] | x :: t -> if p x then x :: filter p t else filter p t
                 let main l n = List.iter (fun x -> assert (x > n)) (filter (fun x -> x > n) l)""",
    "references": "let main n = let s = ref 0 in for i = 1 to n do s := !s + i done; assert (!s >= 0)",
    "handler": """let rec find p l = match l with [] -> raise Not_found | x :: t -> if p x then x else find p t
                  let main x l = let y = (try find (fun y -> y > x) l with Not_found -> x + 1) in assert (y > x)""",
    "variants": """type s = Circle of int | Rect of int * int
                   let ok s = match s with Circle r -> r > 0 | Rect (a, b) -> a > 0 && b > 0
                   let grow s = match s with Circle r -> Circle (r + 1) | Rect (a, b) -> Rect (a + 1, b + 1)
                   let main s = if ok s then assert (ok (grow s))""",
    "cps": """let rec sum n k = if n <= 0 then k 0 else sum (n - 1) (fun x -> k (x + n))
              let main n = sum n (fun x -> assert (x >= n))""",
}


def test_branches_that_are_built_alike_are_one_value() -> None:
    """Twenty-seven ways through three choices of three lists, and nothing is walked twice."""
    text = """
    let pick order a b c = if order a b then [a; b; c] else if order b c then [b; c; a] else [c; b; a]
    let first l = match l with x :: _ -> x | [] -> 0
    let main a b c =
      let order x y = x < y in
      let one = first (pick order a b c) and two = first (pick order b c a) and three = first (pick order c a b) in
      assert (one + two + three <= 3 * max a (max b c))
    """
    assert len(encode(simplified(read(text)), ASSERTIONS).system.clauses) == 1


@pytest.mark.long
@pytest.mark.usefixtures("few_runs")
def test_what_only_long_runs_come_to_is_proved_from_what_it_promises_to_anyone(tmp_path: Path) -> None:
    text = """
    let rec double l = match l with [] -> [] | x :: rest -> x :: x :: double rest
    let rec wait n l = if n >= 9 then assert (List.length (double l) = 2 * List.length l) else wait (n + 1) l
    let main (l : int list) = wait 0 l
    """
    outcome = sorrel.verify(written(text, tmp_path), timeout=60, engine="facts")
    assert outcome.answer in (Answer.SAFE, Answer.ASSUMING), outcome.reason


SLOW = ("append", "sum", "references", "cps")


@pytest.mark.usefixtures("few_runs")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in SAFE]
)
def test_proved(name: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(SAFE[name], tmp_path), timeout=60)
    assert outcome.answer in (Answer.SAFE, Answer.ASSUMING), outcome.reason
    assert {assumption.kind for assumption in outcome.assumptions} <= {AssumptionKind.OVERFLOW}


UNSAFE = {
    "in words of a module of OCaml's": "let main n = Fun.protect ~finally:ignore (fun () -> assert (n <> 3))",
    "sum": SAFE["sum"].replace("n <= sum n", "n < sum n"),
    "iter": SAFE["iter"].replace("k < n", "k < n - 1"),
    "append": SAFE["append"].replace("+ length b", "+ length b + 1"),
    "filter": SAFE["filter"].replace("assert (x > n)", "assert (x > n + 1)"),
    "references": SAFE["references"].replace("!s >= 0", "!s >= 1"),
    "handler": SAFE["handler"].replace("x + 1", "x"),
    "variants": SAFE["variants"].replace("Circle (r + 1)", "Circle (r - 1)"),
    "cps": SAFE["cps"].replace("x >= n", "x > n"),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_refuted_by_a_run_that_the_compiled_program_repeats(name: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(UNSAFE[name], tmp_path), timeout=60, replay=True)
    assert outcome.answer is Answer.UNSAFE, outcome.reason
    assert outcome.violation is not None
    assert outcome.replay is not None
    expected = ReplayResult.REACHED if shutil.which("ocamlc") or shutil.which("ocamlfind") else ReplayResult.IMPOSSIBLE
    assert outcome.replay.result is expected, outcome.replay.detail


TERMINATING = {
    "ackermann": """let rec ack m n =
                      if m <= 0 then n + 1 else if n <= 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))
                    let main m n = ack m n""",
    "mutual": """let rec even n = if n <= 0 then true else odd (n - 1)
                 and odd n = if n <= 0 then false else even (n - 1)
                 let main n = even n""",
    "nested loops": "let main l n = List.iter (fun x -> for i = 0 to n do print_int (x + i) done) l",
    "a recursion inside of another": """let rec f n = if n <= 0 then 0 else
                 let rec go i = if i <= 0 then 0 else f (n - 1) + go (i - 1) in go n
                 let main n = f n""",
}
SLOW_TO_END = ("nested loops", "a recursion inside of another")


@pytest.mark.usefixtures("few_runs")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in SLOW_TO_END else name for name in TERMINATING]
)
def test_ends(name: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(TERMINATING[name], tmp_path), property="termination", timeout=60)
    assert outcome.answer is Answer.ASSUMING, outcome.reason
    assert outcome.rankings


def test_a_call_of_itself_with_the_same_arguments_never_ends(tmp_path: Path) -> None:
    text = "let rec f n = if n > 0 then f n else 0 let main n = f n"
    outcome = sorrel.verify(written(text, tmp_path), property="termination", timeout=60)
    assert outcome.answer is Answer.UNSAFE


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param(
            "let rec f n = if n = 0 then 0 else f (n - 1) let main n = f n", Answer.UNKNOWN, marks=pytest.mark.long
        ),
        (
            "let rec f n k = if n <= 0 then k () else f (n - 1) (fun () -> f n k) let main n = f n (fun () -> 0)",
            Answer.UNSAFE,
        ),
        ("let r = ref (fun x -> x) let main n = r := (fun x -> !r x); !r n", Answer.UNSAFE),
        (
            """let rec f n = let rec go i = if i <= 0 then 0 else f n + go (i - 1) in if n = 7 then go n else 0
               let main n = f n""",
            Answer.UNSAFE,
        ),
        ("let main k = let rec f n = k (fun () -> f n) in f 1", Answer.UNKNOWN),
    ],
)
def test_what_may_go_on_forever_is_not_said_to_end(text: str, answer: Answer, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(text, tmp_path), property="termination", timeout=60)
    assert outcome.answer is answer, outcome.reason


def test_third_party_programs_are_read(bench_folder: Path) -> None:
    for path in sorted((bench_folder / "caml").glob("*.ml")):
        assert "main" in ocaml.read([Source(str(path))], "main").declared, path


# Where one type for each function is not enough


CAPTURED = """let rec compose f g n = if n <= 0 then f (g ()) else compose (fun x -> f x) (fun () -> g ()) (n - 1)
let main m = compose (fun x -> assert (x = m)) (fun () -> m) 3"""
TWO_USES = """let rec copy l = match l with [] -> [] | x :: rest -> x :: copy rest
let main n = List.iter (fun x -> assert (x > 0)) (copy [1; 2]); List.iter (fun x -> assert (x = n)) (copy [n])"""


@pytest.mark.usefixtures("few_runs")
@pytest.mark.parametrize(
    "text",
    [CAPTURED, pytest.param(TWO_USES, marks=pytest.mark.long)],
    ids=["what functions captured", "a type for each use"],
)
def test_types_tell_more_apart_where_one_for_each_function_is_too_weak(text: str, tmp_path: Path) -> None:
    outcome = sorrel.verify(written(text, tmp_path), engine="spacer", timeout=60)
    assert outcome.answer.is_proof
    assert "each use of a function has a type of its own" in outcome.notes


def test_finer_types_do_not_prove_what_is_false(tmp_path: Path) -> None:
    text = CAPTURED.replace("f x)", "f (x + 1))")
    simpler = simplified(read(text))
    finer = encode(simpler, ASSERTIONS).finer
    assert all(each.copies for each in finer)
    assert any(any(counts) for each in finer for counts in each.ghosts.values())
    assert any(each.unfolded for each in finer)
    for each in finer:
        effort = Effort(Options(engine="spacer"), Budget(20).start(), lambda _: None)
        assert not isinstance(decide(encode(simpler, ASSERTIONS, each).system, effort, {}), Safe)


def test_the_function_whose_type_is_too_weak_is_named_on_a_chain_of_calls(tmp_path: Path) -> None:
    text = """let rec turns l = match l with [] -> 0 | x :: rest -> x - turns rest
let main n = if n > 0 then assert (turns [n; 1; 2] = n + 1)"""
    outcome = sorrel.verify(written(text, tmp_path), engine="spacer", timeout=60)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert "the type of turns is too weak" in outcome.reason.message
    assert "turns (program.ml:2)" in outcome.reason.message


def test_a_program_that_always_wraps_to_its_harm_is_not_said_to_be_safe(tmp_path: Path) -> None:
    outcome = sorrel.verify(written("let () = assert (max_int + 1 > 0)", tmp_path), timeout=20)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.assumptions[0].standing is Standing.REFUTED


def test_where_numbers_that_wrap_do_harm_the_assumption_says_how(tmp_path: Path) -> None:
    outcome = sorrel.verify(written("let main n = assert (n < n + 1)", tmp_path), engine="spacer", timeout=60)
    assert outcome.answer is Answer.ASSUMING
    assert outcome.assumptions[0].standing is Standing.OPEN
    assert f"with n = {2**62 - 1}, assertion violated at" in outcome.assumptions[0].detail


def test_a_run_without_an_end_is_told_call_by_call(tmp_path: Path) -> None:
    text = "let rec f a b = if a = b then 0 else f b a\nlet main a b = ignore (f a b)"
    outcome = sorrel.verify(written(text, tmp_path), property="termination", timeout=60)
    assert [event.procedure for event in outcome.run] == ["main", "f", "f", ""]
    assert "goes on forever" in outcome.run[-1].text
    assert all(event.span.line for event in outcome.run)


@pytest.mark.usefixtures("few_runs")
def test_answers_are_in_the_words_of_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "let rec sum n = if n <= 0 then 0 else n + sum (n - 1)\nlet main n = assert (sum n >= n)"
    main(["verify", str(written(text, tmp_path)), "--engine", "spacer"])
    said = capsys.readouterr().out
    assert said.startswith("safe, assuming no integer leaves its 63 bits\nIn every run every assertion holds.\n")
    assert "val sum : n:int -> {r:int | " in said
