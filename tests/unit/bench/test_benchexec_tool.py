"""The module by which BenchExec runs Sorrel: what is started, and what answers mean."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("benchexec", reason="BenchExec is not installed")

from benchexec.tools.template import BaseTool2

from sorrel.bench.benchexec_tool import Tool


def result(first: str, *words: str, timeout: bool = False) -> str:
    command = ["sorrel", "verify", *words]
    run: Any = SimpleNamespace(
        output=[first, "more"] if first else [],
        was_timeout=timeout,
        exit_code=SimpleNamespace(value=0),
        cmdline=command,
    )
    return Tool().determine_result(run)


def test_answers_are_those_of_the_competition() -> None:
    assert result("safe") == "true"
    assert result("unsafe") == "false(unreach-call)"
    assert result("unsafe", "--property", "no-overflow.prp") == "false(no-overflow)"
    assert result("unknown") == "unknown"
    assert result("", timeout=True) == "TIMEOUT"
    assert result("") == "ERROR"


def test_a_proof_that_assumes_something_open_is_no_proof() -> None:
    assert result("safe, assuming no signed overflow") == "unknown"


def test_property_data_model_and_limit_are_handed_on() -> None:
    task = BaseTool2.Task.with_files(["f.c"], property_file="p.prp", options={"language": "C", "data_model": "ILP32"})
    command = Tool().cmdline("sorrel", ["-q"], task, SimpleNamespace(cputime=900))
    assert command == [
        "sorrel",
        "verify",
        "-q",
        "--data-model",
        "ILP32",
        "--property",
        "p.prp",
        "--timeout",
        "900",
        "f.c",
    ]
