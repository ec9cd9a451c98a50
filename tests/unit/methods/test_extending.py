"""What docs/extending.md says is enough: its places exist, and an engine and a method need nothing else."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from extending import RECIPES, places
from folders import ROOT
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import NoOptions
from sorrel.engines.registry import ENGINES, Entry
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Verdict
from sorrel.logic import terms
from sorrel.methods import registry
from sorrel.methods.clauses import ClauseQuestion
from sorrel.methods.features import Subject
from sorrel.methods.method import Method, MethodKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline

CLAUSES = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (p x))))"
SAFE = (
    CLAUSES
    + "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(assert (forall ((x Int)) (=> (and (p x) {bad}) false)))"
)


@pytest.mark.parametrize("title", RECIPES)
def test_each_recipe_has_at_most_four_places_and_they_exist(title: str) -> None:
    named = places(RECIPES[title])
    assert 1 <= len(named) <= 4
    assert [place for place in named if not (ROOT / place).exists()] == []


@dataclass(frozen=True)
class Everything:
    """An engine that says the same of all clauses."""

    options: object

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        return Safe({predicate.name: terms.TRUE for predicate in system.predicates})


def everything(question: ClauseQuestion, effort: Effort) -> Outcome:
    """A method that says the same of all clauses."""
    summaries = {predicate.name: terms.TRUE for predicate in question.system.predicates}
    return accept(Solution(question.system, Safe(summaries), question.text), effort)


@pytest.fixture
def newcomers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine and a method, each added by its entry alone."""
    module = ModuleType("newcomers")
    module.Everything = Everything  # type: ignore[attr-defined]
    module.everything = everything  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "newcomers", module)
    entry = Entry("newcomer", "newcomers", "Everything", NoOptions, "says that everything may be")
    method = Method("novice", "the same", MethodKind.PROGRAM, {Subject.CLAUSES: "newcomers:everything"}, "a novice")
    monkeypatch.setitem(ENGINES, "newcomer", entry)
    known = {**registry.METHODS, "newcomer": registry.as_method(entry), "novice": method}
    for name, each in known.items():
        monkeypatch.setitem(registry.METHODS, name, each)


@pytest.mark.parametrize(("name", "decided"), [("newcomer", "newcomer"), ("novice", "a novice")])
@pytest.mark.usefixtures("newcomers")
def test_what_is_registered_can_be_asked_and_is_believed_only_with_evidence(name: str, decided: str) -> None:
    options = Options(engine=name, budget=Budget(seconds=20), keep_contracts=True)
    outcome = pipeline.solve(Source(text=SAFE.format(bad="(not (= x x))")), options)
    assert outcome.answer is Answer.SAFE
    assert (outcome.engine, outcome.decided_by) == (name, decided)
    wrong = pipeline.solve(Source(text=SAFE.format(bad="(= x 7)")), options)
    assert wrong.answer is Answer.UNKNOWN
    assert wrong.reason is not None
    assert wrong.reason.cause is Cause.INTERNAL
