"""Jumps into the middle of loops: the same runs through loops with one head."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from c_threads import read
from sorrel.program.construction import binary
from sorrel.program.expression import Constant, Operator, Variable
from sorrel.program.interpreter import run
from sorrel.program.loops import loops
from sorrel.program.program import Procedure, Program
from sorrel.program.reducing import reducible
from sorrel.program.run import Finished, Violated
from sorrel.program.statement import Assign, Block, Branch, Goto, Return
from sorrel.program.types import UNBOUNDED

SEEN, LEFT = Variable("seen", UNBOUNDED), Variable("left", UNBOUNDED)
START = (Assign(SEEN, Constant(0, UNBOUNDED)), Assign(LEFT, Constant(20, UNBOUNDED)))
DUFF = """\
extern void reach_error(void);
int main(void) {
  int from[7] = {0}, to[7] = {0}, copied = 0, count = 7, n = (count + 3) / 4;
  for (int i = 0; i < 7; i++) from[i] = i;
  switch (count %% 4) {
  case 0: do { to[copied] = from[copied]; copied++;
  case 3:      to[copied] = from[copied]; copied++;
  case 2:      to[copied] = from[copied]; copied++;
  case 1:      to[copied] = from[copied]; copied++;
          } while (--n > 0);
  }
  if (%s) reach_error();
  return 0;
}
"""


def _graph(ways: Sequence[tuple[int, int]]) -> Procedure:
    """Blocks that go on here if what was seen is even and there otherwise; `seen` tells which ones were passed."""
    blocks = []
    for number, (then, otherwise) in enumerate(ways):
        told = binary(Operator.ADD, binary(Operator.MULTIPLY, SEEN, Constant(3, UNBOUNDED)), _number(number))
        less = binary(Operator.SUBTRACT, LEFT, _number(1))
        even = binary(Operator.EQUAL, binary(Operator.REMAINDER, SEEN, _number(2)), _number(0))
        go_on = binary(Operator.MORE, LEFT, _number(0))
        blocks.append(Block(f"b{number}", (Assign(SEEN, told), Assign(LEFT, less)), Branch(go_on, f"c{number}", "end")))
        blocks.append(Block(f"c{number}", (), Branch(even, f"b{then}", f"b{otherwise}")))
    blocks.append(Block("end", (), Return()))
    return Procedure("main", (), (SEEN,), (LEFT,), (Block("start", START, Goto("b0")), *blocks), "start")


def _number(value: int) -> Constant:
    return Constant(value, UNBOUNDED)


def _seen(procedure: Procedure) -> object:
    done = run(Program((procedure,), (), {}, "main"))
    assert isinstance(done.end, Finished)
    return done.end


WAYS = st.integers(2, 6).flatmap(
    lambda size: st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), min_size=size, max_size=size)
)


@given(WAYS)
def test_every_loop_gets_one_head_and_runs_stay_as_they_were(ways: list[tuple[int, int]]) -> None:
    procedure = _graph(ways)
    made = reducible(procedure)
    assert loops(made) is not None
    assert _seen(made) == _seen(procedure)
    assert reducible(made) == made


def test_a_switch_into_a_loop_is_followed() -> None:
    assert isinstance(run(read(DUFF % "copied != 7 || to[6] != 6")).end, Finished)
    assert isinstance(run(read(DUFF % "copied == 7")).end, Violated)
