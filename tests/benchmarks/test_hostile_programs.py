"""Small programs aimed at what each mechanism assumes: no answer about them is wrong.

`tests/corpus/hostile` has them by area, each below a line with its name, what is true of it, the property and the
engine that is asked; functions that are called from outside; and methods of Java with their laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import folders
from asking import verified
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request

PRELUDE = """
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
#define N __VERIFIER_nondet_int()
#define A(c) do { if (!(c)) reach_error(); } while (0)
/* What runs with small inputs do not get past. */
#define G \\
  do { \\
    int a_ = N, b_ = N; \\
    if (a_ > 1000000 || b_ > 1000000 || a_ < 0 || b_ < 0 || a_ + b_ != 100003 || a_ - b_ != 7) return 0; \\
  } while (0)
"""
WRONG = {"safe": (Answer.UNSAFE,), "unsafe": (Answer.SAFE, Answer.ASSUMING), "assumed": (Answer.SAFE, Answer.UNSAFE)}
"""`assumed`: true only under an assumption that is named."""


def _programs() -> Iterator[tuple[str, str]]:
    for file in sorted((folders.CORPUS / "hostile").glob("*.txt")):
        for each in file.read_text(encoding="utf-8").split("//// ")[1:]:
            head, _, text = each.partition("\n")
            yield head, text


@pytest.mark.long
@pytest.mark.parametrize(("head", "text"), [pytest.param(*each, id=each[0].split()[0]) for each in _programs()])
def test_no_answer_about_a_hostile_program_is_wrong(head: str, text: str) -> None:
    _, truth, goal, engine = head.split()
    outcome = verified(PRELUDE + text, goal=goal, engine=engine, timeout=12.0)
    assert outcome.answer not in WRONG[truth], outcome


def _methods() -> Iterator[tuple[str, str, str, str]]:
    """The method, the law, what is true of it, and the text."""
    for each in (folders.CORPUS / "hostile" / "java.inc").read_text(encoding="utf-8").split("//// ")[1:]:
        head, _, text = each.partition("\n")
        _, method, *laws = head.split()
        for law in laws:
            name, _, truth = law.partition("=")
            yield method, name, truth, text


@pytest.mark.long
@pytest.mark.parametrize(("method", "law", "truth", "text"), list(_methods()))
def test_no_answer_about_a_hostile_method_of_java_is_wrong(
    method: str, law: str, truth: str, text: str, tmp_path: Path
) -> None:
    if law == "L":
        law = str(tmp_path / "L.spec")
        Path(law).write_text("hyper L(a): requires 0 == 0; ensures a.\\result == 1;\n")
    source = Source("T.java", f"import java.util.*;\n{text}")
    if truth == "refused":
        with pytest.raises(InputError):
            _judged(source, method, law)
    else:
        assert _judged(source, method, law).answer not in WRONG[truth]


def _judged(source: Source, method: str, law: str) -> Outcome:
    (task,) = request([source], function=method, specification=law).tasks
    return pipeline.verify(task, Options(budget=Budget(12.0)))


def _functions() -> Iterator[tuple[str, str]]:
    """What stands before the braces of a function, and the whole text with an assertion at its end that fails."""
    head, *lines = (folders.CORPUS / "hostile" / "outside.inc").read_text(encoding="utf-8").split("//// ")
    for line in lines:
        signature, _, body = line.rstrip().partition("|")
        yield line.rstrip(), f"{head}int {signature} {{ {body} assert(0); return 1; }}\n"


@pytest.mark.long
@pytest.mark.parametrize(("line", "text"), list(_functions()), ids=[line for line, _ in _functions()])
def test_a_function_that_can_come_to_its_end_is_not_said_never_to(line: str, text: str) -> None:
    (task,) = request([Source(text=text)], function="f").tasks
    outcome = pipeline.verify(task, Options(budget=Budget(8.0), preconditions=False))
    assert outcome.answer not in (Answer.SAFE, Answer.ASSUMING), line
    assert outcome.reason is None or "a proof was found" not in str(outcome.reason), line
