"""Families of Horn tasks with known verdicts, after the evaluation of the CLOVER paper (Pick, Fedyukovich, Gupta)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.families import buffers, combination, even_odd, hofstadter, mod_n, montgomery
from bench.families.horn import Task

FAMILIES: dict[str, Callable[[], Sequence[Task]]] = {
    module.FAMILY: module.tasks for module in (even_odd, hofstadter, mod_n, montgomery, buffers, combination)
}
