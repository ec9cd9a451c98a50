"""What is guessed of a loop from states that runs came to."""

from __future__ import annotations

from sorrel.methods.loop_guesses import further_guesses, plain_guesses, sum_guesses
from sorrel.methods.loop_terms import numbers_of, seen
from sorrel.program.cutting import cut_at
from sorrel.program.text import read
from sorrel.testing.loop_states import loop_states

TEXT = """procedure main() {
  local state: u8;
  local done: i32;
  local open: i32;
  local all: i32;
  local more: bool;
start:
  state = 0u8;
  done = 0i32;
  open = 0i32;
  all = 0i32;
  goto head;
head:
  havoc more input;
  if more goto body else out;
body:
  if state == 0u8 goto take else give;
take:
  open = open + 1i32;
  all = all + 1i32;
  state = 2u8;
  goto head;
give:
  open = open - 1i32;
  done = done + 1i32;
  state = 0u8;
  goto head;
out:
  assert done + open == all && state <= 2u8;
  return;
}
"""


def test_cases_and_sums_are_guessed_and_the_same_each_time() -> None:
    program = read(TEXT, "program.sorrel")
    cut = cut_at(program, "head")
    assert cut is not None
    numbers = numbers_of(program)

    def guesses() -> list[str]:
        known = seen(program, cut, loop_states(program, "head", numbers, 1), numbers)
        facts = (*sum_guesses(known), *plain_guesses(known), *further_guesses(known, frozenset()))
        return [repr(fact) for fact in facts]

    found = guesses()
    assert found == guesses()
    sums = [each for each in found if "ADD" in each and "EQUAL" in each and "'done'" in each and "'open'" in each]
    assert [each for each in sums if "'all'" in each]
    assert [each for each in found if "IMPLIES" in each and "'state'" in each and "'open'" in each]
