"""What is told about the programs of the corpus is true when the compiler runs them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import folders
from sorrel.contracts.reading import Dialect
from sorrel.encode.contracts import WITHHELD
from sorrel.explain.compiled import compiled_runs
from sorrel.frontends.errors import Unsupported
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.process import pipeline
from sorrel.replay.compiler import compiler

CORPUS = folders.CORPUS / "c"
FILES = sorted((CORPUS / "safe").glob("*.c")) + sorted((CORPUS / "unsafe").glob("*.c"))
FEW = frozenset({"shadowing", "structure", "wrapping"})
"""Those whose functions are the same in both folders, and take seconds."""

pytestmark = pytest.mark.skipif(not compiler(), reason="there is no C compiler")


def _is_short(file: Path) -> bool:
    return file.stem in FEW


def files() -> list[object]:
    long = pytest.mark.long
    return [
        pytest.param(file, id=f"{file.parent.name}-{file.stem}", marks=() if _is_short(file) else long)
        for file in FILES
    ]


@pytest.mark.parametrize("file", files())
def test_contracts_of_the_corpus_are_true_in_compiled_runs(file: Path) -> None:
    task = Task((Source(str(file)),), data_model=data_model_here())
    try:
        outcome = pipeline.summarize(task, Options(budget=Budget(60.0)))
    except Unsupported:
        return
    assert not outcome.statistics.get("counts", {}).get(WITHHELD)
    in_c = [replace(each, conjuncts=each.in_c) for each in outcome.program_contracts if each.in_c]
    for dialect, contracts in ((Dialect.ACSL, outcome.program_contracts), (Dialect.C, tuple(in_c))):
        found = compiled_runs(task, contracts, 3, dialect=dialect)
        assert [each.text for each in found if each.false] == []
