"""Laws about strict order, structures by value, names of runs, methods with a receiver, and results that overflow."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.replay.compiler import compiler


def asked(folder: Path, name: str, text: str, law: str, *, function: str = "", engine: str = "portfolio") -> Outcome:
    file = folder / name
    file.write_text(text)
    (task,) = request([Source(str(file))], function=function, specification=law).tasks
    return pipeline.verify(task, Options(engine=engine, budget=Budget(seconds=60)))


ASCENDING = """//@ hyper ascending(a, b): requires a.x < b.x && a.n == b.n;
//@ ensures a.\\result < b.\\result;
unsigned long long f(unsigned x, unsigned n) {
    unsigned long long y = x;
    for (unsigned i = 0; i < n; i++)
        y = y + STEP;
    return y;
}
"""


def test_synonym_keeps_a_strict_order_through_a_loop(tmp_path: Path) -> None:
    outcome = asked(tmp_path, "f.c", ASCENDING.replace("STEP", "1"), "comments", engine="synonym")
    assert (outcome.answer, outcome.engine) == (Answer.SAFE, "synonym")


@pytest.mark.long
def test_an_order_that_a_loop_turns_round_is_refuted(tmp_path: Path) -> None:
    assert asked(tmp_path, "f.c", ASCENDING.replace("STEP", "(x < 2 ? 5 : 0)"), "comments").answer is Answer.UNSAFE


PAIR = """struct pair { int x, y; };
int compare(struct pair a, struct pair b) {
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    return LAST;
}
"""


@pytest.mark.parametrize(
    ("last", "answer"), [("a.y < b.y ? -1 : a.y > b.y", Answer.SAFE), ("a.y > b.y", Answer.UNSAFE)]
)
def test_structures_by_value_are_compared_by_their_members(tmp_path: Path, last: str, answer: Answer) -> None:
    """Their parameters have the names of runs, and are none."""
    assert asked(tmp_path, "p.c", PAIR.replace("LAST", last), "P1", function="compare").answer is answer


@pytest.mark.parametrize(("bound", "answer"), [("b", Answer.SAFE), ("b + w", Answer.UNSAFE)])
def test_a_law_about_three_arguments_leaves_the_receiver_alone(tmp_path: Path, bound: str, answer: Answer) -> None:
    text = f"""public class Pick {{
    int w;
    int pick(int a, int b, int c) {{
        if (a > {bound} && a > c) return a;
        return b > c ? b : c;
    }}
}}
"""
    assert asked(tmp_path, "Pick.java", text, "P13", function="pick").answer is answer


def compared(
    folder: Path, body: str, *, law: str = "P1", assuming: tuple[str, ...] = (), replay: bool = False
) -> Outcome:
    """What is known of `int compare(int a, int b)`, which may overflow."""
    file = folder / "c.c"
    file.write_text(f"int compare(int a, int b) {{ return {body}; }}\n")
    (task,) = request([Source(str(file))], function="compare", specification=law).tasks
    options = Options(engine="spacer", budget=Budget(seconds=60), assuming=assuming, replay=replay)
    return pipeline.verify(task, options)


def test_a_difference_is_no_comparison_since_it_overflows(tmp_path: Path) -> None:
    outcome = compared(tmp_path, "a - b")
    assert outcome.answer is Answer.UNSAFE
    (wrapped,) = [each for each in outcome.assumptions if each.kind is AssumptionKind.WRAPPING]
    assert "signed overflow in - at" in wrapped.detail
    assert "-fwrapv" in outcome.harness


@pytest.mark.skipif(not compiler(), reason="there is no C compiler")
def test_runs_that_overflow_are_repeated_by_a_compiler_that_lets_them_wrap_around(tmp_path: Path) -> None:
    outcome = compared(tmp_path, "a - b", law="P2", replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert "the compiled program" in [each.checker for each in outcome.confirmations]


@pytest.mark.parametrize(
    ("body", "open_"),
    [("a / 2 - b / 2", []), ("a + 1 == b + 1 ? 0 : a < b ? -1 : 1", [AssumptionKind.WRAPPING])],
)
def test_a_comparison_that_is_right_is_not_refuted(tmp_path: Path, body: str, open_: list[AssumptionKind]) -> None:
    """The second overflows, and is a comparison all the same where results wrap around."""
    outcome = compared(tmp_path, body)
    assert outcome.answer is (Answer.ASSUMING if open_ else Answer.SAFE)
    assert [each.kind for each in outcome.assumptions if each.weakens] == open_


def test_who_vouches_for_small_numbers_is_not_shown_large_ones(tmp_path: Path) -> None:
    assert compared(tmp_path, "a - b", assuming=("overflow",)).answer is Answer.ASSUMING
