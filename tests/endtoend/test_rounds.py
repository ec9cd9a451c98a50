"""Loops whose number of rounds is known, and those of them that are written out in products of runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.methods.reading import checked
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.interpreter import run
from sorrel.program.loops import loops
from sorrel.program.program import Program
from sorrel.program.rounds import MOST_ROUNDS, written_out
from sorrel.program.run import Finished
from sorrel.program.text import read
from sorrel.program.validate import validate
from sorrel.relate.divergence import met_alone_written_out

NESTED = """
procedure main() returns (r: int) {{
  local h: int; local i: int; local j: int;
start:
  havoc h input;
  i = {first};
  r = 0;
  goto outer;
outer:
  if i < {bound} goto inside else done;
inside:
  j = {inner};
  goto inner;
inner:
  if j > {least} goto again else next;
again:
  if h > j goto more else less;
more:
  r = r + i;
  goto down;
less:
  r = r - 1;
  goto down;
down:
  j = j / 2;
  goto inner;
next:
  i = i + {step};
  goto outer;
done:
  return;
}}
"""
OPEN = """
procedure main() returns (r: int) {
  local h: int; local i: int;
start:
  havoc h input;
  i = 0;
  r = 0;
  goto head;
head:
  if i < 3 && CONDITION goto body else done;
body:
  i = i + 1;
  r = r + CHANGE;
  goto head;
done:
  return;
}
"""


def everything_written_out(program: Program) -> Program:
    main = program.procedure[program.main]
    made = replace(program, procedures=(written_out(main, {loop.header for loop in loops(main)}),))
    validate(made)
    return made


def left(program: Program) -> int:
    return len(loops(program.procedure[program.main]))


@given(
    first=st.integers(-2, 2),
    bound=st.integers(-1, 5),
    inner=st.sampled_from(["0", "9", "i", "i + 3"]),
    least=st.integers(0, 2),
    step=st.integers(1, 2),
    h=st.integers(-5, 12),
)
def test_a_procedure_without_its_loops_has_the_same_runs(
    first: int, bound: int, inner: str, least: int, step: int, h: int
) -> None:
    program = read(NESTED.format(first=first, bound=bound, inner=inner, least=least, step=step))
    made = everything_written_out(program)
    assert left(made) == 0
    ends = [run(each, [h]).end for each in (program, made)]
    assert isinstance(ends[0], Finished)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("condition", "change", "loops_left"),
    [("true", "1", 0), ("true", "h", 0), ("h > 0", "1", 1), ("r < 2", "1", 0), ("r < 2", "h", 1)],
)
def test_only_rounds_that_all_runs_make_are_written_out(condition: str, change: str, loops_left: int) -> None:
    made = everything_written_out(read(OPEN.replace("CONDITION", condition).replace("CHANGE", change)))
    assert left(made) == loops_left


def test_a_loop_with_many_rounds_or_without_end_stays() -> None:
    text = OPEN.replace("CONDITION", "true").replace("CHANGE", "1")
    assert left(everything_written_out(read(text.replace("i < 3", f"i < {MOST_ROUNDS}")))) == 0
    assert left(everything_written_out(read(text.replace("i < 3", f"i < {MOST_ROUNDS + 1}")))) == 1
    assert left(everything_written_out(read(text.replace("i < 3", "i < 3 || true")))) == 1


# Products

TWO_WAYS = """
extern int __VERIFIER_nondet_int(void); extern void sorrel_low(int); extern void sorrel_assert_low(int);
int digits;
void one_way(void) { for (int left = 8; left > 0; left = left / 2) digits += 2; }
void other_way(void) { for (int left = 0; left < LAST; left++) digits++; }
int main(void) {
    int secret = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    sorrel_low(n);
    for (int i = 0; i < n; i++) {
        if (secret > 0) one_way(); else other_way();
        for (int round = 0; round < 2; round++) digits++;
    }
    sorrel_assert_low(digits);
    return 0;
}
"""


def two_ways(last: int) -> Task:
    return Task((Source(text=TWO_WAYS.replace("LAST", str(last))),), Property.NONINTERFERENCE)


def verify(task: Task) -> Outcome:
    return pipeline.verify(task, Options(engine="flower", budget=Budget(60.0), assuming=("overflow",)))


def test_only_loops_that_a_run_may_make_alone_are_written_out() -> None:
    made = met_alone_written_out(checked(two_ways(8)))
    assert not loops(made.procedure["one_way"])
    assert not loops(made.procedure["other_way"])
    assert len(loops(made.procedure["main"])) == 2


def test_branches_that_do_as_much_in_different_ways_agree() -> None:
    assert verify(two_ways(8)).answer.is_proof


@pytest.mark.long
def test_branches_that_do_not_do_as_much_are_told_apart() -> None:
    assert verify(two_ways(7)).answer is Answer.UNSAFE


UNREAD = """
procedure main() returns (r: int) {
  local lost: int; local kept: int; local i: int;
start:
  i = 0;
  goto head;
head:
  if i > 0 goto body else done;
body:
  i = i - 1;
  lost = lost + 1;
  goto head;
done:
  r = kept;
  return;
}
"""


def test_a_loop_that_is_written_out_takes_the_values_that_it_took_before() -> None:
    program = read(UNREAD)
    main = written_out(program.procedure["main"], {"head"})
    assert not loops(main)
    changed = replace(program, procedures=(main,))
    validate(changed)
    before, after = (run(each, [5, 7]) for each in (program, changed))
    assert after.end == before.end == Finished((7,), ())
    assert [(used.value, used.source) for used in after.used] == [(used.value, used.source) for used in before.used]
