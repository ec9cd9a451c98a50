"""Errors behind many rounds of a loop: found without going round by round, and repeated by the interpreter."""

from __future__ import annotations

import pytest

from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request

HEAD = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
CHOSEN_BEFORE = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  while (i < n) { i++; s += 2; }
  assert(s != 6000);
}"""
CHOSEN_IN_EACH_ROUND = """int main(void) {
  int i = 0, late = 0;
  while (__VERIFIER_nondet_int() > 3) { i++; if (i > 1500) late++; }
  assert(late < 1500);
}"""
CHOSEN_BEFORE_A_CALL = """int deep(void) {
  if (__VERIFIER_nondet_int() <= 0) return 0;
  return deep() + 1;
}
int main(void) { assert(deep() != 300); }"""


def accelerated(text: str, arithmetic: str = "auto") -> Outcome:
    (task,) = request([Source(text=HEAD + text)], arithmetic=arithmetic).tasks
    options = Options(engine="spacer", engine_options={"passes": "loops"}, budget=Budget(60))
    return pipeline.verify(task, options)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CHOSEN_BEFORE, marks=pytest.mark.long),
        pytest.param(CHOSEN_IN_EACH_ROUND, marks=pytest.mark.long),
        CHOSEN_BEFORE_A_CALL,
    ],
    ids=["before", "in each round", "before a call"],
)
def test_a_run_of_thousands_of_rounds_is_found_and_repeated(text: str) -> None:
    outcome = accelerated(text)
    assert outcome.answer is Answer.UNSAFE, outcome.reason
    assert "(loop " in outcome.certificate
    assert outcome.confirmations[-1].checker == "the interpreter"


@pytest.mark.long
def test_an_error_that_a_machine_does_not_get_to_is_not_claimed() -> None:
    outcome = accelerated(CHOSEN_BEFORE.replace("6000", "6001"))
    assert outcome.answer is not Answer.UNSAFE


@pytest.mark.parametrize("text", [CHOSEN_BEFORE, CHOSEN_IN_EACH_ROUND], ids=["before", "in each round"])
def test_more_rounds_than_anyone_repeats_are_no_evidence(text: str) -> None:
    far = text.replace("int i", "long long i").replace("1500", "9000000000").replace("6000", "18000000000")
    outcome = accelerated(far.replace("int n", "long long n").replace(" = 0, ", " = 0; long long "), "ideal")
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason
    assert "rounds of loops, too many to be repeated" in outcome.reason.message
