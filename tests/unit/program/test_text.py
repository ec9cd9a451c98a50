"""The text form of programs: the documented example, and errors that say where."""

from __future__ import annotations

import re

import pytest

from folders import DOCUMENTS
from sorrel.model.errors import InputError, Span
from sorrel.program.interpreter import run
from sorrel.program.loops import loops
from sorrel.program.program import Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.run import Finished, Violated
from sorrel.program.statement import Assign
from sorrel.program.text import read, write, write_expression
from sorrel.program.validate import validate

DOCUMENT = DOCUMENTS / "program.md"


def _example() -> Program:
    (example,) = re.findall(r"## An example\n\n```\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    return read(example, "example")


def test_the_documented_example_is_a_program() -> None:
    program = _example()
    assert read(write(program), "again") == program
    assert run(program, [100]).end == Finished((), (1,))
    (loop,) = loops(program.procedure["sum"])
    assert loop.span == Span("sum.c", 4, 3, 7, 4)


def test_a_loop_as_a_procedure_takes_what_lives_and_gives_what_it_changes() -> None:
    recursive, origins = loops_as_procedures(_example())
    validate(recursive)
    ((name, origin),) = origins.items()
    assert (origin.procedure, origin.header, origin.exits) == ("sum", "head", ("done",))
    procedure = recursive.procedure[name]
    assert {variable.name for variable in procedure.parameters} == {"i", "n", "s"}
    assert [variable.name for variable in procedure.outputs] == ["s"]
    assert run(recursive, [100]).end == Finished((), (1,))


SEARCH = """
procedure main() returns (r: int) {
  local i: int; local j: int;
start: i = 0; goto outer @"s.c":2:1;
outer: if i < 5 goto first else missing;
first: j = 0; goto inner;
inner: if j < 5 goto test else next;
test: if i * j == 6 goto found else more;
more: j = j + 1; if j == 4 goto next else inner;
next: i = i + 1; goto outer;
found: r = 10 * i + j; return;
missing: r = -1; return;
}
"""


def test_a_jump_out_of_two_loops_becomes_an_exit_of_both() -> None:
    program = read(SEARCH, "search")
    recursive, origins = loops_as_procedures(program)
    validate(recursive)
    assert {origin.header: set(origin.exits) for origin in origins.values()} == {
        "outer": {"found", "missing"},
        "inner": {"found", "next"},
    }
    assert run(recursive).end == run(program).end == Finished((23,), ())


def test_a_loop_that_is_never_left() -> None:
    program = read(
        "procedure main() { local x: int; a: x = 1; goto b; b: assert x < 9; x = x + 1; goto b; }", "forever"
    )
    recursive, _ = loops_as_procedures(program)
    validate(recursive)
    (last, first) = (run(each).end for each in (recursive, program))
    assert isinstance(last, Violated)
    assert isinstance(first, Violated)
    assert last.assertion == first.assertion


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("procedure main() { l: x = 1; return; }", 1, 23, "the variable x is not declared"),
        ("global x: u8 =\n  300u8;", 2, 3, "300 is not a value of type u8"),
        ("global x: i32 = 1i32 + ;", 1, 24, "expected an expression, found ';'"),
        ("global x: i32 = (1i32 + 2i32;", 1, 29, "expected ')' for '(', found ';'"),
        ("global x: i32 = 1i32 + 1u8;", 1, 22, "the operands of + differ: i32 and u8"),
        ("procedure main() {\n l: call f(); return; }", 2, 5, "there is no procedure f to call"),
        ("procedure main() { l: goto m; }", 1, 23, "there is no block m to go to"),
        ("procedure main() { l: m: return; }", 1, 23, "the block before 'm' does not end"),
        ("procedure main() { l: _ = 1; return; }", 1, 25, "only a call gives values"),
        ("procedure main() { }", 1, 20, "expected the label of a block, found '}'"),
        ("global `x", 1, 8, "a ` is not closed on its line"),
        ("global `\\x`: int;", 1, 8, "bad escape"),
        ("global local: int;", 1, 8, "local is reserved"),
        ("global x: real = 1/00r;", 1, 18, "the denominator is zero"),
        ("global x: int = 5x;", 1, 17, "not a number"),
        ("global x: i0;", 1, 11, "expected a type"),
        ("global x: [int;", 1, 15, "expected ']', found ';'"),
        ("global x: int = 1 # 2;", 1, 19, "unexpected character '#'"),
        ("global x: int; global x: int;", 1, 23, "two globals are called x"),
        ("procedure f() { l: return; }", 1, 1, "there is no procedure main"),
        ("procedure main() { l: stop @1; }", 1, 30, "expected ':'"),
        ("procedure main() { local x: int; l: havoc x somehow; stop; }", 1, 45, "expected one of input, external"),
        ("procedure main() { l: assert true as doubt; stop; }", 1, 38, "expected one of error-call"),
        ("procedure main() { l: stop;", 1, 28, "expected the label of a block, found the end of the text"),
        (f"global x: int = {'9' * 5000};", 1, 17, "more than 4000 digits"),
    ],
)
def test_errors_say_where_and_what(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read(text, "bad.txt")
    assert (caught.value.span.file, caught.value.span.line, caught.value.span.column) == ("bad.txt", line, column)


@pytest.mark.parametrize(
    "text",
    [
        "b - (b - c) - -2 * -(3) <= (a ? b : c) && !a",
        "(a ==> a) ==> a ==> a",
        "a ? a ? a : a : a ? a : a",
        "(a ? a : a) || (a || a) && a",
        "--b - -b * (b + c) / -(-2) != 0",
        "m[b := m[c]][c + 1] == filled(b)[0]",
        "i8(b) << u8(7) == (~(i8(c) | 3i8) & 5i8)",
    ],
)
def test_expressions_have_no_more_parentheses_than_they_need(text: str) -> None:
    scope = "a: bool, b: int, c: int, m: [int]"
    program = read(f"procedure main({scope}) returns (r: bool) {{ l: r = {text}; return; }}", "t")
    (statement,) = program.procedures[0].blocks[0].statements
    assert isinstance(statement, Assign)
    assert write_expression(statement.value) == text


def test_deep_expressions_are_written_and_read() -> None:
    depth = 5_000
    text = f"global x: int = {'1 - (' * depth}1 - 1{')' * depth};"
    program = read(f"{text} procedure main() {{ l: return; }}", "deep")
    assert write(program).splitlines()[0] == text
