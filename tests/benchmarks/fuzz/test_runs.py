"""Runs of the interpreter against compiled ones, planted errors, and campaigns that are carried on."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bench.fuzz import mutants, runs, warm
from bench.fuzz.c import campaign as programs
from bench.fuzz.c.judge import End, Run
from bench.fuzz.campaign import carried_on, recorded
from bench.fuzz.report import Trial
from c_execution import require_compiler
from sorrel.model.outcome import Answer, Outcome, Replay, ReplayResult

INPUT = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"


def _compiled(result: int, *inputs: int) -> Run:
    return Run(inputs, End.RETURNED, ((runs.RESULT, result),))


def test_an_interpreter_that_returns_another_number_is_seen() -> None:
    text = INPUT + "int main(void) { return __VERIFIER_nondet_int() + 1; }"
    assert not runs.tried((text,), [_compiled(4, 3)], frozenset()).wrong
    assert runs.tried((text,), [_compiled(5, 3)], frozenset()).wrong == "the interpreter returns another number"


def test_what_is_refused_is_not_compared() -> None:
    trial = runs.tried(('int main(void) { asm("nop"); return 0; }',), [_compiled(0)], frozenset())
    assert (trial.verdict, trial.wrong) == ("", "")
    assert trial.reason


def test_a_run_that_the_interpreter_ends_otherwise_is_seen() -> None:
    text = INPUT + "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); return x; }"
    program = runs.read((text,)).program
    assert program is not None
    assert runs.differs(program, _compiled(2, 2)) == "Refused in place of returned"
    assert not runs.differs(program, Run((2,), End.REFUSED, ()))


def test_runs_of_generated_programs_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_compiler()
    monkeypatch.setattr(runs, "BATCH", 40)  # what is compiled and run together; campaigns run many of them
    report = runs.run(5, 0.1, tmp_path)
    assert report.tried > 20
    assert not report.wrong
    assert len(report.constructs) > 30


SIMPLE = """extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 3;
  if (x > y) { y = x; }
  return y;
}
"""


def test_errors_are_planted_where_variables_can_be_seen(tmp_path: Path) -> None:
    require_compiler()
    file = tmp_path / "simple.c"
    file.write_text(SIMPLE)
    found = [mutants.mutated(Random(number), file) for number in range(12)]
    texts = {each.text for each in found if each}
    assert len(texts) > 5
    assert all(mutants.reaches(text, 1) is not None for text in texts)
    planted = [each.text for each in found if each and each.how == "error planted"]
    assert any(mutants.reaches(text, 40) for text in planted)


def test_undefined_behaviour_before_the_error_does_not_count_as_reaching_it() -> None:
    require_compiler()
    body = "int a[2], i = 2; a[i] = 1; reach_error(); return 0; }"
    assert mutants.reaches("void reach_error(void); int main(void) { reach_error(); return 0; }", 2)
    assert mutants.reaches(f"void reach_error(void); int main(void) {{ {body}", 2) is False


@pytest.mark.parametrize(
    ("outcome", "reached", "wrong"),
    [
        (Outcome(Answer.SAFE), True, "safe, but in truth unsafe"),
        (Outcome(Answer.ASSUMING), True, "safe-assuming, but in truth unsafe"),
        (Outcome(Answer.SAFE), False, ""),
        (Outcome(Answer.UNSAFE), True, ""),
        (Outcome(Answer.UNSAFE, replay=Replay(ReplayResult.MISSED, "")), False, "unsafe, but the compiled program"),
        (Outcome(Answer.UNKNOWN), True, ""),
    ],
)
def test_mutants_are_judged(monkeypatch: pytest.MonkeyPatch, outcome: Outcome, reached: bool, wrong: str) -> None:
    monkeypatch.setattr(warm, "verify", lambda _task, _seconds, replay: warm.Reply(outcome))
    trial, _ = mutants.tried(mutants.Mutant("a.c", "error planted", SIMPLE), reached)
    assert trial.wrong.startswith(wrong)
    assert bool(trial.wrong) is bool(wrong)


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_compiler()
    asked: list[int] = []

    def tried(example: programs.Example, _seed: int, _folder: Path) -> tuple[Trial, list[Path]]:
        asked.append(example.number)
        return Trial("assertions", "safe"), []

    monkeypatch.setattr(programs, "tried", tried)
    monkeypatch.setattr(programs, "BATCH", 6)  # so that there are several
    record = tmp_path / "campaign.jsonl"
    never = float("inf")
    assert not list(carried_on(record, programs, 3, 5, never))
    with record.open("a") as lines:
        lines.write('{"number": 7, "gro')
    assert not list(carried_on(record, programs, 3, 8, never))
    assert len(asked) == len(set(asked)) == 8
    assert len(dict(recorded(record))) == 8
    assert json.loads(record.read_text().splitlines()[0])["group"] == "assertions"
