"""The example notebook, run from its first cell to its last as Jupyter runs it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folders import ROOT

NOTEBOOK = ROOT / "examples" / "notebooks" / "sorrel.ipynb"


def texts(cell: dict[str, Any], kind: str) -> str:
    return "".join(
        "".join(output.get("data", {}).get(kind, output.get("text", ""))) for output in cell.get("outputs", ())
    )


@pytest.mark.long
def test_the_example_notebook_runs_and_shows_reports() -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    done = client.NotebookClient(notebook, timeout=180, kernel_name="python3").execute()
    proof, contracts, broken, values, given_up, solution = [c for c in done.cells if c["cell_type"] == "code"]
    assert "mccarthy.c: safe" in texts(proof, "text/html")
    assert "91" in texts(contracts, "text/plain")
    assert "mccarthy.c: unsafe" in texts(broken, "text/html")
    assert "'102'" in texts(values, "text/plain")
    assert "unknown" in texts(given_up, "text/plain")
    assert "define-fun inv" in texts(solution, "text/plain")


def test_the_example_notebook_is_kept_without_what_a_run_of_it_showed() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
