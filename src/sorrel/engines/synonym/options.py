"""Options of engine synonym."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class SynonymOptions:
    synchrony: bool = option(True, "move all runs together; off: one run after the other")
    symmetry: bool = option(True, "follow one of several decisions that differ by the order of the runs only")
    detection: str = option("semantic", "how symmetries are found: semantic (all permutations) or syntactic (a graph)")
    unroll: int = option(4, "rounds of loops that are followed before invariants are guessed; off with 0")
    search: int = option(32, "rounds of loops that the search for violating runs follows at most")
    conditionals: bool = option(True, "values assigned under a condition (?:) are decisions, as in the paper")
    ways: int = option(4, "a helper with at most so many ways through it is one step")
