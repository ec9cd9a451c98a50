"""The options of methods that are no engines; those that solve clauses on the way say by which engine."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass

BY_ENGINE = "the engine on the clauses"


@dataclass(frozen=True, slots=True)
class WholeOptions:
    engine: str = option("slices", BY_ENGINE)


@dataclass(frozen=True, slots=True)
class LawOptions:
    engine: str = option("flower", BY_ENGINE)


@dataclass(frozen=True, slots=True)
class ProductOptions:
    engine: str = option("slices", BY_ENGINE)
    comparisons: bool = option(True, "try comparisons of variables at each location first")


@dataclass(frozen=True, slots=True)
class ThreadRulesOptions:
    engine: str = option("slices", BY_ENGINE)


@dataclass(frozen=True, slots=True)
class DifferingOptions:
    seed: int = option(0, "which runs are tried; added to --seed")
