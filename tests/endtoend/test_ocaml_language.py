"""Constructs of the language, run by the interpreter and by compiled OCaml."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sorrel.frontends import ocaml
from sorrel.functional.execution import Execution, Finished, Kind, Violated
from sorrel.functional.interpreter import execute
from sorrel.functional.simplify import simplified
from sorrel.model.errors import Unsupported
from sorrel.model.source import Source

LOG = """
let log = ref 0
let said n x = log := (!log * 7 + n) mod 1000003; x
"""
PROGRAMS = {
    "as many alternatives as are written": """
        type t = A | B | C | D of int
        let f = function A | B | C -> 1 | D (1 | 2 | 3 | 4 as n) -> n | D _ -> 7
        let g = function 0, x | x, 0 | 1, x when x > 2 -> x | _ -> -1
        let result = List.fold_left (fun s x -> s * 10 + x) 0
          [f C; f (D 3); f (D 4); f (D 5); g (0, 5); g (7, 0); g (1, 9); g (1, 2)]""",
    "arguments by label come in the order of the parameters": """
        let f ~a ~b c = a * 100 + b * 10 + c
        let result = f ~b:(said 1 2) ~a:(said 2 1) (said 3 3) + f (said 4 7) ~b:(said 5 8) ~a:(said 6 9) + f 1 2 3""",
    "what was not given waits": """
        let f ~a ~b c = a * 100 + b * 10 + c
        let g = (said 1 f) ~b:(said 2 5) (said 3 6)
        let h = f ~b:4
        let result = g ~a:(said 4 1) + h ~a:2 3 + (h 7 ~a:8)""",
    "defaults are evaluated when all arguments are there": """
        let h ?(x = said 1 10) ?(y = said 2 (x + 1)) z = x * 100 + y * 10 + z
        let g = h ~y:(said 3 1)
        let () = ignore (said 4 0)
        let apply k = k (said 5 3)
        let result = h 5 + g (said 6 2) + h ~y:7 ~x:8 9 + h ?x:None ?y:(Some 4) 1 + apply h
          + List.length (List.map h [1; 2])""",
    "labels are known inside of the recursion": """
        let rec sum ?(acc = 0) ~upto n = if n > upto then acc else sum ~upto ~acc:(acc + n) (n + 1)
        let pair ?x y = match x with None -> y | Some x -> x * y
        let result = sum ~upto:10 1 + pair 3 + pair ~x:4 5 + Option.value None ~default:3""",
    "operators may bind": """
        let ( let* ) o f = match o with None -> None | Some x -> f (x + 1)
        let ( and* ) a b = match a, b with Some x, Some y -> Some (x * 10 + y) | _ -> None
        let ( let+ ) n f = f n * 2
        let first = let* x = Some 3 in let* y = None in Some (x + y)
        let result = (match first with None -> 7 | Some n -> n) + (let+ x = 4 in x + 1)""",
    "operators may bind several": """
        let ( let* ) n f = f (n + 1)
        let ( and* ) a b = (a, b)
        let ( let* ) (a, b) f = f (a * 2, b)
        let result = let* x = 3 and* y = 4 in x * 10 + y""",
    "ranges of characters": """
        let kind c = match c with 'a'..'z' -> 1 | 'A'..'Z' | '_' -> 2 | '0'..'9' -> 3 | _ -> 4
        let result = kind 'a' + 10 * kind 'z'
          + 100 * kind 'Q' + 1000 * kind '5' + 10000 * kind '{' + 100000 * kind '_'""",
    "records inside of constructors": """
        type shape = Circle of { r : int } | Rect of { w : int; h : int } | Dot
        let area s = match s with Circle { r } -> 3 * r * r | Rect { w; h = height } -> w * height | Dot -> 0
        let is_rect = function Rect _ -> 1 | _ -> 0
        let result = area (Circle { r = 2 }) + area (Rect { h = said 1 3; w = said 2 5 })
          + is_rect (Rect { w = 1; h = 1 })""",
    "records that share fields": """
        type p2 = { x : int; y : int }
        type p3 = { x : int; y : int; z : int }
        type named = { x : int; name : string }
        let a = { x = 1; y = 2 }
        let b = { x = 3; y = 4; z = 5 }
        let norm (p : p2) = p.x + p.y
        let deep ({ x; z; _ } : p3) = x * z
        let result = norm a + b.z + deep b + (let c : p3 = { b with x = 9 } in c.z * c.x)""",
    "exceptions inside of expressions": """
        let find p l =
          let exception Found of int in
          try List.iter (fun x -> if p x then raise (Found x)) l; -1 with Found x -> x
        let first_square n =
          let exception Done of int in
          try for i = 0 to n do if i * i > n then raise (Done i) done; 0 with Done i -> i
        let result = find (fun x -> x > 3) [1; 5; 2] * 100
          + find (fun x -> find (fun y -> y = x) [7] = 7) [6; 7] + first_square 30""",
    "sorting": """
        let order a b = ignore (said (a * 3 + b) 0); compare a b
        let odd a b = ignore (said (a + b) 0); (a * 7 + b) mod 3 - 1
        let rec digits l = match l with [] -> 0 | x :: r -> (digits r * 11 + x) mod 1000003
        let lists = [[]; [4]; [2; 1]; [3; 1; 2]; [2; 3; 1]; [1; 1; 1];
          [5; 4; 3; 2; 1; 3; 9; 8; 2; 7; 6]; [2; 2; 1; 3; 3; 1; 0; 4]]
        let sum f = List.fold_left (fun acc l -> (acc * 3 + digits (f l)) mod 1000003) 0 lists
        let result = sum (List.sort order) + sum (List.stable_sort odd)
          + sum (List.sort_uniq order) + sum (List.sort_uniq odd)""",
    "more of lists": """
        let l = [3; 1; 2]
        let digits = List.fold_left (fun acc x -> acc * 10 + x) 0
        let result =
          digits (List.concat_map (fun x -> [x; said x (x + 1)]) l) + digits (List.rev_map (fun x -> said x x) l)
          + digits (List.merge compare [1; 4] [2; 3]) + digits (List.filteri (fun i _ -> i <> 1) l)
          + (match List.nth_opt l 5 with None -> 1 | Some x -> x) + List.length (List.remove_assoc 1 [(1, 2); (3, 4)])
          + List.compare_lengths l [1] + List.fold_right2 (fun a b acc -> a * b + acc) l l 0
          + (if List.for_all2 (fun a b -> a <= b) l [3; 2; 2] && not (List.exists2 ( > ) l l) then 5 else 6)
          + (if List.equal ( = ) l [3; 1; 2] then 7 else 8)""",
    "more of arrays": """
        let a = Array.of_list [3; 1; 2]
        let m = Array.make_matrix 2 3 1
        let () = m.(1).(2) <- 5
        let b = Array.append a (Array.sub a 1 2)
        let () = Array.blit b 0 b 1 3
        let result =
          Array.fold_right (fun x acc -> acc * 10 + x) b 0 + m.(0).(2) + m.(1).(2) * 2 + Array.length m
          + (if Array.mem 2 a && Array.exists (fun x -> x > 2) a && Array.for_all (fun x -> x > 0) a then 100 else 0)
          + Array.fold_left ( + ) 0 (Array.map2 ( * ) a a)""",
    "sorting of arrays": """
        let a = [|3; 1; 4; 1; 5; 9; 2; 6; 5; 3; 5|]
        let () = Array.sort (fun x y -> said (x + y) (compare x y)) a
        let result = Array.fold_left (fun acc x -> acc * 10 + x) 0 a""",
    "tuples that are matched on the spot": """
        let result =
          (match said 1 1, said 2 2 with (1, b) -> b | (a, b) -> a + b)
          + (match (said 3 1, said 4 2), said 5 3 with ((a, b), c) when a > b -> c | p -> fst (fst p))
          + (match said 6 1, said 7 2 with (a, b) -> a + b | exception Not_found -> 0)
          + (try (match (if said 8 1 = 1 then raise Exit else 1), failwith "later" with (a, b) -> a + b)
             with Exit -> 5)""",
    "modules inside of expressions": """
        let f n (x : 'a) =
          let module M = struct
            type t = A | B of int
            let base = said 1 n + 1
            let pair y = (y, y)
            let get = function A -> 0 | B k -> k
            module N = struct let z = base * 2 end
          end in
          let module L = List in
          let a, _ = M.pair 3 and b, _ = M.pair true in
          let _ = (x : 'a) in
          M.get (M.B (M.base + a)) + (if b then M.N.z else 0) + L.length [x]
        let result = f 4 'c' + f 5 "s" """,
    "patterns of mutable fields": """
        type t = { mutable a : int; b : int }
        let f { a; b } y = a * 10 + b + y
        let g r = match r with { a = 0; _ } -> 0 | { a; _ } when a > 5 -> a | { a = n; b } | { a = b; b = n } -> n + b
        let result =
          let r = { a = 3; b = 4 } in
          let early = f r and before = g r in
          r.a <- 7;
          let after = g r in
          (match r with { a; _ } -> r.a <- 0; said a (a + r.a)) + early 1 * 3 + before * 5 + after * 7 + g r""",
    "records inside of constructors as a whole": """
        type t = A of { mutable x : int; y : int } | B | C of { next : t; v : int }
        let f = function A r -> r.x <- r.x + 1; r.x + r.y | B -> 0 | C c -> c.v
        let rec depth = function C c -> 1 + depth c.next | A _ | B -> 0
        let g t = match t with
          | A ({ y; _ } as r) when y > 3 -> A r
          | A r -> A { r with y = said r.x 9 }
          | C c -> C { c with v = 7 }
          | B -> B
        let same = A { x = 2; y = 5 } and other = A { x = 3; y = 1 }
        let changed = g same and copied = g other
        let () = List.iter (function A r -> r.x <- r.x * 10 | _ -> ()) [same; other]
        let result = f changed * 1000 + f copied * 100 + f (g (C { next = B; v = 2 })) * 10
          + depth (C { next = C { next = same; v = 1 }; v = 2 })""",
    "what is done at last": """
        let f x = Fun.protect ~finally:(fun () -> ignore (said 1 0)) (fun () -> if x > 2 then raise Exit else said 2 x)
        let result = f 1 + (try f 3 with Exit -> said 3 7)
          + (try Fun.protect ~finally:(fun () -> raise Not_found) (fun () -> 0)
             with Fun.Finally_raised Not_found -> 9)""",
    "results": """
        let safe a b = if b = 0 then Error "zero" else Ok (a / b)
        let result = (match Result.bind (safe 10 2) (fun x -> safe x 0) with Ok n -> n | Error s -> String.length s)
          + Result.value (safe 8 2) ~default:0 + Option.fold ~none:1 ~some:(fun x -> x * 2) (Some 4)""",
    "formats": """
        let () = Printf.printf "%d and %s\\n" (said 1 3) (ignore (said 2 0); "x")
        let s = Printf.sprintf "%d-%s%%%b" 42 "ab" true
        let () = print_endline (Printf.sprintf "plain")
        let result = String.length s + (if s = "42-ab%true" then 100 else 0)""",
}


def written(name: str) -> str:
    return f"{LOG}{PROGRAMS[name]}\nlet total = result * 1000003 + !log\n"


@pytest.mark.skipif(shutil.which("ocamlc") is None, reason="there is no ocamlc")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_interpreter_does_what_compiled_ocaml_does(name: str, tmp_path: Path) -> None:
    source, program = tmp_path / "program.ml", tmp_path / "program"
    source.write_text(f"{written(name)}let () = print_newline (); print_int total", encoding="utf-8")
    made = subprocess.run(["ocamlc", "-w", "-a", "-o", program, source], capture_output=True, timeout=60, check=False)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True)
    total = done.stdout.split()[-1]
    assert isinstance(ran(name, f"total = {total}").end, Finished)
    assert isinstance(ran(name, f"total <> {total}").end, Violated)


def ran(name: str, condition: str) -> Execution:
    text = f"{written(name)}let main () = assert ({condition})"
    program = simplified(ocaml.read([Source("program.ml", text)], "main"))
    return execute(program, (), frozenset({Kind.ASSERTION, Kind.EXCEPTION}), steps=200_000)


@pytest.mark.skipif(shutil.which("ocamlc") is None, reason="there is no ocamlc")
def test_interfaces_name_operators_and_leave_out_what_modules_keep_to_themselves(tmp_path: Path) -> None:
    text = """
        module M : sig type t val make : int -> t end = struct type t = int let make x = x end
        type shape = Square of { side : int } | Dot
        let one = M.make 1
        let ( let* ) o f = match o with None -> None | Some x -> f x
        let ( mod ) a b = (a, b)
        let area ?scale ~shape () = (scale, shape = Dot)"""
    told = ocaml.read_functions([Source("program.ml", text)], "").interface.text({})
    assert "val one" not in told
    assert "val ( let* ) :" in told
    for name, content in (("program.ml", text), ("program.mli", told)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = ["ocamlc", "-w", "-a", "-c", "program.mli", "program.ml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "let f g = let exception E in g (fun () -> raise E)",
        "let f g = let exception E in try g (fun () -> raise E) with E -> 0",
        "let f () = let exception E in let h () = raise E in try h () with E -> 0",
        "let f () = let exception E in raise E",
        "let f x = let exception E of int in try if x then raise (E 1) else 0 with E n when n > 3 -> n",
        "module List = struct let iter f _ = f () end "
        "let f () = let exception E in try List.iter (fun () -> raise E) [] with E -> ()",
        "let f ?(x = y) y = x",
        "type t = A of { x : int }  let f t = match t with A r -> r",
        "type t = A of { x : int } | B of { x : int }  let f t = match t with A r -> B { r with x = 1 } | b -> b",
        'let f () = Printf.printf "%f" 1.0',
        'let f () = Printf.printf "%d"',
        "let f () = let module M = struct exception E end in M.E",
        "let f () = let module M = struct module N = struct exception E end end in M.N.E",
        "let f () = let module M (X : sig end) = struct end in ()",
        "let f x = lazy x",
        "let f = function `A -> 1 | `B -> 2",
        "class c = object end",
        "module F (X : sig end) = struct end",
        "module rec A : sig val x : int end = struct let x = 1 end",
        "let f (type a) (x : a) = x",
        "let f = function [| x; y |] -> x | _ -> 0",
        "let h = Hashtbl.create 3",
        "let f x = x +. 1.0",
        'external f : int -> int = "f"',
        "let%test f = 1",
    ],
)
def test_what_is_not_followed_is_refused_by_name(text: str) -> None:
    with pytest.raises(Unsupported):
        ocaml.read([Source("program.ml", f"{text}\nlet main () = ()")], "main")
