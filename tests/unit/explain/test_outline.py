"""Outcomes hold the program as a reader sees it: texts, procedures, and what became of each check."""

from __future__ import annotations

import hashlib

from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.outline import ObligationStatus
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline

HEADER = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
TWICE = "int twice(int x) { return x + x; }\n"


def verified(text: str) -> Outcome:
    return pipeline.verify(Task((Source("f.c", text),)), Options(budget=Budget(30)))


def test_the_text_that_was_read_is_there_with_its_digest() -> None:
    text = HEADER + "int main(void) { assert(1 + 1 == 2); return 0; }\n"
    (source,) = verified(text).sources
    assert (source.path, source.text) == ("f.c", text)
    assert source.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_calls_and_loops_of_each_procedure_are_there() -> None:
    text = HEADER + TWICE + "int main(void) {\n  for (int i = 0; i < 3; i++)\n    twice(i);\n  return 0;\n}\n"
    main, twice = verified(text).procedures
    assert [call.procedure for call in main.calls] == ["twice"]
    assert [span.line for span in main.loops] == [5]
    assert (twice.calls, twice.loops) == ((), ())


def test_each_check_is_proved_refuted_or_open() -> None:
    text = (
        HEADER
        + "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x == x);\n  assert(x < 3);\n  return 0;\n}\n"
    )
    by_line = {each.span.line: each.status for each in verified(text).obligations}
    assert by_line == {5: ObligationStatus.OPEN, 6: ObligationStatus.REFUTED}


def test_a_check_that_no_run_gets_to_is_told_apart() -> None:
    text = (
        HEADER
        + "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x != x)\n    assert(x);\n  assert(x == x);\n}\n"
    )
    by_line = {each.span.line: each.status for each in verified(text).obligations}
    assert by_line == {6: ObligationStatus.UNREACHED, 7: ObligationStatus.PROVED}


def ends(text: str) -> dict[int, ObligationStatus]:
    task = Task((Source("f.c", text),), Property.TERMINATION)
    outcome = pipeline.verify(task, Options(budget=Budget(30)))
    return {each.span.line: each.status for each in outcome.obligations}


def test_loops_and_recursions_are_what_termination_asks_about() -> None:
    recursive = "int down(int n) {\n  return n > 0 ? down(n - 1) : 0;\n}\n"
    text = HEADER + recursive + "int main(void) {\n  for (int i = 0; i < 3; i++)\n    down(i);\n  return 0;\n}\n"
    assert ends(text) == {3: ObligationStatus.PROVED, 7: ObligationStatus.PROVED}


def test_a_loop_without_an_end_is_refuted_where_it_stands() -> None:
    text = HEADER + "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  while (n > 0)\n    ;\n  return 0;\n}\n"
    assert ends(text) == {5: ObligationStatus.REFUTED}
