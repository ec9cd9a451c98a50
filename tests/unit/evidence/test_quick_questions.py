"""Questions of the checker share a solver, and nothing else."""

from __future__ import annotations

import pytest
import z3

from sorrel.evidence.summaries import MOST_QUESTIONS, _Quick, contradictory
from sorrel.logic import terms


def test_nothing_of_a_question_that_failed_stays_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _Quick()

    def fail(*_: object) -> None:
        raise z3.Z3Exception("out of memory")

    with monkeypatch.context() as broken:
        broken.setattr(z3.Solver, "check", fail)
        with pytest.raises(z3.Z3Exception):
            quick.refutes(terms.FALSE)
    assert not quick.refutes(terms.TRUE)
    assert quick.refutes(terms.FALSE)
    assert not quick.refutes(terms.TRUE)


def test_a_question_without_an_answer_contradicts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise z3.Z3Exception("out of memory")

    with monkeypatch.context() as broken:
        broken.setattr(z3.Solver, "check", fail)
        assert not contradictory(terms.FALSE)
    assert contradictory(terms.FALSE)
    assert not contradictory(terms.TRUE)


def test_questions_beyond_those_of_one_solver_are_asked_of_another() -> None:
    quick = _Quick()
    assert all(quick.refutes(terms.FALSE) for _ in range(MOST_QUESTIONS))
    first = quick._solver
    assert not quick.refutes(terms.TRUE)
    assert quick._solver is not first
