"""What is made of a thing's parts before it is made of the thing: deep ones, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def bottom_up(root: K, made: MutableMapping[K, V], parts: Callable[[K], Iterable[K]], make: Callable[[K], V]) -> V:
    """`made` has what was made before and gets the rest; `parts` are asked for again once some of them are there."""
    waiting = [root]
    while waiting:
        top = waiting[-1]
        if top not in made:
            missing = [part for part in parts(top) if part not in made]
            if missing:
                waiting += missing
                continue
            made[top] = make(top)
        waiting.pop()
    return made[root]
