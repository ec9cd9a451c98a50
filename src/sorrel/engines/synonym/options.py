"""Options of engine synonym."""

from __future__ import annotations

from dataclasses import dataclass

from sorrel.engines.options import option


@dataclass(frozen=True, slots=True)
class SynonymOptions:
    synchrony: bool = option(True, "move all runs together; off: one run after the other")
    symmetry: bool = option(True, "follow one of several decisions that differ by the order of the runs only")
    detection: str = option("semantic", "how symmetries are found: semantic (all permutations) or syntactic (a graph)")
    unroll: int = option(12, "rounds of loops that the search for violating runs follows")
