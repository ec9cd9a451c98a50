"""Plans are in units of work: a search takes the same way on a busy machine as on a quiet one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sorrel.methods.features import Subject
from sorrel.methods.method import Method, MethodKind
from sorrel.methods.registry import METHODS
from sorrel.model.budget import Budget
from sorrel.model.chance import without_chance
from sorrel.model.work import METER, SECOND
from unit.methods.searching import QUESTIONS, questions

SCRIPT = Path(__file__).with_name("searching.py")
BUSY = "while True: pass"


@contextmanager
def heavy_load(processes: int) -> Iterator[None]:
    burning = [subprocess.Popen([sys.executable, "-S", "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def logs(folder: Path) -> dict[str, str]:
    folder.mkdir()
    for question in QUESTIONS:
        subprocess.run(
            [sys.executable, str(SCRIPT), str(folder), question], check=True, timeout=600, env=without_chance()
        )
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_every_method_of_the_registry_is_asked_something() -> None:
    assert {question.partition(":")[2] for question in QUESTIONS} == METHODS.keys()


def test_a_method_that_nobody_has_named_is_asked_about_what_it_is_for() -> None:
    method = Method("novice", "a novice", MethodKind.ENDING, {Subject.ENDING: "novices:attempt"})
    assert questions({**METHODS, "novice": method})[-1] == "termination:novice"


@pytest.mark.long
def test_every_method_asks_the_same_under_heavy_load(tmp_path: Path) -> None:
    alone = logs(tmp_path / "alone")
    with heavy_load(processes=6):
        busy = logs(tmp_path / "busy")
    assert alone.keys() == busy.keys()
    assert len(alone) == len(QUESTIONS)
    assert not [name for name in alone if alone[name] != busy[name]]
    assert all(len(log) > 1000 for name, log in alone.items() if name.startswith(("clauses", "linear")))


def test_a_share_is_of_work_and_not_of_time() -> None:
    clock = Budget(seconds=100.0).start()
    part = clock.share(0.5, at_most=3.0)
    assert part.remaining() == pytest.approx(3.0)
    METER.add(2 * SECOND)
    assert part.remaining() == pytest.approx(1.0)
    assert not part.expired()
    METER.add(SECOND)
    assert part.expired()
    assert not clock.expired()


def test_the_plan_is_that_of_the_limit_even_if_time_is_gone_already() -> None:
    early, late = Budget(seconds=100.0).start(), Budget(seconds=100.0, gone=40.0).start()
    assert late.share(0.5).remaining() == early.share(0.5).remaining()
    assert late.until_deadline() < early.until_deadline() - 30


def test_what_is_left_of_the_whole_is_what_was_planned_but_a_question_may_take_all_the_time() -> None:
    clock = Budget(seconds=100.0).start()
    assert clock.remaining() == pytest.approx(100.0, abs=0.1)
    assert clock.allowed(1e6) == 1e6
    assert clock.share(0.5).allowed(1e6) == pytest.approx(50.0, abs=0.1)


def test_nothing_is_left_after_the_deadline() -> None:
    clock = Budget(seconds=0.0, gone=1.0).start().within(0.0)
    assert clock.expired()
    assert clock.remaining() == 0.0
    assert clock.share(0.5).remaining() == 0.0


def test_beyond_the_plan_there_is_always_some_more_until_the_deadline() -> None:
    clock = Budget(seconds=10.0).start()
    METER.add(20 * SECOND)
    assert not clock.expired()
    assert clock.share(0.5).remaining() > 0.0


def test_a_loop_that_looks_at_its_clock_ends() -> None:
    part = Budget().start().share(1.0, at_most=0.01)
    rounds = 0
    while not part.expired():
        rounds += 1
    assert 10 < rounds < 10_000


def test_one_of_several_that_take_turns_plans_for_its_own_part() -> None:
    clock = Budget(seconds=100.0).start()
    assert clock.at_pace(0.5).share(1.0).remaining() == pytest.approx(50.0, abs=0.1)
