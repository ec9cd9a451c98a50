"""Profiles of hypothesis, the --long flag, and the folder of third-party tasks."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

import asking
from folders import CORPUS
from sorrel.process import supervise

# A shared machine stalls now and then, which says nothing about the code: no deadlines.
_SHORT = settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", _SHORT)
settings.register_profile("long", _SHORT, max_examples=300)
settings.register_profile("nightly", _SHORT, max_examples=1000, derandomize=False, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run tests that take minutes, with more examples")
    parser.addoption("--nightly", action="store_true", help="the same with random examples that no other run has had")


def pytest_configure(config: pytest.Config) -> None:
    os.environ["SORREL_PEDANTIC"] = "1"  # a mistake that is noticed in time is one all the same
    settings.load_profile(_profile(config))
    if _profile(config) == "default":
        _draw_the_same_everywhere()


def _draw_the_same_everywhere() -> None:
    """Hypothesis puts constants of all modules that are loaded into its examples, so that the few of a short run depend
    on the order of tests and on every edit; and it reads a thousand modules for them, in each process."""
    providers._get_local_constants = Constants


def _profile(config: pytest.Config) -> str:
    return "nightly" if config.getoption("--nightly") else "long" if config.getoption("--long") else "default"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without --long, what takes minutes is left out, and is not told as skipped one by one."""
    if _profile(config) != "default":
        return
    left_out = [item for item in items if "long" in item.keywords]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if "long" not in item.keywords]


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays: to look through it again and again takes a tenth of the time.

    What tests make has few circles, so that what is new is looked through rarely, too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For modules whose claims are about answers: commands and the Python interface answer without a worker."""
    for kind in (asking.solve, asking.verify, asking.summarize, asking.check):
        monkeypatch.setattr(supervise, kind.__name__, kind)
    depth = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(depth)  # a worker may raise it for good


@pytest.fixture(scope="session")
def bench_folder() -> Path:
    """The folder of third-party tasks that SORREL_BENCH names; tests that need it are skipped without it."""
    named = os.environ.get("SORREL_BENCH")
    if not named:
        pytest.skip("SORREL_BENCH is not set")
    folder = Path(named)
    if not folder.is_dir():
        pytest.skip(f"SORREL_BENCH names no folder: {folder}")
    return folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The small examples with known verdicts that live beside the tests."""
    return CORPUS
