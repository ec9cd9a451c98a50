"""What tests of whole programs share."""

from __future__ import annotations

import pytest

from sorrel.methods.functional import attempts, telling


@pytest.fixture
def few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is nothing to be found by running a functional program, a few runs are enough."""
    monkeypatch.setattr(attempts, "PROBE_SECONDS", 0.02)
    monkeypatch.setattr(telling, "MOST_RUNS", 6)
