"""What tests of whole programs share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.methods.functional import attempts, telling
from sorrel.methods.functional.plan import PLAN


@pytest.fixture
def few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is nothing to be found by running a functional program, a few runs are enough."""
    monkeypatch.setattr(attempts, "PLAN", replace(PLAN, probe=0.02, lasso=0.02))
    monkeypatch.setattr(telling, "MOST_RUNS", 6)
