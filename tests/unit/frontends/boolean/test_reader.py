"""Boolean programs with words: what is read, what is refused and where."""

from __future__ import annotations

import pytest

import folders
from sorrel.finite.function import FiniteProgram
from sorrel.finite.simulate import NoReturn, Returned, Simulator
from sorrel.frontends.boolean import Overflow, read_program
from sorrel.logic.printing import infix
from sorrel.model.errors import InputError

EXAMPLES = folders.EXAMPLES / "finite"


def run(program: FiniteProgram, *arguments: int) -> tuple[int, ...] | None:
    match Simulator(program).run(program.functions[0].name, arguments, 100_000):
        case Returned(values):
            return values
        case NoReturn():
            return None
    raise AssertionError("out of steps")


def read(text: str, width: int = 8, overflow: str = "wrap") -> FiniteProgram:
    return read_program(text, "test.bool", width=width, overflow=Overflow(overflow))


def test_the_examples_compute_what_they_say() -> None:
    programs = {p.stem: read(p.read_text()) for p in EXAMPLES.glob("*.bool")}
    assert [run(programs["fibonacci"], n) for n in range(1, 7)] == [(1,), (2,), (3,), (5,), (8,), (13,)]
    assert run(programs["hanoi"], 5) == (31,)
    assert run(programs["sum"], 10) == (55,)
    assert run(programs["gcd"], 84, 36) == (12,)
    assert run(programs["combination"], 6, 3) == (20,)
    assert run(programs["combination"], 2, 3) is None
    assert [run(programs["swap"], x, y) for x in (0, 1) for y in (0, 1)] == [(0,), (0,), None, (0,)]


def test_overflow_wraps_around_or_does_not_return() -> None:
    text = "f(a: word, b: word) returns (r: word) { return a + b; }"
    assert run(read(text), 200, 100) == (44,)
    assert run(read(text, overflow="discard"), 200, 100) is None
    assert run(read(text, overflow="discard"), 200, 55) == (255,)


@pytest.mark.parametrize(
    ("expression", "a", "b", "wrapped", "exact"),
    [
        ("a - b", 3, 5, 254, False),
        ("a * b", 16, 16, 0, False),
        ("a * b", 15, 17, 255, True),
        ("a / b", 7, 0, 255, False),
        ("a % b", 7, 0, 7, False),
        ("a / b", 7, 2, 3, True),
        ("-a", 1, 0, 255, False),
        ("a << b", 3, 7, 128, True),
        ("(a & b) ^ ~(a | b)", 12, 10, 249, True),
    ],
)
def test_arithmetic_is_exact_or_as_in_smtlib(expression: str, a: int, b: int, wrapped: int, exact: bool) -> None:
    text = f"f(a: word, b: word) returns (r: word) {{ r := {expression}; }}"
    assert run(read(text), a, b) == (wrapped,)
    assert run(read(text, overflow="discard"), a, b) == ((wrapped,) if exact else None)


def test_a_return_inside_nested_loops_leaves_them_all() -> None:
    text = """
    f(n: word) returns (r: word) {
      var i, j: word;
      i := 0;
      while i < n do
        j := 0;
        while j < n do
          if i * j = 6 then return i + j; fi
          j := j + 1;
        od
        i := i + 1;
      od
      return 99;
    }
    """
    program = read(text)
    assert [run(program, n) for n in (2, 4, 7)] == [(99,), (5,), (7,)]
    assert len(program.functions) == 3


def test_functions_that_are_not_recursive_are_inlined() -> None:
    text = """
    main(n: word) returns (r: word) { var a: word; a := twice(n); r := count(a); }
    twice(n: word) returns (r: word) { if n > 100 then return 200; fi return n + n; }
    count(n: word) returns (r: word) { var a: word; if n = 0 then return 0; fi a := count(n - 1); return a + 1; }
    """
    program = read(text)
    assert [f.name for f in program.functions] == ["main", "count"]
    assert run(program, 21) == (42,)


def test_mutual_recursion_is_kept() -> None:
    text = """
    even(n: word) { var m: word; if n = 0 then return true; fi m := n - 1; r := odd(m); return r; }
    odd(n: word) { var m: word; if n = 0 then return false; fi m := n - 1; r := even(m); return r; }
    """
    program = read(text)
    assert [f.name for f in program.functions] == ["even", "odd"]
    assert [run(program, n) for n in range(4)] == [(1,), (0,), (1,), (0,)]


def test_variables_start_as_true() -> None:
    assert run(read("f() { return x; x := false; }")) == (1,)


def test_branches_without_calls_are_one_path() -> None:
    text = "f(a, b, c) { x := a; if b then x := ~x; fi if c then x := x ^ b; fi if a then x := b; fi return x; }"
    assert len(read(text).functions[0].paths) == 1


def test_properties_speak_of_parameters_and_results() -> None:
    program = read_program("f(x, y) { return x; } property r = x;", properties=["~r | x"])
    assert [infix(p.formula) for p in program.properties] == ["r = x", "¬r ∨ x"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("f(x) { return *; }", "1:15", "nondeterministic"),
        ("f(x) { return x }\ng(x) { return y; }\nproperty z;", "3:10", "no variable z"),
        ("f(x) { return g(x); }", "1:15", "a call is not an expression"),
        ("f(x) { y := g(x); return y; }", "1:13", "there is no function g"),
        ("f(x) { y := f(x, x); return y; }", "1:8", "takes 1 arguments"),
        ("f(x) { x, y := f(x); return y; }", "1:8", "1 results, not 2"),
        ("f(x: word) { return x; }", "1:21", "a truth value is expected"),
        ("f(x: word, b) { return x = b; }", "1:26", "sides of `=`"),
        ("f(x: word[4]) { return x = 16; }", "1:28", "does not fit"),
        ("f(x) { return x < x; }", "1:17", "takes words"),
        ("f(x: word) { return x => x; }", "1:23", "takes truth values"),
        ("f(x) { if x then return x; }", "1:28", "`fi` is expected"),
        ("f(x) { while x do x := ~x; return x; }", "1:38", "`od` is expected"),
        ("f(x) { if x then return x; fi }", "1:1", "can end without a return"),
        ("f(x) { if x then return x, x; fi return x; }", "1:34", "has 2 results, not 1"),
        ("f(x, x) { return x; }", "1:6", "declared twice"),
        ("f(f) { return f; }", "1:3", "the name of a function"),
        ("bvadd(x) { return x; }", "1:1", "function of SMT-LIB"),
        ("f(x) { return x; } f(x) { return x; }", "1:20", "two functions f"),
        ("f(x: int) { return x; }", "1:6", "a type is expected"),
        ("f(x: word[0]) { return x; }", "1:11", "number of bits"),
        ("f(x) { return x? }", "1:16", "no meaning"),
        ("f(x) { return x; var y: word; }", "1:18", "declarations stand at the beginning"),
        ("f(x) { x := f(x) + 1; return x; }", "1:18", "`;` is expected"),
        ("", "1:1", "no function"),
        ("f(x) { return " + "(" * 300 + "x", "1:115", "levels of nesting"),
        ("f(x) { x, x := x; }", "1:16", "a call is expected"),
        ("f(x) { f(x); }", "1:9", "`:=` is expected"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as told:
        read(text)
    assert message in str(told.value)
    assert str(told.value.span) == f"test.bool:{place}"


def test_long_chains_of_operators_are_fine() -> None:
    chain = " | ".join(["x", "~x & x"] * 2000)
    assert run(read(f"f(x) {{ return {chain}; }}"), 1) == (1,)


def test_numbers_take_the_width_of_what_stands_beside_them() -> None:
    program = read("f(a: word[4], b: word[12]) { return 1 + a = 2 & 3 < 1000 + b | 300 = b; }", width=8)
    assert [run(program, a, b) for a, b in ((1, 5), (2, 5), (2, 300))] == [(1,), (0,), (1,)]


def test_too_many_paths_are_refused() -> None:
    branches = "if a then b := f(b, a); fi " * 12
    with pytest.raises(InputError, match="paths lead through here"):
        read("f(a, b) { " + branches + "return b; }")
