"""What proofs take for granted, and who is asked to show it."""

from __future__ import annotations

import pytest

from sorrel.methods import assumptions
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request

# The remainder is an index as long as the count does not overflow.
COUNTS = """
extern int __VERIFIER_nondet_int(void);
static int data[16], count;
static void put(int value) {
    data[count % 16] = value;
    if (CONDITION) count++;
}
int main(void) {
    while (__VERIFIER_nondet_int()) put(1);
    return 0;
}
"""


def by_ranges_as_a_whole(text: str) -> Outcome:
    (task,) = request([Source(text=text)], goal="valid-deref").tasks
    options = Options(engine="whole", engine_options={"engine": "ranges"}, budget=Budget(20.0))
    return pipeline.verify(task, options)


@pytest.fixture
def _nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Summaries say nothing of overflow, and nobody is asked about it but who has found them."""
    monkeypatch.setattr(assumptions._Settling, "_holds", lambda *_: False)
    monkeypatch.setattr(assumptions, "ENGINES_FOR_ASSUMPTIONS", ())


@pytest.mark.long
@pytest.mark.usefixtures("_nobody_else")
def test_what_a_proof_of_the_whole_program_takes_for_granted_is_shown_by_the_same_engine() -> None:
    outcome = by_ranges_as_a_whole(COUNTS.replace("CONDITION", "count < 1000"))
    assert outcome.answer is Answer.SAFE
    assert assumptions.ANOTHER in {each.detail for each in outcome.assumptions}


@pytest.mark.long
@pytest.mark.usefixtures("_nobody_else")
def test_an_overflow_that_the_same_engine_does_not_exclude_is_still_assumed() -> None:
    outcome = by_ranges_as_a_whole(COUNTS.replace("CONDITION", "1"))
    assert outcome.answer is Answer.ASSUMING
