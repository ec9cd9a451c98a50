"""From a run of a product program back to the runs that it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.model.errors import InternalError
from sorrel.program.run import Used
from sorrel.program.value import Value
from sorrel.relate.copies import CopyOf


def choices_of_runs(used: Sequence[Used], copies: Mapping[str, CopyOf], count: int) -> list[list[Value]]:
    """The choices of each run, in the order in which it alone would ask for them.

    A run is active in the blocks of its own path, in their order, and only then takes values: what is left of the list
    without the values of the others is its own list. Values of uninterpreted functions are on no list: they belong to
    all runs (`Run.functions`).
    """
    found: list[list[Value]] = [[] for _ in range(count)]
    for choice in used:
        if choice.arguments is not None:
            continue
        copy = copies.get(choice.target)
        if copy is None:
            raise InternalError(f"the value of {choice.target} in a product belongs to no run")
        found[copy.run - 1].append(choice.value)
    return found
