"""What a copy of the process finds is what would be found here."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from sorrel.frontends import c
from sorrel.frontends.c import reader
from sorrel.frontends.c.beside import beside
from sorrel.model.source import Source


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def test_a_copy_tells_what_it_found() -> None:
    with beside(os.getpid, worthwhile=True) as found:
        assert found() != os.getpid()


def test_what_is_not_worth_a_copy_is_found_here_and_at_once() -> None:
    state = ["before"]
    with beside(lambda: state[0], worthwhile=False) as found:
        state[0] = "after"
        assert found() == "before"


def test_what_a_copy_finds_does_not_depend_on_what_happens_here() -> None:
    state = ["before"]
    with beside(lambda: state[0], worthwhile=True) as found:
        state[0] = "after"
        assert found() == "before"


def _killed() -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def _raising() -> int:
    raise ValueError


@pytest.mark.parametrize("way", [_killed, _raising])
def test_what_a_copy_cannot_tell_is_found_here(way: Callable[[], int]) -> None:
    here = os.getpid()
    with beside(lambda: 42 if os.getpid() == here else way(), worthwhile=True) as found:
        assert found() == 42


def test_a_copy_ends_with_whoever_does_not_ask() -> None:
    with pytest.raises(KeyError), beside(lambda: signal.pause(), worthwhile=True):
        raise KeyError
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


CALLS = """
int x;
int set(int v) { x = v; return v; }
int main(void) { int r = set(1) + set(2); return r + (x = r) + x; }
"""


def test_assumptions_about_the_order_of_evaluation_are_the_same_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    def assumed() -> list[str]:
        return [each.text for each in c.read([Source(text=CALLS)], c.CSettings()).assumptions]

    here = assumed()
    monkeypatch.setattr(reader, "MANY_FUNCTIONS", 1)
    assert assumed() == here
    assert any("order of evaluation" in each for each in here)
