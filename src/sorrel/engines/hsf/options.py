"""The options of HSF. Free of solvers, for the command line."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class HsfOptions:
    methods: str = option(
        "spacer+farkas+strongest+weakest",
        "how refinements are found, in this order: spacer, farkas, strongest, weakest",
    )
    split: int = option(16, "a clause is split into at most so many cases, each with a conjunction as constraint")
    atoms: bool = option(True, "the atoms of a disjunctive refinement become predicates too, in both polarities")
    vocabulary: bool = option(False, "start with predicates that compare arguments with constants and each other")
    values: bool = option(True, "of arguments with few values that a refinement speaks of, keep the values")
    residues: int = option(24, "after so many refinements residues of integer arguments become predicates; 0: never")
    ranks: int = option(20, "stop after so many ranking relations for one obligation")
