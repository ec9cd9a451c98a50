"""Steps of a block that are taken together are those that would be taken one by one."""

from __future__ import annotations

import pytest

from c_execution import program_of
from sorrel.program import stretches
from sorrel.program.interpreter import Interpreter, Prepared, run
from sorrel.program.run import Exhausted, Finished, Undefined, Violated

COUNTING = """void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n; i++) {
    sum = sum + i;
    sum = sum ^ 3;
  }
  if (sum == 77) reach_error();
  return sum;
}
"""


def test_what_is_come_to_often_is_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[Interpreter] = []
    step = Interpreter.step

    def noticed(machine: Interpreter) -> None:
        alone.append(machine)
        step(machine)

    monkeypatch.setattr(Interpreter, "step", noticed)
    found = run(program_of(COUNTING), [5000], steps=100_000)
    assert isinstance(found.end, Finished)
    assert len(alone) < found.steps / 5


@pytest.mark.parametrize("inputs", [0, 3, 100, 70_000])
@pytest.mark.parametrize("most", [100_000, 1001, 1002, 1003, 1004, 1005, 1006])
def test_runs_end_where_they_end_step_by_step(inputs: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "OFTEN", 1)
    program = program_of(COUNTING)
    together, alone = (run(program, [inputs], steps=most, record=record) for record in (False, True))
    assert (together.end, together.used, together.steps) == (alone.end, alone.used, alone.steps)
    assert isinstance(together.end, Finished | Exhausted | Undefined | Violated)


def test_an_overflow_in_the_middle_is_told_where_it_is() -> None:
    text = "int main(void) { int x = 1; for (;;) { int y = x;\n x = x + y;\n y = 0; } }"
    found = run(program_of(text), steps=100_000)
    assert isinstance(found.end, Undefined)
    assert found.end.span.line == 2


def test_what_is_prepared_serves_other_runs() -> None:
    program = program_of(COUNTING)
    prepared: Prepared = {}
    first = run(program, [500], prepared=prepared)
    assert run(program, [500], prepared=prepared) == first
