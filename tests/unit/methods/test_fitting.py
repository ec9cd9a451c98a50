"""Who asks for a method that does not fit is told which do, and these take the question when they are asked."""

from __future__ import annotations

import pytest

from sorrel.evidence.effort import Effort
from sorrel.methods.answer import Attempts
from sorrel.methods.fitting import misfit
from sorrel.methods.question import Question
from sorrel.methods.registry import METHODS
from sorrel.methods.schedule import Step
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request
from unit.methods.searching import CALLS, COMMUTING, KINDS, LINEAR, question

PARTICULAR = (
    *("cdnf", "evaluation", "functions", "induction", "interleavings", "interpolation"),
    *("lines", "parts", "paths", "synonym", "tpa", "trees"),
)
"""Those that do not take every question of a kind that they are for."""
OTHERS = tuple(name for name in METHODS if name not in PARTICULAR)
PROGRAM_TEXT = "procedure main() { local x: int; start: x = 0; assert x == 0; return; }"


def _listed(asked: Question) -> frozenset[str]:
    """What fits, as somebody is told who has asked for something else."""
    told = str(misfit("nothing", "there is no such method", asked))
    return frozenset(told.partition("these fit: ")[2].split(", "))


def _is_taken(asked: Question, name: str) -> bool:
    options = Options(engine=name, budget=Budget(seconds=600))
    if not METHODS[name].fits(asked.features):
        return False
    attempts = Attempts(asked, Effort(options, options.budget.start(), lambda _: None))
    outcome = attempts.step(Step(name, seconds=0.02), attempts.effort)
    return outcome.reason is None or outcome.reason.cause is not Cause.UNSUPPORTED


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("among", [PARTICULAR, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["some", "others"])
def test_what_is_told_to_fit_takes_the_question_and_nothing_else_does(kind: str, among: tuple[str, ...]) -> None:
    asked = question(kind, Options(budget=Budget(seconds=600)))
    asked.look_alone()  # that there is one run only is found out by running the program, for whoever asks for that
    assert _listed(asked) & set(among) == {name for name in among if _is_taken(asked, name)}


@pytest.mark.parametrize(
    ("text", "engine", "why", "fitting", "others"),
    [
        (COMMUTING, "tpa", "clauses have to have one call each", "spacer", ("induction", "interpolation", "paths")),
        (LINEAR, "lines", "there are no real numbers", "tpa", ("cdnf", "running", "labels")),
        (LINEAR, "labels", "labels is for several runs of a program", "tpa", ("cdnf", "lines")),
    ],
)
def test_clauses_that_an_engine_does_not_take_are_a_mistake_that_names_those_that_do(
    text: str, engine: str, why: str, fitting: str, others: tuple[str, ...]
) -> None:
    with pytest.raises(UsageError, match=why) as mistake:
        pipeline.solve(Source(text=text), Options(engine=engine, budget=Budget(seconds=60)))
    named = str(mistake.value).partition("these fit: ")[2].split(", ")
    assert fitting in named
    assert not set(others) & set(named)


@pytest.mark.parametrize(
    ("name", "text", "goal", "engine", "why"),
    [
        ("calls.c", CALLS, "", "ranks", "ranks is for whether a program ends"),
        (
            "calls.c",
            CALLS,
            "termination",
            "whale",
            "whale is for .*these fit: hsf, lasso",
        ),
        ("calls.c", CALLS, "", "linked", "no objects"),
        ("one.sorrel", PROGRAM_TEXT, "", "whole", "no calls"),
        ("sum.ml", "let main n = assert (n = n)", "", "whole", "runs of a functional program; these fit: .*facts"),
    ],
)
def test_a_program_that_a_method_is_not_for_is_a_mistake(
    name: str, text: str, goal: str, engine: str, why: str
) -> None:
    (task,) = request([Source(name, text=text)], goal=goal).tasks
    with pytest.raises(UsageError, match=why):
        pipeline.verify(task, Options(engine=engine, budget=Budget(seconds=60)))


def test_obligations_are_for_those_who_have_ranks() -> None:
    text = "(set-logic HORN)(declare-fun T (Int Int) Bool)(dwf end ((x Int)) ((y Int)) (T x y))"
    with pytest.raises(UsageError, match=r"clover has no ranks.* these fit: hsf$"):
        pipeline.solve(Source(text=text), Options(engine="clover", budget=Budget(seconds=60)))
    assert pipeline.solve(Source(text=text), Options(engine="hsf", budget=Budget(seconds=60))).answer is Answer.SAFE
