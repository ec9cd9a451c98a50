"""Runs of small programs, written by hand."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from sorrel.model.errors import Span
from sorrel.program.construction import FALSE, TRUE, binary, unbounded
from sorrel.program.expression import (
    Apply,
    Conditional,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.interpreter import NOBODYS, Prepared, run
from sorrel.program.program import Procedure, Program
from sorrel.program.run import (
    Branched,
    End,
    Entered,
    Exhausted,
    Finished,
    Passed,
    Refused,
    Returned,
    Starved,
    Stopped,
    Undefined,
    Violated,
    Wrote,
)
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.text import read
from sorrel.program.types import BOOLEAN, REAL, UNBOUNDED, Array, Machine, Type
from sorrel.program.validate import validate
from sorrel.program.value import ArrayValue, Value

INT = Machine(32, True)
BYTE = Machine(8, False)
SMALL = Machine(8, True)
INTS = Array(INT)

x, y, z = (Variable(name, INT) for name in "xyz")


def number(value: int, type: Type = INT) -> Constant:
    return Constant(value, type)


def straight(*statements: Statement, end: Terminator | None = None, outputs: tuple[Variable, ...] = ()) -> Program:
    """A program of one block; its variables are declared as they are found."""
    written = [s.target for s in statements if isinstance(s, Assign | Havoc)]
    locals = tuple(variable for variable in dict.fromkeys(written) if variable not in outputs)
    block = Block("start", statements, end or Return())
    program = Program((Procedure("main", (), outputs, locals, (block,), "start"),))
    validate(program)
    return program


def value_of(expression: Expression, choices: Iterable[Value] = ()) -> Value:
    result = Variable("result", expression.type)
    end = run(straight(Assign(result, expression), outputs=(result,)), choices).end
    assert isinstance(end, Finished), end
    return end.outputs[0]


def end_of(expression: Expression) -> End:
    result = Variable("result", expression.type)
    return run(straight(Assign(result, expression), outputs=(result,))).end


@pytest.mark.parametrize(
    ("operator", "left", "right", "type", "expected"),
    [
        (Operator.DIVIDE, -7, 2, INT, -3),
        (Operator.DIVIDE, 7, -2, UNBOUNDED, -3),
        (Operator.REMAINDER, -7, 2, INT, -1),
        (Operator.REMAINDER, 7, -2, UNBOUNDED, 1),
        (Operator.ADD, 200, 100, BYTE, 44),
        (Operator.SUBTRACT, 0, 1, BYTE, 255),
        (Operator.MULTIPLY, 16, 17, BYTE, 16),
        (Operator.SHIFT_LEFT, 129, 1, BYTE, 2),
        (Operator.SHIFT_RIGHT, -5, 1, INT, -3),
        (Operator.SHIFT_LEFT, 63, 1, SMALL, 126),
        (Operator.BIT_AND, -1, 12, INT, 12),
        (Operator.BIT_XOR, -1, 12, INT, -13),
        (Operator.BIT_OR, -8, 3, INT, -5),
        (Operator.LESS, -1, 0, INT, True),
        (Operator.EQUAL, 3, 3, BYTE, True),
    ],
)
def test_operators_are_those_of_c(operator: Operator, left: int, right: int, type: Type, expected: Value) -> None:
    assert value_of(binary(operator, number(left, type), number(right, type))) == expected


@pytest.mark.parametrize(
    ("operator", "left", "right", "kind"),
    [
        (Operator.ADD, 127, 1, Kind.OVERFLOW),
        (Operator.SUBTRACT, -128, 1, Kind.OVERFLOW),
        (Operator.MULTIPLY, 16, 8, Kind.OVERFLOW),
        (Operator.DIVIDE, -128, -1, Kind.OVERFLOW),
        (Operator.REMAINDER, -128, -1, Kind.OVERFLOW),
        (Operator.DIVIDE, 1, 0, Kind.DIVISION),
        (Operator.REMAINDER, 1, 0, Kind.DIVISION),
        (Operator.SHIFT_LEFT, -1, 1, Kind.OVERFLOW),
        (Operator.SHIFT_LEFT, 64, 1, Kind.OVERFLOW),
        (Operator.SHIFT_LEFT, 0, 8, Kind.OVERFLOW),
        (Operator.SHIFT_RIGHT, 0, -1, Kind.OVERFLOW),
    ],
)
def test_operations_without_a_value_end_the_run(operator: Operator, left: int, right: int, kind: Kind) -> None:
    end = end_of(binary(operator, number(left, SMALL), number(right, SMALL)))
    assert isinstance(end, Undefined)
    assert end.kind is kind


def test_unary_operators() -> None:
    assert value_of(Unary(UnaryOperator.NEGATE, number(5), INT)) == -5
    assert value_of(Unary(UnaryOperator.NEGATE, number(5, BYTE), BYTE)) == 251
    assert value_of(Unary(UnaryOperator.COMPLEMENT, number(5, BYTE), BYTE)) == 250
    assert value_of(Unary(UnaryOperator.COMPLEMENT, number(5), INT)) == -6
    assert value_of(Unary(UnaryOperator.NOT, TRUE, BOOLEAN)) is False
    assert isinstance(end_of(Unary(UnaryOperator.NEGATE, number(-128, SMALL), SMALL)), Undefined)


def test_conversions_wrap_and_are_exact_to_unbounded() -> None:
    assert value_of(Convert(number(300), BYTE)) == 44
    assert value_of(Convert(number(200, BYTE), SMALL)) == -56
    assert value_of(Convert(number(-56, SMALL), UNBOUNDED)) == -56
    assert value_of(Convert(TRUE, INT)) == 1


def test_reals_are_exact() -> None:
    third = binary(Operator.DIVIDE, Constant(Fraction(1), REAL), Constant(Fraction(3), REAL))
    assert value_of(binary(Operator.MULTIPLY, third, Constant(Fraction(3), REAL))) == 1


def test_connectives_and_conditionals_skip_what_they_do_not_need() -> None:
    wrong = binary(Operator.EQUAL, binary(Operator.DIVIDE, number(1), number(0)), number(1))
    assert value_of(binary(Operator.AND, FALSE, wrong)) is False
    assert value_of(binary(Operator.OR, TRUE, wrong)) is True
    assert value_of(binary(Operator.IMPLIES, FALSE, wrong)) is True
    assert value_of(binary(Operator.IMPLIES, TRUE, FALSE)) is False
    assert value_of(Conditional(TRUE, FALSE, wrong, BOOLEAN)) is False
    assert isinstance(end_of(binary(Operator.AND, TRUE, wrong)), Undefined)


def test_arrays_keep_their_older_versions() -> None:
    first = ArrayValue(0, {3: 7})
    second = first.store(3, 8).store(4, 9)
    third = first.store(5, 1)
    assert (first[3], second[3], second[4], third[3], third[5], first[5]) == (7, 8, 9, 7, 1, 0)
    assert second.store(3, 7).store(4, 0) == first
    assert hash(second.store(3, 7).store(4, 0)) == hash(first)
    assert str(third) == "[3: 7, 5: 1, else 0]"


def test_arrays_in_programs() -> None:
    zeros = Filled(number(0), INTS)
    stored = Store(zeros, number(2, UNBOUNDED), number(5), INTS)
    assert value_of(Select(stored, number(2), INT)) == 5
    assert value_of(binary(Operator.EQUAL, stored, zeros)) is False
    assert value_of(stored) == ArrayValue(0, {2: 5})


def test_uninterpreted_functions_are_functions() -> None:
    one, two = (Apply("f", (number(argument),), INT) for argument in (1, 2))
    same = binary(Operator.EQUAL, one, Apply("f", (number(1),), INT))
    assert value_of(same, [9]) is True
    assert value_of(binary(Operator.EQUAL, one, two), [9, 8]) is False


def test_a_deep_expression_needs_no_deep_stack() -> None:
    expression: Expression = number(0, UNBOUNDED)
    for _ in range(5_000):
        expression = binary(Operator.ADD, number(1, UNBOUNDED), expression)
    assert value_of(expression) == 5_000


def test_each_way_to_end() -> None:
    span = Span("f.c", 3, 1, 3, 9)
    violated = run(straight(Assert(FALSE, Kind.ERROR_CALL, "reach_error", span))).end
    assert isinstance(violated, Violated)
    assert (violated.span, violated.procedure) == (span, "main")
    assert isinstance(run(straight(Assume(FALSE))).end, Refused)
    assert run(straight(end=Stop(span))).end == Stopped("main", span)
    assert isinstance(run(straight(end=Goto("start")), steps=50).end, Exhausted)
    assert isinstance(run(straight(Havoc(x)), []).end, Starved)
    assert isinstance(run(straight(Havoc(x)), [2**31]).end, Refused)
    assert run(straight(Havoc(x), outputs=(x,)), [5]).end == Finished((5,), ())


def test_choices_are_taken_in_the_order_of_execution() -> None:
    g, h = Variable("g", INT), Variable("h", INT)
    total = binary(Operator.ADD, binary(Operator.MULTIPLY, g, number(100)), x)
    block = Block("start", (Assign(z, total), Havoc(y, Choice.INPUT, "nondet"), Assign(g, y)), Return())
    main = Procedure("main", (), (z,), (x, y), (block,), "start")
    program = Program((main,), (h, g), {"h": number(4)})
    validate(program)
    result = run(program, [3, 2, 1])
    assert result.end == Finished((302,), (4, 1))
    assert [(used.value, used.source) for used in result.used] == [(3, "g"), (2, "x"), (1, "nondet")]


def _countdown() -> Program:
    """f(x) = x == 0 ? 0 : f(x - 1) + 1"""
    more = Branch(binary(Operator.EQUAL, x, number(0)), "done", "again")
    again = (
        Call("f", (binary(Operator.SUBTRACT, x, number(1)),), (y,)),
        Assign(y, binary(Operator.ADD, y, number(1))),
    )
    blocks = (
        Block("start", (), more),
        Block("done", (Assign(y, number(0)),), Return()),
        Block("again", again, Return()),
    )
    f = Procedure("f", (x,), (y,), (), blocks, "start")
    start = Block("start", (Havoc(z), Call("f", (z,), (y,)), Assert(binary(Operator.EQUAL, y, z))), Return())
    return Program((Procedure("main", (), (y,), (z,), (start,), "start"), f))


def test_recursion_is_deeper_than_the_stack_of_python() -> None:
    assert run(_countdown(), [20_000]).end == Finished((20_000,), ())


def test_events_tell_the_run() -> None:
    events = run(_countdown(), [1], record=True).events
    told = [(type(event).__name__, event.procedure, event.depth) for event in events]
    assert told == [
        ("Entered", "main", 0),
        ("Wrote", "main", 0),
        ("Entered", "f", 1),
        ("Branched", "f", 1),
        ("Entered", "f", 2),
        ("Branched", "f", 2),
        ("Wrote", "f", 2),
        ("Returned", "f", 2),
        ("Wrote", "f", 1),
        ("Wrote", "f", 1),
        ("Returned", "f", 1),
        ("Wrote", "main", 0),
        ("Passed", "main", 0),
        ("Returned", "main", 0),
    ]
    assert events[1] == Wrote("main", 0, Span(), z, 1, Choice.INPUT)
    assert isinstance(events[2], Entered)
    assert events[2].arguments == (1,)
    assert isinstance(events[3], Branched)
    assert events[3].taken is False
    assert isinstance(events[7], Returned)
    assert events[7].outputs == (0,)
    assert isinstance(events[12], Passed)


def test_a_run_is_replayed_by_the_choices_it_used() -> None:
    first = run(_countdown(), lambda type: 12)
    assert run(_countdown(), [used.value for used in first.used]) == first


def test_exact_checks_can_be_written_over_unbounded_integers() -> None:
    exact = binary(Operator.ADD, unbounded(number(2**31 - 1)), unbounded(number(1)))
    assert value_of(exact) == 2**31


def test_values_that_nobody_chose_may_be_copied_and_are_needed_where_they_are_looked_at() -> None:
    text = """procedure main() returns (r: i32) {{
  local x: i32; local y: i32; local a: [i32];
start: havoc x uninitialised; havoc a uninitialised; y = x; a = a[3 := 4i32]; a = a[5 := y]; r = a[3]; {more} return;
}}"""
    assert isinstance(run(read(text.format(more=""), "copied"), (), indeterminate=NOBODYS).end, Finished)
    for needed in (
        "r = y + 1i32;",
        "r = i32(u8(a[4])); assume r == 0i32;",
        "assume y == y;",
        "r = y & 1i32; assert r == r;",
        "r = y < 0i32 ? 1i32 : 0i32; r = r + 1i32;",
        "assert a == a[4 := 1i32];",
        "r = a[a[5]]; assume r == 0i32;",
        "r = -y;",
    ):
        end = run(read(text.format(more=needed), "needed"), (), indeterminate=NOBODYS).end
        assert isinstance(end, Starved), needed


@pytest.mark.parametrize("needed", ["b || true", "b && false", "b ==> true", "!b || false", "false || b"])
def test_a_truth_value_that_nobody_chose_is_needed_where_a_connective_asks_for_it(needed: str) -> None:
    text = f"procedure main() {{ local b: bool; start: havoc b uninitialised; assume {needed}; return; }}"
    assert isinstance(run(read(text, "needed"), (), indeterminate=NOBODYS).end, Starved)


def test_a_block_is_compiled_when_a_run_first_comes_to_it() -> None:
    program = read(
        "procedure main(n: int) { start: if 0 < n goto one else other; one: n = n + 1; return; other: return; }"
    )
    prepared: Prepared = {}
    assert run(program, [1], prepared=prepared).end == Finished((), ())
    assert list(prepared["main"].steps) == ["start", "one"]
    assert run(program, [0], prepared=prepared).end == Finished((), ())
    assert list(prepared["main"].steps) == ["start", "one", "other"]
