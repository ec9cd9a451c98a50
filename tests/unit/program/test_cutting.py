"""Loops that are not written out: which ones, and what may be claimed of them."""

from __future__ import annotations

import pytest

from sorrel.program.cutting import Cut, cut_at, endless_loops, is_about_head, is_plain, rounds_alone
from sorrel.program.expression import Binary, Constant, Convert, Expression, Operator, Unary, UnaryOperator, Variable
from sorrel.program.interpreter import run
from sorrel.program.run import Stopped
from sorrel.program.text import read
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine, Type

LOOP = """procedure work(x: i32) returns (y: i32) {
start:
  y = x;
  return;
}

procedure main() {
  local x: i32;
  local kept: i32;
  local more: bool;
start:
  x = 0i32;
  kept = 7i32;
  goto head;
head:
  if x < LIMITi32 goto test else done;
test:
  havoc more input;
  if more goto body else done;
body:
  x = call work(x + 1i32);
  goto head;
done:
  assert kept == 7i32;
  return;
}
"""
SIGNED, UNSIGNED = Machine(32, True), Machine(32, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LOOP.replace("LIMIT", "1000"), ("head",)),
        (LOOP.replace("LIMIT", "10"), ()),  # short
        (LOOP.replace("LIMIT", "1000").replace("call work(x + 1i32)", "x + 1i32"), ()),  # does next to nothing
        (LOOP.replace("LIMIT", "1000").replace("havoc more input", "more = true"), ()),  # no input leaves it
    ],
)
def test_long_loops_that_an_input_leaves_are_cut(text: str, expected: tuple[str, ...]) -> None:
    assert endless_loops(read(text, "program.sorrel")) == expected


def test_rounds_alone_end_where_the_loop_is_left() -> None:
    program = rounds_alone(read(LOOP.replace("LIMIT", "3"), "program.sorrel"), "head")
    assert isinstance(run(program, [True, True, False]).end, Stopped)
    assert cut_at(program, "head") is not None


def test_claims_are_about_what_lives_at_the_head() -> None:
    program = read(LOOP.replace("LIMIT", "3"), "program.sorrel")
    x, kept, more = program.procedure["main"].variables
    for variable, lives in ((x, True), (kept, True), (more, False)):
        same: Expression = Binary(Operator.EQUAL, variable, variable, BOOLEAN)
        assert is_about_head(program, Cut("head", (), ((same,),))) is lives


def _sum(operator: Operator, type: Type) -> Expression:
    x, y = Variable("x", type), Variable("y", type)
    return Binary(Operator.AT_MOST, Binary(operator, x, y, type), Constant(3, type), BOOLEAN)


def test_what_has_a_value_in_every_state_may_be_claimed() -> None:
    for operator in (Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY):
        assert is_plain((_sum(operator, UNBOUNDED),))
        assert is_plain((_sum(operator, UNSIGNED),))
        assert not is_plain((_sum(operator, SIGNED),))
    for operator in (Operator.DIVIDE, Operator.REMAINDER):
        assert not any(is_plain((_sum(operator, type),)) for type in (UNBOUNDED, UNSIGNED, SIGNED))
    x = Variable("x", SIGNED)
    negated = Unary(UnaryOperator.NEGATE, x, SIGNED)
    assert not is_plain((Binary(Operator.LESS, negated, x, BOOLEAN),))
    assert is_plain((Binary(Operator.LESS, Convert(x, UNSIGNED), Constant(3, UNSIGNED), BOOLEAN),))
    assert not is_plain((x,))  # no truth
    assert not is_plain((Binary(Operator.LESS, x, Constant(3, UNSIGNED), BOOLEAN),))  # of two types
