"""Options of the engine `flower`."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class FlowerOptions:
    quantified: bool = option(True, "guess facts about all cells of a range of an array")
    contexts: bool = option(True, "guess one contract for all calls that happen")
    directed: bool = option(True, "guess from the environment of a call before the rules of clover are tried")
    rules: bool = option(True, "fall back on the rules of clover when no guess is left")
