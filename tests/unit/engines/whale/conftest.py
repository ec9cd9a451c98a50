"""What tests of WHALE share."""

from __future__ import annotations

import pytest

from sorrel.engines.whale import long_walks


@pytest.fixture
def short_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search in place of seven: on systems of a few clauses the others meet nothing else, and take seconds."""
    monkeypatch.setattr(long_walks, "ROUNDS", long_walks.ROUNDS[:1])
