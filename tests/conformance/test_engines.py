"""Every engine on every small example: the right answer or an honest unknown, always with accepted evidence."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from folders import CORPUS
from samples import some
from sorrel.engines.registry import ENGINES
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.text import Facts, read_certificate
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process import pipeline

EXAMPLES = sorted([*(CORPUS / "safe").glob("*.smt2"), *(CORPUS / "unsafe").glob("*.smt2")])
# What an engine exists for, it must solve; elsewhere it may not know.
MUST_SOLVE = {
    "slices": ("safe", "unsafe"),
    "spacer": ("safe", "unsafe"),
    "clover": ("safe", "unsafe"),
    "hsf": ("safe", "unsafe"),
    "unwind": ("unsafe",),
    "evaluation": (),  # counterexamples alone, of calls whose values are forced
    "paths": (),  # clauses with several calls have no paths
    "ranges": (),  # it proves what follows from bounds
    "trees": (),  # it learns conditions about numbers
    "induction": (),  # clauses with one call each, where few rounds are enough
    "interpolation": (),  # the same
    "tpa": (),  # the same, or many rounds
    "lines": (),  # it proves what follows from bounds of real numbers
    "flower": (),  # product programs are what it exists for
    "synonym": (),  # it takes laws, not clauses
    "cdnf": (),
    "whale": ("safe", "unsafe"),
}
MAY_NOT_KNOW = {
    ("clover", "option"),  # its summary is a quantifier-free formula about a datatype that no rule finds
    ("whale", "array_fill"),  # interpolants about single elements never end
    ("whale", "several_queries"),  # nor do those about single values of the first query
}


def solve(path: Path, engine: str, **changes: object) -> Outcome:
    options = Options(engine=engine, budget=Budget(seconds=20), **changes)  # type: ignore[arg-type]
    return pipeline.solve(Source(str(path)), options)


def _pairs() -> list[ParameterSet]:
    """Each engine on every fourth example, and each example by every fourth engine; all pairs with --long."""
    return [
        pytest.param(
            path,
            engine,
            id=f"{path.parent.name}-{path.stem}-{engine}",
            marks=() if (row + column) % 4 == 0 else pytest.mark.long,
        )
        for row, path in enumerate(EXAMPLES)
        for column, engine in enumerate(ENGINES)
    ]


@pytest.mark.parametrize(("path", "engine"), _pairs())
def test_answer_is_right_and_its_certificate_is_accepted(path: Path, engine: str) -> None:
    must = path.parent.name in MUST_SOLVE.get(engine, ()) and (engine, path.stem) not in MAY_NOT_KNOW
    seconds = 20.0 if must else 0.3
    options = Options(engine=engine, budget=Budget(seconds=seconds))
    # They do not exist for everything, and say so.
    if engine in ("cdnf", "synonym", "paths", "induction", "interpolation", "tpa", "trees", "lines"):
        with suppress(UsageError):
            assert pipeline.solve(Source(str(path)), options).answer in (path.parent.name, Answer.UNKNOWN)
        return
    outcome = pipeline.solve(Source(str(path)), options)
    expected = path.parent.name
    if must:
        assert outcome.answer == expected, outcome.reason
    assert outcome.answer in (expected, Answer.UNKNOWN)
    if outcome.answer is Answer.UNKNOWN:
        assert outcome.reason
        assert outcome.reason.message
        return
    _, system = pipeline.read(Source(str(path)))
    verdict = read_certificate(system, outcome.certificate)
    assert not isinstance(verdict, Facts)
    assert isinstance(check(system, verdict), Accepted)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", sorted((CORPUS / "terminating").glob("*.smt2")), ids=lambda p: p.stem)
def test_obligations_are_proved_or_honestly_refused(path: Path, engine: str) -> None:
    if engine != "hsf":
        with pytest.raises(UsageError, match="these fit: hsf"):
            solve(path, engine)
        return
    outcome = solve(path, engine, recheck="z3")
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.rankings
    assert [c.accepted for c in outcome.confirmations] == [True, True]
    assert Outcome.from_json(outcome.to_json()) == outcome
    again = pipeline.check_certificate(
        Source(str(path)), Source("certificate", outcome.certificate), Options(budget=Budget(seconds=20))
    )
    assert again.answer is Answer.SAFE


@pytest.mark.parametrize("path", some(EXAMPLES, 4), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_contract_preserving_mode_gives_the_same_answer(path: Path) -> None:
    assert solve(path, "spacer", keep_contracts=True).answer == path.parent.name


@pytest.mark.parametrize("checker", ["z3", "cvc5"])
@pytest.mark.parametrize("path", some(EXAMPLES, 4), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_a_second_solver_confirms_on_the_original_text(path: Path, checker: str) -> None:
    if checker == "cvc5":
        pytest.importorskip("cvc5")
    outcome = solve(path, "spacer", recheck=checker)
    assert outcome.answer == path.parent.name, outcome.reason
    assert [c.accepted for c in outcome.confirmations] == [True, True]


def test_every_corpus_example_has_a_verdict_by_its_folder() -> None:
    assert len(EXAMPLES) >= 20
