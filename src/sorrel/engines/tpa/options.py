"""The options of `tpa`."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class TpaOptions:
    split: bool = option(True, "relations for exactly and for less than 2^n steps; off: one for at most 2^n")
    powers: int = option(24, "stop after 2 to the power of so many steps")
    passes: str = option("", "what is done to the clauses before, as for spacer; loops finds deep counterexamples")
