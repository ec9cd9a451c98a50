"""Questions of the checker share a solver, and nothing else."""

from __future__ import annotations

import pytest
import z3

from sorrel.evidence.summaries import _Quick
from sorrel.logic import terms


def test_nothing_of_a_question_that_failed_stays_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _Quick()

    def fail(*_: object) -> None:
        raise z3.Z3Exception("out of memory")

    with monkeypatch.context() as broken:
        broken.setattr(quick._solver, "check", fail)
        with pytest.raises(z3.Z3Exception):
            quick.refutes(terms.FALSE)
    assert not quick.refutes(terms.TRUE)
    assert quick.refutes(terms.FALSE)
    assert not quick.refutes(terms.TRUE)
