"""Which guesses are taken: those that exclude what fails, and none that some round breaks."""

from __future__ import annotations

import pytest

from sorrel.evidence.following import Following
from sorrel.methods.loop_claims import Guess
from sorrel.methods.loop_direction import Direction
from sorrel.model.budget import Budget
from sorrel.program.cutting import cut_at
from sorrel.program.expression import Expression
from sorrel.program.statement import Assume
from sorrel.program.text import read

TEXT = """procedure main() {
  local x: u8;
  local y: u8;
  local z: u8;
  local more: bool;
start:
  x = 0u8;
  y = 0u8;
  z = 0u8;
  goto head;
head:
  havoc more input;
  if more goto body else out;
body:
  z = z + 1u8;
  x = y;
  havoc y input;
  assume y <= 4u8;
  goto head;
out:
  assert x <= LIMIT;
  return;
unused:
  assume GUESS;
  return;
}
"""


def _condition(text: str) -> Expression:
    program = read(TEXT.replace("LIMIT", "9u8").replace("GUESS", text), "program.sorrel")
    last = program.procedure["main"].block["unused"].statements[0]
    assert isinstance(last, Assume)
    return last.condition


def _found(limit: str, *guesses: str) -> tuple[Guess, ...] | None:
    program = read(TEXT.replace("LIMIT", limit).replace("GUESS", "true"), "program.sorrel")
    cut = cut_at(program, "head")
    assert cut is not None
    clock = Budget(20.0).start()
    search = Following(clock, looking=False)
    assert search.follow(program, False, {"head": cut})
    return next(Direction(search.runs, [("head", (_condition(each),)) for each in guesses]).search(clock), None)


def test_a_guess_is_taken_with_the_one_that_it_needs_and_without_others() -> None:
    found = _found("9u8", "z <= 200u8", "x <= 7u8", "y <= 6u8", "x <= 3u8")
    assert found is not None
    assert {fact for _, fact in found} == {(_condition("x <= 7u8"),), (_condition("y <= 6u8"),)}


def test_nothing_is_taken_where_nothing_fails() -> None:
    assert _found("255u8", "x <= 7u8") == ()


@pytest.mark.parametrize("guesses", [(), ("x <= 7u8",), ("z <= 200u8", "y <= 6u8"), ("x <= 3u8", "y <= 3u8")])
def test_guesses_that_some_round_breaks_are_not_enough(guesses: tuple[str, ...]) -> None:
    assert _found("9u8", *guesses) is None
