"""Blocks under construction: chains of jumps are made short, and that takes no longer than reading them."""

from __future__ import annotations

import time

import pytest

from sorrel.frontends.blocks import Builder
from sorrel.program.statement import Goto, Return

_MANY = 20_000


def _chain(labels: list[str], last: str) -> Builder:
    """Each jumps to the next."""
    builder = Builder()
    builder.goto(labels[0])
    for label, following in zip(labels, [*labels[1:], last], strict=True):
        builder.leave(label)
        builder.goto(following)
    return builder


def test_a_chain_of_jumps_becomes_one() -> None:
    builder = _chain([f"hop.{number}" for number in range(_MANY)], "end")
    builder.start("end")
    builder.end(Return())
    entry = builder.finished("entry.1")
    assert [block.label for block in entry] == ["entry.1", "end"]


def test_long_chains_are_followed_once() -> None:
    started = time.process_time()
    builder = _chain([f"hop.{number}" for number in reversed(range(_MANY))], "end")
    builder.start("end")
    builder.end(Return())
    builder.finished("entry.1")
    assert time.process_time() - started < 2


@pytest.mark.parametrize("length", [1, 2, 5])
def test_jumps_that_never_end_stay_a_loop(length: int) -> None:
    labels = [f"hop.{number}" for number in range(length)]
    blocks = {block.label: block for block in _chain(labels, labels[0]).finished("entry.1")}
    label = "entry.1"
    for _ in range(length + 2):
        terminator = blocks[label].terminator
        assert isinstance(terminator, Goto)
        label = terminator.target
