"""What a harness cannot do for functions without a body: it returns the numbers that they returned, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sorrel.program.run import Used
from sorrel.program.statement import Choice


def unfed(taken: Sequence[Used]) -> str:
    """What is beyond it among the choices of a run, in words; empty if there is nothing."""
    outside = [used for used in taken if used.choice is Choice.EXTERNAL and used.arguments is None]
    for used in outside:
        if not _is_returned(used):
            return f"what {used.source} does"
    results = {(used.source, used.span, used.target) for used in outside}
    calls = Counter((source, span) for source, span, _ in results)
    return next((f"what {source} returns" for (source, _), number in calls.items() if number > 1), "")


def _is_returned(used: Used) -> bool:
    """Whether it is a number that a function returned, not something that it left in memory."""
    name, _, number = used.target.rpartition(".")
    return used.source.isidentifier() and name == used.source and number.isdecimal()
