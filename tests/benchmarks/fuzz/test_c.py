"""Generated C programs: what the generator promises, and that a wrong answer is seen."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from bench.fuzz import warm
from bench.fuzz.c import campaign, checks
from bench.fuzz.c.checks import Check
from bench.fuzz.c.judge import End, Run, Subject, judged
from bench.fuzz.c.program import Draft, Input, draft
from bench.fuzz.c.values import INTEGER_TYPES, Expression, binary, cast, unary
from c_execution import require_compiler
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property

_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")


def _drafts(count: int) -> list[Draft]:
    return [draft(random.Random(f"test/{number}"), str(number)) for number in range(count)]


def _program(tag: str, lines: tuple[str, ...], inputs: tuple[Input, ...] = ()) -> Draft:
    return Draft(tag, (), (), (), (), lines, inputs, (), frozenset({"if"}), False)


def test_generated_programs_are_compiled_and_defined() -> None:
    require_compiler()
    drafts = _drafts(60)
    subjects = [Subject(each.tag, each.batched(checks.observing(each).lines), each.inputs) for each in drafts]
    for runs in judged(subjects):
        assert runs is not None
        assert {run.end for run in runs} <= {End.RETURNED, End.EXITED}


def test_at_least_thirty_constructs_occur() -> None:
    found = Counter(name for each in _drafts(300) for name in each.constructs)
    assert sum(count >= 3 for count in found.values()) >= 60


def test_the_same_seed_gives_the_same_programs() -> None:
    one, other = (draft(random.Random("7/1"), "1") for _ in range(2))
    assert one == other


def test_expressions_stay_within_the_bounds_that_are_known_of_them() -> None:
    require_compiler()
    chance = random.Random(5)
    lines: list[str] = []
    made: list[Expression] = []
    for number in range(100):  # slots from 100 on have a meaning of their own
        one, other = (_variable(chance, f"x{number}_{side}", lines) for side in "ab")
        value = binary(one, chance.choice(_OPERATORS), other)
        if value and chance.random() < 0.5:
            casts = chance.random() < 0.5
            value = cast(value, chance.choice(INTEGER_TYPES)) if casts else unary(chance.choice("-~!"), value)
        if value:
            lines.append(f"observe({len(made)}, {value.text});")
            made.append(value)
    (runs,) = judged([Subject("1", _program("1", tuple(lines)).batched(()), ())])
    assert runs is not None
    (run,) = runs
    assert run.end is End.RETURNED
    observed = [pair for pair in run.seen if pair[0] < 100]
    assert len(observed) == len(made) > 50
    for slot, seen in observed:
        known = made[slot]
        assert known.low <= (seen if known.type.signed else seen % 2**known.type.bits) <= known.high


def _variable(chance: random.Random, name: str, lines: list[str]) -> Expression:
    type = chance.choice(INTEGER_TYPES)
    low, high = sorted(chance.choice((0, 1, 2, 9, 100)) for _ in range(2))
    low, high = min(low, type.high), min(high, type.high)
    lines.append(f"{type.name} {name} = {chance.choice((low, high))};")
    return Expression(name, type.promoted, low, high)


def test_the_judge_tries_all_inputs() -> None:
    require_compiler()
    lines = ("int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();", "observe(0, x * 10 + y);")
    inputs = (Input("x", 0, 2), Input("y", -1, 1))
    (runs,) = judged([Subject("1", _program("1", lines, inputs).batched(()), inputs)])
    assert runs is not None
    assert {run.inputs for run in runs} == set(product(range(3), range(-1, 2)))
    assert {run.seen[0][1] for run in runs} == {x * 10 + y for x, y in product(range(3), range(-1, 2))}


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("reach_error();", End.ERROR),
        ("assert(0);", End.ERROR),
        ("__VERIFIER_assume(0);", End.REFUSED),
        ("int x = 2147483647; x++;", End.OVERFLOW),
        ("int x = -2147483647 - 1; x = x / -1;", End.OVERFLOW),
        ("int x = 0; x = 1 / x;", End.DIVISION),
        ("int a[2], i = 2; a[i] = 1;", End.BOUNDS),
        ("int *p = 0; *p = 1;", End.BOUNDS),
        ("int s = 32; s = 1 << s;", End.UNDEFINED),
        ("for (;;) ;", End.LATE),
        ("exit(3);", End.EXITED),
        ("abort();", End.EXITED),
    ],
)
def test_the_judge_says_how_a_run_ends(line: str, end: End) -> None:
    require_compiler()
    (runs,) = judged([Subject("1", _program("1", (line,)).batched(()), ())])
    assert runs is not None
    assert [run.end for run in runs] == [end]


def test_an_access_through_a_pointer_is_watched() -> None:
    require_compiler()
    subject = Subject("1", _program("1", ("int a[2] = { 0 }, *p = a;", "p[2] = 1;")).batched(()), ())
    (runs,) = judged([subject], addresses=True)
    assert runs is not None
    assert [run.end for run in runs] == [End.BOUNDS]


def test_one_program_that_does_not_compile_spoils_no_other() -> None:
    require_compiler()
    good, bad = _program("1", ("reach_error();",)), _program("2", ("nonsense;",))
    found = judged([Subject(each.tag, each.batched(()), ()) for each in (good, bad)])
    assert found[1] is None
    assert found[0] is not None


@pytest.mark.parametrize(
    ("goal", "ends", "truth"),
    [
        (Property.ASSERTIONS, {End.RETURNED}, Answer.SAFE),
        (Property.ASSERTIONS, {End.RETURNED, End.ERROR}, Answer.UNSAFE),
        (Property.ASSERTIONS, {End.RETURNED, End.OVERFLOW}, None),
        (Property.NO_OVERFLOW, {End.RETURNED, End.OVERFLOW}, Answer.UNSAFE),
        (Property.TERMINATION, {End.LATE, End.RETURNED}, Answer.UNSAFE),
        (Property.TERMINATION, {End.EXITED, End.RETURNED}, Answer.SAFE),
    ],
)
def test_truth_is_what_all_runs_say(goal: Property, ends: set[End], truth: Answer | None) -> None:
    assert campaign.truth_of(goal, [Run((), end, ()) for end in ends]) == truth


def test_runs_with_the_same_low_values_that_differ_leak() -> None:
    same = [Run((0, 0), End.RETURNED, ((100, 0), (101, 5))), Run((1, 0), End.RETURNED, ((100, 1), (101, 6)))]
    assert not checks.leaks(same)
    assert checks.leaks([*same, Run((0, 1), End.RETURNED, ((100, 0), (101, 6)))])


def test_a_wrong_answer_is_saved_with_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program("1", ("int x = 1;",))
    example = campaign.Example(1, program, Check(("if (x) reach_error();",)), Property.ASSERTIONS, Answer.UNSAFE)
    monkeypatch.setattr(warm, "verify", lambda _task, _seconds: warm.Reply(Outcome(Answer.SAFE)))
    trial, (place,) = campaign.tried(example, 7, tmp_path)
    assert trial.wrong == "safe, but in truth unsafe"
    assert "reach_error();" in (place / "program.c").read_text()
    assert json.loads((place / "failure.json").read_text())["seed"] == 7


def test_a_traceback_is_wrong_and_a_refusal_is_not() -> None:
    assert warm.Reply(None, "internal", "Traceback\nKeyError: 1").wrong(Answer.SAFE) == "internal error: KeyError: 1"
    assert warm.Reply(None, "input", "not supported").wrong(Answer.SAFE) == ""


def test_main_in_one_file_and_its_functions_in_another_make_one_program() -> None:
    found = next(each for each in _drafts(400) if each.in_two_files)
    one, other = found.files(())
    assert "int main(void)" in one
    assert "int main(void)" not in other
    assert "static" not in one.split("int main")[0].replace("static local", "")


@pytest.mark.parametrize("truth", [Answer.SAFE, Answer.UNSAFE])
def test_sorrel_is_asked_and_agrees(truth: Answer, tmp_path: Path) -> None:
    limit = 4 if truth is Answer.SAFE else 3
    lines = ("int x = __VERIFIER_nondet_int();", "__VERIFIER_assume(0 <= x && x <= 3);")
    check = Check((f"if (x + 1 > {limit}) reach_error();",))
    example = campaign.Example(1, _program("1", lines), check, Property.ASSERTIONS, truth)
    trial, saved = campaign.tried(example, 1, tmp_path)
    assert (trial.verdict, saved) == (truth, [])


def test_laws_are_judged_by_all_arguments() -> None:
    require_compiler()
    found = list(campaign._lawful(range(30), 3))
    assert {example.truth for example in found} == {Answer.SAFE, Answer.UNSAFE}
    assert len({example.law for example in found}) >= 4
    assert all(example.task.specification == example.law for example in found)


def test_a_second_compiler_is_asked_before_an_answer_is_called_wrong() -> None:
    """gcc computes the sum of a constant and a comparison without looking for overflow."""
    require_compiler()
    if shutil.which("clang") is None:
        pytest.skip("there is no clang")
    program = _program("1", ("int x = 4;",))
    check = Check(("int near = 2147483647 + (x > 3);",))
    example = campaign.Example(1, program, check, Property.NO_OVERFLOW, Answer.SAFE)
    assert campaign.doubtful(example)
    sure = campaign.Example(1, program, Check(("int near = x;",)), Property.NO_OVERFLOW, Answer.SAFE)
    assert not campaign.doubtful(sure)


@pytest.mark.parametrize("violated", [True, False])
@pytest.mark.parametrize("values", [(0, 3), (-5, -2), (4,), (-7, 9)])
def test_checks_of_overflow_fail_exactly_if_they_are_meant_to(values: tuple[int, ...], violated: bool) -> None:
    require_compiler()
    inputs = (Input("x", min(values), max(values)),)
    subjects = []
    for number in range(6):
        tag = str(number)
        check = checks.overflow(random.Random(number), checks.Watched(tag, (checks.Seen("x", values),)), violated)
        program = _program(tag, ("int x = __VERIFIER_nondet_int();",), inputs)
        subjects.append(Subject(tag, program.batched(check.lines), inputs))
    for runs in judged(subjects):
        assert runs is not None
        assert campaign.truth_of(Property.NO_OVERFLOW, runs) == (Answer.UNSAFE if violated else Answer.SAFE)
