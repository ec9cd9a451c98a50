"""Random programs over lists: what is proved without memory is never contradicted by a run with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.verdict import Safe
from sorrel.linked.abstraction import abstraction
from sorrel.linked.plans import plans
from sorrel.model.budget import Budget
from sorrel.program.program import Program
from sorrel.program.text import read
from sorrel.program.validate import validate
from sorrel.testing.probe import probe

POINTERS = st.sampled_from("pqr")
NUMBERS = st.integers(0, 2)
FORMS = (
    "X = next; next = next + 3;",
    "X = next; next = next + 3; link = link[X + 1 := Y]; data = data[X + 2 := K];",
    "X = next; next = next + 3; link = link[X + 1 := 0]; assume Y > 0; link = link[Y + 1 := X];",
    "X = Y;",
    "X = 0;",
    "assume Y > 0; X = link[Y + 1];",
    "assume Y > 0; link = link[Y + 1 := X];",
    "assume Y > 0; data = data[Y + 2 := K];",
    "assume Y > 0; c = data[Y + 2];",
    "assume Y > 0; assume link[Y + 1] > 0; c = data[link[Y + 1] + 2];",
    "c = c + 1;",
    "X = Y == 0 ? X : Y;",
)
CLAIMS = (
    "c <= K",
    "X == Y",
    "X != Y",
    "X > 0",
    "X > 0 ==> data[X + 2] == K",
    "X > 0 ==> link[X + 1] != X",
    "X > 0 ==> link[X + 1] == 0",
    "X > 0 && link[X + 1] > 0 ==> data[X + 2] <= data[link[X + 1] + 2]",
)
PROGRAM = """
global next: int = 5;
global link: [int];
global data: [int];
procedure main() {
  local p: int; local q: int; local r: int; local c: int; local more: bool;
start:
  p = 0; q = 0; START c = 0;
  goto first;
first:
  havoc more input "more";
  if more goto growing else second;
growing:
  FIRST
  goto first;
second:
  havoc more input "more";
  if more goto walking else last;
walking:
  SECOND
  goto second;
last:
  assert CLAIM;
  return;
}
"""


@st.composite
def statements(draw: st.DrawFn) -> str:
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=4))
    return " ".join(filled(draw, form) for form in forms)


def filled(draw: st.DrawFn, form: str) -> str:
    x, y, number = draw(POINTERS), draw(POINTERS), draw(NUMBERS)
    return form.replace("X", x).replace("Y", y).replace("K", str(number))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    parts = {
        "START": draw(st.sampled_from(("r = 0;", ""))),
        "FIRST": filled(draw, FORMS[1]) + draw(statements()),
        "SECOND": draw(statements()),
        "CLAIM": filled(draw, draw(st.sampled_from(CLAIMS))),
    }
    text = PROGRAM
    for name, part in parts.items():
        text = text.replace(name, part)
    return read(text, "random")


@pytest.mark.long
@given(programs(), st.integers(0, 8))
def test_no_run_contradicts_what_is_proved_without_memory(program: Program, number: int) -> None:
    ways = list(plans(program))
    if not ways:
        return
    made = abstraction(program, ways[number % len(ways)])
    if made is None:
        return
    validate(made.program)
    system = encode(made.program, Arithmetic.IDEAL, relations=made.relations).system
    options = SpacerOptions(guidance=True, inlining=False)
    verdict = Spacer(options).solve(system, Circumstances(Budget(seconds=0.5).start()), {})
    if isinstance(verdict, Safe) and isinstance(check(system, verdict), Accepted):
        assert probe(program, 0.3).violated is None
