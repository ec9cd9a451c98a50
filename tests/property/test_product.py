"""A product program does what its runs do: choices, observations and results are those of each run on its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from programs import choices, programs
from sorrel.program.inline import without_calls
from sorrel.program.interpreter import ByVariable, run
from sorrel.program.program import Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.run import Application, Exhausted, Finished, Observed, Run, Violated
from sorrel.program.statement import Kind
from sorrel.program.types import Type
from sorrel.program.validate import validate
from sorrel.program.value import Value
from sorrel.relate.lift import choices_of_runs
from sorrel.relate.observing import counted, traced
from sorrel.relate.predication import predicated
from sorrel.relate.product import Composition, Product, product
from sorrel.relate.unrolling import BEYOND, unrolled

STEPS = 3_000
seeds = st.lists(st.integers(0, 40), min_size=2, max_size=3)


class _Everywhere(Mapping[Application, Value]):
    """A value for every function at every place, always the same."""

    def __getitem__(self, application: Application) -> Value:
        return choices(len(repr(application)))(application[2])

    def __contains__(self, application: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Application]:
        return iter(())

    def __len__(self) -> int:
        return 1


def _alone(program: Program, numbers: list[int]) -> list[Run]:
    return [run(program, choices(n), steps=STEPS, record=True, functions=_Everywhere()) for n in numbers]


def _own(each: Run) -> list[Value]:
    return [used.value for used in each.used if used.arguments is None]


def _together(made: Product, runs: list[Run]) -> Run:
    """The product, each run with the values that it had alone."""
    left = [iter(_own(each)) for each in runs]

    def choose(type: Type, target: str) -> Value | None:
        return next(left[made.copies[target].run - 1], None)

    return run(made.program, ByVariable(choose), steps=40 * STEPS, functions=_Everywhere())


def _interleaved(values: list[tuple[Value, ...]]) -> tuple[Value, ...]:
    return tuple(value for each in zip(*values, strict=True) for value in each)


def _observed(result: Run) -> list[object]:
    return [(event.span, event.value) for event in result.events if isinstance(event, Observed)]


@given(programs(), seeds)
def test_runs_that_finish_finish_together_with_the_same_results_and_choices(
    program: Program, numbers: list[int]
) -> None:
    alone = _alone(program, numbers)
    ends = [each.end for each in alone if isinstance(each.end, Finished)]
    made = product(program, len(numbers))
    validate(made.program)
    together = _together(made, alone)
    if len(ends) < len(alone):
        assert not isinstance(together.end, Finished)
        return
    assert isinstance(together.end, Finished)
    assert together.end.outputs == _interleaved([end.outputs for end in ends])
    assert together.end.globals == _interleaved([end.globals for end in ends])
    mine = choices_of_runs(together.used, made.copies, len(numbers))
    assert mine == [_own(each) for each in alone]


@given(programs(), seeds)
def test_runs_are_caught_exactly_if_their_branches_or_elements_differ(program: Program, numbers: list[int]) -> None:
    alone = _alone(traced(program), numbers)
    assume(all(isinstance(each.end, Finished) for each in alone))
    end = _together(product(traced(program), len(numbers)), alone).end
    same = all(_observed(each) == _observed(alone[0]) for each in alone)
    assert isinstance(end, Finished) if same else isinstance(end, Violated) and end.assertion.kind is Kind.LEAK


@given(programs(), seeds)
def test_runs_are_caught_exactly_if_their_numbers_of_steps_differ(program: Program, numbers: list[int]) -> None:
    alone = _alone(counted(program), numbers)
    ends = [each.end for each in alone if isinstance(each.end, Finished)]
    assume(len(ends) == len(alone))
    end = _together(product(counted(program), len(numbers)), alone).end
    same = all(each.globals[-1] == ends[0].globals[-1] for each in ends)
    assert isinstance(end, Finished) if same else isinstance(end, Violated) and end.assertion.kind is Kind.LEAK


@given(programs(), seeds, st.sampled_from((Composition.NAIVE, Composition.LOCKSTEP)))
def test_runs_have_the_same_results_however_they_are_composed(
    program: Program, numbers: list[int], composition: Composition
) -> None:
    alone = _alone(program, numbers)
    ends = [each.end for each in alone if isinstance(each.end, Finished)]
    assume(len(ends) == len(alone))
    made = product(program, len(numbers), composition)
    validate(made.program)
    together = _together(made, alone)
    if isinstance(together.end, Finished):
        assert together.end.outputs == _interleaved([end.outputs for end in ends])
        assert choices_of_runs(together.used, made.copies, made.count) == [_own(each) for each in alone]
    else:
        modular = _together(product(program, len(numbers)), alone)
        assert type(together.end) is type(modular.end)


@given(programs(), st.integers(0, 40))
def test_inlined_programs_have_the_same_runs(program: Program, number: int) -> None:
    flat, _ = loops_as_procedures(program)
    changed, _ = without_calls(flat)
    validate(changed)
    before = run(flat, choices(number), steps=STEPS)
    after = run(changed, [used.value for used in before.used], steps=10 * STEPS)
    assume(not isinstance(before.end, Exhausted))
    assert type(after.end) is type(before.end)
    assert [used.value for used in after.used] == [used.value for used in before.used]
    if isinstance(before.end, Finished):
        assert after.end == before.end


@given(programs(), st.integers(0, 40))
def test_helpers_as_expressions_do_what_they_did(program: Program, number: int) -> None:
    before = run(program, choices(number), steps=STEPS, functions=_Everywhere())
    changed, _ = without_calls(program, lambda procedure: predicated(procedure, 8))
    validate(changed)
    after = run(changed, _own(before), steps=40 * STEPS, functions=_Everywhere())
    if isinstance(before.end, Finished):
        assert isinstance(after.end, Finished)
        assert (after.end.outputs, after.end.globals) == (before.end.outputs, before.end.globals)
        assert [used.value for used in after.used if used.arguments is None] == _own(before)


@given(programs(), st.integers(0, 40), st.integers(1, 3))
def test_loops_for_some_rounds_do_the_same_or_say_that_they_go_on(program: Program, number: int, rounds: int) -> None:
    flat, _ = without_calls(program)
    before = run(flat, choices(number), steps=STEPS, functions=_Everywhere())
    main = unrolled(flat.procedure[flat.main], rounds)
    assume(main is not None and not main.callees)
    changed = replace(flat, procedures=tuple(main if p.name == flat.main else p for p in flat.procedures))  # type: ignore[misc]
    validate(changed)
    after = run(changed, _own(before), steps=40 * STEPS, functions=_Everywhere())
    if isinstance(before.end, Finished):
        went_on = isinstance(after.end, Violated) and after.end.assertion == BEYOND
        assert went_on or after.end == before.end
