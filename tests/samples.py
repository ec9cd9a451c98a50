"""Claims about many things of one kind: some of them are looked at always, all of them with --long."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def some(cases: Iterable[object], every: int) -> list[ParameterSet]:
    """The first case and every so many-th after it; the others are long. A tuple is one case with several parts."""
    return [_case(case, at % every != 0) for at, case in enumerate(cases)]


def _case(case: object, is_long: bool) -> ParameterSet:
    made = case if isinstance(case, ParameterSet) else pytest.param(*(case if isinstance(case, tuple) else (case,)))
    return made._replace(marks=(*made.marks, pytest.mark.long)) if is_long else made
