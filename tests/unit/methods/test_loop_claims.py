"""Which guesses every round keeps, by one walk: alone, together, and not those that some round breaks."""

from __future__ import annotations

import pytest

from sorrel.evidence.following import Following
from sorrel.methods.loop_claims import kept_together
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
  z = 3u8;
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
  return;
unused:
  assume GUESS;
  return;
}
"""


def _condition(text: str) -> Expression:
    last = read(TEXT.replace("GUESS", text), "program.sorrel").procedure["main"].block["unused"].statements[0]
    assert isinstance(last, Assume)
    return last.condition


def _kept(*guesses: str) -> set[str]:
    program = read(TEXT.replace("GUESS", "true"), "program.sorrel")
    cut = cut_at(program, "head")
    assert cut is not None
    clock = Budget(20.0).start()
    search = Following(clock, looking=False)
    assert search.follow(program, False, {"head": cut})
    facts = {each: (_condition(each),) for each in guesses}
    kept = kept_together(search.runs, [("head", fact) for fact in facts.values()], clock)
    assert kept is not None
    return {each for each, fact in facts.items() if ("head", fact) in kept}


@pytest.mark.parametrize(
    ("guesses", "kept"),
    [
        (("y <= 4u8",), {"y <= 4u8"}),
        (("x <= 4u8",), set[str]()),  # of what y is nothing is known
        (("x <= 5u8", "y <= 5u8", "z <= 9u8"), {"x <= 5u8", "y <= 5u8"}),
        (("x <= 5u8", "y <= 3u8"), set[str]()),  # once the second one is lost, so is the first
        (("z >= 4u8",), set[str]()),  # it does not hold at first
    ],
)
def test_what_every_round_keeps_is_kept_and_nothing_else(guesses: tuple[str, ...], kept: set[str]) -> None:
    assert _kept(*guesses) == kept
