"""What can be switched: with everything off, the engine is the plain algorithm of the paper."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class CdnfOptions:
    templates: bool = option(True, "guess arithmetic facts, and keep what is inductive, before anything is learned")
    start: bool = option(True, "start from the property instead of from true")
    facts: bool = option(True, "a wrong call becomes the fact that its arguments give another result")
    generalise: bool = option(True, "a wrong call becomes a clause over a few of its bits, where that is inductive")
    steps: int = option(100, "calls that a run for a membership query may make; beyond that the answer is no")
    deep_steps: int = option(200_000, "calls that runs may make which would refute the property, all of them together")
    readable: bool = option(True, "look for a summary in arithmetic once one is learned")
