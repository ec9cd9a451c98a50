"""Processes start soon: a worker before anything else is loaded, and each with what its question needs and no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from sorrel.process.starting import Started

ABOUT_PROGRAMS = {
    *(f"sorrel.{room}" for room in ("program", "functional", "relate", "contracts", "linked", "replay", "testing")),
    *(f"sorrel.frontends.{language}" for language in ("c", "java", "ocaml", "boolean")),
}
FOR_OTHER_COMMANDS = {"sorrel.lsp", "sorrel.modular", "sorrel.store", "sorrel.project", "sorrel.bench", "sorrel.api"}
MACHINERY = {"typing", "dataclasses", "subprocess", "tempfile", "re", "json"}


@pytest.mark.parametrize(
    ("imported", "unwanted"),
    [
        ("sorrel.process.starting", MACHINERY),
        ("sorrel.cli.main, sorrel.cli.solve", {"z3", "subprocess", *ABOUT_PROGRAMS, *FOR_OTHER_COMMANDS}),
        (
            "sorrel.process.worker, sorrel.process.lanes, sorrel.engines.slices",
            {"sorrel.report", "sorrel.cli", *ABOUT_PROGRAMS, *FOR_OTHER_COMMANDS},
        ),
        ("sorrel.cli.main, sorrel.cli.verify", {"z3", "subprocess", *ABOUT_PROGRAMS}),
        (
            "sorrel.methods.reading, sorrel.methods.safety",
            {"tree_sitter", "sorrel.frontends.java", "sorrel.frontends.ocaml", "sorrel.engines.synonym.engine"},
        ),
    ],
    ids=[
        "before the worker starts",
        "the command that solves clauses",
        "its worker",
        "the command that verifies programs",
        "the worker for programs in C",
    ],
)
def test_no_more_is_loaded_than_is_needed(imported: str, unwanted: set[str]) -> None:
    code = f"import sys, {imported}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not unwanted & set(loaded)


def test_a_worker_hears_its_job_and_its_complaints_are_kept() -> None:
    echo = "import sys; print(sys.stdin.readline().upper(), end='', flush=True); sys.exit('no more')"
    worker = Started((sys.executable, "-c", echo))
    worker.tell(b"job\n")
    assert os.read(worker.messages, 100) == b"JOB\n"
    assert worker.exit_code() == 1
    assert worker.complaints() == "no more\n"
    worker.close()


def test_a_worker_leads_a_group_of_its_own_and_says_by_what_it_was_ended() -> None:
    worker = Started((sys.executable, "-c", "import sys; sys.stdin.read()"))
    assert worker.is_running()
    os.killpg(worker.pid, signal.SIGKILL)
    assert worker.exit_code() == -signal.SIGKILL
    assert not worker.is_running()
    worker.close()
