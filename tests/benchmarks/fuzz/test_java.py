"""Random Java methods: what the front end makes of them does what a real machine does, and answers agree with it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bench.fuzz.java import campaign
from bench.fuzz.java.laws import Values, contradiction, refuted
from bench.fuzz.java.translation import differences, methods
from sorrel.replay.java import is_there

pytestmark = pytest.mark.skipif(not is_there(), reason="there is no Java compiler and machine here")


def test_random_methods_compute_what_a_machine_computes() -> None:
    told, found = differences(5, methods(5, 40), each=20)
    assert not found
    assert sum(not why for why in told.values()) > 30


@pytest.mark.long
def test_answers_about_random_methods_are_not_contradicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "QUESTIONS", 4)
    assert [each.trial.wrong for each in islice(campaign.trials(3, tmp_path), 4)] == [""] * 4


def test_a_law_that_does_not_hold_is_seen() -> None:
    wrapped: Values = {(0, 0): 0, (0, 1): -1, (1, 0): -1, (1, 1): 0}
    differing: Values = {(x, y): x - y for x in range(3) for y in range(3)}
    assert contradiction("P1", wrapped, ["x", "y"]) == ("x", "y")
    assert contradiction("P3", differing, [0, 1, 2]) is None
    assert refuted("P1", [-1, -1])
    assert not refuted("P1", [-1, 1])
