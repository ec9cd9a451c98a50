"""Looking for errors state by state, and proofs about a program as one procedure."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from folders import PROGRAMS
from programs import programs
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, ContractKind
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.checks import instrument
from sorrel.program.exploration import find_violation
from sorrel.program.flattening import flattened
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Exhausted, Finished, Run, Violated
from sorrel.program.statement import Kind
from sorrel.program.validate import validate
from sorrel.program.value import zero
from sorrel.testing.probe import constants_of

DRIVERS = PROGRAMS / "drivers"
HEADER = (
    "extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) { abort(); }\n"
    "#define any __VERIFIER_nondet_int\n"
)
LOCK = (
    "int held; int count;\n"
    "void acquire(void) { if (held) reach_error(); held = 1; }\n"
    "void release(void) { if (!held) reach_error(); held = 0; }\n"
    "void serve(int n) { while (n > 0) { acquire(); count = count + 1; n = n - 1; release(); } }\n"
    "int main(void) { while (any()) { serve(any()); if (held) reach_error(); } return 0; }\n"
)


def program_of(text: str) -> Program:
    made = read((Source(text=text),), CSettings(DataModel("LP64"), (), (), "main"))
    return instrument(made, frozenset({Kind.ERROR_CALL}))


def explored(program: Program, rounds: int = 20_000) -> Run | None:
    """A bound on how often it is asked whether to go on, so that the answer does not depend on the machine."""
    left = iter(range(rounds))
    choices = find_violation(program, constants_of(program), lambda: next(left, None) is not None)
    return None if choices is None else run(program, choices)


# Exploration


@pytest.mark.parametrize("file", sorted(DRIVERS.glob("*_bug.c")), ids=lambda file: file.stem)
def test_errors_of_drivers_are_found_and_replayed(file: Path) -> None:
    found = explored(program_of(file.read_text()))
    assert found is not None
    assert isinstance(found.end, Violated)


def test_an_error_behind_a_dozen_choices_is_found_by_following_each_state_once() -> None:
    digits = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
    tests = " ".join(f"if (any() != {digit}) return 0;" for digit in digits)
    found = explored(program_of(HEADER + f"int main(void) {{ {tests} reach_error(); return 0; }}"))
    assert found is not None
    assert [used.value for used in found.used] == digits


def test_choices_within_recursion_are_found() -> None:
    text = (
        "int f(int n) { if (n == 5) reach_error(); return any() == 2 ? f(n + 1) : 0; } int main(void) { return f(0); }"
    )
    found = explored(program_of(HEADER + text))
    assert found is not None
    assert isinstance(found.end, Violated)


def test_a_program_without_errors_is_explored_without_finding_one() -> None:
    assert explored(program_of(HEADER + LOCK), 500) is None


def test_a_loop_without_choices_that_does_not_end_is_given_up() -> None:
    assert explored(program_of(HEADER + "int main(void) { any(); while (1) { } return 0; }")) is None


# One procedure


@given(programs())
def test_a_flattened_program_makes_the_same_choices_and_ends_alike(program: Program) -> None:
    whole = flattened(program)
    if whole is None:
        return
    validate(whole)
    before = run(program, zero, steps=3_000)
    if isinstance(before.end, Exhausted):
        return
    after = run(whole, [used.value for used in before.used], steps=30_000)
    assert type(after.end) is type(before.end)
    assert [used.value for used in after.used] == [used.value for used in before.used]
    if isinstance(before.end, Finished) and isinstance(after.end, Finished):
        assert after.end.globals == before.end.globals


def test_recursive_programs_and_programs_without_calls_are_left_alone() -> None:
    recursive = "int f(int n) { return n <= 0 ? 0 : f(n - 1); } int main(void) { return f(any()); }"
    assert flattened(program_of(HEADER + recursive)) is None
    assert flattened(program_of(HEADER + "int main(void) { return any(); }")) is None


def test_programs_that_become_too_large_are_left_alone() -> None:
    doubling = "".join(f"void f{i}(void) {{ f{i + 1}(); f{i + 1}(); }}\n" for i in reversed(range(14)))
    text = HEADER + f"int x; void f14(void) {{ if (x > 0) x = x - 1; }}\n{doubling}int main(void) {{ f0(); return 0; }}"
    assert flattened(program_of(text)) is None


@pytest.mark.long
def test_a_driver_whose_contracts_are_not_found_at_once_is_proved_as_one_procedure() -> None:
    """With an invariant of main's own loop alone: what holds in one copy of another loop need not hold in the next."""
    file = DRIVERS / "parport.c"
    task = Task((Source(path=str(file)),), Property.UNREACH_CALL)
    outcome = pipeline.verify(task, Options(budget=Budget(60.0)))
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert any("calls were inlined" in note for note in outcome.notes)
    assert [(each.procedure, each.kind) for each in outcome.program_contracts] == [("main", ContractKind.LOOP)]


def test_contracts_come_first() -> None:
    task = Task((Source(text=HEADER + LOCK),), Property.UNREACH_CALL)
    outcome = pipeline.verify(task, Options(budget=Budget(60.0)))
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert {each.procedure for each in outcome.program_contracts} >= {"acquire", "release", "serve"}
