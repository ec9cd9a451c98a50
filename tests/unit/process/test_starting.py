"""Processes start soon: a worker before anything else is loaded, and each with what its question needs and no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sorrel.process.postponed import postpone
from sorrel.process.starting import Started

ABOUT_PROGRAMS = {
    *(f"sorrel.{room}" for room in ("program", "functional", "relate", "contracts", "linked", "replay", "testing")),
    *(f"sorrel.frontends.{language}" for language in ("c", "java", "ocaml", "boolean")),
}
FOR_OTHER_COMMANDS = {"sorrel.lsp", "sorrel.modular", "sorrel.store", "sorrel.project", "sorrel.bench", "sorrel.api"}
FOR_OTHER_SLICES = {"sorrel.engines.trees.engine", "sorrel.engines.paths", "sorrel.transform.loops"}
OF_RESOURCES = {"tempfile", "shutil", "zipfile", "pathlib", "random", "traceback"}
UNMEASURED = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
"""Measuring which lines are run loads modules of its own."""
MACHINERY = {"typing", "dataclasses", "subprocess", "tempfile", "re", "json"}


@pytest.mark.parametrize(
    ("imported", "unwanted"),
    [
        ("sorrel.process.starting", MACHINERY),
        ("sorrel.cli.main, sorrel.cli.solve", {"z3", "subprocess", *ABOUT_PROGRAMS, *FOR_OTHER_COMMANDS}),
        (
            "sorrel.process.job; sorrel.process.job.load(); import sorrel.engines.slices",
            {"sorrel.report", "sorrel.cli", *FOR_OTHER_SLICES, *OF_RESOURCES, *ABOUT_PROGRAMS, *FOR_OTHER_COMMANDS},
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
    code = f"import sys, {imported}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=UNMEASURED)
    loaded = run.stdout.split()
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


@pytest.mark.parametrize(
    "asked",
    ["import inspect; inspect.signature", "from inspect import signature", "import inspect; inspect.cleandoc"],
)
def test_a_module_that_was_postponed_is_loaded_when_it_is_asked_for(asked: str) -> None:
    code = f"""
from sorrel.process.postponed import postpone
postpone("inspect")
import sys, dataclasses
assert "ast" not in sys.modules
{asked}
import ast, inspect
assert dataclasses.inspect.Parameter is inspect.Parameter is sys.modules["inspect"].Parameter
print(inspect.signature(ast.parse).parameters["source"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=UNMEASURED)
    assert (done.stdout, done.stderr) == ("source\n", "")


def test_a_module_that_is_there_is_not_postponed() -> None:
    assert sys.modules["os"] is os
    postpone("os")
    assert sys.modules["os"] is os


def test_the_solver_is_loaded_from_where_it_lies_and_resources_are_as_ever() -> None:
    code = """
from sorrel.logic.loading import load_solver
load_solver()
import sys
assert "z3" in sys.modules and "importlib.resources" not in sys.modules
import importlib.resources, z3
assert importlib.resources.files("z3").joinpath("z3core.py").is_file()
print(z3.simplify(z3.IntVal(1) + 2))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_a_solver_that_asks_for_more_is_loaded_in_its_own_way(tmp_path: Path) -> None:
    package = tmp_path / "z3"
    package.mkdir()
    (package / "__init__.py").write_text("from importlib.resources import files, contents\n")
    code = "from sorrel.logic.loading import load_solver; load_solver(); import z3; print(z3.contents.__name__)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("contents\n", "")
