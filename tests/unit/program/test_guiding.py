"""Counters and positions guide what is read and written, as long as somebody looks at what they lead to."""

from __future__ import annotations

from sorrel.program.calls_last import with_calls_last
from sorrel.program.guiding import Guiding
from sorrel.program.interpreter import run
from sorrel.program.statement import Call
from sorrel.program.text import read

PROGRAM = """procedure main() {
  local a: [u8];
  local n: u8;
  local i: u8;
  local total: u8;
  local c: u8;
start:
  havoc n input;
  i = 0u8;
  total = 0u8;
  goto fill;
fill:
  if i < n goto filling else read;
filling:
  a = a[i := 7u8];
  i = i + 1u8;
  goto fill;
read:
  n, c = call last(a, n);
  total = total + c;
  assert total == 0u8 || n >= 1u8;
  return;
}

procedure last(a: [u8], n: u8) returns (rest: u8, value: u8) {
start:
  value = 0u8;
  rest = n;
  if n >= 1u8 goto some else none;
some:
  rest = n - 1u8;
  value = a[rest];
  goto none;
none:
  return;
}
"""


def _names(found: tuple[object, ...]) -> list[str]:
    return [each.name for each in found]  # type: ignore[attr-defined]


def test_a_counter_guides_until_nobody_looks_at_what_it_leads_to() -> None:
    before = Guiding(read(PROGRAM, "program.sorrel")).before("main", frozenset())
    assert _names(before["fill"]) == ["i", "n"]  # n leads to the last element, by a call
    assert _names(before["read"]) == ["n"]
    assert _names(before["start"]) == []


def test_a_callee_is_guided_by_what_guides_whoever_asks() -> None:
    program = read(PROGRAM, "program.sorrel")
    guiding = Guiding(program)
    rest, value = program.procedure["last"].outputs
    assert _names(guiding.before("last", frozenset())["none"]) == []
    assert _names(guiding.before("last", frozenset({rest}))["none"]) == ["rest"]
    (call,) = (
        each for block in program.procedure["main"].blocks for each in block.statements if isinstance(each, Call)
    )
    assert guiding.wanted_of(call, call.results) == {rest, value}  # type: ignore[arg-type]


def test_what_guides_in_a_loop_is_another_matter_than_what_guides_behind_it() -> None:
    guiding = Guiding(read(PROGRAM, "program.sorrel"))
    assert {label: _names(found) for label, found in guiding.inside("main").items()} == {"fill": ["i"]}


def test_blocks_end_with_their_calls_and_do_what_they_did() -> None:
    program = read(PROGRAM, "program.sorrel")
    split = with_calls_last(program)
    for block in (block for procedure in split.procedures for block in procedure.blocks):
        assert not any(isinstance(each, Call) for each in block.statements[:-1])
    assert len(split.procedure["main"].blocks) == len(program.procedure["main"].blocks) + 1
    for n in (0, 3):
        before, after = (run(each, [n]) for each in (program, split))
        assert type(before.end) is type(after.end)
