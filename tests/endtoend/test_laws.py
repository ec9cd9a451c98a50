"""Laws about strict order, structures by value, parameters with the names of runs, and methods with a receiver."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request


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
