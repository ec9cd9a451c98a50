"""A run that is stopped tells what was found by then, and several questions share one limit of time."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest

from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import LEAST, Budget
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, unknown
from sorrel.process import supervise
from sorrel.process.starting import Started

PROVED = Outcome(Answer.ASSUMING, assumptions=(Assumption.that(AssumptionKind.OVERFLOW),))
PART = unknown(Cause.INCOMPLETE, "so far")


@pytest.fixture
def worker() -> Iterator[supervise._Worker]:
    worker = supervise._Worker("clover", Started((sys.executable, "-c", "")))
    yield worker
    worker.end()


def hear(worker: supervise._Worker, *known: Outcome) -> None:
    for outcome in known:
        line = json.dumps({"known": outcome.to_json()}).encode() + b"\n"
        supervise._take_messages(worker, line, lambda _engine, _news: None)


def test_a_proof_whose_assumptions_were_looked_at_is_told(worker: supervise._Worker) -> None:
    hear(worker, PROVED)
    found = supervise._stopped(worker, "interrupted after 1.0 s", "f.c")
    assert found.answer is Answer.ASSUMING
    assert [each.kind for each in found.assuming] == [AssumptionKind.OVERFLOW]
    assert found.notes == ("interrupted after 1.0 s; what was not decided by then is open",)


def test_what_another_lane_says_later_does_not_take_a_proof_back(worker: supervise._Worker) -> None:
    hear(worker, PROVED, PART)
    assert supervise._stopped(worker, "cancelled", "f.c").answer is Answer.ASSUMING


def test_without_a_proof_the_answer_is_unknown_because_of_the_interruption(worker: supervise._Worker) -> None:
    hear(worker, PART)
    found = supervise._stopped(worker, "cancelled", "f.c")
    assert found.answer is Answer.UNKNOWN
    assert found.reason is not None
    assert found.reason.cause is Cause.INTERRUPTED


def test_several_questions_share_what_time_is_left() -> None:
    whole = Budget(seconds=12.0)
    assert whole.shared(3, 0.0).seconds == 4.0
    assert whole.shared(2, 1.0).seconds == 5.5
    assert whole.shared(1, 11.0).seconds == 1.0
    assert whole.shared(1, 13.0).seconds == LEAST
    assert Budget().shared(2, 5.0).seconds is None
