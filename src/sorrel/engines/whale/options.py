"""The options of WHALE. Free of solvers, for the command line."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class WhaleOptions:
    expand: str = option("all", "EXPANDARG adds one path at a time (path), or all at once (all)")
    merge: bool = option(True, "calls of one function at one depth of recursion share an ARG")
    guards: bool = option(True, "guess guards over inputs beside summaries")
    reuse: bool = option(
        True, "before interpolating, try the contracts that there are: of the callee, of its ancestors"
    )
    transparent: bool = option(True, "look through functions without recursion until the others are settled")
    methods: str = option(
        "spacer+guesses+blocking+covering+strongest+weakest",
        "how interpolants are found, in this order: spacer, guesses, blocking, covering, farkas, strongest, weakest",
    )
    patience: int = option(2, "after so many refuted contracts of a function guesses and blocking come first")
    tree: int = option(300, "an under-approximation with more calls than this goes to Spacer instead of one formula")
    walk: bool = option(True, "start with executions that repeat one path of a function over and over")
    audit: bool = option(False, "check Lemma 3 and the covering relation after every refinement")
